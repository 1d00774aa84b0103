from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents import ensemble
from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, UNASKED, Ballots, Codes, Floats, Member
from parcel_agents.ensemble.calibration import UNLABELLED, Calibration
from parcel_agents.ensemble.dawid_skene import DawidSkene
from parcel_agents.types import Label, Vote

S, R, N, A, F, U = 0, 1, 2, ABSTAINED, FAILED, UNASKED


def ballots(rows: Sequence[Sequence[int]] | Codes, names: str = "abcdefgh") -> Ballots:
    choices = np.array(rows, dtype=np.int8)
    claims, width = choices.shape
    members = tuple(Member(name) for name in names[:width])
    return Ballots(members, choices, np.full((claims, width), np.nan), np.zeros((claims, width, width), dtype=np.bool_))


def calibration(rows: Sequence[Sequence[int]] | Codes, gold: Sequence[int] | Codes) -> Calibration:
    return Calibration(ballots(rows), np.array(gold, dtype=np.int8), np.arange(len(rows)))


@dataclass(frozen=True)
class Drawn:
    """Claims with a known truth, and votes drawn from known confusions."""

    gold: Codes
    choices: Codes
    confusion: Floats

    @property
    def empirical(self) -> Floats:
        """The shares of the votes as drawn: what counting with all labels known would find."""
        return np.array(
            [
                [[(votes[self.gold == label] == choice).mean() for choice in range(4)] for label in range(3)]
                for votes in self.choices.T
            ]
        )


def draw(claims: int = 3000, members: int = 7, seed: int = 0) -> Drawn:
    rng = np.random.default_rng(seed)
    gold = rng.choice(3, size=claims, p=[0.25, 0.5, 0.25]).astype(np.int8)
    confusion = np.empty((members, 3, 4))
    for member, accuracy in enumerate(np.linspace(0.75, 0.97, members)):
        for label in range(3):
            confusion[member, label] = np.insert((1 - accuracy) * rng.dirichlet([3, 3, 3]), label, accuracy)
    rolls = rng.random((claims, members, 1))
    choices = (rolls > confusion.cumsum(axis=2)[:, gold].transpose(1, 0, 2)).sum(axis=2)
    return Drawn(gold, np.minimum(choices, 3).astype(np.int8), confusion)


@pytest.mark.parametrize("anchored", [0.0, 0.1, 1.0], ids=["unsupervised", "a tenth labelled", "all labelled"])
def test_confusions_are_recovered(anchored: float) -> None:
    # A row estimated from 750 claims has a standard error of up to sqrt(.75 * .25 / 750) = .016 by the draw alone, and
    # the largest of 84 is about twice that. So the method is held to .02 against the votes as drawn, entry by entry,
    # and to .02 on average against what they were drawn from.
    drawn = draw()
    labelled = np.random.default_rng(1).random(len(drawn.gold)) < anchored
    policy = DawidSkene.fit(calibration(drawn.choices, np.where(labelled, drawn.gold, UNLABELLED)))
    assert np.abs(policy.confusion - drawn.empirical).max() <= 0.02
    assert np.abs(policy.confusion - drawn.confusion).mean() <= 0.02
    assert policy.priors == pytest.approx([0.25, 0.5, 0.25], abs=0.02)
    decided = policy.decide(ballots(drawn.choices))
    assert (decided.labels == drawn.gold).mean() > 0.99
    assert decided.score_of_label()[decided.labels != A].mean() == pytest.approx(0.999, abs=0.002)


def test_anchors_teach_what_the_votes_alone_would_hide() -> None:
    # Two members that swap not found and refuted outvote the third: without labels the majority is believed.
    rng = np.random.default_rng(2)
    gold = rng.integers(0, 3, 600).astype(np.int8)
    swapped = np.array([S, N, R])[gold]
    choices = np.stack([np.where(rng.random(600) < 0.9, said, S) for said in (swapped, swapped, gold)], axis=1)
    alone = DawidSkene.fit(calibration(choices, np.full(600, UNLABELLED)))
    anchored = DawidSkene.fit(calibration(choices, np.where(np.arange(600) < 60, gold, UNLABELLED)))
    assert (alone.decide(ballots(choices)).labels == gold).mean() < 0.6
    assert (anchored.decide(ballots(choices)).labels == gold).mean() > 0.9


