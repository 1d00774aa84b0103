"""Claims in a Parquet file, read with pyarrow."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from parcel_agents.errors import InputError, MissingDependencyError
from parcel_agents.eval.datasets.table import Table, TableBuilder

_BATCH = 200
"""Rows at a time: as Python strings they need memory, until repeated decisions are kept once."""


def read_parquet(path: Path) -> Table:
    """The rows of a file; places are records, counted from 1.

    Raises:
        MissingDependencyError: pyarrow is not installed.
        InputError: the file is no Parquet file.
    """
    try:
        arrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingDependencyError(
            f"{path}: Parquet files need pyarrow; install it with: pip install 'parcel-agents[parquet]'"
        ) from error
    table = TableBuilder(path)
    try:
        with parquet.ParquetFile(path) as file:
            names = _class_names(file.schema_arrow.metadata)
            number = 0
            for batch in file.iter_batches(batch_size=_BATCH):
                for row in batch.to_pylist():
                    number += 1
                    table.add(f"{path}: record {number}", [(key, _named(names, key, row[key])) for key in row])
    except arrow.ArrowException as error:
        raise InputError(f"{path}: is no Parquet file that can be read ({str(error).splitlines()[0]})") from error
    return table.build()


def _class_names(metadata: Mapping[bytes, bytes] | None) -> dict[str, list[str]]:
    """The words for which the numbers of a column stand, by column, as the Hugging Face library writes them down.

    It numbers classes from 0 in their order, so its 1 may well be "neutral": the numbers must not be read as the
    paper's 1, -1 and 0.
    """
    try:
        described = json.loads((metadata or {}).get(b"huggingface", b"{}"))
        features = described["info"]["features"]
        return {name: list(each["names"]) for name, each in features.items() if each.get("_type") == "ClassLabel"}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}


def _named(names: Mapping[str, list[str]], column: str, value: Any) -> Any:
    known = names.get(column, [])
    return known[value] if isinstance(value, int) and 0 <= value < len(known) else value
