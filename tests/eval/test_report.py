from __future__ import annotations

import csv
import io
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fakes.runs import write_run
from fakes.vote_tables import letters, run_votes

from parcel_agents.errors import ConfigError, InputError
from parcel_agents.eval.bootstrap import Estimate
from parcel_agents.eval.library import Run, evaluate, frame
from parcel_agents.eval.report.curves import reliability, risk_coverage
from parcel_agents.eval.report.evaluate import evaluate_votes
from parcel_agents.eval.report.evaluation import Evaluation, RunVotes
from parcel_agents.eval.report.run_comparison import compare_runs
from parcel_agents.eval.report.run_groups import grouped
from parcel_agents.eval.report.systems import verifier_systems
from parcel_agents.eval.report.table_formats import as_csv, as_latex, as_text, latex, number
from parcel_agents.eval.report.tables import Table, all_tables
from parcel_agents.eval.synthetic import paper_like_votes
from parcel_agents.eval.vote_table import VoteTable

# Two verifiers; a: right, wrong (false entailment), abstained, failed; b: not in the run on the last claim.
ROWS = (
    "o1 S SS",
    "o1 R SR logic_reversal",
    "o1 N -N phantom_citation",
    "o2 R xR authority_swap",
    "o2 R RS logic_reversal",
    "o2 N N. missing_detail",
)


def found(*runs: RunVotes | VoteTable, **settings: object) -> Evaluation:
    votes = [run if isinstance(run, RunVotes) else run_votes(run) for run in runs]
    return evaluate_votes(votes, np.random.default_rng(0), policies=("majority",), resamples=100, **settings)  # type: ignore[arg-type]


def table_of(evaluation: Evaluation, key: str) -> Table:
    return {table.key: table for table in all_tables(evaluation)}[key]


def cell(table: Table, row: str, column: str, group: str = "") -> object:
    place = [(one.title, one.group) for one in table.columns].index((column, group))
    return {one.name: one for one in table.rows}[row].cells[place]


def value(estimate: object) -> float:
    assert isinstance(estimate, Estimate)
    return estimate.value


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


# Formats


def test_csv_reads_back_with_full_precision() -> None:
    table = table_of(found(letters(ROWS)), "table3")
    rows = list(csv.DictReader(io.StringIO(as_csv(table))))
    assert [row["name"] for row in rows] == ["v0", "v1", "majority", "majority class"]
    assert float(rows[0]["FER"]) == pytest.approx(20.0)
    assert float(rows[0]["FER low"]) <= 20 <= float(rows[0]["FER high"])


def test_every_csv_has_as_many_fields_as_its_head() -> None:
    evaluation = found(letters(ROWS, subsets=("claims",) * 4 + ("contrast",) * 2, names=('a,"b"', "c\nd")))
    for table in all_tables(evaluation):
        head, *lines = csv.reader(io.StringIO(as_csv(table)))
        assert {len(line) for line in lines} == {len(head)}
    assert '"a,""b"""' in as_csv(table_of(evaluation, "table2"))


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("dawid_skene", r"dawid\_skene"),
        ("5% & $3 #1", r"5\% \& \$3 \#1"),
        ("a\\b{c}", r"a\textbackslash{}b\{c\}"),
        ("~^", r"\textasciitilde{}\textasciicircum{}"),
        ("Müller > 3", r"Müller \textgreater{} 3"),
    ],
)
def test_latex_escapes(text: str, escaped: str) -> None:
    assert latex(text) == escaped


def test_latex_has_a_cell_per_column_in_every_row() -> None:
    evaluation = found(letters(ROWS, names=("a_b & c", "50%")))
    for table in all_tables(evaluation):
        text = as_latex(table)
        body = text[text.index(r"\toprule") : text.index(r"\bottomrule")]
        for line in body.splitlines():
            if line.endswith(r"\\") and "multicolumn" not in line:
                assert len(re.findall(r"(?<!\\)&", line)) == len(table.columns), line
        assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")


def test_text_lines_up() -> None:
    lines = as_text(table_of(found(letters(ROWS)), "table2")).splitlines()
    assert lines[0] == "Table 2. Performance on all 6 claims"
    rows = [line for line in lines if line.startswith(("v0", "v1", "majority"))]
    assert len({len(line) for line in rows}) == 1


