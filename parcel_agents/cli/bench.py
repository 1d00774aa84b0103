"""`parcel-agents bench`: the figures that the README quotes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from parcel_agents.cli import bench_artefacts, bench_verdicts, output
from parcel_agents.cli.dataset_options import ColumnMap, DatasetPath, SkipBad, read_dataset

app = typer.Typer(
    help="Measure reading, files, voices, citations, retrieval, overhead, verdicts and artefacts.", no_args_is_help=True
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON objects instead of a table.")]


@app.command("retrieval")
@output.reports_errors
def retrieval(
    dataset: DatasetPath, column_map: ColumnMap = None, skip_bad: SkipBad = False, as_json: AsJson = False
) -> None:
    """Evidence recall of each retriever: is the gold excerpt in the first k passages?"""
    from parcel_agents.api import retriever_for
    from parcel_agents.config import load_config
    from parcel_agents.eval.retrieval import rank_evidence, summarise

    data = read_dataset(dataset, column_map, skip_bad)
    rows: list[dict[str, Any]] = []
    for name in ("bm25", "dense", "hybrid"):
        retriever = retriever_for(load_config(retriever=name))
        with output.progress(name, len(data.opinions)) as step:
            rankings = rank_evidence(data, retriever, step)
        for subset in dict.fromkeys(ranking.claim.subset for ranking in rankings):
            chosen = [ranking for ranking in rankings if ranking.claim.subset == subset]
            rows.append({"retriever": name, "dataset": data.name, "subset": subset, **summarise(chosen)})
    _show(rows, as_json)


@app.command("reading")
@output.reports_errors
def reading(
    folders: Annotated[list[Path], typer.Argument(help="Folders of opinions, searched with what is below.")],
    as_json: AsJson = False,
) -> None:
    """Read every opinion of a folder; count the parts found and check that offsets and parts hold."""
    from parcel_agents.eval.reading import opinion_files, read_all

    files = opinion_files(folders)
    with output.progress("reading", len(files)) as step:
        report = read_all(files, step)
    for failure in report.failures:
        output.complain(failure)
    _show([report.row()], as_json)
    if report.failures:
        raise typer.Exit(output.EXIT_NOT_SUPPORTED)


@app.command("files")
@output.reports_errors
def files(
    folder: Annotated[Path, typer.Argument(help="Opinions of any kind with an expected.jsonl, one line a file.")],
    show: Annotated[bool, typer.Option("--list", help="List what differs.")] = False,
    as_json: AsJson = False,
) -> None:
    """Name, citation, court, date, author and parts of files against what a person read in them."""
    from parcel_agents.eval.described import measure_files, read_expected

    rows = read_expected(folder)
    with output.progress("reading", len(rows)) as step:
        report = measure_files(folder, rows, step)
    _show([{**report.row(), "misses": report.misses} if show and as_json else report.row()], as_json)
    if show and not as_json:
        for miss in report.misses:
            typer.echo(miss)


@app.command("citations")
@output.reports_errors
def citations(
    folders: Annotated[list[Path], typer.Argument(help="Folders of opinions, searched with what is below.")],
    natural: Annotated[Path | None, typer.Option(help="A file of known parentheticals of these opinions.")] = None,
    as_json: AsJson = False,
) -> None:
    """Citations read right: years, parentheticals and the cites they belong to, against plain patterns; and speed."""
    from parcel_agents.eval.citations import measure_folders
    from parcel_agents.eval.reading import opinion_files

    with output.progress("reading", len(opinion_files(folders))) as step:
        rows = measure_folders(folders, natural, step=step)
    if as_json:
        _show(rows, as_json)
        return
    for row in rows:
        _show([{key: value for key, value in row.items() if key != "misses"}], as_json)
        for miss in row.get("misses", []):
            typer.echo(f"  {miss}")


@app.command("voices")
@output.reports_errors
def voices(
    panel: Annotated[
        str | None, typer.Option("--panel", help="The panel to ask; the configured one by default.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", help="Write every claim with its verdict here (JSONL).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Does the panel call Supported what only a dissent, a syllabus, a party or another court says?

    The claims are about one fictional case, set as courts, reporters and publishers set theirs. Exits with 1 if any
    such claim is called Supported.
    """
    import json

    from parcel_agents.config import load_config
    from parcel_agents.eval.verdicts.asking import Panel
    from parcel_agents.eval.voices.bench import measure

    asked = Panel.of(load_config(panel=panel), output.progress)
    rows = measure(asked)
    if record is not None:
        record.write_text("".join(json.dumps(line) + "\n" for line in asked.record), encoding="utf-8")
    _show([row.row() for row in rows], as_json)
    if rows[-1].false_supports:
        raise typer.Exit(output.EXIT_NOT_SUPPORTED)


@app.command("overhead")
@output.reports_errors
def overhead(as_json: AsJson = False) -> None:
    """Time that graph and retrieval add to a claim: no-op verifiers, a warm index, the bundled example.

    Also what a claim takes with the default panel and, where the web app's libraries are installed, what HTTP adds.
    """
    from parcel_agents.eval.overhead import measure_overhead
    from parcel_agents.server import has_libraries

    measured = measure_overhead()
    if has_libraries():
        from parcel_agents.server.overhead import measure_http

        measured |= measure_http()
    _show([measured], as_json)


@app.command("replay")
@output.reports_errors
def replay(as_json: AsJson = False) -> None:
    """Speed of replay on made-up votes of the paper's size: every subset of seven verifiers under six policies."""
    from parcel_agents.eval.synthetic import measure_replay

    _show([measure_replay()], as_json)


app.command("verdicts")(bench_verdicts.verdicts)
app.command("artefacts")(bench_artefacts.artefacts)


def _show(rows: list[dict[str, Any]], as_json: bool) -> None:
    """Rows as JSON lines, or as a table with a line per figure and a column per row."""
    if as_json:
        for row in rows:
            output.print_json(row)
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(show_header=False)
    for key in dict.fromkeys(key for row in rows for key in row):
        table.add_row(key, *(_cell(row.get(key)) for row in rows))
    Console().print(table)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.4g}"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_cell(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return "-".join(_cell(inner) for inner in value)
    return "" if value is None else str(value)
