"""The traces of the latest checks of an MCP server, to be read as resources."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from parcel_agents.graphs.state import VerifyContext
from parcel_agents.integrations.checking import Checked
from parcel_agents.traces import Asked, TraceBook, from_verdicts
from parcel_agents.types import content_hash

KEPT = 200
"""Traces of older checks are let go."""


@dataclass
class TraceShelf:
    """Books of traces by id; the same check has the same id."""

    context: VerifyContext
    books: OrderedDict[str, TraceBook] = field(default_factory=OrderedDict)

    @property
    def asked(self) -> Asked:
        """Whom the server asks."""
        return Asked(
            tiers=tuple(tuple(verifier.name for verifier in tier) for tier in self.context.tiers),
            policy=self.context.policy.name,
            retriever=self.context.retriever.name,
            top_k=self.context.top_k,
        )

    def keep_claim(self, checked: Checked) -> str:
        """Keep the trace of one claim; returns its id."""
        opinion, verdict = checked.opinion, checked.verdict
        title = opinion.name if opinion and opinion.name else "an opinion"
        book = from_verdicts([opinion] if opinion else [], [verdict], title=f"A claim about {title}", asked=self.asked)
        return self.keep(content_hash(verdict.model_dump_json(exclude={"votes"})), book)

    def keep(self, id: str, book: TraceBook) -> str:
        """Keep a book under an id; the oldest goes where there are too many."""
        self.books[id] = book
        self.books.move_to_end(id)
        while len(self.books) > KEPT:
            self.books.popitem(last=False)
        return id


def uri(id: str) -> str:
    """The resource that a trace is."""
    return f"trace://{id}"
