"""Recorded votes under every subset of verifiers and every policy, at no cost.

Policies that learn are fitted on the other opinions of the run (cross-fitting), so no claim is decided by a policy
that saw a claim of its opinion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from inspect import signature
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import ABSTAINED, Ballots, Bools, Codes, Floats
from parcel_agents.ensemble.base import Policy, make_policy
from parcel_agents.ensemble.calibration import Calibration
from parcel_agents.ensemble.rates import Counts, Rate
from parcel_agents.errors import InputError
from parcel_agents.eval.metrics import confusion_by_opinion
from parcel_agents.eval.vote_table import VoteTable
from parcel_agents.registry import POLICIES

POLICY_NAMES = ("majority", "plurality", "unanimous", "veto", "weighted", "dawid_skene")
"""What is replayed unless asked otherwise, `veto` only where some verifier can only object; `stacking` is fitted anew
for every subset and takes minutes."""
FOLDS = 5
MAX_MEMBERS = 12
"""Of more verifiers than this, 4,095 subsets, a selection has to be made."""


@dataclass(frozen=True)
class Combination:
    """Some of the verifiers, and the policy over them."""

    members: tuple[int, ...]
    """Columns of the table."""
    policy: str

    def words(self, names: Sequence[str]) -> str:
        """Such as `majority of checks, glm`; a verifier alone is just its name."""
        chosen = ", ".join(names[member] for member in self.members)
        return chosen if len(self.members) == 1 and self.policy == "majority" else f"{self.policy} of {chosen}"


@dataclass(frozen=True)
class Replay:
    """What every combination decides on the labelled claims of a run."""

    table: VoteTable
    """Labelled claims only."""
    combinations: tuple[Combination, ...]
    decisions: Codes
    """(combinations, claims): code of a label, or ABSTAINED."""
    confusion: Counts
    """(combinations, opinions, gold labels, said)."""
    cost: Floats
    """(combinations,): dollars a claim."""
    latency: Floats
    """(combinations,): seconds a claim, its verifiers working at the same time."""
    folds: NDArray[np.int64]
    """(claims,): the folds that policies which learn were fitted in."""
    skipped: tuple[str, ...] = ()
    """Why some of the policies that are replayed by default are not here."""

    def find(self, members: Iterable[int], policy: str) -> int:
        """The place of a combination."""
        return self.combinations.index(Combination(tuple(members), policy))


def replay(
    table: VoteTable,
    rng: np.random.Generator,
    policies: Sequence[str] = (),
    progress: Callable[[], None] = lambda: None,
) -> Replay:
    """Decide the labelled claims under every non-empty subset of the verifiers and every policy.

    Args:
        table: the votes of a run.
        rng: deals the opinions to the folds of policies that learn.
        policies: names of policies; none given: `POLICY_NAMES`, as far as they can be fitted.
        progress: called once for each of the policies.

    Raises:
        InputError: there is no labelled claim, too many verifiers, or a policy that learns cannot be fitted.
        ConfigError: a policy is unknown.
    """
    table = table.labelled()
    if not len(table):
        raise InputError("the run has no labelled claim, so there is nothing to compare its votes with")
    width = len(table.names)
    if width > MAX_MEMBERS:
        raise InputError(f"{width} verifiers have {2**width - 1:,} subsets; choose at most {MAX_MEMBERS} of them")
    subsets = [chosen for size in range(1, width + 1) for chosen in combinations(range(width), size)]
    ballots = [table.ballots.columns(chosen) for chosen in subsets]
    folds = table.calibration().folds(FOLDS, rng)
    made: list[Combination] = []
    decided: list[Codes] = []
    skipped: list[str] = []
    for name in policies or default_policies(table):
        try:
            decided += _decide(name, table.calibration(), subsets, ballots, folds, rng)
        except InputError as error:
            if policies:
                raise
            skipped.append(str(error))
        else:
            made += [Combination(chosen, name) for chosen in subsets]
        progress()
    decisions = np.stack(decided)
    costs = np.array([table.costs[:, chosen].sum(axis=1).mean() for chosen in subsets])
    latencies = np.array([table.latencies[:, chosen].max(axis=1).mean() for chosen in subsets])
    return Replay(
        table,
        tuple(made),
        decisions,
        confusion_by_opinion(decisions, table.gold, table.opinions),
        np.tile(costs, len(made) // len(subsets)),
        np.tile(latencies, len(made) // len(subsets)),
        folds,
        tuple(skipped),
    )


def default_policies(table: VoteTable) -> list[str]:
    """What is replayed unless asked otherwise. A veto that nobody can have is left out: it is the majority."""
    can_veto = any("supported" not in member.casts for member in table.ballots.members)
    return [name for name in POLICY_NAMES if can_veto or name != "veto"]


def learns(policy: str) -> bool:
    """True if the policy has to be fitted to labelled votes; ConfigError if there is none of this name."""
    return hasattr(POLICIES.factory(policy), "fit")


def fit(name: str, calibration: Calibration, rng: np.random.Generator) -> Policy:
    """The policy, fitted to labelled votes if it is one that learns.

    Raises:
        ValueError: the votes are not enough to fit it on.
        ConfigError: there is no policy of this name.
    """
    if not learns(name):
        return make_policy(name)
    factory: Any = POLICIES.factory(name)
    draws = {"rng": rng} if "rng" in signature(factory.fit).parameters else {}
    fitted: Policy = factory.fit(calibration, **draws)
    return fitted


def cross_fitted(
    name: str, calibration: Calibration, folds: NDArray[np.int64], rng: np.random.Generator
) -> Iterator[tuple[Bools, Policy]]:
    """For each fold its claims, and the policy fitted on the claims of the others.

    Raises:
        InputError: the others are not enough to fit it on.
    """
    for fold in np.unique(folds):
        held_out = folds == fold
        try:
            yield held_out, fit(name, calibration.rows(~held_out), rng)
        except ValueError as error:
            raise InputError(
                f"the policy {name!r} cannot be fitted on the other opinions of this run ({error}); leave it out with "
                "--policy, or add labelled claims"
            ) from error


def _decide(
    name: str,
    calibration: Calibration,
    subsets: list[tuple[int, ...]],
    ballots: list[Ballots],
    folds: NDArray[np.int64],
    rng: np.random.Generator,
) -> list[Codes]:
    """What the policy makes of each subset's votes."""
    if not learns(name):
        policy = make_policy(name)
        return [policy.decide(ballot).labels for ballot in ballots]
    decided = [np.full(len(calibration), ABSTAINED, dtype=np.int8) for _ in subsets]
    if getattr(POLICIES.factory(name), "joint", False):
        for place, chosen in enumerate(subsets):
            for held_out, policy in cross_fitted(name, calibration.columns(chosen), folds, rng):
                decided[place][held_out] = policy.decide(ballots[place].rows(held_out)).labels
        return decided
    # What is learned of a member does not depend on the others, so a fit serves all subsets.
    for held_out, policy in cross_fitted(name, calibration, folds, rng):
        for place, ballot in enumerate(ballots):
            decided[place][held_out] = policy.decide(ballot.rows(held_out)).labels
    return decided


def oracle(table: VoteTable) -> Codes:
    """(claims,): the right label where some verifier gave it, else an abstention: no choice among votes does better."""
    right = (table.ballots.choices == table.gold[:, None]).any(axis=1)
    return np.where(right, table.gold, ABSTAINED).astype(np.int8)


def pareto(cost: Rate, fer: Rate, accuracy: Rate) -> list[int]:
    """The places that no other beats: at most the cost, at most the FER and at least the accuracy, one of them better.

    In order of cost. Of several with the same three figures the first stands for all.
    """
    figures = np.column_stack([cost, fer, -accuracy])
    known = np.flatnonzero(~np.isnan(figures).any(axis=1))
    front: list[int] = []
    for place in known[np.lexsort(figures[known].T[::-1])]:
        if not (figures[front] <= figures[place]).all(axis=1).any():
            front.append(int(place))
    return front
