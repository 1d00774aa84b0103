"""The contract of all verifiers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

from parcel_agents.config import VerifierConfig
from parcel_agents.registry import VERIFIERS
from parcel_agents.retrievers.base import Index
from parcel_agents.types import Claim, Hit, Label, Opinion, Vote

if TYPE_CHECKING:
    from parcel_agents.providers import Providers


@dataclass(frozen=True)
class Task:
    """What a verifier is given: the claim, the opinion, and the passages retrieved for the claim, best first."""

    claim: Claim
    opinion: Opinion
    index: Index
    hits: tuple[Hit, ...]


class Verifier(Protocol):
    """Looks at a claim and votes.

    A verifier that fails says so by the vote's outcome; one that has nothing to say abstains with outcome `ok`
    and no label. An exception is taken for the outcome `error`, except `RunStoppedError`, which ends the run.
    """

    @property
    def name(self) -> str:
        """The name in the panel."""
        ...

    @property
    def casts(self) -> frozenset[Label]:
        """The labels it can ever give; a check that only objects never gives `supported`."""
        ...

    async def verify(self, task: Task) -> Vote:
        """The vote on one claim."""
        ...


def make_verifier(name: str, config: VerifierConfig, *, providers: Providers | None = None) -> Verifier:
    """The verifier that a `[verifier.NAME]` table describes.

    Args:
        name: the name in the panel.
        config: the table.
        providers: handed to kinds that ask models; they share keys, limits, costs and kept answers.

    Raises:
        ConfigError: the kind is unknown, or it does not know a setting.
    """
    shared = {"providers": providers} if VERIFIERS.takes(config.kind, "providers") else {}
    return cast(Verifier, VERIFIERS.create(config.kind, **{**config.settings, **shared, "name": name}))
