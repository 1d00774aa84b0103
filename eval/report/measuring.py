"""From what systems said to their figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import ABSTAINED, Codes
from parcel_agents.ensemble.rates import Counts, Rate
from parcel_agents.eval.bootstrap import Bootstrap, Estimate, by_opinion, ratio, with_bounds
from parcel_agents.eval.metrics import answered, confusion_by_opinion, figures
from parcel_agents.eval.report.evaluation import HardClaims, Measured, OutcomeCount, SubsetReport, SystemReport
from parcel_agents.eval.report.strategies import Strategies
from parcel_agents.eval.report.systems import System, baseline_systems
from parcel_agents.eval.vote_table import NOT_RECORDED, OUTCOMES, VoteTable
from parcel_agents.types import LABELS


@dataclass(frozen=True)
class Measure:
    """Takes the figures of systems on one table of labelled claims."""

    table: VoteTable
    bootstrap: Bootstrap
    strategies: Strategies
    by_all: NDArray[np.bool_]
    """(claims,): given a label by every verifier."""

    def system(self, system: System) -> SystemReport:
        """All figures of one system."""
        everywhere = self._confusion(system.decisions)
        within = self._confusion(system.decisions, self.by_all)
        counts = {"all": everywhere, "answered": answered(everywhere), "answered_by_all": within}
        asked = ~np.isnan(system.latencies)
        return SystemReport(
            system.name,
            system.kind,
            {
                name: Measured(
                    int(count.sum()), with_bounds(self.bootstrap.estimates(count, figures), count.sum(axis=-1))
                )
                for name, count in counts.items()
            },
            everywhere.sum(axis=0),
            tuple(self._accuracy(system.decisions == self.table.gold, which) for which in self.strategies.masks),
            self._outcomes(system),
            self._ratio(system.costs, np.ones(len(self.table))),
            float(system.costs.sum()),
            self._ratio(np.nan_to_num(system.latencies), asked),
        )

    def pooled(self, verifiers: Sequence[System]) -> dict[str, Estimate]:
        """The figures of all answers put together."""
        counts = sum(self._confusion(system.decisions) for system in verifiers)
        pooled = np.asarray(counts)
        return with_bounds(self.bootstrap.estimates(pooled, figures), pooled.sum(axis=-1))

    def mean_per_strategy(self, verifiers: Sequence[System]) -> tuple[Estimate, ...]:
        """Mean accuracy of the verifiers on the claims of each strategy."""
        # All verifiers have the same claims of a strategy, so the mean of their accuracies is that of all answers.
        right = np.mean([system.decisions == self.table.gold for system in verifiers], axis=0)
        return tuple(self._accuracy(right, which) for which in self.strategies.masks)

    def hard(self, verifiers: Sequence[System]) -> tuple[HardClaims, ...]:
        """A missing vote is no failure; an abstention is one, since it does not carry the claim."""
        failed = sum((~system.missing & (system.decisions != self.table.gold)).astype(int) for system in verifiers)
        everywhere = np.ones(len(self.table))
        return tuple(
            HardClaims(count, int((failed >= count).sum()), self._ratio(failed >= count, everywhere))
            for count in range(1, len(verifiers) + 1)
        )

    def _outcomes(self, system: System) -> dict[str, OutcomeCount]:
        ok, named = ~system.missing, system.decisions < ABSTAINED
        ways = {"label": ok & named, "abstained": ok & ~named}
        ways |= {outcome: system.outcomes == code for code, outcome in enumerate(OUTCOMES) if outcome != "ok"}
        ways["not in the run"] = system.outcomes == NOT_RECORDED
        everywhere = np.ones(len(self.table))
        return {
            way: OutcomeCount(int(which.sum()), self._ratio(which, everywhere))
            for way, which in ways.items()
            if which.any()
        }

    def _confusion(self, decisions: Codes, which: NDArray[np.bool_] | None = None) -> Counts:
        """(opinions, gold labels, said), of some of the claims or of all."""
        chosen = np.ones(len(self.table), dtype=np.bool_) if which is None else which
        groups = int(self.table.opinions.max()) + 1
        # A row of weight nothing keeps the opinions that have no chosen claim.
        counts = np.zeros((groups, len(LABELS), ABSTAINED + 1))
        there = confusion_by_opinion(decisions[chosen][None], self.table.gold[chosen], self.table.opinions[chosen])[0]
        counts[: len(there)] = there
        return counts

    def _accuracy(self, right: Rate | NDArray[np.bool_], which: NDArray[np.bool_]) -> Estimate:
        return self._ratio(right * which, which)

    def _ratio(self, part: Rate | NDArray[np.bool_], whole: Rate | NDArray[np.bool_]) -> Estimate:
        opinions, groups = self.table.opinions, int(self.table.opinions.max()) + 1
        counts = [by_opinion(np.asarray(values, dtype=np.float64), opinions, groups) for values in (part, whole)]
        return self.bootstrap.estimates(np.stack(counts, axis=1), ratio)["ratio"]


def measure_subsets(
    table: VoteTable, systems: Sequence[System], rng: np.random.Generator, resamples: int
) -> list[SubsetReport]:
    """The main figures on each file of the data set; nothing where it has one."""
    names = [claim.subset for claim in table.claims]
    found = []
    for name in dict.fromkeys(names) if len(set(names)) > 1 else ():
        which = np.array([subset == name for subset in names])
        part = table.rows(which)
        groups = int(part.opinions.max()) + 1
        bootstrap = Bootstrap.of(groups, rng, resamples)
        read = [system.rows(which) for system in systems if system.kind != "baseline"]
        measured = {}
        for system in [*read, *baseline_systems(part)]:
            counts = confusion_by_opinion(system.decisions[None], part.gold, part.opinions)[0]
            measured[system.name] = with_bounds(bootstrap.estimates(counts, figures), counts.sum(axis=-1))
        found.append(SubsetReport(name, len(part), groups, measured))
    return found
