"""`parcel-agents hard`: the claims that verifiers fail together, and why."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parcel_agents.cli import output
from parcel_agents.cli.dataset_options import read_dataset
from parcel_agents.cli.report import Resamples
from parcel_agents.errors import InputError

if TYPE_CHECKING:
    from parcel_agents.eval.datasets import Dataset
    from parcel_agents.eval.hard.adjudication import Adjudicated
    from parcel_agents.eval.hard.board import Board
    from parcel_agents.eval.hard.study import Study, StudyOptions


@output.reports_errors
def hard(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Run folders over one data set; their verifiers stand together."),
    ],
    k: Annotated[
        int | None,
        typer.Option("--k", min=1, help="A claim is hard if so many verifiers fail it.  [default: 3, or all of fewer]"),
    ] = None,
    dataset: Annotated[
        Path | None, typer.Option(help="The data set of the runs: its opinions are needed to diagnose by the text.")
    ] = None,
    diagnose: Annotated[
        str | None,
        typer.Option(metavar="PANEL", help="Ask the models of this panel again, without the opinion. Needs --dataset."),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with panels and settings.")] = None,
    max_cost: Annotated[float | None, typer.Option(help="Dollars that --diagnose may cost at most.")] = None,
    wrong_only: Annotated[
        bool,
        typer.Option("--wrong-only", help="Count wrong labels alone as failures; `report` counts abstentions as well."),
    ] = False,
    subset: Annotated[str | None, typer.Option(help="Take the claims of this file of the data set only.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Diagnose so many hard claims at most, the hardest.")] = 500,
    html: Annotated[Path | None, typer.Option(help="Write one page into this file; it needs no network.")] = None,
    graph: Annotated[
        list[Path] | None,
        typer.Option("--graph", help="Write the failure graph: FILE.graphml, .json or .svg; repeatable."),
    ] = None,
    adjudicate: Annotated[
        Path | None, typer.Option(help="Write the claims that may be mislabelled, for a person to decide (JSONL).")
    ] = None,
    adjudicated: Annotated[
        Path | None, typer.Option(help="Read such a file with its decisions; show the figures before and after.")
    ] = None,
    resamples: Resamples = 2000,
    seed: Annotated[int, typer.Option(help="Seed of all draws: resamples, controls, communities.")] = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON object per finding and per hard claim.")
    ] = False,
) -> None:
    """Say which claims several verifiers fail together, how their failures hang together, and why.

    Recorded votes are enough; no model is asked but with --diagnose. Its answers are kept like those of `run`, so that
    the same command goes on where it was interrupted. Exit status: 0 done, 2 wrong usage or unreadable
    input, 3 models could not be asked to the end.
    """
    from parcel_agents.eval.hard.adjudication import adjudicate as decide
    from parcel_agents.eval.hard.adjudication import read_decisions, write_adjudication
    from parcel_agents.eval.hard.board import read_board
    from parcel_agents.eval.hard.export import FORMS
    from parcel_agents.eval.hard.study import StudyOptions

    for path in graph or []:
        if path.suffix.lower() not in FORMS:
            raise InputError(f"{path}: name a file that ends in {', '.join(FORMS)}")
    if diagnose is not None and dataset is None:
        raise InputError("models cannot be asked again without the opinions; name the data set with --dataset")
    if adjudicate is not None and adjudicate.exists():
        raise InputError(f"{adjudicate}: is there already, and may hold decisions; name another file")
    board = read_board(runs, subset)
    decided = decide(board.table, read_decisions(adjudicated, board.table)) if adjudicated else None
    data = read_dataset(dataset, None, False) if dataset else None
    options = StudyOptions(k, wrong_only, limit, seed, resamples)
    found = asyncio.run(_study(board, options, data, panel=diagnose, config=config, max_cost=max_cost))
    if adjudicate is not None:
        output.say(f"{adjudicate}: {write_adjudication(adjudicate, found)} claims written")
    for path in graph or []:
        output.write_file(path, FORMS[path.suffix.lower()](found))
    if html is not None:
        from parcel_agents.eval.hard.page import hard_page

        output.write_file(html, hard_page(found, decided))
    if as_json:
        from parcel_agents.eval.hard.as_json import json_rows

        for row in json_rows(found, decided):
            output.print_json(row)
    else:
        _print(found, decided)
    if found.stopped is not None:
        output.complain(f"models were not asked to the end: {found.stopped}")
        raise typer.Exit(output.EXIT_NOT_CHECKED)


async def _study(
    board: Board,
    options: StudyOptions,
    data: Dataset | None,
    *,
    panel: str | None,
    config: Path | None,
    max_cost: float | None,
) -> Study:
    from parcel_agents.eval.hard.study import study

    if panel is None:
        return await study(board, options, dataset=data)
    from parcel_agents.api import make_context
    from parcel_agents.config import load_config
    from parcel_agents.eval.hard.asking import make_bench

    context = make_context(config=load_config(config, panel=panel, max_cost_usd=max_cost))
    try:
        return await study(board, options, dataset=data, bench=make_bench(context))
    finally:
        if context.providers is not None:
            await context.providers.aclose()


def _print(found: Study, decided: Adjudicated | None) -> None:
    from parcel_agents.eval.hard.text import study_text

    typer.echo(study_text(found, decided), nl=False)
