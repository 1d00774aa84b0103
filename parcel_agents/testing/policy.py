"""The contract of policies, as a check."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

import numpy as np

from parcel_agents.ensemble import Member, Policy
from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, Ballots
from parcel_agents.ensemble.base import Decisions, waiting
from parcel_agents.types import LABELS

_CHOICES = (*range(len(LABELS)), ABSTAINED, FAILED)
MOST_MEMBERS = 5


def check_policy(policy: Policy, *, members: Sequence[Member] | None = None) -> None:
    """Check a policy against the contract of `parcel_agents.ensemble.base`, on every way in which a panel can vote.

    Args:
        policy: as its factory makes it, fitted if it has to be.
        members: the panel; None for three verifiers. A fitted policy needs those that it was fitted for.

    Raises:
        AssertionError: it breaks the contract; the text says how.
        ValueError: there are more members than all their votes could be tried for.
    """
    panel = tuple(members or (Member("first"), Member("second"), Member("third")))
    if len(panel) > MOST_MEMBERS:
        raise ValueError(f"{len(panel)} members have too many ways to vote; give at most {MOST_MEMBERS}")
    _require(
        isinstance(policy.name, str) and bool(policy.name), f"name is {policy.name!r}; it must be that in the registry"
    )
    _require(isinstance(policy.calibrated, bool), "calibrated is not True or False")
    _require(
        set(policy.reads) <= {"confidence", "evidence"}, f"reads is {set(policy.reads)}; known: confidence, evidence"
    )
    ballots = _every_vote(panel)
    kept = ballots.choices.copy()
    decisions = policy.decide(ballots)
    _require(np.array_equal(kept, ballots.choices), "decide() changed the ballots that it was given")
    _check_shape(decisions, len(kept))
    for row, choices in enumerate(kept):
        label = int(decisions.labels[row])
        if label != ABSTAINED:
            _require(label in choices, f"decides for {LABELS[label]!r} where the votes are {_named(choices)}")
        told = policy.explain(_one(decisions, row))
        _require(
            isinstance(told, str) and bool(told.strip()),
            f"explain() says nothing where the votes are {_named(choices)}",
        )
    again = policy.decide(ballots)
    _require(np.array_equal(again.labels, decisions.labels), "decides otherwise the second time")
    for row in range(0, len(kept), 7):
        alone = policy.decide(_rows(ballots, [row]))
        same = int(alone.labels[0]) == int(decisions.labels[row])
        _require(
            same, f"decides otherwise on one claim alone than among others, where the votes are {_named(kept[row])}"
        )
    for order in list(permutations(range(len(panel))))[1:]:
        turned = policy.decide(_turned(ballots, order))
        _require(np.array_equal(turned.labels, decisions.labels), "the decision depends on the order of the members")
    nobody = policy.decide(_rows(ballots, []))
    _require(len(nobody) == 0, "decide() returned something for no claims at all")
    _require(bool((waiting(policy, ballots) == 0).all()), "waits for more votes where every member was asked")


def _check_shape(decisions: Decisions, claims: int) -> None:
    labels, scores = decisions.labels, decisions.scores
    _require(labels.shape == (claims,), f"labels has the shape {labels.shape}; ({claims},) is wanted")
    _require(scores.shape == (claims, len(LABELS)), f"scores has the shape {scores.shape}; ({claims}, 3) is wanted")
    known = {*range(len(LABELS)), ABSTAINED}
    _require({int(label) for label in labels} <= known, "labels holds something that is no label and no abstention")
    inside = bool(np.all((scores >= -1e-9) & (scores <= 1 + 1e-9)))
    _require(inside, "scores holds NaN or something outside [0, 1]")


def _every_vote(panel: tuple[Member, ...]) -> Ballots:
    allowed = [
        [choice for choice in _CHOICES if choice >= len(LABELS) or LABELS[choice] in member.casts] for member in panel
    ]
    choices = np.array(list(product(*allowed)), dtype=np.int8)
    confidence = np.where(choices < len(LABELS), 0.8, np.nan)
    # Confidences that differ, so that a policy which reads them is tried on more than one.
    confidence[::2, 0] = np.where(np.isnan(confidence[::2, 0]), np.nan, 0.6)
    shared = np.zeros((*choices.shape, len(panel)), dtype=np.bool_)
    return Ballots(panel, choices, confidence, shared)


def _rows(ballots: Ballots, rows: list[int]) -> Ballots:
    return Ballots(ballots.members, ballots.choices[rows], ballots.confidence[rows], ballots.shared[rows])


def _turned(ballots: Ballots, order: tuple[int, ...]) -> Ballots:
    """The same votes with the members in another order."""
    places = list(order)
    members = tuple(ballots.members[place] for place in places)
    shared = ballots.shared[:, places][:, :, places]
    return Ballots(members, ballots.choices[:, places], ballots.confidence[:, places], shared)


def _one(decisions: Decisions, row: int) -> Decisions:
    return Decisions(decisions.labels[row : row + 1], decisions.scores[row : row + 1])


def _named(choices: Sequence[int] | np.ndarray[tuple[int, ...], np.dtype[np.int8]]) -> list[str]:
    names = {ABSTAINED: "abstained", FAILED: "failed"}
    return [LABELS[int(one)] if int(one) < len(LABELS) else names[int(one)] for one in choices]


def _require(holds: bool, fault: str) -> None:
    if not holds:
        raise AssertionError(f"policy: {fault}")
