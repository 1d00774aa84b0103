"""`parcel-agents graph`: a picture of a graph."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from parcel_agents.cli import output


class GraphName(StrEnum):
    """The graphs."""

    verify = "verify"
    generate = "generate"
    decision = "decision"
    hard_claims = "hard_claims"


@output.reports_errors
def graph(
    name: Annotated[GraphName, typer.Argument(help="The graph; decision is what generate does with one decision.")],
    mermaid: Annotated[
        bool, typer.Option("--mermaid", help="Print a Mermaid diagram, as Markdown renders it.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print nodes and edges as a JSON object.")] = False,
) -> None:
    """Show a LangGraph graph: its nodes and the ways between them."""
    from parcel_agents.integrations.studio import GRAPHS

    drawn: Any = GRAPHS[name.value]().get_graph()
    if mermaid:
        typer.echo(drawn.draw_mermaid().rstrip())
        return
    edges = [{"from": one.source, "to": one.target, "conditional": one.conditional} for one in drawn.edges]
    if as_json:
        output.print_json({"graph": name.value, "nodes": list(drawn.nodes), "edges": edges})
        return
    for edge in edges:
        typer.echo(f"{edge['from']} {'..>' if edge['conditional'] else '-->'} {edge['to']}")
