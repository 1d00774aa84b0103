"""The tables of a report."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from fakes.reporting import ROWS, cell, found, table_of, value
from fakes.vote_tables import letters, run_votes

from parcel_agents.errors import ConfigError, InputError
from parcel_agents.eval.report.evaluate import evaluate_votes
from parcel_agents.eval.report.table_formats import as_text
from parcel_agents.eval.report.tables import all_tables
from parcel_agents.eval.synthetic import paper_like_votes


def test_the_three_denominators_by_hand() -> None:
    first = found(letters(ROWS)).find("v0")
    everything, answered, by_all = (first.scopes[name] for name in ("all", "answered", "answered_by_all"))
    # v0 is right on claims 1, 5 and 6, wrong on 2, and has no label on 3 and 4.
    assert (everything.claims, answered.claims) == (6, 4)
    assert everything.figures["accuracy"].value == pytest.approx(3 / 6)
    assert answered.figures["accuracy"].value == pytest.approx(3 / 4)
    # Both gave a label on claims 1, 2 and 5; v0 is right on two of them.
    assert by_all.claims == 3
    assert by_all.figures["accuracy"].value == pytest.approx(2 / 3)
    # One false entailment among the 5 unsupported claims, 3 of which were answered, 2 by both.
    assert everything.figures["fer"].value == pytest.approx(1 / 5)
    assert answered.figures["fer"].value == pytest.approx(1 / 3)
    assert by_all.figures["fer"].value == pytest.approx(1 / 2)


def test_a_missing_vote_is_no_label_and_no_abstention() -> None:
    evaluation = found(letters(ROWS))
    first, second = evaluation.find("v0"), evaluation.find("v1")
    assert {way: count.claims for way, count in first.outcomes.items()} == {"label": 4, "abstained": 1, "timeout": 1}
    assert {way: count.claims for way, count in second.outcomes.items()} == {"label": 5, "not in the run": 1}
    assert first.outcomes["timeout"].share.value == pytest.approx(1 / 6)
    assert first.figures["refuted>none"].value == pytest.approx(1 / 3)


def test_accuracy_by_strategy_is_over_the_claims_of_label_and_strategy() -> None:
    evaluation = found(letters(ROWS))
    strategies = [(one.label, one.name, one.claims) for one in evaluation.strategies.all]
    assert strategies == [
        ("refuted", "logic_reversal", 2),
        ("refuted", "authority_swap", 1),
        ("not_found", "phantom_citation", 1),
        ("not_found", "missing_detail", 1),
    ]
    assert [one.value for one in evaluation.find("v0").per_strategy] == [0.5, 0.0, 0.0, 1.0]
    # v1: logic reversal 1 of 2, so the mean of both verifiers is (1/2 + 1/2) / 2; authority swap (0 + 1) / 2.
    assert [one.value for one in evaluation.mean_per_strategy] == [0.5, 0.5, 0.5, 0.5]


def test_claims_without_strategy_stand_apart_only_where_others_have_one() -> None:
    table = table_of(found(letters([*ROWS, "o1 R RR", "o1 S SS"])), "table5")
    assert [column.title for column in table.columns] == ["Logic reversal", "Authority swap", "(none)"]
    assert cell(table, "claims", "(none)") == 1
    without = found(letters([row.rsplit(" ", 1)[0] if row.count(" ") == 3 else row for row in ROWS]))
    assert {"table5", "table6"}.isdisjoint(one.key for one in all_tables(without))


def test_hard_claims_count_abstentions_and_not_missing_votes() -> None:
    # Failed: claim 2 by v0, 3 by v0 (abstained), 5 by v1; claim 4 and 6 lack a vote, which is no failure.
    assert [hard.claims for hard in found(letters(ROWS)).hard] == [3, 0]


def test_tables_hold_what_the_paper_has() -> None:
    evaluation = found(letters(ROWS))
    two = table_of(evaluation, "table2")
    assert [row.name for row in two.rows] == ["v0", "v1", "majority", "majority class"]
    assert [row.section for row in two.rows] == ["verifier", "verifier", "policy", "baseline"]
    # v0 calls claims 1 and 2 supported, of which the first is.
    assert value(cell(two, "v0", "P", "Supported")) == pytest.approx(1 / 2)
    assert value(cell(two, "majority class", "Accuracy")) == pytest.approx(3 / 6)
    three = table_of(evaluation, "table3")
    assert value(cell(three, "v1", "FER on Refuted")) == pytest.approx(1 / 3)
    assert value(cell(three, "v1", "FER on Not Found")) == 0
    four = table_of(evaluation, "table4")
    # Six votes on refuted claims: two say supported, three refuted, one is missing.
    said = [value(cell(four, "Refuted", title, "said to be")) for title in ("Supported", "Refuted", "Not Found")]
    assert said == pytest.approx([2 / 6, 3 / 6, 0])
    assert value(cell(four, "Refuted", "Abstained or missing", "said to be")) == pytest.approx(1 / 6)


def test_the_claim_only_baseline_is_a_row_where_there_are_opinions_enough() -> None:
    rows = [f"o{opinion} {label} {label}{label}" for opinion in range(6) for label in "SRN" for _ in range(3)]
    evaluation = found(letters(rows))
    assert evaluation.accuracy_of("majority class").value == pytest.approx(1 / 3)
    assert not math.isnan(evaluation.accuracy_of("claim only").value)
    assert math.isnan(evaluation.find("claim only").latency.value)


def test_a_policy_costs_what_the_verifiers_it_asks_cost() -> None:
    # Two tiers: the second is asked only where the first two disagree, on the second claim.
    table = letters(["o1 S SSS", "o2 R SRR", "o3 N NNN"], tiers=(0, 0, 1), cost=0.5)
    cascade = found(table).find("majority, tier by tier")
    assert cascade.cost.value == pytest.approx((1.0 + 1.5 + 1.0) / 3)
    assert cascade.total_cost == pytest.approx(3.5)
    # Two seconds a tier.
    assert cascade.latency.value == pytest.approx((2 + 4 + 2) / 3)
    assert cascade.figures["accuracy"].value == 1


def test_policies_see_the_panel_alone() -> None:
    table = letters(["o1 S SSN", "o2 R RRN"])
    run = run_votes(table)
    assert found(replace(run, panel=replace(run.panel, columns=(0, 1)))).find("majority").figures["accuracy"].value == 1


def test_a_policy_that_learns_is_fitted_on_the_other_opinions() -> None:
    evaluation = evaluate_votes(
        [run_votes(paper_like_votes(np.random.default_rng(0)).rows(np.arange(3396) < 600))],
        np.random.default_rng(0),
        policies=("weighted", "dawid_skene"),
        resamples=100,
    )
    names = [system.name for system in evaluation.of_kind("policy")]
    assert names == ["majority", "weighted", "dawid_skene"]
    assert evaluation.find("dawid_skene").figures["accuracy"].value > 0.93


def test_a_panels_own_policy_that_is_a_file_is_told_and_not_shown() -> None:
    evaluation = found(run_votes(letters(ROWS), policy="fitted.json"))
    assert any("fitted.json" in note for note in evaluation.notes)
    assert [system.name for system in evaluation.of_kind("policy")] == ["majority"]


def test_a_policy_that_was_asked_for_must_exist() -> None:
    with pytest.raises(ConfigError, match="unknown policy 'nobody'"):
        evaluate_votes([run_votes(letters(ROWS))], np.random.default_rng(0), policies=("nobody",))


def test_unlabelled_claims_are_left_out_and_told() -> None:
    evaluation = found(letters([*ROWS, "o3 ? SS"]))
    assert evaluation.claims == 6
    assert "1 of 7 claims have no label and are left out" in evaluation.notes


def test_a_run_without_a_label_has_nothing_to_report() -> None:
    with pytest.raises(InputError, match="no labelled claim"):
        found(letters(["o1 ? SS"]))


def test_a_verifier_without_votes_is_there_with_nothing() -> None:
    evaluation = found(letters(["o1 S S.", "o2 R R."]))
    second = evaluation.find("v1")
    assert second.figures["accuracy"].value == 0
    assert second.scopes["answered"].claims == 0
    assert math.isnan(second.scopes["answered"].figures["accuracy"].value)
    assert evaluation.find("v0").scopes["answered_by_all"].claims == 0
    assert math.isnan(second.latency.value)
    assert "2 of 4 votes are missing (v1 2)" in evaluation.notes[0]
    assert " - " in as_text(table_of(evaluation, "denominators"))


def test_one_opinion_has_figures_without_intervals() -> None:
    evaluation = found(letters(["o1 S SS", "o1 R RS"]))
    assert any("one opinion" in note for note in evaluation.notes)
    assert math.isnan(evaluation.find("v0").figures["accuracy"].low)
    assert "(" not in as_text(table_of(evaluation, "table3"))


def test_two_runs_share_a_table_with_the_runs_name_where_names_clash() -> None:
    one = run_votes(letters(ROWS, names=("same", "mine")), name="first")
    other = run_votes(letters(ROWS, names=("same", "yours")), name="second")
    names = [system.name for system in found(one, other).systems]
    assert names[:4] == ["first: same", "mine", "second: same", "yours"]
    assert names[4:] == ["first: majority", "second: majority", "majority class"]
    assert len(found(one, other).hard) == 4


def test_each_file_of_the_data_set_is_measured_too() -> None:
    evaluation = found(letters(ROWS, subsets=("claims",) * 4 + ("contrast",) * 2))
    part = {part.name: part for part in evaluation.subsets}["contrast"]
    assert (part.claims, part.opinions) == (2, 1)
    assert part.figures["v0"]["accuracy"].value == 1
    assert table_of(evaluation, "subsets").columns[0].group == "claims: 4 claims about 2 opinions"
