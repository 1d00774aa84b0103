from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents import ensemble
from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, UNASKED, Ballots, Member
from parcel_agents.ensemble.calibration import UNLABELLED, Calibration
from parcel_agents.ensemble.resolve import missing_could_change
from parcel_agents.ensemble.weighted import Weighted
from parcel_agents.types import Vote

S, R, N, A, F, U = 0, 1, 2, ABSTAINED, FAILED, UNASKED
OBJECTOR = frozenset({"refuted", "not_found"})


def ballots(rows: Sequence[Sequence[int]], names: str = "abcdefgh", objectors: str = "") -> Ballots:
    choices = np.array(rows, dtype=np.int8)
    claims, width = choices.shape
    members = tuple(Member(n, OBJECTOR) if n in objectors else Member(n) for n in names[:width])  # type: ignore[arg-type]
    return Ballots(members, choices, np.full((claims, width), np.nan), np.zeros((claims, width, width), dtype=np.bool_))


def calibration(rows: Sequence[Sequence[int]], gold: Sequence[int]) -> Calibration:
    return Calibration(ballots(rows), np.array(gold, dtype=np.int8), np.arange(len(rows)))


def test_weights_are_smoothed_log_odds_over_chance() -> None:
    # a: 8 of 10 labels right:  p = 9/13, w = log(2 * 9/13 / (4/13)) = log 4.5
    # b: 3 of 6 right, the other four abstained or failed:  p = 4/9, w = log(2 * 4/5) = log 1.6
    # c: 0 of 4 right:  p = 1/7, log(2 * 1/6) < 0, so 0
    # d: gave no label where the truth is known:  p = 1/3, w = log 1 = 0
    truth = [R] * 10
    a = [R] * 8 + [S] * 2
    b = [R] * 3 + [N] * 3 + [A, A, F, U]
    c = [S] * 4 + [A] * 6
    d = [A] * 9 + [F]
    rows = [list(row) for row in zip(a, b, c, d, strict=True)]
    policy = Weighted.fit(calibration([*rows, [S, S, S, S]], [*truth, UNLABELLED]))
    assert policy.weights == pytest.approx({"a": math.log(4.5), "b": math.log(1.6), "c": 0, "d": 0})


WEIGHTS = {"a": 2.0, "b": 1.0, "c": 0.5, "d": 0.0}


@pytest.mark.parametrize(
    ("votes", "label", "scores"),
    [
        ([S, R, R, R], S, [2 / 3.5, 1.5 / 3.5, 0]),
        ([F, R, R, R], A, [0, 1.5 / 3.5, 0]),  # the weight of who failed stays in the sum
        ([A, R, R, R], R, [0, 1, 0]),  # who abstains leaves it ...
        ([A, S, S, S], A, [1.5 / 3.5, 0, 0]),  # ... but not where it could have said supported
        ([A, A, A, S], A, [0, 0, 0]),  # nobody with weight spoke
        ([F, F, F, F], A, [0, 0, 0]),
    ],
)
def test_shares_of_the_weight(votes: list[int], label: int, scores: list[float]) -> None:
    decisions = Weighted(WEIGHTS).decide(ballots([votes]))
    assert decisions.scores[0] == pytest.approx(scores)
    assert decisions.labels[0] == label


def test_the_abstention_of_an_objector_does_not_count_against_support() -> None:
    # b and c can support: 1.5 of 1.5. Were a able to, it would be 1.5 of 3.5.
    assert Weighted(WEIGHTS).decide(ballots([[A, S, S]], objectors="a")).scores[0, S] == 1


@pytest.mark.parametrize("weight", [0.1, 0.3, 0.7, 1 / 3, math.log(4.5)])
@pytest.mark.parametrize("each", [2, 3])
def test_a_tie_abstains_whatever_the_rounding(weight: float, each: int) -> None:
    policy = Weighted(dict.fromkeys("abcdefgh", weight))
    assert policy.decide(ballots([[S] * each + [R] * each])).labels[0] == A


def test_panels_without_weight_abstain() -> None:
    assert Weighted({"a": 0.0, "b": 0.0}).decide(ballots([[S, S]])).labels[0] == A


def test_some_of_the_fitted_members_are_enough() -> None:
    decisions = Weighted(WEIGHTS).decide(ballots([[R, S]], names="cb"))
    assert decisions.scores[0] == pytest.approx([1 / 1.5, 0.5 / 1.5, 0])