@pytest.mark.parametrize(
    ("figure", "form", "text"),
    [
        (0.9666, "share", "0.967"),
        (0.4876, "percent", "48.76"),
        (math.nan, "share", "-"),
        (1234, "count", "1,234"),
        (0.00412, "dollars", "0.0041"),
        (13.5812, "dollars", "13.58"),
    ],
)
def test_numbers(figure: float, form: str, text: str) -> None:
    assert number(figure, form) == text  # type: ignore[arg-type]


# Curves


def test_reliability_by_hand() -> None:
    # Confidences .95 and .91 fall into the last tenth: mean .93, one of two right; .55: right.
    table = letters(["o1 S S", "o1 R S", "o2 N N", "o2 N -"], confidence=[[0.95], [0.91], [0.55], [0.2]])
    curve = reliability(verifier_systems(table)[0], table.gold)
    assert curve is not None
    assert curve.confidence.tolist() == pytest.approx([0.55, 0.93])
    assert curve.accuracy.tolist() == [1.0, 0.5]
    # (.45 * 1 + .43 * 2) / 3
    assert curve.error == pytest.approx((0.45 + 0.86) / 3)


def test_no_confidence_has_no_reliability_and_one_point_of_coverage() -> None:
    table = letters(["o1 S S", "o1 R S", "o2 N N", "o2 N -"])
    system = verifier_systems(table)[0]
    assert reliability(system, table.gold) is None
    curve = risk_coverage(system, table.gold)
    assert curve is not None
    assert (curve.coverage.tolist(), curve.risk.tolist()) == ([0.75], pytest.approx([1 / 3]))


def test_risk_and_coverage_by_hand() -> None:
    table = letters(["o1 S S", "o1 R S", "o2 N N", "o2 N N"], confidence=[[0.9], [0.8], [0.8], [0.1]])
    curve = risk_coverage(verifier_systems(table)[0], table.gold)
    assert curve is not None
    # The two of confidence .8 are kept together: one of three answers is wrong.
    assert curve.coverage.tolist() == [0.25, 0.75, 1.0]
    assert curve.risk.tolist() == pytest.approx([0, 1 / 3, 1 / 4])


# The library


