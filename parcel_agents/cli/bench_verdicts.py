"""`parcel-agents bench verdicts`: every figure of a panel, with its interval."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parcel_agents.cli import output
from parcel_agents.cli.dataset_options import ColumnMap, DatasetPath, SkipBad, read_dataset
from parcel_agents.errors import InputError

if TYPE_CHECKING:
    from parcel_agents.eval.verdicts import Entry
    from parcel_agents.eval.verdicts.targets import Result


@output.reports_errors
def verdicts(
    dataset: DatasetPath,
    column_map: ColumnMap = None,
    skip_bad: SkipBad = False,
    panel: Annotated[str | None, typer.Option(help="The panel of verifiers to ask.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with panels and settings.")] = None,
    train: Annotated[
        Path | None,
        typer.Option(help="A data set on other opinions, to fit the BM25 baseline and the ablations of `combined` on."),
    ] = None,
    also: Annotated[
        list[Path] | None, typer.Option(help="Another data set whose labelled claims are asked about; repeatable.")
    ] = None,
    natural: Annotated[
        Path | None, typer.Option(help="JSON lines of parentheticals that judges wrote; needs --opinions.")
    ] = None,
    opinions: Annotated[
        Path | None,
        typer.Option(help="The folder with the opinions that --natural cites, searched with what is below."),
    ] = None,
    sentences: Annotated[int, typer.Option(min=1, help="How many sentences of the opinions to try as claims.")] = 200,
    only: Annotated[
        list[str] | None,
        typer.Option(
            help="A section to measure: labelled, sentences, natural, checks, ablations, also, speed; repeatable."
        ),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Write every claim that was asked with its verdict into this file (JSON lines).")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of all draws.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON objects instead of tables.")] = False,
) -> None:
    """Measure a panel: labelled claims, the opinions' own sentences as they stand and with one change, and speed.

    Beside it stand the majority class, a classifier of the claim's words, BM25 similarity, and each check alone. Every
    figure has a 95% interval, by a bootstrap over opinions.
    """
    if (natural is None) != (opinions is None):
        raise InputError(
            "--natural and --opinions go together: the parentheticals, and the opinions that they are about"
        )
    from parcel_agents.config import load_config
    from parcel_agents.eval.verdicts import Measured, Panel, measure
    from parcel_agents.eval.verdicts.natural import read_parentheticals
    from parcel_agents.eval.verdicts.targets import compare

    data = read_dataset(dataset, column_map, skip_bad)
    given = Measured(
        data,
        also=tuple(read_dataset(path, None, skip_bad) for path in also or []),
        train=None if train is None else read_dataset(train, None, skip_bad),
        natural=None if natural is None or opinions is None else read_parentheticals(natural, opinions),
        sentences=sentences,
        config_file=config,
    )
    asked = Panel.of(load_config(config, panel=panel), output.progress)
    entries = list(measure(given, asked, only=only or (), seed=seed))
    results = compare(entries, data.name)
    if record is not None:
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in asked.record)
        output.write_file(record, lines, told=f"{len(asked.record)} claims written")
    if as_json:
        for row in [one.as_json() for one in entries] + [one.as_json() for one in results]:
            output.print_json(row)
    else:
        _print(entries, results)


def _print(entries: Sequence[Entry], results: Sequence[Result]) -> None:
    from parcel_agents.eval.report.table_formats import as_text
    from parcel_agents.eval.verdicts.tables import all_tables

    typer.echo("Behind a figure stands its 95% interval, by a bootstrap over opinions.")
    for table in all_tables(entries, results):
        typer.echo(f"\n{as_text(table)}", nl=False)
