"""Several runs: those on the same claims, and two compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fakes.reporting import ROWS
from fakes.runs import write_run
from fakes.vote_tables import letters, run_votes

from parcel_agents.errors import InputError
from parcel_agents.eval.library import Run
from parcel_agents.eval.report.run_comparison import compare_runs
from parcel_agents.eval.report.run_groups import grouped
from parcel_agents.eval.synthetic import paper_like_votes


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
