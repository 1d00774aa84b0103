"""Rows with named cells, whatever kind of file they stood in."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from parcel_agents.errors import InputError
from parcel_agents.eval.datasets.model import Problem

_LONG = 200
"""Cells from this length on are kept once: a decision stands in the row of every claim about it."""


@dataclass(frozen=True)
class Row:
    """A row and the place it stands at."""

    where: str
    cells: Mapping[str, str]
    """By column; empty cells are left out."""


@dataclass(frozen=True)
class Table:
    """What a file holds."""

    path: Path
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    problems: tuple[Problem, ...] = ()
    """Rows that could not be read."""


class TableBuilder:
    """Collects the rows of a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self._columns: dict[str, None] = {}
        self._rows: list[Row] = []
        self._long: dict[str, str] = {}

    def add(self, where: str, cells: Iterable[tuple[str, object]]) -> None:
        """Add a row; its columns are added to those of the table."""
        row: dict[str, str] = {}
        for column, value in cells:
            self._columns.setdefault(column)
            text = _text_of(value)
            if text is not None and text.strip():
                row[column] = self._long.setdefault(text, text) if len(text) >= _LONG else text
        self._rows.append(Row(where, row))

    def build(self) -> Table:
        """The table.

        Raises:
            InputError: it has no row.
        """
        if not self._rows and not self.problems:
            raise InputError(f"{self.path}: holds no claims")
        return Table(self.path, tuple(self._columns), tuple(self._rows), tuple(self.problems))


def _text_of(value: object) -> str | None:
    """What a value is as a cell of text; None for none. A list counts as its first value."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return _text_of(value[0]) if value else None
    if isinstance(value, float):
        # A column of whole numbers with a gap in it becomes one of floats in many programs.
        return None if math.isnan(value) else str(int(value)) if value.is_integer() else str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, dict) else str(value)
