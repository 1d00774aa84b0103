"""`parcel-agents harvest`: explanatory parentheticals as claims."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parcel_agents.cli import output
from parcel_agents.cli.cite import CitingFile


@output.reports_errors
def harvest(
    files: Annotated[list[Path], CitingFile],
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object per claim.")] = False,
) -> None:
    """List the explanatory parentheticals of files as claims, each with the decision it describes.

    A parenthetical that describes no decision, or follows a citation that cannot be read, is listed with the reason.
    """
    from parcel_agents.briefs.source import read_source
    from parcel_agents.citations.harvest import harvest_all
    from parcel_agents.citations.read import read_citations

    with output.progress("reading", len(files)) as step:
        for file in files:
            source = read_source(file)
            for found in harvest_all(read_citations(source.text)):
                row = found.model_dump(mode="json")
                authority = {key: row.pop(key) for key in ("name", "cite", "year", "court", "pin", "opinion")}
                row = {"id": row.pop("id"), "claim": row.pop("claim"), "authority": authority, "file": str(file), **row}
                if as_json:
                    output.print_json({**row, **source.place(found.start)})
                else:
                    signal = f"{found.signal} " if found.signal else ""
                    named = ", ".join(word for word in (found.name, found.cite) if word)
                    year = f" [{found.year}]" if found.year else ""
                    typer.echo(f"{found.id}  {signal}{named}{year}: {found.claim}")
                    if found.unchecked:
                        typer.echo(f"{'':{len(found.id)}}  not checked: {found.unchecked}")
            step()
