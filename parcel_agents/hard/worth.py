"""Which verifier a panel lacks, and which of its members it could do without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from parcel_agents.ensemble.ballots import SUPPORTED, Ballots, Bools, Codes
from parcel_agents.ensemble.base import make_policy


@dataclass(frozen=True)
class Worth:
    """A verifier, with the panel as it is and as it would be: with it added, or with it taken away."""

    verifier: str
    how: Literal["added", "taken away"]
    covered: int
    """Claims that this verifier gets right and no other member of the panel does."""
    hard_right: int
    """Hard claims that it gets right."""
    accuracy_gain: float
    """What it gives the majority vote: accuracy with it, less accuracy without it."""
    fer_gain: float
    """The same of the false entailment rate: below 0 is better; nan where no claim could be entailed falsely."""


def worths(ballots: Ballots, gold: Codes, hard: Bools, panel: Sequence[str]) -> tuple[Worth, ...]:
    """Every verifier outside the panel, if there is one; else every member. The most useful first.

    Most useful is who gives the majority vote the most accuracy; of several who lowers its false entailment rate most,
    then who covers most claims, then the first by name.

    Args:
        ballots: the votes of all verifiers.
        gold: (claims,) codes of labels.
        hard: (claims,) True for hard claims.
        panel: names of its members; all of them must be in the ballots.
    """
    names = [member.name for member in ballots.members]
    members = [names.index(name) for name in panel]
    others = [place for place in range(len(names)) if place not in members]
    how: Literal["added", "taken away"] = "added" if others else "taken away"
    found = []
    for place in others or members:
        without = [member for member in members if member != place]
        found.append(_worth(ballots, gold, hard, without, place, how))
    return tuple(sorted(found, key=_order))


def _worth(
    ballots: Ballots, gold: Codes, hard: Bools, without: list[int], place: int, how: Literal["added", "taken away"]
) -> Worth:
    right = ballots.choices == gold[:, None]
    before, after = _majority(ballots, without), _majority(ballots, sorted([*without, place]))
    false = gold != SUPPORTED
    entailed = [float((said[false] == SUPPORTED).mean()) if false.any() else float("nan") for said in (before, after)]
    return Worth(
        ballots.members[place].name,
        how,
        int((right[:, place] & ~right[:, without].any(axis=1)).sum()),
        int((right[:, place] & hard).sum()),
        float((after == gold).mean() - (before == gold).mean()),
        entailed[1] - entailed[0],
    )


def _majority(ballots: Ballots, places: list[int]) -> Codes:
    if not places:
        # Nobody decides nothing.
        return np.full(len(ballots), -1, dtype=np.int8)
    return make_policy("majority").decide(ballots.columns(places)).labels


def _order(one: Worth) -> tuple[float, float, int, str]:
    return -one.accuracy_gain, one.fer_gain if one.fer_gain == one.fer_gain else 0.0, -one.covered, one.verifier
