"""State and context of the verify graph.

The state is plain JSON and carries ids: checkpoints store it, and pydantic objects or an opinion's text in it
would come back broken or make databases of gigabytes. Text, indexes and verifiers live in the context, which is
bound to the nodes when the graph is built, so that the graph works inside any other.
"""

from __future__ import annotations

import asyncio
import operator
from asyncio import AbstractEventLoop
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired, TypedDict
from weakref import WeakKeyDictionary

from parcel_agents.ensemble import Member, Policy
from parcel_agents.providers import Providers
from parcel_agents.retrievers import Index, Retriever
from parcel_agents.types import Claim, Opinion
from parcel_agents.verifiers import Verifier

Json = dict[str, Any]


class VerifyInput(TypedDict):
    """What a caller gives: one claim, and the id of an opinion that the context holds."""

    claim: str
    opinion_id: str
    claim_id: NotRequired[str]
    """None given: an id made from the claim's text."""


class VerifyOutput(TypedDict):
    """What a caller gets: a `Verdict` as JSON."""

    verdict: Json


class VerifyState(TypedDict, total=False):
    """Everything that passes between the nodes."""

    claim: str
    opinion_id: str
    claim_id: str
    hits: list[Json]
    tier: int
    """The tier whose turn it is, from 0."""
    votes: Annotated[list[Json], operator.add]
    resolution: Json | None
    """None as long as votes are wanted."""
    verdict: Json


def claim_of(state: VerifyState) -> Claim:
    """The claim of a run. An id made from its text is not kept: the next run of the same thread may be of another."""
    return Claim(id=state.get("claim_id") or Claim.of(state["claim"]).id, text=state["claim"])


class VerifyTask(TypedDict):
    """What is sent to the node `verify` for one verifier."""

    claim_id: str
    claim: str
    opinion_id: str
    hits: list[Json]
    verifier: str


@dataclass
class VerifyContext:
    """What the nodes work with. One context serves any number of claims and opinions at the same time."""

    retriever: Retriever
    tiers: tuple[tuple[Verifier, ...], ...]
    """The verifiers of the panel; those of one tier are asked together."""
    policy: Policy
    top_k: int
    """How many passages are retrieved per claim."""
    concurrency: int
    """How many verifiers may run at the same time, over all claims."""
    clock: Callable[[], float]
    """Seconds on a monotonic clock, for latencies."""
    opinions: dict[str, Opinion] = field(default_factory=dict)
    deadline_s: float | None = None
    """Seconds that a claim may take; None for no deadline."""
    providers: Providers | None = None
    """What the verifiers that ask models share: the account of the run, the answers kept."""
    _indexes: dict[str, Index] = field(default_factory=dict)
    _locks: WeakKeyDictionary[AbstractEventLoop, dict[str, asyncio.Lock]] = field(default_factory=WeakKeyDictionary)
    _slots: WeakKeyDictionary[AbstractEventLoop, asyncio.Semaphore] = field(default_factory=WeakKeyDictionary)
    """Locks are bound to a loop; a context may serve a graph in the caller's and a tool in ours."""

    def add(self, opinion: Opinion) -> str:
        """Make an opinion known; returns its id."""
        self.opinions[opinion.id] = opinion
        return opinion.id

    @property
    def slots(self) -> asyncio.Semaphore:
        """The places for verifiers at work, of the running event loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._slots:
            self._slots[loop] = asyncio.Semaphore(self.concurrency)
        return self._slots[loop]

    @property
    def verifiers(self) -> tuple[Verifier, ...]:
        """All verifiers of the panel, tier by tier."""
        return tuple(verifier for tier in self.tiers for verifier in tier)

    @property
    def panel(self) -> tuple[Member, ...]:
        """The verifiers as the policy sees them."""
        return tuple(
            Member(verifier.name, verifier.casts, place) for place, tier in enumerate(self.tiers) for verifier in tier
        )

    def verifier(self, name: str) -> Verifier:
        """The verifier with this name; KeyError if there is none."""
        return {verifier.name: verifier for verifier in self.verifiers}[name]

    async def index(self, opinion_id: str) -> Index:
        """The opinion's index, made once however many claims ask for it at the same time."""
        locks = self._locks.setdefault(asyncio.get_running_loop(), {})
        async with locks.setdefault(opinion_id, asyncio.Lock()):
            if opinion_id not in self._indexes:
                opinion = self.opinions[opinion_id]
                # Indexing computes embeddings for seconds; other claims' work goes on meanwhile.
                self._indexes[opinion_id] = await asyncio.to_thread(self.retriever.index, opinion)
            return self._indexes[opinion_id]
