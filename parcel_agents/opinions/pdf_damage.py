"""PDF: text that a font's table spoils while its glyphs are whole: lost ligatures, marks of another encoding."""

from __future__ import annotations

import io
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from math import inf
from typing import Any

from parcel_agents.opinions.pdf_page import Glyph, Sheet, read_sheet

_LIGATURES = frozenset("ff fi fl ffi ffl".split())
_WIDE = 0.46
_WIDER = 1.35
"""An `f` wider than this many type sizes, and than most by this factor, is drawn as a ligature."""
_BLANK = 0.1
_TABLE, _NO_TABLE = b"/ToUnicode", b"/ToUnicodX"
_MIN_MARKS = 10


def mend_ligatures(document: Any, sheets: Sequence[Sheet]) -> None:
    """Put ligatures right that a font's table calls `f`, by the names of the glyphs.

    PDFium believes the table. Where an `f` is too wide for one, the file is read again without the tables, and of
    that reading only the ligatures at those very places are taken.
    """
    widths = sorted(width for sheet in sheets for width in _widths(sheet)) or [1.0]
    least = max(_WIDE, _WIDER * widths[len(widths) // 10])
    pages = [sheet for sheet in sheets if any(width > least for width in _widths(sheet))]
    if not pages:
        return
    import pypdfium2

    saved = io.BytesIO()
    document.save(saved)
    with closing(pypdfium2.PdfDocument(saved.getvalue().replace(_TABLE, _NO_TABLE))) as unnamed:
        if len(unnamed) != len(document):
            return
        for sheet in pages:
            with closing(unnamed[sheet.number - 1]) as page:
                named = read_sheet(page, sheet.number, sys.maxsize)
            places = {
                (round(glyph.x), round(run.y)): glyph.text
                for run in named.runs
                for glyph in run.glyphs
                if glyph.text in _LIGATURES
            }
            for run in sheet.runs:
                run.glyphs[:] = [
                    glyph._replace(text=places.get((round(glyph.x), round(run.y)), "f")) if glyph.text == "f" else glyph
                    for glyph in run.glyphs
                ]


def mend_encoding(sheets: Sequence[Sheet]) -> None:
    """Read the marks again where a program took the Windows code page for that of the Macintosh: `ì` is `“`."""
    counted = Counter(glyph.text for sheet in sheets for run in sheet.runs for glyph in run.glyphs)
    if counted["ì"] + counted["î"] + counted["í"] < _MIN_MARKS or any(counted[mark] for mark in "“”’"):
        return
    for sheet in sheets:
        for run in sheet.runs:
            run.glyphs[:] = [_of_windows(glyph) for glyph in run.glyphs]


def _of_windows(glyph: Glyph) -> Glyph:
    if glyph.text.isascii():
        return glyph
    try:
        return glyph._replace(text=glyph.text.encode("mac_roman").decode("cp1252"))
    except UnicodeError:
        return glyph


def _widths(sheet: Sheet) -> Iterator[float]:
    """How many type sizes each `f` takes up to the next letter of its word; a slanted one is drawn wider than that."""
    for run in sheet.runs:
        for glyph, following in pairwise(run.glyphs):
            if glyph.text == "f" and following.blank == inf and following.x - glyph.end < _BLANK * run.size:
                yield (following.x - glyph.x) / run.size
