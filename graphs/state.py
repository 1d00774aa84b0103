"""State and context of the verify graph.

The state is plain JSON and carries ids: checkpoints store it, and pydantic objects or an opinion's text in it
would come back broken or make databases of gigabytes. Text, indexes and verifiers live in the context, which is
bound to the nodes when the graph is built, so that the graph works inside any other.
"""

from __future__ import annotations

import asyncio
import operator
import threading
from asyncio import AbstractEventLoop
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired, TypedDict
from weakref import WeakKeyDictionary

from parcel_agents.ensemble import Member, Policy
from parcel_agents.providers import Providers
from parcel_agents.retrievers import Index, Retriever
from parcel_agents.types import Claim, Opinion
from parcel_agents.verifiers import Verifier

Json = dict[str, Any]

KEPT_OPINIONS = 64
"""Opinions that nobody asks about any more stay known, with their indexes, up to this number."""


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
    panel_id: str = ""
    """Stands for all that verdicts depend on beside claim and opinion; empty for a panel made by hand."""
    fail_closed: bool = False
    """True to withhold Supported where a verifier that was asked gave no vote."""
    _indexes: dict[str, Index] = field(default_factory=dict)
    _held: OrderedDict[str, int] = field(default_factory=OrderedDict)
    """How many calls ask just now about each opinion that was not added for good."""
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _locks: WeakKeyDictionary[AbstractEventLoop, dict[str, asyncio.Lock]] = field(default_factory=WeakKeyDictionary)
    _slots: WeakKeyDictionary[AbstractEventLoop, asyncio.Semaphore] = field(default_factory=WeakKeyDictionary)
    """Locks are bound to a loop; a context may serve a graph in the caller's and a tool in ours."""
    compiled: Any = field(default=None, init=False, repr=False)
    """The graph that `graphs.verify.graph_of` made for this context."""

    def add(self, opinion: Opinion) -> str:
        """Make an opinion known for good; returns its id."""
        with self._guard:
            self.opinions[opinion.id] = opinion
            self._held.pop(opinion.id, None)
        return opinion.id

    @contextmanager
    def holding(self, opinion: Opinion) -> Iterator[None]:
        """Know an opinion while it is asked about; the last `KEPT_OPINIONS` stay known, with their indexes."""
        with self._guard:
            if tracked := opinion.id in self._held or opinion.id not in self.opinions:
                self.opinions[opinion.id] = opinion
                self._held[opinion.id] = self._held.get(opinion.id, 0) + 1
                self._held.move_to_end(opinion.id)
        try:
            yield
        finally:
            if tracked:
                self._let_go(opinion.id)

    def _let_go(self, opinion_id: str) -> None:
        with self._guard:
            # It may have been added for good in the meantime.
            if opinion_id in self._held:
                self._held[opinion_id] -= 1
            idle = [id for id, users in self._held.items() if not users]
            for id in idle[: max(0, len(idle) - KEPT_OPINIONS)]:
                del self._held[id], self.opinions[id]
                self._indexes.pop(id, None)
                for locks in self._locks.values():
                    locks.pop(id, None)

    @property
    def slots(self) -> asyncio.Semaphore:
        """The places for verifiers at work, of the running event loop."""
        with self._guard:
            return self._slots.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self.concurrency))

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
        with self._guard:
            locks = self._locks.setdefault(asyncio.get_running_loop(), {})
            lock = locks.setdefault(opinion_id, asyncio.Lock())
        async with lock:
            if opinion_id not in self._indexes:
                opinion = self.opinions[opinion_id]
                # Indexing computes embeddings for seconds; other claims' work goes on meanwhile.
                self._indexes[opinion_id] = await asyncio.to_thread(self.retriever.index, opinion)
            return self._indexes[opinion_id]
