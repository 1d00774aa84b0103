"""The report on one or more runs: every verifier and every policy over the panel, on the same labelled claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from parcel_agents.errors import InputError
from parcel_agents.eval.bootstrap import Bootstrap
from parcel_agents.eval.metrics import RESAMPLES
from parcel_agents.eval.report.evaluation import Evaluation, RunVotes
from parcel_agents.eval.report.measuring import Measure, measure_subsets
from parcel_agents.eval.report.notes import notes_on
from parcel_agents.eval.report.strategies import strategies_of
from parcel_agents.eval.report.systems import (
    System,
    answered_by_all,
    baseline_systems,
    policy_systems,
    verifier_systems,
)


def evaluate_votes(
    runs: Sequence[RunVotes],
    rng: np.random.Generator,
    *,
    policies: Sequence[str] = (),
    resamples: int = RESAMPLES,
    progress: Callable[[], None] = lambda: None,
) -> Evaluation:
    """The figures of one or more runs.

    Args:
        runs: the votes; all on the same claims, in the same order.
        rng: draws folds and resamples.
        policies: names of policies beside each panel's own; none given: those that are replayed by default.
        resamples: draws of the bootstrap.
        progress: called after each policy and once at the end.

    Raises:
        InputError: no claim is labelled, or a policy that was asked for cannot be fitted.
        ConfigError: a policy that was asked for is unknown.
    """
    known = [replace(run, table=run.table.labelled()) for run in runs]
    table = known[0].table
    if not len(table):
        raise InputError("the run has no labelled claim, so there is nothing to compare its votes with")
    notes: list[str] = []
    found: list[list[System]] = []
    for run, whole in zip(known, runs, strict=True):
        made = policy_systems(run.table, run.panel, rng, policies, progress)
        found.append([*verifier_systems(run.table), *made.systems])
        prefix = f"{run.name}: " if len(runs) > 1 else ""
        notes += [f"{prefix}{note}" for note in (*notes_on(whole.table), *made.notes)]
    systems = [*_named(found, [run.name for run in runs]), *baseline_systems(table)]
    systems.sort(key=lambda system: ("verifier", "policy", "baseline").index(system.kind))
    bootstrap = Bootstrap.of(int(table.opinions.max()) + 1, rng, resamples)
    measure = Measure(table, bootstrap, strategies_of(table), answered_by_all(systems))
    reports = tuple(measure.system(system) for system in systems)
    verifiers = [system for system in systems if system.kind == "verifier"]
    evaluation = Evaluation(
        claims=len(table),
        opinions=int(table.opinions.max()) + 1,
        notes=tuple(dict.fromkeys(notes)),
        systems=reports,
        decisions=tuple(systems),
        table=table,
        pooled=measure.pooled(verifiers),
        strategies=measure.strategies,
        mean_per_strategy=measure.mean_per_strategy(verifiers),
        hard=measure.hard(verifiers),
        subsets=tuple(measure_subsets(table, systems, rng, resamples)),
        resamples=resamples,
    )
    progress()
    return evaluation


def _named(found: Sequence[Sequence[System]], runs: Sequence[str]) -> list[System]:
    """The systems of all runs; where a name stands in two of them, with the run's name before it."""
    names = [system.name for systems in found for system in systems]
    return [
        replace(system, name=f"{run}: {system.name}") if names.count(system.name) > 1 else system
        for run, systems in zip(runs, found, strict=True)
        for system in systems
    ]
