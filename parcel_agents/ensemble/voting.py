"""Voting: majority, plurality, unanimous support, and a veto. Nothing is learned.

In all of them an abstention is an answer and a missing vote is not: a member who failed stays in the count, so a
panel never shrinks because a model answered badly. A false entailment is the costly error, so `supported` is held
to more than the other labels: an abstention of a member who could have said so counts against it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from parcel_agents.ensemble.ballots import ABSTAINED, SUPPORTED, Ballots, Bools, Codes, Floats
from parcel_agents.ensemble.base import Decisions
from parcel_agents.types import LABELS


class _Vote:
    """What the voting policies have in common."""

    calibrated: ClassVar[bool] = False
    reads: ClassVar[frozenset[str]] = frozenset()


@dataclass(frozen=True)
class Majority(_Vote):
    """More than half of the configured panel, else abstention.

    A label needs more than half of the members who did not abstain; `supported` also needs more than half of *all*
    members that can say so, so a lone supporter among models that abstain does not carry a claim.
    """

    name: str = "majority"

    def decide(self, ballots: Ballots) -> Decisions:
        """See `Policy.decide`. A tie abstains."""
        scores = shares(ballots)
        return Decisions(_first(scores > 0.5), scores)

    def explain(self, decisions: Decisions) -> str:
        """See `Policy.explain`."""
        return "no majority" if decisions.labels[0] == ABSTAINED else "majority"


@dataclass(frozen=True)
class Plurality(_Vote):
    """The label with the most votes, if the missing votes could not bring another one level with it.

    For `supported`, the abstentions of members who could have said so count as votes of their own kind.
    """

    name: str = "plurality"

    def decide(self, ballots: Ballots) -> Decisions:
        """See `Policy.decide`. A tie abstains."""
        counts = ballots.counts
        lead = counts - _best_other(ballots)
        return Decisions(_first((lead > ballots.missing[:, None]) & (counts > 0)), shares(ballots))

    def explain(self, decisions: Decisions) -> str:
        """See `Policy.explain`."""
        return "no label leads" if decisions.labels[0] == ABSTAINED else "most votes"


@dataclass(frozen=True)
class Unanimous(_Vote):
    """Supported only if all members that can say so do, or at least `at_least` of them; else as plurality has it."""

    name: str = "unanimous"
    at_least: int | None = None
    """How many must agree; None for all. More than the panel has means all."""

    def __post_init__(self) -> None:
        if self.at_least is not None and self.at_least < 1:
            raise ValueError(f"at_least is {self.at_least}, but support takes at least one vote")

    def decide(self, ballots: Ballots) -> Decisions:
        """See `Policy.decide`."""
        plural = Plurality().decide(ballots)
        able = int(ballots.able[:, SUPPORTED].sum())
        needed = able if self.at_least is None else min(self.at_least, able)
        labels = plural.labels.copy()
        labels[(labels == SUPPORTED) & (ballots.counts[:, SUPPORTED] < needed)] = ABSTAINED
        return Decisions(labels, plural.scores)

    def explain(self, decisions: Decisions) -> str:
        """See `Policy.explain`."""
        needed = "all" if self.at_least is None else f"at least {self.at_least}"
        if decisions.labels[0] == SUPPORTED:
            return f"support by {needed}"
        return (
            f"no label leads, or support falls short of {needed}" if decisions.labels[0] == ABSTAINED else "most votes"
        )


@dataclass(frozen=True)
class Veto(_Vote):
    """Majority, but an objection of one of those with a veto keeps a claim from being supported.

    A missing vote of theirs does so too, since the objection might have come. The claim is then left open: an
    objection alone does not refute it.
    """

    name: str = "veto"
    by: tuple[str, ...] = ()
    """Who has a veto; empty for all members that can only object."""

    def decide(self, ballots: Ballots) -> Decisions:
        """See `Policy.decide`."""
        majority = Majority().decide(ballots)
        labels = majority.labels.copy()
        labels[(labels == SUPPORTED) & self._blocked(ballots)] = ABSTAINED
        return Decisions(labels, majority.scores)

    def explain(self, decisions: Decisions) -> str:
        """See `Policy.explain`."""
        if decisions.labels[0] == ABSTAINED and decisions.scores[0, SUPPORTED] > 0.5:
            return f"a majority for support, which {' or '.join(self.by) or 'a check'} objects to or did not clear"
        return Majority().explain(decisions)

    def _blocked(self, ballots: Ballots) -> Bools:
        able = ballots.able[:, SUPPORTED]
        holders = [i for i, m in enumerate(ballots.members) if (m.name in self.by if self.by else not able[i])]
        choices = ballots.choices[:, holders]
        return np.asarray(((choices != SUPPORTED) & (choices != ABSTAINED)).any(axis=1))


def shares(ballots: Ballots) -> Floats:
    """(claims, labels): each label's share of the members who did not abstain, failed ones included.

    For `supported` the share is at most that of all members that can say so.
    """
    speaking = (ballots.choices != ABSTAINED).sum(axis=1)
    of = np.repeat(np.maximum(speaking, 1)[:, None], len(LABELS), axis=1)
    of[:, SUPPORTED] = np.maximum(of[:, SUPPORTED], ballots.able[:, SUPPORTED].sum())
    share: Floats = ballots.counts / of
    return share


def _best_other(ballots: Ballots) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """(claims, labels): the most votes that another choice got."""
    counts = ballots.counts
    others = [np.delete(counts, label, axis=1).max(axis=1) for label in range(len(LABELS))]
    silent = ((ballots.choices == ABSTAINED) & ballots.able[:, SUPPORTED]).sum(axis=1)
    others[SUPPORTED] = np.maximum(others[SUPPORTED], silent)
    return np.stack(others, axis=1)


def _first(wins: Bools) -> Codes:
    """The label that wins in each row, ABSTAINED where none does; at most one may."""
    return np.where(wins.any(axis=1), wins.argmax(axis=1), ABSTAINED).astype(np.int8)
