"""`parcel-agents opinion`: how a file is read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parcel_agents.cli import output

if TYPE_CHECKING:
    from parcel_agents.types import CourtBelow


@output.reports_errors
def opinion(
    opinion: Annotated[Path, typer.Argument(help="The opinion: a .md, .txt, .html, .json, .pdf or .docx file.")],
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="Print one JSON object, with text, parts, passages, pages and counts of reported speech."
        ),
    ] = False,
) -> None:
    """Show name, citation, court, date, disposition, court below, parts and passages of an opinion."""
    from parcel_agents.opinions.reported import attributions
    from parcel_agents.types import Opinion

    read = Opinion.load(opinion)
    if as_json:
        row = read.model_dump(mode="json")
        for part, model in zip(row["parts"], read.parts, strict=True):
            part["voice"] = model.voice
        row["reported"] = dict(Counter(one.source for one in attributions(read)))
        for passage in row["passages"]:
            passage["page"] = read.page_at(passage["start"])
        output.print_json(row)
        return
    for label, value in (
        ("name", read.name),
        ("citation", read.citation),
        ("court", read.court),
        ("date", read.date),
        ("decided", ", ".join(read.disposition.words) if read.disposition else None),
        ("below", _below(read.court_below)),
        ("id", read.id),
    ):
        typer.echo(f"{label + ':':<10} {value or 'not given'}")
    typer.echo(f"{'passages:':<10} {len(read.passages)}")
    spoken = Counter(one.source for one in attributions(read))
    told = ", ".join(f"{source.replace('_', ' ')} {count}" for source, count in spoken.most_common())
    typer.echo(f"{'reported:':<10} {told or 'nothing'}")
    for doubt in read.doubts:
        typer.echo(f"{'doubt:':<10} {doubt}")
    typer.echo("parts:")
    for part in read.parts:
        passages = [passage.id for passage in read.passages if passage.part == part.id]
        span = f"{passages[0]}-{passages[-1]}" if passages else "no passage"
        page = read.page_at(part.start)
        typer.echo(f"  {part.voice}: {part.end - part.start:,} characters, {span}{f', from {page}' if page else ''}")


def _below(court: CourtBelow | None) -> str | None:
    """The court below and what it did, in words; None if the opinion does not name it."""
    return None if court is None else " ".join([court.name, " and ".join(court.did)]).strip()
