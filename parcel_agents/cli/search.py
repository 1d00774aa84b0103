"""`parcel-agents search`: the passages a verifier would read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parcel_agents.cli import output
from parcel_agents.errors import InputError


@output.reports_errors
def search(
    opinion: Annotated[Path, typer.Argument(help="The opinion: a .md, .txt, .html, .json, .pdf or .docx file.")],
    query: Annotated[str, typer.Argument(help="Words to look for, or a whole claim.")],
    k: Annotated[int, typer.Option("--top", "-k", min=1, help="How many passages to show.")] = 10,
    retriever: Annotated[str | None, typer.Option(help="bm25, dense or hybrid.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with settings.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object per passage.")] = False,
) -> None:
    """Rank the passages of an opinion for some words or a claim."""
    if not query.strip():
        raise InputError("the query is empty; give words to look for, or a claim")

    from parcel_agents.api import retriever_for
    from parcel_agents.config import load_config
    from parcel_agents.types import Opinion

    maker = retriever_for(load_config(config, retriever=retriever))
    read = Opinion.load(opinion)
    for hit in maker.index(read).search(query, k):
        passage = read.passage(hit.passage)
        part, page = read.part(passage.part), read.page_at(passage.start)
        if as_json:
            output.print_json(
                {
                    "rank": hit.rank,
                    "passage": passage.id,
                    "start": passage.start,
                    "end": passage.end,
                    "text": passage.text,
                    "part": part.id,
                    "voice": part.voice,
                    "page": page,
                    "score": hit.score,
                    "scores": hit.scores,
                }
            )
        else:
            place = ", ".join(word for word in (part.voice, page, passage.id) if word)
            typer.echo(f"{hit.rank:>3}. [{place}] {' '.join(passage.text.split())}\n")
