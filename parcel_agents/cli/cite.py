"""`parcel-agents cite`: the citations of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from parcel_agents.cli import output

CitingFile = typer.Argument(
    help="An opinion, a brief or any text with citations: .md, .txt, .html, .json, .pdf, .docx."
)


@output.reports_errors
def cite(
    file: Annotated[Path, CitingFile],
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object per citation.")] = False,
) -> None:
    """List the citations of a file: cases, laws and references back, with pins, courts, years and parentheticals."""
    from parcel_agents.briefs.source import read_source
    from parcel_agents.citations.read import read_citations

    source = read_source(file)
    for number, citation in enumerate(read_citations(source.text)):
        explanatory = citation.explanatory
        row: dict[str, Any] = {
            "number": number,
            **citation.model_dump(mode="json"),
            **source.place(citation.start),
            "parenthetical": explanatory.text if explanatory else None,
        }
        if as_json:
            output.print_json(row)
        else:
            typer.echo(_line(row))


def _line(row: dict[str, Any]) -> str:
    """A citation as a line to read."""
    decided = " ".join(str(word) for word in (row["court"], row["year"]) if word)
    back = row["authority"] if row["authority"] not in {None, row["number"]} else None
    words = [
        f"{row['number']:>4}. {row['kind']:<12}",
        f"{row['name']}, " if row["name"] and row["kind"] != "name" else "",
        row["cite"],
        f", {row['pin']}" if row["pin"] and row["pin"] not in row["cite"] else "",
        f" [{decided}]" if decided else "",
        f" = {back}" if back is not None else "",
        f" ({' '.join(row['parenthetical'].split())})" if row["parenthetical"] else "",
    ]
    return "".join(words)
