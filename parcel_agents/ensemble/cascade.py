"""Cascade: ask a cheap tier first, and the next one only where its answer is needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from parcel_agents.ensemble.ballots import ABSTAINED, SUPPORTED, UNASKED, Ballots, Bools
from parcel_agents.ensemble.base import Decisions, Policy


@dataclass(frozen=True)
class Accept:
    """When the decision of a tier and those before it stands without asking the next: the least score it needs.

    Scores are shares of the votes of those asked so far, or probabilities where the policy is calibrated.
    """

    supported: float
    other: float
    """For refuted and not found, where an error costs less."""

    def of(self, decisions: Decisions) -> Bools:
        """(claims,): True where the decision stands."""
        needed = np.where(decisions.labels == SUPPORTED, self.supported, self.other)
        return np.asarray((decisions.labels != ABSTAINED) & (decisions.score_of_label() >= needed))


@dataclass(frozen=True)
class _Step:
    """Where the claims stand after a tier."""

    tier: int
    decisions: Decisions
    final: Bools


@dataclass(frozen=True)
class Cascade:
    """A policy over tiers of members, asked in order until a decision stands.

    It stands if nothing the later tiers could say would change it - so a cascade of a voting policy alone gives the
    verdicts of the whole panel for less - or, where `accept` says so, if its score among those asked suffices. The
    last tier's decision always stands. FrugalGPT (arXiv 2305.05176, section 3) calls the latter an LLM cascade.
    """

    inner: Policy
    accept: tuple[Accept | None, ...] = ()
    """Per tier; None, or nothing, for a tier that stands only where the others could not change it."""

    @property
    def name(self) -> str:
        """The inner policy's name, as a cascade."""
        return f"cascade of {self.inner.name}"

    @property
    def calibrated(self) -> bool:
        """As the inner policy's."""
        return self.inner.calibrated

    @property
    def reads(self) -> frozenset[str]:
        """As the inner policy's."""
        return self.inner.reads

    def decide(self, ballots: Ballots) -> Decisions:
        """See `Policy.decide`. Claims that wait for a further tier are abstentions."""
        labels = np.full(len(ballots), ABSTAINED, dtype=np.int8)
        scores = np.zeros((len(ballots), 3))
        for step, now in self._ends(ballots):
            labels[now], scores[now] = step.decisions.labels[now], step.decisions.scores[now]
        return Decisions(labels, scores)

    def asked(self, ballots: Ballots) -> Bools:
        """See `Tiered.asked`."""
        last = np.full(len(ballots), max((member.tier for member in ballots.members), default=0))
        for step, now in self._ends(ballots):
            last[now] = step.tier
        unanswered = ballots.choices == UNASKED
        tiers = np.array([member.tier for member in ballots.members])
        # A tier that was never asked is where a claim waits; those behind it are not asked for yet.
        waits = np.where(unanswered, tiers, len(tiers) + 1).min(axis=1, initial=len(tiers) + 1)
        return np.asarray(tiers <= np.minimum(last, waits)[:, None])

    def explain(self, decisions: Decisions) -> str:
        """See `Policy.explain`."""
        return self.inner.explain(decisions)

    def _ends(self, ballots: Ballots) -> Iterator[tuple[_Step, Bools]]:
        """Each tier with the claims whose decision stands there and at no tier before."""
        ended = np.zeros(len(ballots), dtype=np.bool_)
        for step in self._steps(ballots):
            now = step.final & ~ended
            ended |= now
            yield step, now

    def _steps(self, ballots: Ballots) -> Iterator[_Step]:
        tiers = sorted({member.tier for member in ballots.members})
        for place, tier in enumerate(tiers):
            so_far = [i for i, member in enumerate(ballots.members) if member.tier <= tier]
            known = ~(ballots.choices[:, so_far] == UNASKED).any(axis=1)
            if tier == tiers[-1]:
                yield _Step(tier, self.inner.decide(ballots), known)
                return
            # Voting policies count a member that was not asked as one that may say anything: what they decide, stands.
            settled = self.inner.decide(ballots.until(tier))
            if not self.inner.calibrated:
                yield _Step(tier, settled, known & (settled.labels != ABSTAINED))
            accept = self.accept[place] if place < len(self.accept) else None
            if accept is not None:
                among_asked = self.inner.decide(ballots.columns(so_far))
                yield _Step(tier, among_asked, known & accept.of(among_asked))
