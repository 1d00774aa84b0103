"""PDF: from glyphs to the lines that a reader sees, with line numbers in the margin taken out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from statistics import median

from parcel_agents.opinions.pdf_page import Glyph, Run, Sheet

_SAME_ROW = 0.6
"""Runs whose base lines are closer than this share of the smaller type's size stand on one line."""
_CELL_GAP = 2.2
"""Type sizes between two texts on one line that are no part of one sentence."""
_COLUMN_GAP = 0.9
"""The same where most lines of a page leave room in one place."""
_MIN_COLUMN_ROWS = 12
_COLUMN_SHARE = 0.6
_MIDDLE = 0.15
_BLANK = 0.115
"""Type sizes between two glyphs that are a blank; letters that are spaced out stand farther apart throughout."""
_FILED_BLANK = 0.07
"""The same where the file has a blank there, too; with less room the file's blank is a fault (`c ity`)."""
_THIN_BLANK = 0.22
"""The same between two quotation marks, which printers keep apart."""
_QUOTES = frozenset("“”‘’\"'")
_TWICE = 0.12
"""Type sizes within which a glyph is drawn again to look bold."""
_SMALL = 0.8
_RAISED = 0.1
_RAISED_MOST = 0.55
_MARGIN_MARK = re.compile(r"\[?¶ ?\d{1,4}\]?|\[\*\d{1,4}\]")
_MAIN_SHARE = 0.1
"""Type of which a line has less than this share is an initial or a figure and not the line's own."""
_CALL = re.compile(r"\d{1,3}|[*†‡§]{1,3}")
_NUMBER = re.compile(r"\d{1,2}")
_LEADING_NUMBER = re.compile(r"\s*(\d{1,2})(?:\s+|$)")
_MIN_NUMBERED = 8
"""Lines in a row whose numbers stand in the margin; fewer are a list."""
_MARGIN_SHARE = 0.25


@dataclass(frozen=True)
class Line:
    """A line of text; note calls stand in it as `[FN1]`."""

    x: float
    y: float
    end: float
    size: float
    text: str
    first: float = 0.0
    """How wide its first word is."""
    label: str | None = None
    """The small raised figure it begins with, taken out of the text."""


@dataclass(frozen=True)
class Row:
    """What stands on one height of a page: one line, or several with wide gaps between."""

    lines: tuple[Line, ...]

    @property
    def y(self) -> float:
        """The height of the row."""
        return self.lines[0].y

    @property
    def size(self) -> float:
        """The size of its largest line."""
        return max(line.size for line in self.lines)

    @property
    def text(self) -> str:
        """All that stands in it."""
        return " ".join(line.text for line in self.lines)


def rows_of(sheet: Sheet) -> list[Row]:
    """The rows of a page from top to bottom."""
    groups: list[list[Run]] = []
    for run in sorted(_without_line_numbers(sheet.runs, sheet.width), key=lambda run: -run.y):
        main = max(groups[-1], key=lambda other: other.size) if groups else None
        if main and main.y - run.y <= _reach(main, run):
            groups[-1].append(run)
        else:
            groups.append([run])
    gutter = _gutter(groups, sheet.width)
    return _without_leading_numbers([Row(_with_margin(list(_lines(group, gutter)))) for group in groups])


def _gutter(groups: Sequence[Sequence[Run]], width: float) -> float:
    """Where the narrow gap between two columns stands, in which most lines leave room; infinite if there is none."""
    room: Counter[int] = Counter()
    reaches: list[tuple[float, float]] = []
    for group in groups:
        places = sorted((run.x, run.end, run.size) for run in group)
        reaches.append((places[0][0], max(end for _, end, _ in places)))
        for (_, end, size), (x, _, _) in pairwise(places):
            if x - end >= _COLUMN_GAP * size:
                room.update(range(int(end) + 1, int(x)))
    middle = [x for x in room if abs(x - width / 2) < _MIDDLE * width]
    best = max(middle, key=lambda x: room[x], default=0)
    across = sum(1 for start, end in reaches if start < best < end)
    return best if room[best] >= max(_MIN_COLUMN_ROWS, _COLUMN_SHARE * across) else inf


def _reach(above: Run, below: Run) -> float:
    """How far below a run another may stand and still be on its line; the upper one may be a raised figure."""
    raised = above.size <= _SMALL * below.size and _CALL.fullmatch(above.text)
    return _RAISED_MOST * below.size if raised else _SAME_ROW * min(above.size, below.size)


