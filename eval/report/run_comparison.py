"""Two runs on the claims they share: what changed, by how much, and could it be chance?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, SUPPORTED, UNASKED, Codes
from parcel_agents.ensemble.rates import confusion, rates
from parcel_agents.eval.bootstrap import Bootstrap, Estimate, by_opinion, ratio
from parcel_agents.eval.metrics import RESAMPLES
from parcel_agents.eval.replay.comparison import Comparison, compare
from parcel_agents.eval.report.evaluation import RunVotes
from parcel_agents.eval.report.shared_claims import shared_claims
from parcel_agents.eval.report.systems import Kind, System, policy_systems, verifier_systems
from parcel_agents.eval.vote_table import OUTCOMES, VoteTable
from parcel_agents.types import LABELS


@dataclass(frozen=True)
class Changed:
    """A claim that one of the two has right and the other has not."""

    claim_id: str
    opinion_id: str
    claim: str
    gold: str
    strategy: str | None
    first: str
    """What the first says: a label, or `none`."""
    second: str
    second_is_right: bool
    first_votes: dict[str, str]
    """By verifier, a label, `abstained`, or the outcome of a vote that failed."""
    second_votes: dict[str, str]


@dataclass(frozen=True)
class Pair:
    """The same verifier or policy in both runs, or the best of each."""

    name: str
    kind: Kind
    accuracy: tuple[float, float]
    """In the first run and in the second."""
    fer: tuple[float, float]
    accuracy_gain: Estimate
    """Of the second over the first, on the same claims."""
    fer_gain: Estimate
    tests: Comparison
    """Of the second (there called the first) against the first."""
    changed: tuple[Changed, ...]


@dataclass(frozen=True)
class RunComparison:
    """Two runs on the claims they share."""

    names: tuple[str, str]
    claims: int
    opinions: int
    notes: tuple[str, ...]
    pairs: tuple[Pair, ...]
    """Best verifiers, the panels' own policies, then every verifier and policy that both have."""


def compare_runs(
    first: RunVotes,
    second: RunVotes,
    rng: np.random.Generator,
    *,
    policies: Sequence[str] = (),
    resamples: int = RESAMPLES,
) -> RunComparison:
    """The second run against the first, on claims with one id, one text and one label in both.

    Args:
        first: the run that is there already.
        second: the run that is new.
        rng: draws folds, resamples and signs.
        policies: names of policies beside the panels' own; none given: those that are replayed by default.
        resamples: draws of the bootstrap.

    Raises:
        InputError: the runs share no labelled claim, or a policy cannot be fitted.
    """
    shared = shared_claims(first, second)
    tables, notes = shared.tables, list(shared.notes)
    # With the same folds in both, a policy that learns differs by the votes alone.
    folds_seed = int(rng.integers(2**32))
    found: list[list[System]] = []
    own: list[System | None] = []
    for run, table in zip((first, second), tables, strict=True):
        made = policy_systems(table, run.panel, np.random.default_rng(folds_seed), policies)
        found.append([*verifier_systems(table), *made.systems])
        own.append(next((s for s in made.systems if s.name.split(",")[0] == run.panel.meta.policy), None))
        notes += [f"{run.name}: {note}" for note in made.notes]
    groups = int(tables[0].opinions.max()) + 1
    if groups < 10:
        notes.append(f"the claims are about {groups} opinions: the intervals are rough, with one there are none")
    bootstrap = Bootstrap.of(groups, rng, resamples)
    pairs = []
    for name, kind, one, other in _pairs(found, own, tables[0].gold):
        pairs.append(_pair(name, kind, (one, other), tables, bootstrap, rng))
    return RunComparison((first.name, second.name), len(tables[0]), groups, tuple(notes), tuple(pairs))


def _pairs(
    found: Sequence[Sequence[System]], own: Sequence[System | None], gold: Codes
) -> list[tuple[str, Kind, System, System]]:
    best = [_best([system for system in systems if system.kind == "verifier"], gold) for systems in found]
    pairs: list[tuple[str, Kind, System, System]] = []
    if best[0].name != best[1].name:
        pairs.append((f"best verifier ({best[0].name} / {best[1].name})", "verifier", best[0], best[1]))
    if own[0] and own[1] and own[0].name != own[1].name:
        pairs.append((f"own policy ({own[0].name} / {own[1].name})", "policy", own[0], own[1]))
    named = {system.name: system for system in found[1]}
    return [*pairs, *((one.name, one.kind, one, named[one.name]) for one in found[0] if one.name in named)]


def _best(verifiers: Sequence[System], gold: Codes) -> System:
    """The most accurate; of several the one with the fewest false entailments, then the first."""

    def worth(system: System) -> tuple[float, int]:
        false = (system.decisions == SUPPORTED) & (gold != SUPPORTED)
        return -float((system.decisions == gold).mean()), int(false.sum())

    return min(verifiers, key=worth)


def _pair(
    name: str,
    kind: Kind,
    systems: tuple[System, System],
    tables: tuple[VoteTable, VoteTable],
    bootstrap: Bootstrap,
    rng: np.random.Generator,
) -> Pair:
    gold, opinions = tables[0].gold, tables[0].opinions
    groups = int(opinions.max()) + 1
    one, other = (system.decisions for system in systems)
    figures = [rates(confusion(decisions, gold)) for decisions in (one, other)]
    right = (other == gold).astype(float) - (one == gold)
    unsupported = gold != SUPPORTED
    false = ((other == SUPPORTED) & unsupported).astype(float) - ((one == SUPPORTED) & unsupported)

    def gain(difference: np.ndarray[Any, Any], whole: np.ndarray[Any, Any]) -> Estimate:
        counts = [by_opinion(values.astype(float), opinions, groups) for values in (difference, whole)]
        return bootstrap.estimates(np.stack(counts, axis=1), ratio)["ratio"]

    return Pair(
        name,
        kind,
        (float(figures[0].accuracy), float(figures[1].accuracy)),
        (float(figures[0].fer), float(figures[1].fer)),
        gain(right, np.ones(len(gold))),
        gain(false, unsupported),
        compare(other, one, gold, opinions, rng),
        tuple(_changed(int(row), (one, other), tables) for row in np.flatnonzero(right)),
    )


def _changed(row: int, decisions: tuple[Codes, Codes], tables: tuple[VoteTable, VoteTable]) -> Changed:
    claim = tables[0].claims[row]
    said = [_said(int(one[row])) for one in decisions]
    return Changed(
        claim.id,
        claim.opinion_id,
        claim.claim,
        str(claim.label),
        claim.strategy,
        said[0],
        said[1],
        said[1] == claim.label,
        _votes(tables[0], row),
        _votes(tables[1], row),
    )


def _votes(table: VoteTable, row: int) -> dict[str, str]:
    return {
        name: _vote(int(table.ballots.choices[row, column]), int(table.outcomes[row, column]))
        for column, name in enumerate(table.names)
    }


def _vote(choice: int, outcome: int) -> str:
    if choice in (FAILED, UNASKED):
        return OUTCOMES[outcome] if outcome >= 0 else "not in the run"
    return "abstained" if choice == ABSTAINED else LABELS[choice]


def _said(code: int) -> str:
    return "none" if code == ABSTAINED else LABELS[code]
