"""Votes as arrays: a row a claim, a column a member of the panel.

Policies work on these, so that one claim in a graph and a million combinations in replay go through the same code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from parcel_agents.types import LABELS, Label, Vote

SUPPORTED, REFUTED, NOT_FOUND = range(len(LABELS))
"""Codes of the labels: their places in `LABELS`."""
ABSTAINED = 3
"""Code of a member who looked and gave no label, and of a decision that is an abstention."""
FAILED = 4
"""Code of a vote that is missing: the member failed, or no vote of its was recorded."""
UNASKED = 5
"""Code of a vote that is missing because a cascade has not come to the member's tier."""

Codes = NDArray[np.int8]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Member:
    """A verifier of the configured panel, as a policy sees it."""

    name: str
    casts: frozenset[Label] = frozenset(LABELS)
    """The labels that it can give at all."""
    tier: int = 0
    """When it is asked: members of tier 0 first."""


@dataclass(frozen=True)
class Ballots:
    """The votes of a panel on some claims.

    Raises:
        ValueError: the arrays do not fit together, two members have one name, or a code is unknown.
    """

    members: tuple[Member, ...]
    choices: Codes
    """(claims, members): the code of a label, ABSTAINED, FAILED or UNASKED."""
    confidence: Floats
    """(claims, members): the members' own confidence in [0, 1]; nan where they gave none."""
    shared: Bools
    """(claims, members, members): True where two votes have one label and point to a common place in the opinion; on
    the diagonal, where a vote points to a place at all."""

    def __post_init__(self) -> None:
        claims, width = self.choices.shape
        names = [member.name for member in self.members]
        if len(set(names)) != len(names):
            raise ValueError(f"two members of the panel have one name: {sorted(names)}")
        if width != len(names):
            raise ValueError(f"{width} columns of votes for {len(names)} members")
        if self.confidence.shape != (claims, width) or self.shared.shape != (claims, width, width):
            raise ValueError("choices, confidence and shared differ in their number of claims or members")
        if claims and width and not (self.choices.min() >= 0 and self.choices.max() <= UNASKED):
            raise ValueError(f"unknown code among the votes: {np.unique(self.choices).tolist()}")

    @classmethod
    def of(cls, members: Iterable[Member], votes: Sequence[Sequence[Vote]]) -> Ballots:
        """The ballots of some claims, each with the votes that were given on it.

        A member without a vote counts as one that failed, and so does a vote whose outcome is not `ok`.

        Raises:
            ValueError: a vote is by nobody of the panel, or a member has two on one claim.
        """
        panel = tuple(members)
        column = {member.name: place for place, member in enumerate(panel)}
        shape = (len(votes), len(panel))
        choices = np.full(shape, FAILED, dtype=np.int8)
        confidence = np.full(shape, np.nan)
        shared = np.zeros((*shape, len(panel)), dtype=np.bool_)
        for row, given in enumerate(votes):
            seen: set[str] = set()
            for vote in given:
                if vote.verifier not in column:
                    raise ValueError(f"vote by {vote.verifier!r}, who is not of the panel {sorted(column)}")
                if vote.verifier in seen:
                    raise ValueError(f"two votes by {vote.verifier!r}")
                seen.add(vote.verifier)
                place = column[vote.verifier]
                choices[row, place] = code(vote)
                if vote.confidence is not None and vote.outcome == "ok":
                    confidence[row, place] = vote.confidence
            for one in given:
                for other in given:
                    shared[row, column[one.verifier], column[other.verifier]] = share_a_place(one, other)
        return cls(panel, choices, confidence, shared)

    def __len__(self) -> int:
        return len(self.choices)

    @cached_property
    def able(self) -> Bools:
        """(members, labels): True where the member can give the label at all."""
        able = [[label in member.casts for label in LABELS] for member in self.members]
        return np.array(able, dtype=np.bool_).reshape(len(able), len(LABELS))

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """(claims, labels): how many members gave each label."""
        return np.stack([(self.choices == label).sum(axis=1) for label in range(len(LABELS))], axis=1)

    @cached_property
    def missing(self) -> NDArray[np.int64]:
        """(claims,): how many votes are missing, failed or not asked for."""
        return np.asarray((self.choices >= FAILED).sum(axis=1))

    def columns(self, places: Sequence[int]) -> Ballots:
        """The ballots of some of the members, in this order."""
        chosen = list(places)
        return Ballots(
            tuple(self.members[place] for place in chosen),
            self.choices[:, chosen],
            self.confidence[:, chosen],
            self.shared[:, chosen][:, :, chosen],
        )

    def until(self, tier: int) -> Ballots:
        """The ballots as they stand once the tiers up to this one have been asked: later members are UNASKED."""
        later = [place for place, member in enumerate(self.members) if member.tier > tier]
        choices, confidence, shared = self.choices.copy(), self.confidence.copy(), self.shared.copy()
        choices[:, later] = UNASKED
        confidence[:, later] = np.nan
        shared[:, later, :] = shared[:, :, later] = False
        return Ballots(self.members, choices, confidence, shared)

    def rows(self, which: NDArray[np.int64] | Bools) -> Ballots:
        """The ballots on some of the claims."""
        return Ballots(self.members, self.choices[which], self.confidence[which], self.shared[which])


def code(vote: Vote) -> int:
    """The code of a vote that was asked for."""
    if vote.outcome != "ok":
        return FAILED
    return ABSTAINED if vote.label is None else LABELS.index(vote.label)


def share_a_place(one: Vote, other: Vote) -> bool:
    """True if two votes of one label point to a common place in the opinion."""
    return one.label == other.label and any(a.overlaps(b) for a in one.evidence for b in other.evidence)
