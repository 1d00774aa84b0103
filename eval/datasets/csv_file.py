"""Claims in a CSV file: separators, encodings, and cells as long as a decision."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from parcel_agents.errors import InputError
from parcel_agents.eval.datasets.model import Problem
from parcel_agents.eval.datasets.table import Table, TableBuilder

_SEPARATORS = ",;\t|"
_LONGEST_CELL = 2**31 - 1
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_csv(path: Path) -> Table:
    """The rows of a file whose first line names the columns; places are the lines on which records begin.

    Raises:
        InputError: the file cannot be read, quotes in it are not closed, or two columns share a name.
    """
    with path.open("rb") as file:
        marked = file.read(2) in _UTF16_MARKS
    try:
        with path.open(encoding="utf-16" if marked else "utf-8-sig", newline="") as text:
            return _read(path, text)
    except UnicodeDecodeError:
        # What spreadsheets on Windows write where nobody asks them for UTF-8.
        with path.open(encoding="cp1252", errors="replace", newline="") as text:
            return _read(path, text)


def _read(path: Path, text: TextIO) -> Table:
    separator = _separator(text.readline())
    text.seek(0)
    table = TableBuilder(path)
    columns: list[str] = []
    for line, record in _records(path, text, separator):
        if not columns:
            columns = _columns(path, record)
        elif len(record) == len(columns):
            table.add(f"{path}:{line}", zip(columns, record, strict=True))
        else:
            what = f"has {len(record)} cells, the first line names {len(columns)} columns"
            table.problems.append(Problem(f"{path}:{line}", what))
    return table.build()


def _records(path: Path, text: TextIO, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The records that hold something, each with the line on which it begins."""
    with _long_cells():
        # Strict: without it a quote that is not closed makes one cell of all that follows.
        reader = csv.reader(text, delimiter=separator, strict=True)
        begins = 1
        while True:
            try:
                record = next(reader, None)
            except csv.Error as error:
                raise InputError(
                    f"{path}:{begins}: the quotes of this record do not close ({error}); "
                    'a quote within a cell is written ""'
                ) from error
            if record is None:
                return
            if any(cell.strip() for cell in record):
                yield begins, record
            begins = reader.line_num + 1


@contextmanager
def _long_cells() -> Iterator[None]:
    """Lift the limit on the length of a cell, which is one of the whole process and far below a long decision."""
    before = csv.field_size_limit(_LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _separator(header: str) -> str:
    """The separator that is met most often outside quotes in the first line; the comma where there is none."""
    outside = "".join(header.split('"')[::2])
    return max(_SEPARATORS, key=outside.count)


def _columns(path: Path, record: list[str]) -> list[str]:
    names = [cell.strip() or f"column {number}" for number, cell in enumerate(record, 1)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"{path}: its first line names {', '.join(map(repr, twice))} twice; rename one of them")
    return names
