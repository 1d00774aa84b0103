"""PDF: from lines with their places to paragraphs, which go on from page to page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from parcel_agents.opinions.blocks import BlockWriter
from parcel_agents.opinions.headings import is_heading_line, separate_head
from parcel_agents.opinions.line_ends import LineEnds
from parcel_agents.opinions.pdf_lines import Line, Row
from parcel_agents.opinions.pdf_notes import Type

_INDENT = 0.8
"""Type sizes by which a line must stand in or out to begin something new."""
_GAP = 1.3
"""A distance of lines larger than the usual one by this factor separates paragraphs."""
_OFF_CENTRE = 1.5
_NEW_SIZE = 1.15
_SHORT_SHARE = 0.7
"""A line shorter than this share of the column ends a paragraph or was broken on purpose."""
_MIN_COLUMN_ROWS = 12
"""Rows with two texts beside each other that make a page of two columns; fewer are a letterhead or a table."""
_REACH = 3.0
_ENDED = re.compile(r"[.?!:;][)\]\"”’']*(?:\[FN[^\]]*\])*$")
_UNFINISHED = re.compile(
    r"(?:,|\b(?:a|an|and|as|at|by|for|from|in|joins?|of|on|or|that|the|to|whom|with))$", re.IGNORECASE
)
_LAST_CALL = re.compile(r"(?:\[FN[^\]]*\])+$")
_ITEM = re.compile(r"(?:(?:[A-Z]|[IVX]{1,5}|\d{1,3})\.|[•–-]|\([a-z\d]{1,3}\)) +(?![a-z])")
_WHOLE = re.compile(r"[.?!][)\]\"”’']*(?:\[FN[^\]]*\])*$")


@dataclass(frozen=True)
class Column:
    """Lines that are read from top to bottom."""

    lines: tuple[Line, ...]
    kept_apart: bool = False
    """True for what stands beside other text, such as a letterhead: its lines end where they end."""


@dataclass
class Paragraphs:
    """Writes lines as paragraphs."""

    writer: BlockWriter
    ends: LineEnds
    usual: Type
    width: float
    """How wide the column of text is."""
    _paragraph: list[Line] = field(default_factory=list)
    _new_page: bool = False
    _mark: str | None = None
    _leading: float = 0.0

    def begin_page(self, mark: str | None) -> None:
        """Note the page's number where its text begins; a paragraph goes on across it."""
        if self._new_page and self._mark is not None:
            self.writer.mark("slip_page", self._mark)  # a page of footnotes alone
        self._new_page = True
        self._mark = mark

    def write(self, columns: Iterable[Column]) -> None:
        """Write the lines of one page."""
        for column in columns:
            if column.kept_apart:
                self.end()
            for index, line in enumerate(column.lines):
                self._write(line, broken=column.kept_apart and index > 0)
            if column.kept_apart:
                self.end()

    def end(self) -> None:
        """Close the paragraph."""
        if self._paragraph:
            self.writer.write(self._paragraph[-1].text)
        self.writer.end_block()
        self._paragraph = []

    def _write(self, line: Line, *, broken: bool) -> None:
        if self._paragraph:
            before = self._paragraph[-1]
            if not broken and self._is_new(line):
                self.end()
            elif broken or (not self._new_page and self._is_broken_before(line)):
                self.writer.write(before.text)
                self.writer.line_break()
            else:
                self.writer.write(self.ends.joined(before.text, line.text))
            if self._paragraph and not self._new_page:
                self._leading = before.y - line.y
        if not self._paragraph:
            self._leading = 0.0
        if self._new_page:
            if self._mark is not None:
                self.writer.mark("slip_page", self._mark)
            self._new_page = False
        self._paragraph.append(line)

    def _is_new(self, line: Line) -> bool:
        before = self._paragraph[-1]
        alone, broken = len(self._paragraph) == 1, self._is_broken_before(line)
        ended = _ENDED.search(before.text) is not None
        headed = _is_heading(line.text) and (alone or ended or broken) and not _UNFINISHED.search(before.text)
        if headed or (alone and _is_heading(before.text)):
            return True
        if not 1 / _NEW_SIZE <= line.size / max(before.size, 1.0) <= _NEW_SIZE:
            return ended or not self._new_page
        if self._new_page:
            return self._is_new_on_page(line, short=broken)
        if _ITEM.match(line.text) and self._fits_before(line):
            return True
        centred = self._is_centred(before) != self._is_centred(line) and abs(before.x - line.x) > _INDENT * line.size
        if centred and (ended or broken or (alone and line.text[:1].isupper())):
            return not _UNFINISHED.search(before.text)
        return self._is_apart(line) or self._is_indented(line, before.x, short=broken)

    def _is_centred(self, line: Line) -> bool:
        """True if as much room stands before the line as behind it, on both sides more than a paragraph's first has."""
        before, behind = line.x - self.usual.margin, self.usual.margin + self.width - line.end
        least = max(self.usual.indent - self.usual.margin, 0.0) + line.size / 2
        return min(before, behind) > least and abs(before - behind) < _OFF_CENTRE * line.size

    def _is_apart(self, line: Line) -> bool:
        """True if a wider gap than usual stands above the line."""
        gap = self._paragraph[-1].y - line.y
        if gap < 0:  # the next column
            return False
        return gap > _GAP * (self._leading or self.usual.leading)

    def _is_new_on_page(self, line: Line, *, short: bool) -> bool:
        before = self._paragraph[-1]
        if not _ENDED.search(before.text) and (line.text[:1].islower() or not short):
            return False
        if short and _WHOLE.search(before.text):
            return True
        if len(self._paragraph) == 1 and self._stands_in(line) and _WHOLE.search(before.text):
            return True
        going_on = before.x if len(self._paragraph) > 1 else min(before.x, self.usual.margin)
        return self._is_indented(line, going_on, short=short)

    def _is_indented(self, line: Line, margin: float, *, short: bool) -> bool:
        """True if the line stands in or out so that something new begins with it."""
        step = line.x - margin
        if abs(step) <= _INDENT * line.size:
            # Two paragraphs of one line each, the first of which fills it, both stand in.
            first = len(self._paragraph) == 1 and self._stands_in(line)
            return (short or first) and _WHOLE.search(self._paragraph[-1].text) is not None
        if len(self._paragraph) == 1:
            # The first line of a paragraph stands in, that of an entry in a list stands out.
            before = self._paragraph[-1].text
            prose = line.text[:1].islower() and not _ENDED.search(before)
            return short and not prose and not (step < 0 and _UNFINISHED.search(before))
        return True

    def _stands_in(self, line: Line) -> bool:
        return line.x > self.usual.margin + line.size and abs(line.x - self.usual.indent) < 2

    def _is_broken_before(self, line: Line) -> bool:
        """True if the line before was ended on purpose, as in a caption or an address."""
        return self._is_short(self._paragraph[-1]) and self._fits_before(line)

    def _is_short(self, line: Line) -> bool:
        return line.end - min(line.x, self.usual.margin) < _SHORT_SHARE * self.width

    def _fits_before(self, line: Line) -> bool:
        before = self._paragraph[-1]
        return before.end + line.first + line.size < self.usual.margin + self.width


