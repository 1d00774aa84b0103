"""PDF: from pieces of text to the lines that a reader sees, with line numbers in the margin taken out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from parcel_agents.opinions.characters import clean
from parcel_agents.opinions.pdf_page import Piece, Sheet

_SAME_LINE = 0.45
"""Pieces whose base lines are closer than this share of the type's size stand on one line."""
_SAME_ROW = 0.6
"""The same of runs of pieces, of the smaller of the two sizes."""
_CELL_GAP = 3.5
"""Type sizes between two texts on one line that are no part of one sentence."""
_STRETCH = 0.25
_BLANK = 0.15
_SMALL = 0.8
_CALL = re.compile(r"\d{1,3}|[*†‡]{1,3}")
_NUMBER = re.compile(r"\s*(\d{1,2})\s*")
_LEADING_NUMBER = re.compile(r"\s*(\d{1,2})(?:\s+|$)")
_MIN_NUMBERED = 8
"""Lines in a row whose numbers stand in the margin; fewer are a list."""
_MARGIN_SHARE = 0.25
# A hyphen that is drawn is one, whatever a font's table calls it; ligatures are letters.
_GLYPHS = str.maketrans(
    {
        "\u00ad": "-", "\u2010": "-", "\u2011": "-", "\u00a0": " ",
        "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Line:
    """A line of text; note calls stand in it as `[FN1]`."""

    x: float
    y: float
    end: float
    """About where it ends on the right."""
    size: float
    text: str
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
    def text(self) -> str:
        """All that stands in it."""
        return " ".join(line.text for line in self.lines)


@dataclass
class _Run:
    """Pieces that follow one another in the file and on the page."""

    pieces: list[Piece]

    @property
    def main(self) -> Piece:
        """The piece that gives height and size: not a raised figure."""
        return max(self.pieces, key=lambda piece: (piece.size, len(piece.text)))


def rows_of(sheet: Sheet) -> list[Row]:
    """The rows of a page from top to bottom."""
    pieces = [replace(piece, text=clean(piece.text.translate(_GLYPHS))) for piece in sheet.pieces]
    runs = _runs(_without_line_numbers([piece for piece in pieces if piece.text], sheet.width))
    groups: list[list[_Run]] = []
    for run in sorted(runs, key=lambda run: -run.main.y):
        last = max(groups[-1], key=lambda other: other.main.size).main if groups else None
        if last and last.y - run.main.y <= _SAME_ROW * min(last.size, run.main.size):
            groups[-1].append(run)
        else:
            groups.append([run])
    rows = [Row(tuple(_lines(sorted(group, key=lambda run: run.pieces[0].x)))) for group in groups]
    return _without_leading_numbers([row for row in rows if row.lines])


def _runs(pieces: Sequence[Piece]) -> list[_Run]:
    runs: list[_Run] = []
    for piece in pieces:
        if runs:
            last, main = runs[-1].pieces[-1], runs[-1].main
            near = abs(piece.y - main.y) <= _SAME_LINE * max(piece.size, main.size)
            if near and piece.x >= last.x - 0.1 * piece.size:
                runs[-1].pieces.append(piece)
                continue
        runs.append(_Run([piece]))
    return [run for run in runs if any(piece.text.strip() for piece in run.pieces)]


def _lines(runs: Sequence[_Run]) -> list[Line]:
    """The lines of a row, which wide gaps separate."""
    size = max((run.main for run in runs), key=lambda main: len(main.text)).size
    cells: list[list[Piece]] = []
    end, before = 0.0, size
    for run in runs:
        stretch, blank = 0.0, True
        for index, piece in enumerate(run.pieces):
            gap = piece.x - end
            # The end of a piece is an estimate, which a line stretched to the margin outdoes; where pypdf, which
            # measures, sees no blank, there is none.
            wide = gap - stretch > _CELL_GAP * max(min(before, piece.size), 6.0)
            apart = wide and (blank or piece.text.startswith(" ")) and not _is_call(piece, before)
            if piece.text.strip() and (not cells or apart):
                cells.append([])
            elif cells and index == 0 and gap > _BLANK * size:
                cells[-1].append(replace(piece, text=" "))
            if cells:
                cells[-1].append(piece)
            if piece.text.strip():
                end, before, stretch = piece.end, piece.size, _STRETCH * piece.width
            blank = piece.text.endswith(" ")
    return [line for cell in cells if (line := _line(cell))]


def _line(pieces: Sequence[Piece]) -> Line | None:
    filled = [piece for piece in pieces if piece.text.strip()]
    if not filled:
        return None
    main = max(filled, key=lambda piece: (piece.size, len(piece.text)))
    text, label = "", None
    for piece in pieces:
        if _is_call(piece, main.size) and piece.y >= main.y - 0.05 * main.size:
            if text.strip():
                text = f"{text.rstrip()}[FN{piece.text.strip()}]{' ' * piece.text.endswith(' ')}"
            else:
                label = piece.text.strip()
        else:
            text += piece.text
    text = " ".join(text.split())
    return (
        Line(filled[0].x, main.y, max(piece.end for piece in filled), main.size, text, label) if text or label else None
    )


def _is_call(piece: Piece, size: float) -> bool:
    return piece.size <= _SMALL * size and _CALL.fullmatch(piece.text.strip()) is not None


def _without_line_numbers(pieces: Sequence[Piece], width: float) -> list[Piece]:
    """The pieces without figures that count the lines at the left of the page."""
    numbered = [
        (int(found[1]), piece)
        for piece in sorted(pieces, key=lambda piece: -piece.y)
        if piece.x < _MARGIN_SHARE * width and (found := _NUMBER.fullmatch(piece.text))
    ]
    counted: list[tuple[int, Piece]] = []
    for number, piece in numbered:
        if number == (counted[-1][0] + 1 if counted else 1):
            counted.append((number, piece))
    if len(counted) < _MIN_NUMBERED:
        return list(pieces)
    margin = max(piece.x + piece.size for _, piece in counted)
    text = [piece for piece in pieces if piece.text.strip() and not _NUMBER.fullmatch(piece.text)]
    left = sum(1 for piece in text if piece.x < margin)
    dropped = {id(piece) for _, piece in counted}
    return [piece for piece in pieces if id(piece) not in dropped] if left <= len(text) // 5 else list(pieces)


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