def test_labelled_claims_are_counted() -> None:
    # Supported: a says S, S, R. With 1/2 added to each of the four choices: 2.5/5, 1.5/5, .5/5, .5/5.
    # Its vote on the fourth failed and is not counted. Not found: one claim, N: .5/3, .5/3, 1.5/3, .5/3.
    # Priors of 4, 1 and 1 claims with 1/2 added: 4.5/7.5, 1.5/7.5, 1.5/7.5.
    policy = DawidSkene.fit(calibration([[S], [S], [R], [F], [A], [N]], [S, S, S, S, R, N]))
    assert policy.confusion[0, S] == pytest.approx([0.5, 0.3, 0.1, 0.1])
    assert policy.confusion[0, R] == pytest.approx([0.5 / 3, 0.5 / 3, 0.5 / 3, 0.5])
    assert policy.confusion[0, N] == pytest.approx([0.5 / 3, 0.5 / 3, 0.5, 0.5 / 3])
    assert policy.priors == pytest.approx([0.6, 0.2, 0.2])


def two(priors: tuple[float, float, float] = (0.25, 0.5, 0.25)) -> DawidSkene:
    careful = [[0.8, 0.05, 0.05, 0.1], [0.02, 0.9, 0.03, 0.05], [0.04, 0.06, 0.8, 0.1]]
    generous = [[0.9, 0.04, 0.04, 0.02], [0.4, 0.5, 0.05, 0.05], [0.6, 0.1, 0.2, 0.1]]
    return DawidSkene(("careful", "generous"), np.array([careful, generous]), np.array(priors))


def pair(*votes: int) -> Ballots:
    members = (Member("careful"), Member("generous"))
    return Ballots(members, np.array([votes], dtype=np.int8), np.full((1, 2), np.nan), np.zeros((1, 2, 2), np.bool_))


@pytest.mark.parametrize(
    ("votes", "weights"),
    [
        # careful says refuted, generous says supported: prior * P(R | y) * P(S | y)
        ((R, S), (0.25 * 0.05 * 0.9, 0.5 * 0.9 * 0.4, 0.25 * 0.06 * 0.6)),  # .01125, .18, .009
        # an abstention is a choice like others
        ((A, S), (0.25 * 0.1 * 0.9, 0.5 * 0.05 * 0.4, 0.25 * 0.1 * 0.6)),  # .0225, .01, .015
        # a missing vote is none
        ((F, S), (0.25 * 0.9, 0.5 * 0.4, 0.25 * 0.6)),
        ((U, F), (0.25, 0.5, 0.25)),
    ],
)
def test_posteriors_of_two_members(votes: tuple[int, int], weights: tuple[float, float, float]) -> None:
    assert two().posterior(pair(*votes))[0] == pytest.approx(np.array(weights) / sum(weights))


@pytest.mark.parametrize(
    ("votes", "label"),
    [
        ((R, S), R),  # .18 of .20025
        ((A, S), A),  # .0225 of .0475: not more likely than not
        ((S, A), S),
        ((R, F), A),  # likely refuted, but one of two is no quorum
        ((A, A), A),
    ],
)
def test_decisions_of_two_members(votes: tuple[int, int], label: int) -> None:
    assert two().decide(pair(*votes)).labels[0] == label


def test_a_label_that_nobody_gave_is_not_decided() -> None:
    # Where nearly all claims are refuted this one is too: .01 * .1 * .9, .98 * .05 * .4, .01 * .1 * .6 give .0196 of
    # .0211. But nobody said so.
    policy = two(priors=(0.01, 0.98, 0.01))
    decisions = policy.decide(pair(A, S))
    assert decisions.scores[0, R] > 0.9
    assert decisions.labels[0] == A
    assert policy.explain(decisions) == "probability .93 that it is refuted, but nobody says so or too few answered"


def test_some_of_the_fitted_members_are_a_panel_of_their_own() -> None:
    decisions = two().decide(ballots([[R]], names=["careful"]))  # type: ignore[arg-type]
    assert decisions.labels[0] == R
    # .25 * .05, .5 * .9, .25 * .06
    assert decisions.scores[0, R] == pytest.approx(0.45 / 0.4775)