def test_the_library_gives_frames(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    run = Run(write_run(tmp_path / "run", letters(ROWS)))
    votes = run.votes()
    # Twelve pairs, one of which is not in the run.
    assert len(votes) == 11
    assert list(votes.columns)[:5] == ["claim_id", "opinion_id", "subset", "gold", "strategy"]
    first = votes[votes.verifier == "v0"].set_index("claim_id")
    assert first.loc["c1", "label"] == "supported"
    assert first.loc["c3", "outcome"] == "timeout"
    assert first.label.isna().sum() == 2
    verdicts = run.verdicts()
    assert verdicts.label.tolist()[0] == "supported"
    assert verdicts.status.tolist()[1] == "abstained"
    assert set(run.verdicts("plurality").policy) == {"plurality"}
    figures = frame(evaluate(run, policies=("majority",), resamples=100))
    assert len(figures) == 3 * 4
    one = figures[(figures.name == "v0") & (figures.on == "answered")].iloc[0]
    assert one.accuracy == pytest.approx(3 / 4)


def test_verdicts_of_a_policy_that_has_to_be_fitted_say_so(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    run = Run(write_run(tmp_path / "run", letters(ROWS)))
    with pytest.raises(ConfigError, match="has to be fitted"):
        run.verdicts("dawid_skene")


@pytest.mark.slow
def test_a_million_votes_load_in_time_and_memory(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    import resource
    import time

    folder = write_run(tmp_path / "run", paper_like_votes(np.random.default_rng(0), repeat=43))
    begun = time.monotonic()
    votes = Run(folder).votes()
    assert len(votes) > 1_000_000
    assert time.monotonic() - begun < 40
    assert votes.memory_usage(deep=True).sum() < 100e6
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2e6


# Several runs


def test_runs_on_the_same_claims_are_grouped(tmp_path: Path) -> None:
    one = Run(write_run(tmp_path / "a" / "run", letters(ROWS)))
    other = Run(write_run(tmp_path / "b" / "run", letters(ROWS)))
    third = Run(write_run(tmp_path / "c", letters(ROWS[:3])))
    groups = grouped([one, third, other])
    assert [[votes.name for votes in group.runs] for group in groups] == [[str(one.path), str(other.path)], ["c"]]


def test_a_run_named_twice_is_refused(tmp_path: Path) -> None:
    run = Run(write_run(tmp_path / "run", letters(ROWS)))
    with pytest.raises(InputError, match="named twice"):
        grouped([run, run])


def test_an_unknown_subset_is_named_with_those_that_are_there(tmp_path: Path) -> None:
    run = Run(write_run(tmp_path / "run", letters(ROWS, subsets=("claims",) * 3 + ("contrast",) * 3)))
    with pytest.raises(InputError, match="no claim of the subset 'other'; it has claims, contrast"):
        grouped([run], "other")
    assert len(grouped([run], "contrast")[0].runs[0].table) == 3


def test_a_comparison_by_hand() -> None:
    first = letters(["o1 S S", "o1 R S", "o2 R R", "o2 N N"])
    second = letters(["o1 S S", "o1 R R", "o2 R R", "o2 N S"])
    runs = (run_votes(first, name="first"), run_votes(second, name="second"))
    found = compare_runs(*runs, np.random.default_rng(0), policies=("majority",), resamples=200)
    pair = {pair.name: pair for pair in found.pairs}["v0"]
    assert pair.accuracy == (0.75, 0.75)
    assert pair.accuracy_gain.value == 0
    # Each has one false entailment of three; the opinions differ by +1/2 and -1/2, so resamples reach both.
    assert pair.fer == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert pair.accuracy_gain.low == pytest.approx(-0.5)
    assert pair.accuracy_gain.high == pytest.approx(0.5)
    assert (pair.tests.only_first_right, pair.tests.only_second_right) == (1, 1)
    assert pair.tests.mcnemar_p == 1
    won, lost = pair.changed
    assert (won.claim_id, won.first, won.second, won.second_is_right) == ("c1", "supported", "refuted", True)
    assert (lost.claim_id, lost.second_is_right, lost.second_votes) == ("c3", False, {"v0": "supported"})


def test_a_run_against_itself_changes_nothing() -> None:
    table = paper_like_votes(np.random.default_rng(0)).rows(np.arange(3396) < 400)
    runs = (run_votes(table, name="a"), run_votes(table, name="b"))
    for pair in compare_runs(*runs, np.random.default_rng(0), resamples=100).pairs:
        assert (pair.accuracy_gain.value, pair.accuracy_gain.low, pair.accuracy_gain.high) == (0, 0, 0), pair.name
        assert pair.changed == ()
        assert (pair.tests.mcnemar_p, pair.tests.permutation_p) == (1, 1)


def test_the_best_verifiers_are_compared_where_they_differ() -> None:
    first = letters(["o1 S SR", "o2 R RS"], names=("good", "bad"))
    second = letters(["o1 S SR", "o2 R RS"], names=("better", "worse"))
    runs = (run_votes(first), run_votes(second))
    found = compare_runs(*runs, np.random.default_rng(0), policies=("majority",), resamples=100)
    assert [pair.name for pair in found.pairs] == ["best verifier (good / better)", "majority"]


def test_only_claims_of_both_are_compared_whatever_their_order() -> None:
    rows = ["o1 S S", "o1 R R", "o2 N N", "o2 R S"]
    first = letters(rows)
    second = first.rows(np.array([False, True, True, True]))
    second = replace(
        second,
        claims=second.claims[::-1],
        ballots=second.ballots.rows(np.array([2, 1, 0])),
        gold=second.gold[::-1],
        opinions=second.opinions[::-1],
        outcomes=second.outcomes[::-1],
    )
    runs = (run_votes(first, name="first"), run_votes(second, name="second"))
    found = compare_runs(*runs, np.random.default_rng(0), policies=("majority",), resamples=100)
    assert found.claims == 3
    assert "first has 4 claims and second 3; compared are those whose id is in both, 3" in found.notes
    assert all(pair.changed == () for pair in found.pairs)


def test_runs_without_a_common_claim_are_refused() -> None:
    other = letters(["o1 S S"])
    other = replace(other, claims=(other.claims[0].model_copy(update={"id": "elsewhere"}),))
    runs = (run_votes(letters(["o1 S S"]), name="first"), run_votes(other, name="second"))
    with pytest.raises(InputError, match="share no labelled claim"):
        compare_runs(*runs, np.random.default_rng(0))


def test_a_claim_that_differs_in_its_text_is_left_out() -> None:
    other = letters(["o1 S S", "o2 R S"])
    changed = other.claims[0].model_copy(update={"claim": "(something else)"})
    other = replace(other, claims=(changed, other.claims[1]))
    runs = (run_votes(letters(["o1 S S", "o2 R R"])), run_votes(other))
    found = compare_runs(*runs, np.random.default_rng(0), policies=("majority",), resamples=100)
    assert found.claims == 1
    assert any("differ in text, opinion or label are left out: 1" in note for note in found.notes)
