"""State and context of the generator's graphs. As in `state`, the state is plain JSON and texts stay in the context."""

from __future__ import annotations

import asyncio
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver

from parcel_agents.generation.folder import OutFolder
from parcel_agents.generation.model import DecisionRecord, Exemplars
from parcel_agents.generation.orders import Wanted
from parcel_agents.generation.writing import Writer
from parcel_agents.graphs.state import Json
from parcel_agents.providers import Asker
from parcel_agents.retrievers import Index
from parcel_agents.types import Opinion
from parcel_agents.verifiers import Verifier


class GenerateState(TypedDict, total=False):
    """What passes between the nodes of the whole."""

    pending: list[str]
    """Ids of the decisions that are to be worked on."""
    orders: dict[str, dict[str, int]]
    """Claims by kind, for each of them."""
    done: Annotated[list[str], operator.add]
    """Ids of the decisions that were worked on."""


class DecisionState(TypedDict, total=False):
    """What passes between the nodes that work on one decision."""

    opinion_id: str
    orders: dict[str, int]
    written: Annotated[list[Json], operator.add]
    """What came of each order: `candidates`, `dropped`, `failure` and what was spent."""
    sifted: Json
    """`candidates` without those that say the same twice, and the `dropped`."""
    readings: Annotated[list[Json], operator.add]
    """Per candidate, by its `place`: the blind reader's `vote`."""
    record: Json


class OrderTask(TypedDict):
    """What is sent to the node `write` for one kind of claim."""

    opinion_id: str
    kind: str
    wanted: int
    true_claims: list[str]


class ReadingTask(TypedDict):
    """What is sent to the node `read_blind` for one claim."""

    opinion_id: str
    place: int
    claim: str


@dataclass
class GenerateContext:
    """What the nodes work with."""

    files: Mapping[str, Path]
    """The decisions, by opinion id."""
    briefs: tuple[str, ...]
    """Texts whose parentheticals show the style, beside those of the decisions themselves."""
    wanted: Wanted
    make_writer: Callable[[Mapping[str, Opinion], Exemplars], Writer]
    """Given the decisions that are used, and the exemplars."""
    rater: Asker | None
    """The model that rates parentheticals; None where no model writes."""
    reader: Verifier | None
    """The blind reader; None where no model checks."""
    folder: OutFolder
    seed: int
    checkpointer: BaseCheckpointSaver[str] | None = None
    """Where the decisions under way are kept."""
    decisions_at_once: int = 4
    on_record: Callable[[DecisionRecord], None] = lambda record: None
    """Called when a decision is done."""
    on_request: Callable[[], None] = lambda: None
    """Called when a request, or a few that belong together, have been answered."""
    opinions: dict[str, Opinion] = field(default_factory=dict)
    writer: Writer | None = None
    _indexes: dict[str, Index] = field(default_factory=dict)
    _slots: asyncio.Semaphore | None = None

    @property
    def slots(self) -> asyncio.Semaphore:
        """The places for decisions under way; made in the event loop that uses them."""
        if self._slots is None:
            self._slots = asyncio.Semaphore(self.decisions_at_once)
        return self._slots

    def index(self, opinion_id: str) -> Index:
        """The decision's index by words, made when it is first asked for."""
        if opinion_id not in self._indexes:
            from parcel_agents.retrievers.bm25 import BM25Retriever

            self._indexes[opinion_id] = BM25Retriever().index(self.opinions[opinion_id])
        return self._indexes[opinion_id]

    def forget(self, opinion_id: str) -> None:
        """Let go of an index; the set may have thousands of decisions."""
        self._indexes.pop(opinion_id, None)
