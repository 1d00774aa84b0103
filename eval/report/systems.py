"""What is measured side by side: each verifier, each policy over the whole panel, and what needs no opinion at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import ABSTAINED, Codes, Floats
from parcel_agents.ensemble.base import Decisions, Policy, asked, make_policy
from parcel_agents.ensemble.cascade import Cascade
from parcel_agents.ensemble.policy_file import recorded_policy
from parcel_agents.errors import ConfigError, InputError
from parcel_agents.eval.claim_only import claim_only_labels
from parcel_agents.eval.replay.combinations import FOLDS, cross_fitted, default_policies, learns
from parcel_agents.eval.vote_table import NOT_RECORDED, OUTCOMES, VoteTable
from parcel_agents.store import PanelMeta

OK = OUTCOMES.index("ok")
Kind = Literal["verifier", "policy", "baseline"]


@dataclass(frozen=True)
class System:
    """Decisions on the labelled claims of a run, and what they cost."""

    name: str
    kind: Kind
    decisions: Codes
    """(claims,): code of a label, or ABSTAINED: a missing vote is no label either."""
    confidence: Floats
    """(claims,): that the label is right, as a probability; nan where none is given."""
    costs: Floats
    """(claims,): dollars."""
    latencies: Floats
    """(claims,): seconds; nan where nothing was asked."""
    outcomes: Codes
    """(claims,): place in `OUTCOMES`, or NOT_RECORDED; a policy's are all `ok`."""
    is_probability: bool = True
    """Whether the confidence means a probability; a share of the votes does not."""

    def rows(self, which: NDArray[np.bool_]) -> System:
        """The decisions on some of the claims."""
        return replace(
            self,
            decisions=self.decisions[which],
            confidence=self.confidence[which],
            costs=self.costs[which],
            latencies=self.latencies[which],
            outcomes=self.outcomes[which],
        )

    @property
    def missing(self) -> NDArray[np.bool_]:
        """(claims,): True where there is no vote, because it failed or stands nowhere in the run."""
        return np.asarray(self.outcomes != OK)


@dataclass(frozen=True)
class Panel:
    """The panel whose policies are measured."""

    columns: tuple[int, ...]
    """Of the table."""
    meta: PanelMeta
    """What `run.json` says of it, its own policy among the rest."""


@dataclass(frozen=True)
class PolicySystems:
    """The policies' decisions, and why some are not there."""

    systems: tuple[System, ...]
    notes: tuple[str, ...]


def verifier_systems(table: VoteTable) -> list[System]:
    """Each verifier alone."""
    choices = np.minimum(table.ballots.choices, ABSTAINED)
    return [
        System(
            name,
            "verifier",
            choices[:, column],
            np.where(choices[:, column] < ABSTAINED, table.ballots.confidence[:, column], np.nan),
            table.costs[:, column],
            np.where(table.outcomes[:, column] == NOT_RECORDED, np.nan, table.latencies[:, column]),
            table.outcomes[:, column],
        )
        for column, name in enumerate(table.names)
    ]


def baseline_systems(table: VoteTable) -> list[System]:
    """What is reached without reading an opinion: the largest class, and a classifier of the claim's words."""
    claims = len(table)
    largest = np.full(claims, np.bincount(table.gold, minlength=3).argmax(), dtype=np.int8)
    unknown, free = np.full(claims, np.nan), np.zeros(claims)
    said = {"majority class": largest, "claim only": claim_only_labels(table.claims)}
    return [
        System(name, "baseline", labels, unknown, free, unknown, _all_ok(table))
        for name, labels in said.items()
        if labels is not None
    ]


def _all_ok(table: VoteTable) -> Codes:
    return np.full(len(table), OK, dtype=np.int8)