def test_an_unknown_member_is_named() -> None:
    with pytest.raises(ValueError, match="not fitted on 'x'"):
        two().decide(ballots([[R]], names="x"))


@pytest.mark.parametrize(
    ("rows", "gold", "message"),
    [
        ([[S, S, R]] * 2, [S, S], "no labelled claim is refuted, and there are no unlabelled claims"),
        ([], [], "no labelled claim is supported, and there are no unlabelled claims"),
        ([[S, S, R]] * 2, [UNLABELLED] * 2, "no member gives that label on an unlabelled one"),
        ([[S, S, A], [R, S, A], [N, N, F]], [UNLABELLED] * 3, "takes 3 members .* there are 2"),
    ],
)
def test_what_cannot_be_learned_is_said(rows: list[list[int]], gold: list[int], message: str) -> None:
    choices = np.array(rows, dtype=np.int8).reshape(len(rows), 3)
    with pytest.raises(ValueError, match=message):
        DawidSkene.fit(calibration(choices, gold))


def test_a_vote_never_seen_is_not_impossible() -> None:
    with pytest.raises(ValueError, match="smoothing is 0"):
        DawidSkene.fit(calibration([[S], [R], [N]], [S, R, N]), smoothing=0)
    assert DawidSkene.fit(calibration([[S], [R], [N]], [S, R, N])).confusion.min() > 0


def test_panels_of_any_size_are_told_apart() -> None:
    # Patterns are numbered; forty members have more of them than a 64-bit number.
    drawn = draw(claims=400, members=40)
    policy = DawidSkene.fit(
        Calibration(
            Ballots(
                tuple(Member(f"m{place}") for place in range(40)),
                drawn.choices,
                np.full(drawn.choices.shape, np.nan),
                np.zeros((400, 40, 40), dtype=np.bool_),
            ),
            np.full(400, UNLABELLED, dtype=np.int8),
            np.arange(400),
        )
    )
    by_name = [policy.members.index(f"m{place}") for place in range(40)]
    assert np.abs(policy.confusion[by_name] - drawn.empirical).max() <= 0.02


def test_votes_missing_at_random_cost_little() -> None:
    drawn = draw()
    missing = np.random.default_rng(3).random(drawn.choices.shape) < 0.2
    policy = DawidSkene.fit(calibration(np.where(missing, F, drawn.choices), np.full(3000, UNLABELLED)))
    assert np.abs(policy.confusion - drawn.empirical).mean() <= 0.02


def test_parameters_survive_json() -> None:
    policy = DawidSkene.fit(calibration([[S, R], [R, R], [N, A]], [S, R, N]))
    again = DawidSkene.from_parameters(json.loads(json.dumps(policy.parameters())))
    assert again.members == policy.members
    assert (again.confusion == policy.confusion).all()
    assert (again.priors == policy.priors).all()


def without(parameters: dict[str, Any], *path: str) -> dict[str, Any]:
    *into, last = path
    here = parameters
    for key in into:
        here = here[key]
    del here[last]
    return parameters


def with_value(parameters: dict[str, Any], value: object, *path: str) -> dict[str, Any]:
    *into, last = path
    here = parameters
    for key in into:
        here = here[key]
    here[last] = value
    return parameters


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "priors"),
        (with_value(two().parameters(), 1, "extra"), "extra"),
        (without(two().parameters(), "priors", "refuted"), "priors: expected the keys supported, refuted, not_found"),
        (without(two().parameters(), "confusion", "careful", "refuted"), "confusion of 'careful': expected"),
        (without(two().parameters(), "confusion", "careful", "refuted", "abstained"), "got supported, refuted, not_f"),
        (with_value(two().parameters(), "x", "priors", "refuted"), "valid number"),
        (with_value(two().parameters(), 0.9, "priors", "refuted"), "the priors must be probabilities"),
        (with_value(two().parameters(), 0.9, "confusion", "careful", "refuted", "supported"), "each row of a conf"),
        (with_value(two().parameters(), {"supported": 0.5, "refuted": 0.75, "not_found": -0.25}, "priors"), "above 0"),
    ],
)
def test_malformed_parameters_are_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        DawidSkene.from_parameters(parameters)


