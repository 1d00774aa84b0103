"""PDF: printed pages become paragraphs and footnotes.

The way there: pieces of text with their places (`pdf_file`), lines (`pdf_lines`), running heads and page numbers out
(`pdf_furniture`), footnotes apart (`pdf_notes`), paragraphs (`pdf_paragraphs`).
"""

from __future__ import annotations

from collections.abc import Sequence

from parcel_agents.opinions.blocks import BlockWriter, Document
from parcel_agents.opinions.line_ends import LineEnds
from parcel_agents.opinions.pdf_file import read_sheets, require_no_scans
from parcel_agents.opinions.pdf_furniture import without_furniture, without_watermarks
from parcel_agents.opinions.pdf_lines import Line, rows_of
from parcel_agents.opinions.pdf_notes import Page, PageNote, Type, take_notes
from parcel_agents.opinions.pdf_paragraphs import Column, Paragraphs, columns_of

_SCAN_SHARE = 0.5
"""A picture that covers more of a page than this is the page."""


def read_pdf(data: bytes) -> Document:
    """The blocks of a PDF, footnotes last; the places where its pages begin are marked as slip pages.

    Raises:
        OpinionError: the file is no PDF, cut off, broken, encrypted or too large, or pages are pictures without text.
        MissingDependencyError: pypdfium2 is not installed.
    """
    sheets = read_sheets(data)
    without_watermarks(sheets)
    cleaned = without_furniture(sheets, [rows_of(sheet) for sheet in sheets])
    # A stamp over the picture of a page is no text of it.
    require_no_scans([page.sheet.number for page in cleaned if page.sheet.picture > _SCAN_SHARE and not page.rows])
    usual = Type.of([[row.lines[0] for row in page.rows] for page in cleaned])
    pages = take_notes(cleaned, usual)
    lines = [line for page in pages for row in page.rows for line in row.lines]
    notes = [line for page in pages for note in page.notes for line in note.lines]
    ends = LineEnds.of([line.text for line in (*lines, *notes)])
    writer = BlockWriter(words=ends.words)
    body = Paragraphs(writer, ends, usual, _width(lines, usual))
    for page in pages:
        body.begin_page(page.label)
        body.write(columns_of(page.rows, usual))
    body.end()
    _write_notes(writer, ends, pages)
    return Document(writer.blocks)


def _write_notes(writer: BlockWriter, ends: LineEnds, pages: Sequence[Page]) -> None:
    whole: list[list[PageNote]] = []
    for note in (note for page in pages for note in page.notes):
        if note.label is None and whole:
            whole[-1].append(note)
        else:
            whole.append([note])
    lines = [line for notes in whole for note in notes for line in note.lines]
    usual = Type.of([note.lines for notes in whole for note in notes])
    for notes in whole:
        writer.begin_note(notes[0].label or "*")
        body = Paragraphs(writer, ends, usual, _width(lines, usual))
        for index, note in enumerate(notes):
            body.begin_page(note.page if index else None)
            body.write([Column(tuple(note.lines))])
        body.end()


def _width(lines: Sequence[Line], usual: Type) -> float:
    """How far from the margin the longest tenth of the lines reaches."""
    ends = sorted(line.end - usual.margin for line in lines)
    return ends[len(ends) * 9 // 10] if ends else 0.0