def policy_systems(
    table: VoteTable,
    panel: Panel,
    rng: np.random.Generator,
    policies: Sequence[str] = (),
    progress: Callable[[], None] = lambda: None,
) -> PolicySystems:
    """Each policy over the whole panel; those that learn are fitted on the other opinions.

    Args:
        table: labelled claims.
        panel: the columns, and the panel with its own policy, which comes first.
        rng: deals opinions to folds.
        policies: names; none given: those that are replayed by default, as far as they can be fitted.
        progress: called after each.

    Raises:
        InputError: a policy that was asked for cannot be fitted.
        ConfigError: a policy that was asked for is unknown.
    """
    chosen = table.columns(panel.columns)
    folds = chosen.calibration().folds(FOLDS, rng)
    systems: list[System] = []
    notes: list[str] = []
    try:
        systems.append(_own_system(panel, chosen))
    except ConfigError as error:
        notes.append(f"the panel's own policy, {panel.meta.policy!r}, is left out: {error}")
    plain = not (panel.meta.settings or panel.meta.fitted or any(panel.meta.accept))
    for name in policies or default_policies(chosen):
        if plain and name == panel.meta.policy and systems:
            continue
        try:
            systems.append(_policy_system(name, chosen, folds, rng))
        except InputError as error:
            if name in policies:
                raise
            notes.append(_why_not(name, error))
        progress()
    return PolicySystems(tuple(systems), tuple(notes))


def _own_system(panel: Panel, table: VoteTable) -> System:
    """The panel's own policy as the run has it: with its settings, its accepted scores and what it was fitted to."""
    policy = recorded_policy(panel.meta)
    name = panel.meta.policy
    if panel.meta.settings or panel.meta.fitted or any(panel.meta.accept):
        name = f"{name}, as the panel has it"
    found, was_asked = policy.decide(table.ballots), asked(policy, table.ballots)
    return _system(name, table, found, was_asked, calibrated=policy.calibrated)


def _why_not(name: str, error: InputError) -> str:
    if isinstance(error, ConfigError):
        return f"the policy {name!r} is left out: {error}"
    return str(error)


def _policy_system(name: str, table: VoteTable, folds: NDArray[np.int64], rng: np.random.Generator) -> System:
    tiers = {member.tier for member in table.ballots.members}
    decided = Decisions(np.full(len(table), ABSTAINED, dtype=np.int8), np.zeros((len(table), 3)))
    was_asked = np.ones(table.ballots.choices.shape, dtype=np.bool_)
    calibrated = False

    def decide(policy: Policy, which: NDArray[np.bool_]) -> None:
        nonlocal calibrated
        over_tiers = Cascade(policy) if len(tiers) > 1 else policy
        ballots = table.ballots.rows(which)
        found = over_tiers.decide(ballots)
        decided.labels[which], decided.scores[which] = found.labels, found.scores
        was_asked[which] = asked(over_tiers, ballots)
        calibrated = over_tiers.calibrated

    if learns(name):
        for held_out, policy in cross_fitted(name, table.calibration(), folds, rng):
            decide(policy, held_out)
    else:
        decide(make_policy(name), np.ones(len(table), dtype=np.bool_))
    return _system(name, table, decided, was_asked, calibrated=calibrated)


def _system(
    name: str, table: VoteTable, decided: Decisions, was_asked: NDArray[np.bool_], *, calibrated: bool
) -> System:
    one_tier = len({member.tier for member in table.ballots.members}) == 1
    return System(
        name if one_tier else f"{name}, tier by tier",
        "policy",
        decided.labels,
        decided.score_of_label(),
        (table.costs * was_asked).sum(axis=1),
        _waited(table, was_asked),
        _all_ok(table),
        is_probability=calibrated,
    )


def _waited(table: VoteTable, was_asked: NDArray[np.bool_]) -> Floats:
    """(claims,): seconds, when the verifiers of a tier work at the same time and the tiers one after another."""
    seconds = np.where(was_asked, np.nan_to_num(table.latencies), 0.0)
    tiers = np.array([member.tier for member in table.ballots.members])
    return np.asarray(sum(seconds[:, tiers == tier].max(axis=1) for tier in np.unique(tiers)), dtype=np.float64)


def answered_by_all(systems: Sequence[System]) -> NDArray[np.bool_]:
    """(claims,): True where every verifier gave a label."""
    labels = [system.decisions < ABSTAINED for system in systems if system.kind == "verifier"]
    return np.asarray(np.logical_and.reduce(labels))


def panel_of(table: VoteTable, meta: PanelMeta) -> Panel:
    """The columns of a panel's members; of votes by verifiers that have left the panel, its policies see nothing."""
    wanted = set(meta.verifiers)
    return Panel(tuple(place for place, name in enumerate(table.names) if name in wanted), meta)
