from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents import ensemble
from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, UNASKED, Ballots, Bools, Codes, Floats, Member
from parcel_agents.ensemble.calibration import UNLABELLED, Calibration
from parcel_agents.ensemble.dawid_skene import DawidSkene
from parcel_agents.ensemble.stacking import Stacking
from parcel_agents.types import EvidenceRef, Vote

S, R, N, A, F, U = 0, 1, 2, ABSTAINED, FAILED, UNASKED


def ballots(
    rows: Sequence[Sequence[int]] | Codes,
    names: str = "abcdefgh",
    confidence: Floats | None = None,
    points: Bools | None = None,
) -> Ballots:
    """Votes that all point to one place where `points` says so."""
    choices = np.array(rows, dtype=np.int8)
    claims, width = choices.shape
    there = np.zeros((claims, width), dtype=np.bool_) if points is None else points
    return Ballots(
        tuple(Member(name) for name in names[:width]),
        choices,
        np.full((claims, width), np.nan) if confidence is None else confidence,
        (choices[:, :, None] == choices[:, None]) & there[:, :, None] & there[:, None],
    )


@dataclass(frozen=True)
class Drawn:
    calibration: Calibration
    test: Ballots
    truth: Codes


def draw(seed: int = 0, *, together: float = 0.0, claims: int = 900) -> Drawn:
    """Votes of four members; a and b err together on a share of the claims."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(3, size=2 * claims, p=[0.25, 0.5, 0.25]).astype(np.int8)
    right = rng.random((2 * claims, 4)) < [0.8, 0.8, 0.85, 0.9]
    wrong = rng.integers(0, 4, (2 * claims, 4))
    right[:, 1] = np.where(rng.random(2 * claims) < together, right[:, 0], right[:, 1])
    wrong[:, 1] = wrong[:, 0]
    votes = ballots(np.where(right, gold[:, None], wrong))
    known = np.arange(2 * claims) < claims
    return Drawn(Calibration(votes, gold, np.arange(2 * claims) // 6).rows(known), votes.rows(~known), gold[~known])


def fit(calibration: Calibration) -> Stacking:
    return Stacking.fit(calibration, rng=np.random.default_rng(0))


FITTED = fit(draw().calibration)


def log_loss(posterior: Floats, truth: Codes) -> float:
    return float(-np.log(posterior[np.arange(len(truth)), truth]).mean())


def test_the_regression_finds_the_truth() -> None:
    drawn = draw()
    decisions = FITTED.decide(drawn.test)
    assert (decisions.labels == drawn.truth).mean() > 0.9
    decided = decisions.labels != A
    right = (decisions.labels == drawn.truth)[decided].mean()
    assert decisions.score_of_label()[decided].mean() == pytest.approx(right, abs=0.02)


def test_members_that_err_together_are_not_counted_as_two_witnesses() -> None:
    drawn = draw(together=1.0)
    stacked = fit(drawn.calibration).posterior(drawn.test)
    independent = DawidSkene.fit(drawn.calibration).posterior(drawn.test)
    assert log_loss(stacked, drawn.truth) < log_loss(independent, drawn.truth) - 0.02


def test_confidence_counts_where_it_tells() -> None:
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 3, 600).astype(np.int8)
    right = rng.random((600, 2)) < 0.7
    choices = np.where(right, gold[:, None], rng.integers(0, 3, (600, 2)))
    confidence = np.where(right, 0.9, 0.6)
    policy = fit(Calibration(ballots(choices, confidence=confidence), gold, np.arange(600) // 3))
    sure = policy.posterior(ballots([[S, R]], confidence=np.array([[0.9, 0.6]])))[0]
    unsure = policy.posterior(ballots([[S, R]], confidence=np.array([[0.6, 0.9]])))[0]
    unsaid = policy.posterior(ballots([[S, R]]))[0]
    assert sure[S] > unsaid[S] > unsure[S]


def test_a_common_place_counts_where_it_tells() -> None:
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 3, 600).astype(np.int8)
    right = rng.random((600, 1)) < 0.7
    # a and b always agree; they point to the same place where they are right.
    choices = np.where(right, gold[:, None], rng.integers(0, 3, (600, 1))).repeat(2, axis=1)
    policy = fit(Calibration(ballots(choices, points=right.repeat(2, axis=1)), gold, np.arange(600) // 3))
    together = policy.posterior(ballots([[S, S]], points=np.array([[True, True]])))[0, S]
    apart = policy.posterior(ballots([[S, S]], points=np.array([[True, False]])))[0, S]
    assert together > apart + 0.1


def test_an_abstention_is_no_missing_vote() -> None:
    spoke, failed = FITTED.posterior(ballots([[S, S, A, S]])), FITTED.posterior(ballots([[S, S, F, S]]))
    assert np.abs(spoke - failed).max() > 1e-3


def test_failures_are_never_evidence_for_a_label() -> None:
    # d fails on all refuted claims and on no other. What it says then is nothing, not "refuted".
    drawn = draw()
    choices = drawn.calibration.ballots.choices.copy()
    choices[drawn.calibration.gold == R, 3] = F
    policy = fit(replace(drawn.calibration, ballots=ballots(choices)))
    as_failed, as_unasked = policy.posterior(ballots([[S, R, A, F]])), policy.posterior(ballots([[S, R, A, U]]))
    absent = policy.posterior(ballots([[S, R, A]]))
    assert (as_failed == as_unasked).all()
    assert as_failed == pytest.approx(absent)


@pytest.mark.parametrize(
    ("votes", "label"),
    [
        ([S, S, S, S], S),
        ([S, S, S, F], S),
        ([S, S, F, F], A),  # two of four are no quorum
        ([F, F, F, F], A),
        ([A, A, A, A], A),  # refuted is the commonest label, but nobody said so
    ],
)
def test_decisions_have_a_quorum_and_a_vote_behind_them(votes: list[int], label: int) -> None:
    assert FITTED.decide(ballots([votes])).labels[0] == label


def test_some_of_the_fitted_members_are_a_panel_of_their_own() -> None:
    assert FITTED.decide(ballots([[S, S]], names="dc")).labels[0] == S
    with pytest.raises(ValueError, match="not fitted on 'x'"):
        FITTED.decide(ballots([[S, S]], names="ax"))


@pytest.mark.parametrize(
    ("gold", "opinions", "message"),
    [
        ([S, R, S, R], [0, 0, 1, 1], "no labelled claim is not_found"),
        ([UNLABELLED] * 4, [0, 0, 1, 1], "no labelled claim is supported"),
        ([S, R, N, S], [0, 0, 0, 1], "all labelled claims that are refuted are about one opinion"),
        ([S, R, N, N], [0, 0, 0, 0], "all labelled claims that are supported are about one opinion"),
    ],
)
def test_what_cannot_be_learned_is_said(gold: list[int], opinions: list[int], message: str) -> None:
    votes = ballots([[S], [R], [N], [S]])
    with pytest.raises(ValueError, match=message):
        fit(Calibration(votes, np.array(gold, dtype=np.int8), np.array(opinions)))


def test_two_opinions_are_enough() -> None:
    votes = ballots([[S], [R], [N]] * 2)
    policy = fit(Calibration(votes, np.array([S, R, N] * 2, dtype=np.int8), np.array([0, 0, 0, 1, 1, 1])))
    assert policy.decide(votes).labels.tolist() == [S, R, N] * 2


def test_the_penalty_is_stronger_where_votes_tell_little() -> None:
    drawn = draw()
    noise = replace(drawn.calibration, gold=np.random.default_rng(0).permutation(drawn.calibration.gold))
    assert fit(noise).penalty < FITTED.penalty


def test_unlabelled_claims_are_left_out() -> None:
    drawn = draw()
    known = np.arange(len(drawn.calibration)) % 3 > 0
    some = replace(drawn.calibration, gold=np.where(known, drawn.calibration.gold, UNLABELLED).astype(np.int8))
    assert fit(some).parameters() == fit(drawn.calibration.rows(known)).parameters()


def test_parameters_survive_json() -> None:
    drawn = draw()
    policy = FITTED
    again = Stacking.from_parameters(json.loads(json.dumps(policy.parameters())))
    assert again.parameters() == policy.parameters()
    assert (again.posterior(drawn.test) == policy.posterior(drawn.test)).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"members": None}, "members"),
        ({"extra": 1}, "extra"),
        ({"penalty": "1"}, "valid number"),
        ({"members": ["a", "b", "c"]}, "3 members take"),
        ({"members": ["a", "a", "c", "d"]}, "two members have one name"),
        ({"intercept": [0.0, 1.0]}, "shapes of centre, coefficients, intercept"),
        ({"coefficients": [[1.0], [1.0, 2.0], [1.0]]}, "coefficients: expected rows of one length"),
        ({"centre": []}, "centre: expected rows of one length"),
        ({"intercept": [0.0, 1.0, float("inf")]}, "finite"),
    ],
)
def test_malformed_parameters_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Stacking.from_parameters({**FITTED.parameters(), **change})


def test_resolutions_say_how_likely_and_what_could_change() -> None:
    panel = [Member(name) for name in "abcd"]
    place = EvidenceRef(start=0, end=9, passage="p1", relation="supports")
    votes = [Vote(verifier=name, outcome="ok", label="supported", evidence=(place,)) for name in "abc"]
    resolution = ensemble.resolve(FITTED, panel, [*votes, Vote(verifier="d", outcome="timeout")])
    assert (resolution.label, resolution.missing) == ("supported", ("d",))
    assert resolution.confidence is not None
    assert resolution.confidence > 0.5
    assert "that it is supported" in resolution.reason
    assert ensemble.resolve(FITTED, panel, votes[:2]).missing_could_change


choice = st.sampled_from([S, R, N, A, F, U])
sure = st.sampled_from([0.0, 0.5, 1.0, np.nan])
votes = st.lists(st.tuples(choice, sure, st.booleans()), min_size=4, max_size=4)


@given(votes, st.permutations(range(4)))
def test_order_of_members_never_matters(given_: list[tuple[int, float, bool]], places: list[int]) -> None:
    panel = ballots(
        [[vote for vote, _, _ in given_]],
        confidence=np.array([[sure if vote < A else np.nan for vote, sure, _ in given_]]),
        points=np.array([[there and vote < A for vote, _, there in given_]]),
    )
    before, after = FITTED.decide(panel), FITTED.decide(panel.columns(places))
    assert (before.labels == after.labels).all()
    assert (before.scores == after.scores).all()
    assert before.scores.sum() == pytest.approx(1)
    assert (before.scores >= 0).all()


@pytest.mark.parametrize("places", [[3, 2, 1, 0], [1, 3, 0, 2]])
def test_order_of_members_does_not_matter_to_the_fit(places: list[int]) -> None:
    assert fit(draw().calibration.columns(places)).parameters() == FITTED.parameters()
