"""From a run's labelled votes to a policy file: fit, tune the cascade, bound the false entailment rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from parcel_agents.config import AcceptConfig
from parcel_agents.ensemble.ballots import ABSTAINED
from parcel_agents.ensemble.base import Policy
from parcel_agents.ensemble.cascade import Accept, Cascade
from parcel_agents.ensemble.cascade_tuning import TunedCascade, tune_cascade
from parcel_agents.ensemble.policy_file import PolicyFile, RiskFile
from parcel_agents.ensemble.risk import choose_threshold
from parcel_agents.ensemble.risk_report import RiskReport
from parcel_agents.errors import InputError
from parcel_agents.eval.replay.combinations import fit, learns
from parcel_agents.eval.vote_table import VoteTable
from parcel_agents.store import RunMeta
from parcel_agents.types import LABELS


@dataclass(frozen=True)
class Targets:
    """What a policy is to reach; None for what is not asked for."""

    max_fer: float | None = None
    """The false entailment rate to guarantee."""
    confidence: float = 0.95
    """Of that guarantee."""
    cascade_cost: float | None = None
    """Dollars a claim that a cascade is to keep to."""
    cascade_fer: float | None = None
    """The false entailment rate, on the labelled claims, that a cascade is to keep to."""


@dataclass(frozen=True)
class Fitted:
    """A policy, and how it was made."""

    policy: Policy
    parameters: dict[str, Any]
    cascade: TunedCascade | None
    risk: RiskReport | None
    fitted_on: int
    """Labelled claims that the policy was fitted on; 0 where nothing was."""
    notes: tuple[str, ...] = ()
    """What the votes that it was fitted to lack."""


def fit_policy(table: VoteTable, name: str, targets: Targets, rng: np.random.Generator) -> Fitted:
    """The policy over all members of the table, fitted to its labelled claims.

    The policy, the cascade over it and the guarantee each get opinions of their own, as far as they are asked for: what
    a policy was fitted to would flatter the cascade and void the guarantee. The guarantee needs most and gets half or
    more.

    Args:
        table: the votes; `Member.tier` says in which order a cascade asks.
        name: the policy.
        targets: what it is to reach.
        rng: deals the opinions.

    Raises:
        InputError: there are no labelled claims, or too few for what is asked.
        ConfigError: the policy is unknown, or a target makes no sense.
    """
    known = table.labelled()
    if not len(known):
        raise InputError("the run has no labelled claim to make a policy from")
    tunes = targets.cascade_cost is not None or targets.cascade_fer is not None
    if not (known.ballots.choices <= ABSTAINED).any():
        raise InputError("no verifier has voted on a labelled claim, so there is nothing to fit a policy to")
    to_fit, to_tune, to_test = _deal(known, learns(name), tunes, targets.max_fer is not None, rng)
    try:
        policy = fit(name, to_fit.calibration(), rng)
        parameters: dict[str, Any] = getattr(policy, "parameters", dict)()
        tuned = None
        if len({member.tier for member in known.ballots.members}) > 1:
            if tunes:
                tuned = tune_cascade(
                    policy,
                    to_tune.ballots,
                    to_tune.gold,
                    to_tune.costs,
                    max_cost=targets.cascade_cost,
                    max_fer=targets.cascade_fer,
                )
            policy = tuned.cascade if tuned else Cascade(policy)
        elif tunes:
            raise InputError("a cascade needs at least two tiers; give them with --tier")
    except ValueError as error:
        raise InputError(f"the policy {name!r} cannot be fitted to this run: {error}") from error
    risk = None
    if targets.max_fer is not None:
        risk = choose_threshold(policy, to_test.calibration(), max_fer=targets.max_fer, confidence=targets.confidence)
    unsaid = [label for code, label in enumerate(LABELS) if not (to_fit.ballots.choices == code).any()]
    notes = [f"no verifier said {label} here, so a policy fitted to these votes can hardly say it" for label in unsaid]
    return Fitted(
        policy, parameters, tuned, risk, len(to_fit) if learns(name) else 0, tuple(notes) if learns(name) else ()
    )


def _deal(
    known: VoteTable, fits: bool, tunes: bool, tests: bool, rng: np.random.Generator
) -> tuple[VoteTable, VoteTable, VoteTable]:
    """The claims to fit the policy on, to tune the cascade on, and to test the guarantee on; no opinion is in two."""
    steps = fits + tunes
    if steps + tests < 2:
        return known, known, known
    folds = known.calibration().folds(2 * steps if tests and steps > 1 else steps + (2 if tests else 0), rng)
    fit = known.rows(folds == 0) if fits else known
    tune = known.rows(folds == steps - 1) if tunes else known
    return fit, tune, known.rows(folds >= steps) if tests else known


def policy_file(fitted: Fitted, table: VoteTable, name: str, about: RunMeta) -> PolicyFile:
    """What to write down of a fitted policy.

    Args:
        fitted: the policy.
        table: the votes it was made from.
        name: its name in the registry.
        about: the run.
    """
    report: dict[str, Any] = {"dataset": about.dataset.model_dump(), "fitted_on_claims": fitted.fitted_on}
    if fitted.cascade:
        report["cascade"] = {key: getattr(fitted.cascade, key) for key in ("cost", "accuracy", "fer")}
    if fitted.risk:
        report["risk"] = asdict(fitted.risk)
    accept = fitted.cascade.cascade.accept if fitted.cascade else ()
    return PolicyFile(
        policy=name,
        parameters=fitted.parameters,
        tiers=_tiers(table),
        accept=tuple(_accept(one) for one in accept),
        risk=RiskFile(threshold=fitted.risk.threshold, max_fer=fitted.risk.max_fer, confidence=fitted.risk.confidence)
        if fitted.risk
        else None,
        verifiers={name: about.verifiers[name] for name in table.names},
        settings=about.settings,
        report=report,
    )


def in_tiers(table: VoteTable, tiers: Sequence[Sequence[str]]) -> VoteTable:
    """The votes of these members, to be asked in this order.

    Raises:
        InputError: one of them is not in the run, or is named twice.
    """
    wanted = [name for tier in tiers for name in tier]
    for name in wanted:
        if name not in table.names:
            raise InputError(f"the run has no verifier {name!r}; it has {', '.join(table.names)}")
        if wanted.count(name) > 1:
            raise InputError(f"the verifier {name!r} is named twice")
    chosen = table.columns([table.names.index(name) for name in wanted])
    tier_of = {name: place for place, tier in enumerate(tiers) for name in tier}
    members = tuple(replace(member, tier=tier_of[member.name]) for member in chosen.ballots.members)
    return replace(chosen, ballots=replace(chosen.ballots, members=members))


def _tiers(table: VoteTable) -> tuple[tuple[str, ...], ...]:
    tiers = sorted({member.tier for member in table.ballots.members})
    return tuple(tuple(m.name for m in table.ballots.members if m.tier == tier) for tier in tiers)


def _accept(one: Accept | None) -> AcceptConfig | None:
    return AcceptConfig(supported=one.supported, other=one.other) if one else None