def test_an_unknown_member_is_named() -> None:
    with pytest.raises(ValueError, match=r"not fitted on 'x'; fitted on: a, b, c, d"):
        Weighted(WEIGHTS).decide(ballots([[S, S]], names="ax"))


def test_there_is_something_to_fit_on() -> None:
    with pytest.raises(ValueError, match="there are none"):
        Weighted.fit(calibration([[S, S]], [UNLABELLED]))
    with pytest.raises(ValueError, match="no member gave a label"):
        Weighted.fit(calibration([[A, F]], [S]))


def test_parameters_survive_json() -> None:
    policy = Weighted.fit(calibration([[S, R], [R, R], [N, A]], [S, R, N]))
    assert Weighted.from_parameters(json.loads(json.dumps(policy.parameters()))) == policy


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "weights"),
        ({"weights": [1.0]}, "dictionary"),
        ({"weights": {"a": "1"}}, "valid number"),
        ({"weights": {"a": math.nan}}, "finite"),
        ({"weights": {"a": -1.0}}, "the weight of 'a' is -1.0"),
        ({"weights": {"a": 1.0}, "wieghts": {}}, "wieghts"),
    ],
)
def test_malformed_parameters_are_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Weighted.from_parameters(parameters)


def test_resolutions_say_what_was_decided_and_what_could_change() -> None:
    policy, panel = Weighted(WEIGHTS), [Member("a"), Member("b"), Member("c")]
    votes = [Vote(verifier="a", outcome="ok", label="supported"), Vote(verifier="b", outcome="timeout")]
    resolution = ensemble.resolve(policy, panel, votes)
    # a alone has 2 of 3.5, so b and c cannot change it.
    assert (resolution.label, resolution.missing_could_change) == ("supported", False)
    assert resolution.reason.endswith("majority with 57% of the weight")
    votes = [Vote(verifier="b", outcome="ok", label="refuted")]
    resolution = ensemble.resolve(policy, panel, votes)
    assert (resolution.label, resolution.missing_could_change) == (None, True)
    assert resolution.reason.endswith("at most 29% of the weight, no majority")


choice = st.sampled_from([S, R, N, A, F, U])
panels = st.lists(st.tuples(choice, st.floats(0, 5)), min_size=1, max_size=7)


@given(panels, st.randoms(use_true_random=False))
def test_order_of_members_never_matters(panel: list[tuple[int, float]], random: Any) -> None:
    given_ = ballots([[vote for vote, _ in panel]])
    policy = Weighted({m.name: weight for m, (_, weight) in zip(given_.members, panel, strict=True)})
    places = list(range(len(panel)))
    random.shuffle(places)
    before, after = policy.decide(given_), policy.decide(given_.columns(places))
    assert (before.labels == after.labels).all()
    assert (before.scores == after.scores).all()
    assert (before.scores >= 0).all()
    assert (before.scores <= 1).all()


@given(panels, st.data())
def test_one_more_supporter_never_lowers_support(panel: list[tuple[int, float]], data: st.DataObject) -> None:
    given_ = ballots([[vote for vote, _ in panel]])
    policy = Weighted({m.name: weight for m, (_, weight) in zip(given_.members, panel, strict=True)})
    more = given_.choices.copy()
    more[0, data.draw(st.integers(0, len(panel) - 1))] = S
    before, after = policy.decide(given_), policy.decide(replace(given_, choices=more))
    assert after.scores[0, S] >= before.scores[0, S] - 1e-12
    assert before.labels[0] != S or after.labels[0] == S


@given(panels)
def test_a_label_that_nobody_gave_is_never_decided(panel: list[tuple[int, float]]) -> None:
    given_ = ballots([[vote for vote, _ in panel]])
    policy = Weighted({m.name: weight for m, (_, weight) in zip(given_.members, panel, strict=True)})
    label = policy.decide(given_).labels[0]
    assert label == A or label in given_.choices[0]


@given(panels)
def test_what_is_decided_while_votes_are_missing_stands(panel: list[tuple[int, float]]) -> None:
    given_ = ballots([[vote for vote, _ in panel]])
    policy = Weighted({m.name: weight for m, (_, weight) in zip(given_.members, panel, strict=True)})
    label = int(policy.decide(given_).labels[0])
    assert label == A or not missing_could_change(policy, given_, label)
