"""What a report holds: the figures of every verifier and policy, as values."""

from __future__ import annotations

from dataclasses import dataclass

from parcel_agents.ensemble.rates import Counts
from parcel_agents.eval.bootstrap import NOTHING, Estimate
from parcel_agents.eval.report.strategies import Strategies
from parcel_agents.eval.report.systems import Kind, Panel, System
from parcel_agents.eval.vote_table import VoteTable

SCOPES = {
    "all": "all claims",
    "answered": "claims it gave a label",
    "answered_by_all": "claims that every verifier gave a label",
}
"""The three denominators, by name, in words."""


@dataclass(frozen=True)
class RunVotes:
    """The votes of one run, and what to call it."""

    name: str
    table: VoteTable
    panel: Panel


@dataclass(frozen=True)
class Measured:
    """Figures on some of the claims."""

    claims: int
    figures: dict[str, Estimate]
    """By name; see `eval.metrics.figures`."""


@dataclass(frozen=True)
class OutcomeCount:
    """How often an attempt ended in one way."""

    claims: int
    share: Estimate
    """Of all claims."""


@dataclass(frozen=True)
class SystemReport:
    """The figures of a verifier, a policy or a baseline."""

    name: str
    kind: Kind
    scopes: dict[str, Measured]
    """By name of the denominator; see `SCOPES`."""
    confusion: Counts
    """(gold labels, said): how many of all claims."""
    per_strategy: tuple[Estimate, ...]
    """Accuracy on the claims of each of the report's strategies."""
    outcomes: dict[str, OutcomeCount]
    """`label`, `abstained`, the outcomes of failed votes, and `not in the run`; those that occur."""
    cost: Estimate
    """Dollars a claim."""
    total_cost: float
    latency: Estimate
    """Seconds a claim; nan for a baseline."""

    @property
    def figures(self) -> dict[str, Estimate]:
        """On all claims."""
        return self.scopes["all"].figures


@dataclass(frozen=True)
class HardClaims:
    """The claims that at least `failed_by` of the verifiers fail (PARCEL, table 7)."""

    failed_by: int
    claims: int
    share: Estimate


@dataclass(frozen=True)
class SubsetReport:
    """The claims of one file of the data set."""

    name: str
    claims: int
    opinions: int
    figures: dict[str, dict[str, Estimate]]
    """On all claims of the subset, by name of the system; the baselines see nothing but the subset."""


@dataclass(frozen=True)
class Evaluation:
    """Everything that is reported of one or more runs on the same claims."""

    claims: int
    opinions: int
    notes: tuple[str, ...]
    systems: tuple[SystemReport, ...]
    """Verifiers, then policies, then baselines."""
    decisions: tuple[System, ...]
    """What each of them said, for pictures and lists of claims."""
    table: VoteTable
    """The labelled claims, with the votes of the first run."""
    pooled: dict[str, Estimate]
    """The figures of all verifiers' answers put together (PARCEL, table 4)."""
    strategies: Strategies
    mean_per_strategy: tuple[Estimate, ...]
    """Mean accuracy of the verifiers on the claims of each strategy."""
    hard: tuple[HardClaims, ...]
    subsets: tuple[SubsetReport, ...]
    """None where the data set has one file."""
    resamples: int

    def of_kind(self, *kinds: Kind) -> list[SystemReport]:
        """The systems of these kinds."""
        return [system for system in self.systems if system.kind in kinds]

    def find(self, name: str) -> SystemReport:
        """The system of this name; KeyError if there is none."""
        return {system.name: system for system in self.systems}[name]

    def accuracy_of(self, baseline: str) -> Estimate:
        """What a baseline reaches on all claims; nan where it could not be trained."""
        return next((s.figures["accuracy"] for s in self.of_kind("baseline") if s.name == baseline), NOTHING)
