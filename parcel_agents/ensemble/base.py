"""The contract of all policies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, cast

from parcel_agents.ensemble.ballots import ABSTAINED, Ballots, Codes, Floats
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
        """True if the scores are probabilities; else they are shares of the votes."""
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


def make_policy(name: str, **settings: Any) -> Policy:
    """The policy registered under this name; ConfigError if there is none."""
    return cast(Policy, POLICIES.create(name, **settings))