def _with_margin(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines of a row; a paragraph's number in the margin leads its line, a page's goes (the page has it, too)."""
    first = lines[0]
    if len(lines) < 2 or not _MARGIN_MARK.fullmatch(first.text):
        return tuple(lines)
    following = lines[1] if first.text.startswith("[*") else replace(lines[1], text=f"{first.text} {lines[1].text}")
    return (following, *lines[2:])


def _lines(runs: Sequence[Run], gutter: float) -> Iterator[Line]:
    """The lines of a row, which wide gaps separate."""
    drawn = sorted(((glyph, run) for run in runs for glyph in run.glyphs), key=lambda one: (one[0].x + one[0].end) / 2)
    cell: list[tuple[Glyph, Run]] = []
    for glyph, run in drawn:
        size = max(min(run.size, cell[-1][1].size), 6.0) if cell else 0.0
        gap = _COLUMN_GAP if cell and cell[-1][0].end <= gutter <= glyph.x else _CELL_GAP
        if cell and glyph.x - cell[-1][0].end > gap * size:
            yield _line(cell)
            cell = []
        cell.append((glyph, run))
    if cell:
        yield _line(cell)


def _line(cell: Sequence[tuple[Glyph, Run]]) -> Line:
    sizes = Counter(run.size for _, run in cell)
    size = max(size for size, count in sizes.items() if count >= _MAIN_SHARE * len(cell))
    base = median(run.y for _, run in cell if run.size == size)
    gaps = [after.x - before.end for (before, _), (after, _) in pairwise(cell) if after.blank == inf]
    tracking = max(0.0, median(gaps)) if gaps else 0.0
    text, label, first, end = "", None, 0.0, cell[0][0].x
    index = 0
    while index < len(cell):
        glyph, run = cell[index]
        if index > 0 and glyph.text == cell[index - 1][0].text and glyph.x - cell[index - 1][0].x < _TWICE * size:
            index += 1
            continue
        room = (glyph.x - min(end, glyph.blank) - tracking) / min(run.size, size)
        quotes = text[-1:] in _QUOTES and glyph.text in _QUOTES
        blank = index > 0 and room > (_THIN_BLANK if quotes else _BLANK if glyph.blank == inf else _FILED_BLANK)
        if blank and not first:
            first = end - cell[0][0].x
        following = index + 1
        if _is_raised(run, size, base):
            while following < len(cell) and _is_raised(cell[following][1], size, base):
                following += 1
            figures = "".join(one.text for one, _ in cell[index:following])
            if _CALL.fullmatch(figures):
                if text:
                    text += f"[FN{figures}]"
                else:
                    label = figures
                end = cell[following - 1][0].end
                index = following
                continue
            following = index + 1
        text += " " * (blank and text != "") + glyph.text
        end = glyph.end
        index = following
    start = next((glyph.x for glyph, run in cell if not _is_raised(run, size, base)), cell[0][0].x)
    return Line(start if label is None else cell[0][0].x, base, end, size, text, first or end - cell[0][0].x, label)


def _is_raised(run: Run, size: float, base: float) -> bool:
    return run.size <= _SMALL * size and run.y - base >= _RAISED * size


def _without_line_numbers(runs: Sequence[Run], width: float) -> list[Run]:
    """The runs without figures that count the lines at the left of the page."""
    numbered = [
        (int(run.text), run)
        for run in sorted(runs, key=lambda run: -run.y)
        if run.x < _MARGIN_SHARE * width and _NUMBER.fullmatch(run.text)
    ]
    counted: list[tuple[int, Run]] = []
    for number, run in numbered:
        if number == (counted[-1][0] + 1 if counted else 1):
            counted.append((number, run))
    if len(counted) < _MIN_NUMBERED:
        return list(runs)
    margin = max(run.end for _, run in counted)
    text = [run for run in runs if not _NUMBER.fullmatch(run.text)]
    left = sum(1 for run in text if run.x < margin)
    dropped = {id(run) for _, run in counted}
    return [run for run in runs if id(run) not in dropped] if left <= len(text) // 5 else list(runs)


def _without_leading_numbers(rows: Sequence[Row]) -> list[Row]:
    """The rows without line numbers that a program has written in one piece with the text."""
    found = [_LEADING_NUMBER.match(row.lines[0].text) for row in rows]
    numbered = [(index, int(match[1])) for index, match in enumerate(found) if match]
    in_order = sum(1 for (_, first), (_, second) in pairwise(numbered) if second == first + 1)
    if len(numbered) < _MIN_NUMBERED or in_order < len(numbered) - 2 or len(numbered) < len(rows) * 0.7:
        return list(rows)
    kept: list[Row] = []
    for row, match in zip(rows, found, strict=True):
        first = row.lines[0]
        rest = first.text[match.end() :] if match else first.text
        lines = ((replace(first, text=rest),) if rest else ()) + row.lines[1:]
        if lines:
            kept.append(Row(lines))
    return kept
