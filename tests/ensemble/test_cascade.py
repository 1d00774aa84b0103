from __future__ import annotations

import numpy as np
import pytest
from fakes.ballots import ballots_of, codes
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents import ensemble
from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, NOT_FOUND, REFUTED, SUPPORTED, Ballots, Member
from parcel_agents.ensemble.base import Policy, asked, make_policy
from parcel_agents.ensemble.cascade import Accept, Cascade
from parcel_agents.ensemble.cascade_tuning import tune_cascade
from parcel_agents.types import LABELS, Vote

VOTING = ("majority", "plurality", "unanimous", "veto")
S, R, N, A, F = SUPPORTED, REFUTED, NOT_FOUND, ABSTAINED, FAILED


def vote(name: str, choice: int, confidence: float | None = None) -> Vote:
    if choice == FAILED:
        return Vote(verifier=name, outcome="timeout")
    label = None if choice == ABSTAINED else LABELS[choice]
    return Vote(verifier=name, outcome="ok", label=label, confidence=confidence)


tiers = st.lists(st.integers(0, 2), min_size=1, max_size=6)


@given(st.sampled_from(VOTING), tiers, st.data())
def test_a_cascade_without_thresholds_gives_the_verdicts_of_the_whole_panel(
    name: str, places: list[int], data: st.DataObject
) -> None:
    rows = data.draw(st.lists(st.lists(codes(), min_size=len(places), max_size=len(places)), min_size=1, max_size=8))
    ballots = ballots_of(rows, tiers=places)
    policy = make_policy(name)
    whole, cascade = policy.decide(ballots), Cascade(policy)
    np.testing.assert_array_equal(cascade.decide(ballots).labels, whole.labels)
    # Nobody is asked after somebody of the same or an earlier tier was not.
    order = np.argsort(places, kind="stable")
    mask = cascade.asked(ballots)[:, order]
    assert (np.diff(mask.astype(int), axis=1) <= 0).all()


@given(tiers, st.data())
def test_step_by_step_gives_what_all_at_once_gives(places: list[int], data: st.DataObject) -> None:
    row = data.draw(st.lists(codes(), min_size=len(places), max_size=len(places)))
    accept = data.draw(st.sampled_from([(), (Accept(0.6, 0.6),) * 2, (None, Accept(1.0, 0.5))]))
    policy = Cascade(make_policy("majority"), accept)
    panel = [Member(f"v{i}", tier=tier) for i, tier in enumerate(places)]
    resolution = None
    for tier in sorted(set(places)):
        known = [vote(m.name, choice) for m, choice in zip(panel, row, strict=True) if m.tier <= tier]
        resolution = ensemble.resolve(policy, panel, known, tier=tier)
        if resolution is not None:
            break
    assert resolution is not None
    ballots = ballots_of([row], tiers=places)
    at_once = policy.decide(ballots).labels[0]
    assert resolution.label == (None if at_once == ABSTAINED else LABELS[at_once])
    unasked = {m.name for m, was in zip(panel, asked(policy, ballots)[0], strict=True) if not was}
    assert set(resolution.unasked) == unasked


def test_it_stops_where_the_rest_of_the_panel_could_change_nothing() -> None:
    ballots = ballots_of([[S, S, R, R, R], [S, S, S, R, R], [N, S, N, N, A]], tiers=[0, 1, 2, 3, 4])
    cascade = Cascade(make_policy("majority"))
    assert cascade.asked(ballots).sum(axis=1).tolist() == [5, 3, 4]
    assert cascade.decide(ballots).labels.tolist() == [R, S, N]


def test_a_threshold_accepts_what_those_asked_agree_on() -> None:
    ballots = ballots_of([[S, S, R, R, R], [S, R, R, R, R], [N, N, S, S, S]], tiers=[0, 0, 1, 1, 1])
    # Agreement of the first tier is a score of 1: enough for support, but no score is enough for another label.
    cascade = Cascade(make_policy("majority"), (Accept(supported=1.0, other=1.01),))
    assert cascade.decide(ballots).labels.tolist() == [S, R, S]
    assert cascade.asked(ballots).sum(axis=1).tolist() == [2, 5, 5]


def test_a_failed_first_tier_goes_on_to_the_next() -> None:
    ballots = ballots_of([[F, S, S]], tiers=[0, 1, 1])
    cascade = Cascade(make_policy("majority"), (Accept(0.5, 0.5),))
    assert cascade.asked(ballots).all()
    assert cascade.decide(ballots).labels.tolist() == [S]


