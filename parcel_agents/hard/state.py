"""State and context of the graph of hard claims.

The state is plain JSON and carries ids and findings; votes, opinions and arrays live in the context.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal, TypedDict

from parcel_agents.ensemble.ballots import Ballots, Bools
from parcel_agents.hard.causes.leakage import Bench
from parcel_agents.hard.causes.terms_absent import ordinary_terms
from parcel_agents.hard.distribution import Shares
from parcel_agents.hard.failures import Failures
from parcel_agents.types import GoldClaim, Opinion, Span, Vote

Json = dict[str, Any]
Role = Literal["hard", "control"]
"""Controls are claims that are not hard, of the same labels: what applies to them as often explains nothing."""


class HardInput(TypedDict):
    """What a caller gives."""

    k: int
    """A claim is hard if at least so many verifiers fail it."""


class HardState(TypedDict, total=False):
    """Everything that passes between the nodes."""

    k: int
    distribution: list[Json]
    """`Group` as JSON."""
    failure_graph: Json
    """`pairs`, `communities`, their `agreement`, `covers` and `worth`."""
    hard: list[str]
    """Ids of all hard claims, the hardest first."""
    diagnosed: list[str]
    """Ids of those that are diagnosed."""
    controls: list[str]
    diagnoses: Annotated[list[Json], operator.add]
    summary: Json


class DiagnoseTask(TypedDict):
    """What is sent to the node `diagnose` for one claim."""

    claim_id: str
    role: Role


@dataclass
class HardContext:
    """What the nodes work with: votes on labelled claims, and whatever there is beside them."""

    claims: tuple[GoldClaim, ...]
    ballots: Ballots
    failures: Failures
    groups: Mapping[tuple[str, str], Bools]
    """By kind and name, (claims,) True for the claims of the group; see `distribution`."""
    panel: tuple[str, ...]
    """The verifiers to which another might be added."""
    read_votes: Callable[[Sequence[str]], Mapping[str, tuple[Vote, ...]]]
    """The votes on some claims, by id."""
    opinions: Mapping[str, Opinion] = field(default_factory=dict)
    """By the claims' `opinion_id`; empty where the texts are not at hand."""
    locate: Callable[[Opinion, str], Span | None] = lambda _opinion, _excerpt: None
    """Finds a data set's evidence in an opinion."""
    shares: Shares | None = None
    limit: int = 500
    """So many hard claims are diagnosed at most, the hardest."""
    max_controls: int = 200
    seed: int = 0
    bench: Bench | None = None
    """Asks models again; None for no questions to any."""
    stopped: str | None = None
    """Why models are not asked any more: a key that is not accepted, or the cap on costs."""
    votes: dict[str, tuple[Vote, ...]] = field(default_factory=dict)
    """Of the claims that are diagnosed."""

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The claims' places by id."""
        return {claim.id: row for row, claim in enumerate(self.claims)}

    @cached_property
    def ordinary(self) -> frozenset[str]:
        """See `ordinary_terms`."""
        return ordinary_terms(self.claims)
