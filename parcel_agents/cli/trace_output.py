"""What the commands that make traces share: the files they write them to, and what is said of who was asked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parcel_agents.cli import output

if TYPE_CHECKING:
    from parcel_agents.config import Config
    from parcel_agents.graphs.state import VerifyContext
    from parcel_agents.traces import Asked, TraceBook

HtmlFile = Annotated[
    Path | None,
    typer.Option("--html", help="Write one page to read the verdicts and their evidence in; it needs no network."),
]
TraceFile = Annotated[
    Path | None, typer.Option("--trace", help="Write the traces as trace.json (docs/trace.schema.json).")
]


def asked_of(config: Config, context: VerifyContext) -> Asked:
    """What a command asks of whom, by which versions, now."""
    from parcel_agents.traces import asking

    return asking.asked_of(config, context)


def write_traces(book: TraceBook, *, html: Path | None, trace: Path | None = None, graphml: Path | None = None) -> None:
    """Write the files that were asked for.

    Raises:
        InputError: one cannot be written.
    """
    if html is not None:
        from parcel_agents.traces.page import trace_page

        output.write_file(html, trace_page(book))
    if trace is not None:
        output.write_file(trace, f"{book.model_dump_json()}\n")
    if graphml is not None:
        from parcel_agents.traces.graph import as_graphml

        output.write_file(graphml, as_graphml(book))
