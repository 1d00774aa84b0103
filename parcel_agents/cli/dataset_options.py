"""What the commands that read a data set share: its argument, how its columns are chosen, and what is said of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parcel_agents.cli import output

if TYPE_CHECKING:
    from parcel_agents.eval.datasets import Dataset

DatasetPath = Annotated[
    Path,
    typer.Argument(
        help="A data set: a folder with claims.jsonl and opinions/, a CSV, JSON, JSONL or Parquet file with claims and "
        "decisions, or ContractNLI's JSON."
    ),
]
ColumnMap = Annotated[
    list[str] | None,
    typer.Option("--map", metavar="KEY=COLUMN", help="The column to read as label, claim, decision ...; repeatable."),
]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Leave out claims that cannot be used.")]


def read_dataset(path: Path, column_map: list[str] | None, skip_bad: bool) -> Dataset:
    """The data set; what was understood of it and what is left out is said on standard error.

    Raises:
        InputError: it cannot be used as it is.
    """
    from parcel_agents.eval.datasets import load_dataset
    from parcel_agents.eval.datasets.columns import parse_mapping

    data = load_dataset(path, mapping=parse_mapping(column_map or []), skip_bad=skip_bad)
    for line in data.understood:
        output.say(line)
    for problem in data.problems:
        output.say(f"left out: {problem}")
    return data
