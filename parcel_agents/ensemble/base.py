"""The contract of all policies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np

from parcel_agents.ensemble.ballots import ABSTAINED, UNASKED, Ballots, Bools, Codes, Floats
from parcel_agents.errors import ConfigError
from parcel_agents.registry import POLICIES


@dataclass(frozen=True)
class Decisions:
    """What a policy makes of the votes on some claims."""

    labels: Codes
    """(claims,): the code of the label, or ABSTAINED."""
    scores: Floats
    """(claims, labels): what speaks for each label, in [0, 1]; a share of the votes, or a probability."""

    def __len__(self) -> int:
        return len(self.labels)

    def score_of_label(self) -> Floats:
        """(claims,): the score of the label that was decided for, nan where the policy abstained."""
        decided = self.labels != ABSTAINED
        chosen = self.scores[range(len(self)), self.labels * decided]
        chosen[~decided] = float("nan")
        return chosen


class Policy(Protocol):
    """Makes a decision of the votes on each claim, whatever the order of the members.

    A vote that is missing is not an abstention, and a panel never shrinks because a member failed. A label that no
    member gave is never decided for.
    """

    @property
    def name(self) -> str:
        """The name in the registry."""
        ...

    @property
    def calibrated(self) -> bool:
        """True if the scores are probabilities. If not they are shares of the votes, and a label that is decided for
        while votes are missing stands whatever those would have said."""
        ...

    @property
    def reads(self) -> frozenset[str]:
        """What it looks at beside the labels: `confidence`, `evidence`, or nothing."""
        ...

    def decide(self, ballots: Ballots) -> Decisions:
        """The label that the votes on each claim carry, or an abstention.

        Raises:
            ValueError: the policy was fitted for other members.
        """
        ...

    def explain(self, decisions: Decisions) -> str:
        """The rule in words, as applied to the one claim that was decided."""
        ...


@runtime_checkable
class Tiered(Protocol):
    """A policy that need not ask all members."""

    def asked(self, ballots: Ballots) -> Bools:
        """(claims, members): True for the members that it asks before it decides.

        Where it asks a member whose vote is UNASKED, it waits for that vote and decides nothing.
        """
        ...


def asked(policy: Policy, ballots: Ballots) -> Bools:
    """(claims, members): True for the members that the policy asks, given the votes of those asked before them."""
    if isinstance(policy, Tiered):
        return policy.asked(ballots)
    return np.ones(ballots.choices.shape, dtype=np.bool_)


def waiting(policy: Policy, ballots: Ballots) -> Bools:
    """(claims,): True where the policy wants a further tier asked before it decides."""
    return np.asarray((asked(policy, ballots) & (ballots.choices == UNASKED)).any(axis=1))


def make_policy(name: str, **settings: Any) -> Policy:
    """The policy registered under this name.

    A policy whose class has `from_parameters` is fitted, and can only be made from what it was fitted to.

    Raises:
        ConfigError: there is none, or it cannot be made with these settings.
    """
    factory = POLICIES.factory(name)
    if not hasattr(factory, "from_parameters"):
        try:
            return cast(Policy, POLICIES.create(name, **settings))
        except ValueError as error:
            raise ConfigError(f"policy {name!r}: {error}") from error
    if not settings:
        raise ConfigError(
            f"policy {name!r} has to be fitted to labelled votes first: parcel-agents train policy RUN --policy {name} "
            "--out FILE.json, then name the file as the panel's policy"
        )
    try:
        return cast(Policy, factory.from_parameters(settings))
    except (ValueError, TypeError, KeyError) as error:
        raise ConfigError(f"policy {name!r}: {error}") from error
