"""Tables as text, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
import math
import textwrap
from collections.abc import Sequence
from itertools import groupby, pairwise

from parcel_agents.eval.bootstrap import Estimate
from parcel_agents.eval.report.tables import Cell, Column, Form, Row, Table

NOTE_WIDTH = 118
"""Characters of a note's line, about the width of the widest table."""
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedbl{}",
    "|": r"\textbar{}",
}


def number(value: float, form: Form) -> str:
    """A figure as it is printed; `-` for a share of nothing."""
    if math.isnan(value):
        return "-"
    match form:
        case "percent":
            return f"{100 * value:.2f}"
        case "count":
            return f"{value:,.0f}"
        case "dollars":
            return f"{value:.4f}" if abs(value) < 1 else f"{value:,.2f}"
        case "seconds":
            return f"{value:.2f}"
        case _:
            return f"{value:.3f}"


def plain(cell: Cell, form: Form) -> str:
    """A cell without its interval."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    return number(cell.value if isinstance(cell, Estimate) else cell, form if isinstance(cell, Estimate) else "count")


def interval(cell: Cell, form: Form) -> str:
    """The ends of a cell's interval, such as `.952-.981`; nothing where there are none."""
    if not isinstance(cell, Estimate) or math.isnan(cell.low):
        return ""
    return f"{number(cell.low, form)}-{number(cell.high, form)}"


def heading(table: Table) -> str:
    """The title, with the number that the table has in the paper."""
    number_there = table.key.removeprefix("table")
    return f"Table {number_there}. {table.title}" if number_there != table.key else table.title


def as_text(table: Table) -> str:
    """The table in columns of characters; intervals only where the column is a main one."""
    lines = [
        [_short(cell, column) for cell, column in zip(row.cells, table.columns, strict=True)] for row in table.rows
    ]
    names = [row.name for row in table.rows]
    left = max(map(len, [table.first, *names]))
    widths = [max(map(len, [column.title, *(line[i] for line in lines)])) for i, column in enumerate(table.columns)]
    _make_room(table.columns, widths)
    ruled = [heading(table), ""]
    if any(column.group for column in table.columns):
        ruled.append((" " * left + _group_heads(table.columns, widths)).rstrip())
    ruled.append(_line(table.first, [column.title for column in table.columns], left, widths))
    sections = [row.section for row in table.rows]
    for place, (name, line) in enumerate(zip(names, lines, strict=True)):
        if place and sections[place] != sections[place - 1]:
            ruled.append("")
        ruled.append(_line(name, line, left, widths))
    ruled += [""] * bool(table.notes) + [line for note in table.notes for line in textwrap.wrap(note, NOTE_WIDTH)]
    return "\n".join(ruled) + "\n"


def as_csv(table: Table) -> str:
    """The table for a program: full precision, and a column for each end of an interval; an empty field for nothing."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    has_ends = [any(isinstance(row.cells[i], Estimate) for row in table.rows) for i in range(len(table.columns))]
    head = ["section", table.first or "name"]
    for column, ends in zip(table.columns, has_ends, strict=True):
        name = f"{column.group}: {column.title}" if column.group else column.title
        head += [name, f"{name} low", f"{name} high"] if ends else [name]
    writer.writerow(head)
    for row in table.rows:
        line: list[str | int | float] = [row.section, row.name]
        for cell, column, ends in zip(row.cells, table.columns, has_ends, strict=True):
            values = [cell.value, *cell.interval] if isinstance(cell, Estimate) else [cell]
            scaled = [100 * v if column.form == "percent" and isinstance(v, float) else v for v in values]
            line += ["" if v is None or v != v else v for v in scaled] + [""] * (3 * ends - len(values) if ends else 0)
        writer.writerow(line)
    return out.getvalue()


def as_latex(table: Table) -> str:
    """The table for a paper (package booktabs); intervals of the main columns in small figures."""
    columns = table.columns
    lines = [
        r"\begin{table}[t]",
        r"\centering",
        rf"\caption{{{latex(table.title)}. Intervals are 95\%, by a bootstrap over opinions.}}",
        rf"\label{{tab:{table.key}}}",
        rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
        r"\toprule",
    ]
    if any(column.group for column in columns):
        heads, rules, at = [], [], 2
        for group, inside in groupby(columns, key=lambda column: column.group):
            width = len(list(inside))
            heads.append(rf"\multicolumn{{{width}}}{{c}}{{{latex(group)}}}")
            rules += [rf"\cmidrule(lr){{{at}-{at + width - 1}}}"] if group else []
            at += width
        lines += [f" & {' & '.join(heads)} \\\\", "".join(rules)]
    lines += [f"{latex(table.first)} & {' & '.join(latex(column.title) for column in columns)} \\\\", r"\midrule"]
    for before, row in pairwise((None, *table.rows)):
        if before is not None and row is not None and before.section != row.section:
            lines.append(r"\midrule")
        lines += [_latex_row(row, columns)] if row is not None else []
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\par\smallskip\footnotesize {latex(note)}" for note in table.notes]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def latex(text: str) -> str:
    """The text with the characters that LaTeX gives a meaning to escaped."""
    return "".join(_LATEX.get(character, character) for character in text)


def _latex_row(row: Row, columns: Sequence[Column]) -> str:
    cells = []
    for cell, column in zip(row.cells, columns, strict=True):
        ends = interval(cell, column.form).replace("-", "--") if column.main else ""
        text = plain(cell, column.form)
        shown = "--" if text == "-" else latex(text)
        cells.append(shown + (rf" {{\scriptsize ({ends})}}" if ends else ""))
    return f"{latex(row.name)} & {' & '.join(cells)} \\\\"


def _short(cell: Cell, column: Column) -> str:
    ends = interval(cell, column.form) if column.main else ""
    return plain(cell, column.form) + (f" ({ends})" if ends else "")


def _line(name: str, cells: Sequence[str], left: int, widths: Sequence[int]) -> str:
    padded = [cell.rjust(width) for cell, width in zip(cells, widths, strict=True)]
    return "  ".join([name.ljust(left), *padded]).rstrip()


def _make_room(columns: Sequence[Column], widths: list[int]) -> None:
    """Widen the last column of a group whose heading is longer than its columns."""
    at = 0
    for group, inside in groupby(columns, key=lambda column: column.group):
        end = at + len(list(inside))
        have = sum(widths[at:end]) + 2 * (end - at - 1)
        widths[end - 1] += max(0, len(group) - have)
        at = end


def _group_heads(columns: Sequence[Column], widths: Sequence[int]) -> str:
    heads, at = "", 0
    for group, inside in groupby(columns, key=lambda column: column.group):
        end = at + len(list(inside))
        width = sum(widths[at:end]) + 2 * (end - at - 1)
        heads += "  " + (f" {group} ".center(width, "-") if group and len(group) + 2 <= width else group.center(width))
        at = end
    return heads
