"""`parcel-agents trace`: what each verdict of a run rests on, to read, as a page, as data or as a graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parcel_agents.cli import output
from parcel_agents.cli.dataset_options import ColumnMap, SkipBad, read_dataset
from parcel_agents.cli.trace_output import HtmlFile, write_traces
from parcel_agents.errors import InputError

if TYPE_CHECKING:
    from parcel_agents.traces import Trace, TraceBook


@output.reports_errors
def trace(
    run: Annotated[
        Path | None, typer.Argument(help="A run folder, or a trace.json that `brief` or `verify` has written.")
    ] = None,
    claim: Annotated[str | None, typer.Argument(help="The id of one claim, or its number; all without it.")] = None,
    dataset: Annotated[
        Path | None, typer.Option(help="The data set that the run was made on; its opinions are shown.")
    ] = None,
    column_map: ColumnMap = None,
    skip_bad: SkipBad = False,
    html: HtmlFile = None,
    graphml: Annotated[
        Path | None, typer.Option(help="Write claims, passages, verifiers and verdicts as a graph.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print trace.json: one object with all traces.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of trace.json, and stop.")] = False,
) -> None:
    """Show what verdicts rest on: votes and reasons, differing words, evidence with voice and page, the certificate.

    The votes of a run are resolved once more by the policy that the run has; nobody is asked again.
    """
    if schema:
        from parcel_agents.traces.schema import schema_text

        typer.echo(schema_text(), nl=False)
        return
    if run is None:
        raise InputError("no run given; name a run folder or a trace.json, or ask for --schema")
    book = _book(run, claim, dataset, column_map, skip_bad)
    write_traces(book, html=html, graphml=graphml)
    if as_json:
        typer.echo(book.model_dump_json())
    elif html is None and graphml is None:
        for one in book.traces:
            _print(one)


def _book(
    run: Path, claim: str | None, dataset: Path | None, column_map: list[str] | None, skip_bad: bool
) -> TraceBook:
    if run.is_file():
        from parcel_agents.traces.schema import read_book

        book = read_book(run)
        if claim is None:
            return book
        if not (traces := book.chosen(claim)):
            raise InputError(f"{run}: has no claim {claim!r}; give an id, or a number up to {len(book.traces)}")
        return book.only(traces)
    from parcel_agents.api import retriever_for
    from parcel_agents.config import load_config
    from parcel_agents.eval.traces import from_run
    from parcel_agents.store import Run

    opened = Run.open(run)
    if dataset is None:
        raise InputError("a run holds votes and no opinions; name the data set it was made on with --dataset")
    data = read_dataset(dataset, column_map, skip_bad)
    retriever = retriever_for(load_config(retriever=opened.meta.settings.retriever))
    with output.progress("tracing", 1 if claim else len(opened.claims)) as step:
        return from_run(opened, data, retriever, only=claim, progress=step)


def _print(one: Trace) -> None:
    from parcel_agents.cli.verify import INDENT, fold
    from parcel_agents.traces.words import CHECK_WORDS, RELATION_WORDS, STATUS_WORDS, percent, vote_words

    word = STATUS_WORDS[one.status].word.upper()
    typer.echo(typer.style(f"{word:<{INDENT}}", bold=True) + fold(one.claim).lstrip())
    typer.echo(fold(f"claim: {one.claim_id}" + (f"; label in the data set: {one.gold.label}" if one.gold else "")))
    typer.echo(fold(f"why: {one.why}"))
    for vote in one.verdict.votes if one.verdict else ():
        read = f" (read {len(vote.read)} passages)" if vote.read else ""
        typer.echo(fold(f"{vote.verifier}: {vote_words(vote)}{read}{f': {vote.reason}' if vote.reason else ''}"))
    for defect in one.defects:
        against = f"; the opinion has “{defect.against}”" if defect.against else ""
        check = CHECK_WORDS.get(defect.check, defect.check)
        typer.echo(fold(f"check: {check}: {defect.reason}; the claim has “{defect.words}”{against}"))
    if one.verdict is not None and one.verdict.certificate is not None:
        typer.echo(fold(f"certificate: {percent(one.verdict.certificate.coverage)} of the opinion was read"))
    for evidence in one.verdict.evidence if one.verdict else ():
        place = ", ".join(part for part in (evidence.voice, evidence.page, evidence.passage) if part)
        typer.echo(fold(f"{RELATION_WORDS[evidence.relation].lower()}: “{evidence.text}” [{place}]"))
    for near in one.nearest:
        typer.echo(fold(f"{near.evidence.passage} {near.shortfall}"))
    typer.echo()