def columns_of(rows: Sequence[Row], usual: Type) -> Iterator[Column]:
    """The rows of a page in the order in which they are read.

    Rows with two texts beside each other are read one column after the other, together with the rows around them
    that stand wholly on one side.
    """
    start = 0
    while start < len(rows):
        paired = next((i for i in range(start, len(rows)) if len(rows[i].lines) > 1), None)
        if paired is None:
            break
        first, last, gutter = _beside(rows, paired, start, usual)
        if first > start:
            yield Column(tuple(_whole(row) for row in rows[start:first]))
        group = [line for row in rows[first:last] for line in row.lines]
        pairs = sum(1 for row in rows[first:last] if len(row.lines) > 1)
        sides = [tuple(line for line in group if (line.x >= gutter) is right) for right in (False, True)]
        yield from (Column(side, kept_apart=pairs < _MIN_COLUMN_ROWS) for side in sides if side)
        start = last
    if start < len(rows):
        yield Column(tuple(_whole(row) for row in rows[start:]))


def _beside(rows: Sequence[Row], paired: int, lowest: int, usual: Type) -> tuple[int, int, float]:
    """First and last row (exclusive) of what stands in columns around a row with two texts, and where they part."""
    left, right = rows[paired].lines[0].end, rows[paired].lines[1].x

    def joins(row: Row) -> bool:
        """True if all that stands in the row is on one of the sides, which grow by it."""
        nonlocal left, right
        beyond = [line for line in row.lines if line.x >= left]
        before = [line for line in row.lines if line.x < left]
        grown = max([left, *(line.end for line in before)]), min([right, *(line.x for line in beyond)])
        if grown[0] >= grown[1]:
            return False
        left, right = grown
        return True

    reach = _REACH * usual.leading
    first, last = paired, paired + 1
    while last < len(rows) and rows[last - 1].y - rows[last].y <= reach and joins(rows[last]):
        last += 1
    while last > paired + 1 and len(rows[last - 1].lines) == 1 and rows[last - 1].lines[0].x < right:
        last -= 1
    while first > lowest and rows[first - 1].lines[0].x >= left and joins(rows[first - 1]):
        first -= 1
    return first, last, right


def _whole(row: Row) -> Line:
    return row.lines[0]


def _is_heading(text: str) -> bool:
    text = _LAST_CALL.sub("", text)
    if _UNFINISHED.search(text):
        return False
    return is_heading_line(text) or (len(text) < 90 and separate_head(text) is not None)
