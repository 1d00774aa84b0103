from __future__ import annotations

import numpy as np
import pytest
from fakes.ballots import ballots_of, codes
from fakes.tables import table_of
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, NOT_FOUND, REFUTED, SUPPORTED, UNASKED
from parcel_agents.ensemble.calibration import UNLABELLED
from parcel_agents.eval.replay.reach import failed_by
from parcel_agents.hard.distribution import distribution
from parcel_agents.hard.failures import Failures, failures_of

S, R, N, A, X, U = SUPPORTED, REFUTED, NOT_FOUND, ABSTAINED, FAILED, UNASKED


def failures(rows: list[list[int]], gold: list[int], *, wrong_only: bool = False) -> Failures:
    return failures_of(ballots_of(rows), np.array(gold, dtype=np.int8), wrong_only=wrong_only)


def test_a_vote_is_right_wrong_abstained_or_absent() -> None:
    found = failures([[S, R, A, X, U]], [S])
    assert found.right.tolist() == [[True, False, False, False, False]]
    assert found.wrong.tolist() == [[False, True, False, False, False]]
    assert found.abstained.tolist() == [[False, False, True, False, False]]
    assert found.absent.tolist() == [[False, False, False, True, True]]
    assert found.failed.tolist() == [[False, True, True, False, False]]
    assert found.counted.tolist() == [[True, True, True, False, False]]
    assert found.failed_by.tolist() == [2]


def test_wrong_labels_alone_may_be_counted() -> None:
    found = failures([[S, R, A, X, U]], [S], wrong_only=True)
    assert found.failed.tolist() == [[False, True, False, False, False]]
    assert found.counted.tolist() == [[True, True, False, False, False]]
    assert found.failed_by.tolist() == [1]


def test_a_claim_without_a_label_is_refused() -> None:
    with pytest.raises(ValueError, match="has no label"):
        failures([[S]], [UNLABELLED])


@pytest.mark.parametrize("k", [0, 3])
def test_k_lies_between_one_and_the_number_of_verifiers(k: int) -> None:
    with pytest.raises(ValueError, match="from 1 to 2"):
        failures([[S, S]], [S]).hard(k)


def test_votes_with_the_papers_counts_give_its_table() -> None:
    # 8 claims fail all seven, 19 six, 263 three; 500 fail one. The other 2,606 nobody fails.
    rows = (
        [[R] * 7] * 8 + [[R] * 6 + [S]] * 19 + [[S, R, S, R, S, R, S]] * 263 + [[S] * 6 + [N]] * 500 + [[S] * 7] * 2606
    )
    found = distribution(failures(rows, [S] * 3396), {})[0]
    assert found.claims == 3396
    assert {row.k: row.claims for row in found.rows} == {1: 790, 2: 290, 3: 290, 4: 27, 5: 27, 6: 27, 7: 8}
    assert f"{100 * found.rows[2].share.value:.2f}" == "8.54"
    assert f"{100 * found.rows[6].share.value:.2f}" == "0.24"
    assert (found.with_abstentions, found.with_absent_votes) == (0, 0)


def test_missing_votes_are_counted_apart() -> None:
    # On one claim both are wrong; on one a vote is wrong and one failed; on one both abstained; on one both failed.
    rows, gold = [[R, R], [R, X], [A, A], [S, S], [X, X]], [S] * 5
    found = distribution(failures(rows, gold), {})[0]
    assert [(row.claims, row.exactly, row.if_missing_fail) for row in found.rows] == [(3, 1, 4), (2, 2, 4)]
    assert (found.with_abstentions, found.with_absent_votes) == (1, 2)
    found = distribution(failures(rows, gold, wrong_only=True), {})[0]
    assert [(row.claims, row.exactly, row.if_missing_fail) for row in found.rows] == [(2, 1, 3), (1, 1, 3)]


def test_groups_have_shares_of_their_own_and_empty_ones_are_left_out() -> None:
    which = np.array([True, True, False])
    groups = {("label", "supported"): which, ("label", "refuted"): np.zeros(3, dtype=np.bool_)}
    found = distribution(failures([[R], [S], [R]], [S, S, N]), groups)
    assert [(group.kind, group.claims, group.rows[0].claims, group.rows[0].share.value) for group in found] == [
        ("all", 3, 2, pytest.approx(2 / 3)),
        ("label", 2, 1, 0.5),
    ]


votes = st.integers(1, 5).flatmap(
    lambda width: hnp.arrays(np.int8, st.tuples(st.integers(1, 20), st.just(width)), elements=codes())
)


@given(votes, st.booleans())
def test_fewer_claims_fail_more_verifiers_and_missing_votes_only_add(choices: np.ndarray, wrong: bool) -> None:
    found = distribution(failures(choices.tolist(), [S] * len(choices), wrong_only=wrong), {})[0]
    claims = [row.claims for row in found.rows]
    assert claims == sorted(claims, reverse=True)
    assert all(row.claims <= row.if_missing_fail <= found.claims for row in found.rows)
    assert sum(row.exactly for row in found.rows) == claims[0]


@given(votes)
def test_every_vote_is_one_of_right_wrong_abstained_and_absent(choices: np.ndarray) -> None:
    found = failures(choices.tolist(), [R] * len(choices))
    assert (found.right.astype(int) + found.wrong + found.abstained + found.absent == 1).all()


@given(votes, st.integers(0, 2))
def test_a_failure_is_what_replay_takes_for_one(choices: np.ndarray, label: int) -> None:
    table = table_of(choices.tolist(), [label] * len(choices))
    assert failures_of(table.ballots, table.gold).failed_by.tolist() == failed_by(table).tolist()
