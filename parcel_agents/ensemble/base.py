"""The contract of all policies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from parcel_agents.registry import POLICIES
from parcel_agents.types import LABELS, Label, Resolution, Vote


@dataclass(frozen=True)
class Member:
    """A verifier of the configured panel, as a policy sees it."""

    name: str
    casts: frozenset[Label] = frozenset(LABELS)


class Policy(Protocol):
    """Makes one resolution of the votes on a claim, whatever their order."""

    @property
    def name(self) -> str:
        """The name in the registry."""
        ...

    def resolve(self, panel: Sequence[Member], votes: Sequence[Vote]) -> Resolution:
        """The label that the votes carry, or an abstention.

        A member without a vote counts as one whose vote is missing.

        Raises:
            ValueError: a vote is by nobody of the panel, or a member has two.
        """
        ...


def make_policy(name: str, **settings: Any) -> Policy:
    """The policy registered under this name; ConfigError if there is none."""
    return cast(Policy, POLICIES.create(name, **settings))


def votes_by_member(panel: Sequence[Member], votes: Sequence[Vote]) -> dict[str, Vote | None]:
    """Each member's vote, None where it is missing: not given, or given with an outcome other than `ok`."""
    found: dict[str, Vote | None] = {member.name: None for member in panel}
    if len(found) != len(panel):
        raise ValueError(f"two members of the panel have one name: {sorted(member.name for member in panel)}")
    seen: set[str] = set()
    for vote in votes:
        if vote.verifier not in found:
            raise ValueError(f"vote by {vote.verifier!r}, who is not of the panel {sorted(found)}")
        if vote.verifier in seen:
            raise ValueError(f"two votes by {vote.verifier!r}")
        seen.add(vote.verifier)
        if vote.outcome == "ok":
            found[vote.verifier] = vote
    return found