def vote(name: str, label: Label | None) -> Vote:
    return Vote(verifier=name, outcome="ok", label=label)


def test_resolutions_say_how_likely_and_what_could_change() -> None:
    panel = [Member("generous"), Member("careful")]
    resolution = ensemble.resolve(two(), panel, [vote("careful", "refuted"), vote("generous", "supported")])
    assert (resolution.label, resolution.missing_could_change) == ("refuted", False)
    assert resolution.confidence == pytest.approx(0.18 / 0.20025)
    assert resolution.reason.endswith("probability .90 that it is refuted")
    resolution = ensemble.resolve(two(), panel, [vote("careful", "refuted")])
    assert (resolution.label, resolution.missing_could_change) == (None, True)
    resolution = ensemble.resolve(two(), panel, [vote("careful", None), vote("generous", "supported")])
    assert resolution.reason.endswith("no label is more likely than not")


def test_no_probability_is_rounded_to_certainty() -> None:
    sure = np.array([[[0.997, 0.001, 0.001, 0.001], [0.001, 0.997, 0.001, 0.001], [0.001, 0.001, 0.997, 0.001]]])
    policy = DawidSkene(("a",), sure, np.array([1 / 3, 1 / 3, 1 / 3]))
    assert policy.explain(policy.decide(ballots([[S]]))) == "probability above .99 that it is supported"


def test_the_likelihood_of_many_votes_does_not_vanish() -> None:
    # 400 votes with a likelihood near 10^-600, which no float holds.
    members = tuple(f"m{place:03}" for place in range(400))
    confusion = np.repeat([[[0.04, 0.03, 0.03, 0.9], [0.03, 0.04, 0.03, 0.9], [0.03, 0.03, 0.04, 0.9]]], 400, axis=0)
    policy = DawidSkene(members, confusion, np.array([0.25, 0.5, 0.25]))
    panel = Ballots(
        tuple(Member(name) for name in members),
        np.zeros((1, 400), dtype=np.int8),
        np.full((1, 400), np.nan),
        np.zeros((1, 400, 400), dtype=np.bool_),
    )
    assert math.log(0.04) * 400 < math.log(5e-324)
    assert policy.decide(panel).labels[0] == S


choice = st.sampled_from([S, R, N, A, F, U])
rows = st.lists(st.lists(choice, min_size=4, max_size=4), min_size=1, max_size=8)
FITTED = DawidSkene.fit(calibration(draw(claims=300, members=4).choices, draw(claims=300, members=4).gold))


@given(rows, st.permutations(range(4)))
def test_order_of_members_never_matters(votes: list[list[int]], places: list[int]) -> None:
    before, after = FITTED.decide(ballots(votes)), FITTED.decide(ballots(votes).columns(places))
    assert (before.labels == after.labels).all()
    assert (before.scores == after.scores).all()
    assert before.scores.sum(axis=1) == pytest.approx(1)
    assert (before.scores >= 0).all()


@given(rows, st.permutations(range(4)))
def test_order_of_members_does_not_matter_to_the_fit(votes: list[list[int]], places: list[int]) -> None:
    drawn = draw(claims=60, members=4)
    gold = np.concatenate([drawn.gold, np.full(len(votes), UNLABELLED)])
    one = calibration(np.vstack([drawn.choices, np.array(votes)]), gold)
    policy, other = DawidSkene.fit(one), DawidSkene.fit(one.columns(places))
    assert (policy.members, policy.confusion.tolist()) == (other.members, other.confusion.tolist())


@given(rows, st.integers(0, 3), st.sampled_from([F, U]))
def test_a_missing_vote_tells_nothing(votes: list[list[int]], place: int, missing: int) -> None:
    given_ = ballots([[missing if i == place else vote for i, vote in enumerate(row)] for row in votes])
    others = given_.columns([i for i in range(4) if i != place])
    assert FITTED.posterior(given_) == pytest.approx(FITTED.posterior(others))


@given(rows)
def test_decisions_have_a_quorum_and_a_vote_behind_them(votes: list[list[int]]) -> None:
    for row, label in zip(votes, FITTED.decide(ballots(votes)).labels, strict=True):
        answered = [vote for vote in row if vote not in (F, U)]
        assert label == A or (label in answered and len(answered) > 2)