def test_a_missing_vote_that_would_have_asked_the_next_tier_could_have_changed_the_verdict() -> None:
    panel = [Member("a"), Member("b"), Member("c"), Member("d", tier=1)]
    cascade = Cascade(make_policy("majority"), (Accept(0.6, 0.6),))
    given_ = [vote("a", S), vote("b", S), vote("c", FAILED)]
    resolution = ensemble.resolve(cascade, panel, given_, tier=0)
    assert resolution is not None
    assert (resolution.label, resolution.missing, resolution.unasked) == ("supported", ("c",), ("d",))
    assert not resolution.missing_could_change  # two of three stay above .6, whatever c would have said
    stricter = Cascade(make_policy("majority"), (Accept(0.65, 0.65),))
    resolution = ensemble.resolve(stricter, panel, [vote("a", S), vote("b", S), vote("c", R)], tier=0)
    assert resolution is not None
    assert "1 not asked" in resolution.reason


def cheap_and_dear() -> tuple[Ballots, np.ndarray[tuple[int], np.dtype[np.int8]], np.ndarray]:
    """A cheap pair that errs where it disagrees, and a dear member that is always right."""
    rows = [[S, S, S], [R, R, R], [S, R, R], [N, S, N], [N, N, N], [R, R, R], [S, S, S], [S, S, R]]
    gold = np.array([S, R, R, N, N, R, S, R], dtype=np.int8)
    return ballots_of(rows, tiers=[0, 0, 1]), gold, np.tile([0.0, 0.0, 1.0], (len(rows), 1))


def test_tuning_for_an_error_target_pays_for_what_it_needs() -> None:
    ballots, gold, costs = cheap_and_dear()
    # The majority of all three calls the last claim supported: 1 of 6 unsupported claims.
    tuned = tune_cascade(make_policy("majority"), ballots, gold, costs, max_fer=1 / 6)
    # The dear member is asked only on the two claims where the cheap pair disagrees: 2 of 8.
    assert (tuned.cost, tuned.fer) == (pytest.approx(0.25), pytest.approx(1 / 6))
    with pytest.raises(ValueError, match=r"no thresholds reach the false entailment rate of 0.1; .* has 0.166"):
        tune_cascade(make_policy("majority"), ballots, gold, costs, max_fer=0.1)


def test_tuning_for_a_cost_target_keeps_to_it() -> None:
    ballots, gold, costs = cheap_and_dear()
    tuned = tune_cascade(make_policy("majority"), ballots, gold, costs, max_cost=0.25)
    assert tuned.cost <= 0.25
    assert tuned.accuracy == pytest.approx(7 / 8)
    with pytest.raises(ValueError, match=r"no thresholds reach the cost target of 0.1 .*; the cheapest costs 0.25"):
        tune_cascade(make_policy("majority"), ballots, gold, costs, max_cost=0.1)


@pytest.mark.parametrize("target", [{"max_fer": float("nan")}, {"max_fer": 2.0}, {"max_cost": -1.0}])
def test_a_target_that_is_none_is_refused(target: dict[str, float]) -> None:
    ballots, gold, costs = cheap_and_dear()
    with pytest.raises(ValueError, match="is no target"):
        tune_cascade(make_policy("majority"), ballots, gold, costs, **target)


def test_an_error_target_needs_claims_that_could_show_an_error() -> None:
    ballots, gold, costs = cheap_and_dear()
    supported = gold == SUPPORTED
    with pytest.raises(ValueError, match="no false entailment could show"):
        tune_cascade(make_policy("majority"), ballots.rows(supported), gold[supported], costs[supported], max_fer=0.1)


@pytest.mark.parametrize("targets", [{}, {"max_cost": 1.0, "max_fer": 0.1}])
def test_tuning_takes_one_target(targets: dict[str, float]) -> None:
    ballots, gold, costs = cheap_and_dear()
    with pytest.raises(ValueError, match="either a cost target or an error target"):
        tune_cascade(make_policy("majority"), ballots, gold, costs, **targets)


@given(st.sampled_from(VOTING), st.lists(codes(), min_size=1, max_size=5), st.data())
def test_what_voting_decides_with_votes_missing_stands_whatever_they_would_have_been(
    name: str, row: list[int], data: st.DataObject
) -> None:
    policy: Policy = make_policy(name)
    decided = policy.decide(ballots_of([row])).labels[0]
    full = [data.draw(codes(missing=False)) if choice == FAILED else choice for choice in row]
    if decided != ABSTAINED:
        assert policy.decide(ballots_of([full])).labels[0] == decided
