"""Tables as Markdown, with figures as the README writes them: `.688 (.642-.733)`."""

from __future__ import annotations

from collections.abc import Sequence

from parcel_agents.eval.bootstrap import Estimate
from parcel_agents.eval.report.table_formats import interval, number, plain
from parcel_agents.eval.report.tables import Cell, Column, Table


def as_markdown(table: Table) -> str:
    """The table without its title, and its notes as paragraphs below it."""
    heads = [f"{column.group}: {column.title}" if column.group else column.title for column in table.columns]
    lines = [_line([table.first, *heads]), _line(["---", *(_rule(column) for column in table.columns)])]
    for row in table.rows:
        cells = [_cell(cell, column) for cell, column in zip(row.cells, table.columns, strict=True)]
        # Leading spaces stand for "one of the above", and Markdown would swallow them.
        name = row.name.strip() if row.name == row.name.lstrip() else f"... {row.name.strip()}"
        lines.append(_line([name, *cells]))
    return "\n".join([*lines, *(f"\n{note}" for note in table.notes)]) + "\n"


def share(value: float) -> str:
    """A share as it is printed in running text, such as `.688`; `-` for nan."""
    return without_nought(number(value, "share"))


def without_nought(figure: str) -> str:
    """A share as it is printed in running text: `0.688` as `.688`, `1.000` as `1` and `0.000` as `0`."""
    if figure in ("0.000", "1.000"):
        return figure[0]
    return figure[1:] if figure.startswith("0.") else figure


def _rule(column: Column) -> str:
    return "---" if column.form == "text" else "---:"


def _cell(cell: Cell, column: Column) -> str:
    if not isinstance(cell, Estimate):
        return plain(cell, column.form)
    value, ends = plain(cell, column.form), interval(cell, column.form) if column.main else ""
    if column.form == "share":
        value, ends = without_nought(value), "-".join(map(without_nought, ends.split("-")))
    return value + (f" ({ends})" if ends else "")


def _line(cells: Sequence[str]) -> str:
    escaped = [cell.replace("|", "\\|") for cell in cells]
    return f"| {' | '.join(escaped)} |"
