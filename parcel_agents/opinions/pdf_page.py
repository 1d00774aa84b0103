"""PDF: what PDFium draws on a page: runs of glyphs with their places, drawn lines, pictures."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from ctypes import byref, c_double, c_float
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from parcel_agents.errors import OpinionError
from parcel_agents.opinions.characters import clean

_LETTER = re.compile(r"[^\W\d_]")
_MIN_RULE = 36.0
_MAX_RULE_HEIGHT = 2.0
_MAX_DEPTH = 8
"""Forms within forms deeper than this draw no rule that matters."""
_LEVEL = 0.02
"""Text whose base line rises or falls by more than this share of its length runs across the page."""
# PDFium writes U+0002 for a hyphen at a line's end; a hyphen that is drawn is one, whatever a font's table calls it.
_GLYPHS = {
    "\u0002": "-", "\u00ad": "-", "\u2010": "-", "\u2011": "-", "\ufffe": "-",
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
}  # fmt: skip

Place = tuple[float, float]
Turn = Callable[[float, float], Place]


class Glyph(NamedTuple):
    """A drawn character: from where to where it reaches, in points."""

    text: str
    x: float
    end: float
    blank: float
    """Where a blank begins that the file has before it, whether or not there is room for one; else infinite."""


@dataclass
class Run:
    """Glyphs of one size on one base line, in the order of the file; `y` grows upwards."""

    y: float
    size: float
    glyphs: list[Glyph]

    @property
    def x(self) -> float:
        """Where it begins."""
        return self.glyphs[0].x

    @property
    def end(self) -> float:
        """Where it ends."""
        return self.glyphs[-1].end

    @property
    def text(self) -> str:
        """Its characters without blanks."""
        return "".join(glyph.text for glyph in self.glyphs)


@dataclass(frozen=True)
class Rule:
    """A horizontal line that is drawn on the page."""

    x: float
    y: float
    width: float


@dataclass
class Sheet:
    """A page of the file."""

    number: int
    """Counted from 1."""
    width: float
    height: float
    runs: list[Run] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    picture: float = 0.0
    """The share of the page that its largest picture covers."""

    @property
    def letters(self) -> int:
        """How many letters stand on the page."""
        return sum(len(_LETTER.findall(run.text)) for run in self.runs)


def read_sheet(page: Any, number: int, limit: int) -> Sheet:
    """What stands on a page, upright whichever way the file turns it; text that runs across it is left out.

    Args:
        page: a page of pypdfium2.
        number: of the page, counted from 1.
        limit: how many characters a page may have.

    Raises:
        OpinionError: the page has more.
    """
    left, bottom, right, top = page.get_cropbox()
    rotation = page.get_rotation() % 360
    width, height = right - left, top - bottom
    across = rotation in {90, 270}
    sheet = Sheet(number, height if across else width, width if across else height)
    turn = _upright(rotation, left, bottom, width, height)
    text = page.get_textpage()
    try:
        if (chars := text.count_chars()) > limit:
            raise OpinionError(f"page {number} is too large ({chars:,} characters, limit {limit:,}); take it out")
        sheet.runs.extend(_runs(text, turn, sheet))
    finally:
        text.close()
    _take_drawings(page, turn, sheet)
    return sheet


def _upright(rotation: int, left: float, bottom: float, width: float, height: float) -> Turn:
    """What puts a place of the file on the upright page, whose corner is at zero."""
    turns: dict[int, Turn] = {
        90: lambda x, y: (y - bottom, left + width - x),
        180: lambda x, y: (left + width - x, bottom + height - y),
        270: lambda x, y: (bottom + height - y, x - left),
    }
    return turns.get(rotation, lambda x, y: (x - left, y - bottom))


def _runs(text: Any, turn: Turn, sheet: Sheet) -> Iterator[Run]:
    run: Run | None = None
    for glyph, y, size in _glyphs(text, turn):
        if not (-size < y < sheet.height + size and -size < glyph.x < sheet.width + size):
            continue
        last = run.glyphs[-1] if run else None
        if run and last and abs(y - run.y) <= 0.05 * size and abs(size - run.size) <= 0.04 * size:
            if (glyph.x, glyph.end) == (last.x, last.end):  # the letters of a ligature
                run.glyphs[-1] = last._replace(text=last.text + glyph.text)
                continue
            if -0.5 * size < glyph.x - last.end < size:
                run.glyphs.append(glyph)
                continue
        if run:
            yield run
        run = Run(y, size, [glyph])
    if run:
        yield run


def _glyphs(text: Any, turn: Turn) -> Iterator[tuple[Glyph, float, float]]:
    """The glyphs of a page with base line and size; blanks are told by the next glyph."""
    import pypdfium2.raw as pdfium

    box, matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
    x, y = c_double(), c_double()
    to_box, to_matrix, to_x, to_y = byref(box), byref(matrix), byref(x), byref(y)
    handle = text.raw
    blank, size, before = math.inf, 0.0, (0.0, 0.0, 0.0)
    for index in range(pdfium.FPDFText_CountChars(handle)):
        char = _character(pdfium.FPDFText_GetUnicode(handle, index))
        if not char or (char == " " and pdfium.FPDFText_IsGenerated(handle, index) == 1):
            continue
        if not (
            pdfium.FPDFText_GetLooseCharBox(handle, index, to_box)
            and pdfium.FPDFText_GetCharOrigin(handle, index, to_x, to_y)
        ):
            continue
        at, up = turn(x.value, y.value)
        (near, low), (far, high) = turn(box.left, box.bottom), turn(box.right, box.top)
        # What stands on the same line and is as high has the same type; asking costs time.
        if before != (up, low, high):
            pdfium.FPDFText_GetMatrix(handle, index, to_matrix)
            ahead, above = turn(x.value + matrix.a, y.value + matrix.b)
            level = abs(above - up) <= _LEVEL * (ahead - at)
            size = pdfium.FPDFText_GetFontSize(handle, index) * math.hypot(matrix.c, matrix.d) * level
            before = (up, low, high)
        if size <= 0 or not math.isfinite(size + near + far + up):
            continue
        if char == " ":
            blank = min(blank, at)
            continue
        yield Glyph(char, min(near, far), max(near, far), blank), up, size
        blank = math.inf


@cache
def _character(code: int) -> str:
    """What a character is for a reader: a blank is one blank, what shows nothing is empty."""
    char = chr(code)
    char = _GLYPHS.get(char) or clean(char)
    return char if not char or char.strip() else " "


def _take_drawings(page: Any, turn: Turn, sheet: Sheet) -> None:
    import pypdfium2.raw as pdfium

    bounds = [c_float() for _ in range(4)]
    waiting = [
        (pdfium.FPDFPage_GetObject(page.raw, index), 0) for index in range(pdfium.FPDFPage_CountObjects(page.raw))
    ]
    while waiting:
        drawn, depth = waiting.pop()
        kind = pdfium.FPDFPageObj_GetType(drawn)
        if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
            count = pdfium.FPDFFormObj_CountObjects(drawn)
            waiting += [(pdfium.FPDFFormObj_GetObject(drawn, index), depth + 1) for index in range(count)]
        elif kind in {pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE}:
            if not pdfium.FPDFPageObj_GetBounds(drawn, *map(byref, bounds)):
                continue
            left, bottom, right, top = (bound.value for bound in bounds)
            (x, y), (end, height) = turn(left, bottom), turn(right, top)
            x, end, y, height = min(x, end), max(x, end), min(y, height), max(y, height)
            if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                share = (end - x) * (height - y) / max(sheet.width * sheet.height, 1.0)
                sheet.picture = max(sheet.picture, share)
            elif height - y <= _MAX_RULE_HEIGHT and end - x >= _MIN_RULE:
                sheet.rules.append(Rule(x, y, end - x))
