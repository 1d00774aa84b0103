"""`parcel-agents opinion`: how a file is read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parcel_agents.cli import output


@output.reports_errors
def opinion(
    opinion: Annotated[Path, typer.Argument(help="The opinion: a .md, .txt, .html or .json file.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object, with text, parts, passages and pages.")
    ] = False,
) -> None:
    """Show name, citation, court, date, parts and passages of an opinion."""
    from parcel_agents.types import Opinion

    read = Opinion.load(opinion)
    if as_json:
        row = read.model_dump(mode="json")
        for part, model in zip(row["parts"], read.parts, strict=True):
            part["voice"] = model.voice
        for passage in row["passages"]:
            passage["page"] = read.page_at(passage["start"])
        output.print_json(row)
        return
    for label, value in (
        ("name", read.name),
        ("citation", read.citation),
        ("court", read.court),
        ("date", read.date),
        ("id", read.id),
    ):
        typer.echo(f"{label + ':':<10} {value or 'not given'}")
    typer.echo(f"{'passages:':<10} {len(read.passages)}")
    typer.echo("parts:")
    for part in read.parts:
        passages = [passage.id for passage in read.passages if passage.part == part.id]
        span = f"{passages[0]}-{passages[-1]}" if passages else "no passage"
        page = read.page_at(part.start)
        typer.echo(f"  {part.voice}: {part.end - part.start:,} characters, {span}{f', from {page}' if page else ''}")
