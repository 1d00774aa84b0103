"""PDF: from bytes to pages, by pypdf.

Everything that can be wrong with such a file becomes an `OpinionError` here; pypdf itself says that broken files may
raise any exception.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from parcel_agents.errors import MissingDependencyError, OpinionError
from parcel_agents.opinions.pdf_page import Sheet, read_sheet

if TYPE_CHECKING:
    from pypdf import PdfReader

MAX_PAGES = 1_000
MAX_CHARS = 5_000_000
MAX_PAGE_BYTES = 5_000_000
"""A page with a larger description than this draws pictures; reading it would take minutes."""
MIN_LETTERS = 10
"""A text layer with fewer letters than this holds a stamp or a page number and not the text of the pages."""
_EOF = b"%%EOF"
_TAIL = 4_096
"""Bytes at the end of the file within which its end mark must stand."""
_T = TypeVar("_T")


def read_sheets(data: bytes) -> list[Sheet]:
    """The pages of a PDF with the text on each.

    Raises:
        OpinionError: the file is no PDF, cut off, broken, encrypted or too large, or pages are pictures without text.
        MissingDependencyError: pypdf is not installed.
    """
    reader = _open(data)
    pages = _tried(lambda: len(reader.pages))
    if pages == 0:
        raise OpinionError("is a PDF without pages; get the file again")
    if pages > MAX_PAGES:
        raise OpinionError(f"has {pages:,} pages, too many for one document (limit {MAX_PAGES:,}); split the file")
    sheets: list[Sheet] = []
    chars = 0
    for index in range(pages):
        sheet = _tried(partial(_sheet, reader, index))
        chars += sum(len(piece.text) for piece in sheet.pieces)
        if chars > MAX_CHARS:
            raise OpinionError(f"holds more than {MAX_CHARS:,} characters, too many for one document; split the file")
        sheets.append(sheet)
    _require_text(sheets)
    return sheets


def _open(data: bytes) -> PdfReader:
    try:
        import pypdf
    except ImportError as error:
        raise MissingDependencyError(
            "reading PDF needs pypdf; install it with: pip install 'parcel-agents[docs]'"
        ) from error
    # What pypdf repairs on its way is no message for a user; a handler keeps it off the terminal.
    log = logging.getLogger("pypdf")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    start = data[:1024].lstrip()
    if b"%PDF-" not in data[:1024]:
        kind = "it begins like a web page; " if start[:1] == b"<" else "is it empty? " if not start else ""
        raise OpinionError(f"is no PDF despite its ending ({kind}expected %PDF at its start); get the file again")
    if _EOF not in data[-_TAIL:]:
        raise OpinionError("is cut off: the end of the PDF is missing; get the file again")
    reader = _tried(lambda: pypdf.PdfReader(io.BytesIO(data)))
    if _tried(lambda: reader.is_encrypted) and not _tried(lambda: bool(reader.decrypt(""))):
        raise OpinionError("is encrypted and needs a password; save it without one and give that file")
    return reader


def _tried(action: Callable[[], _T]) -> _T:
    from pypdf.errors import DependencyError

    try:
        return action()
    except OpinionError:
        raise
    except DependencyError as error:
        raise MissingDependencyError(
            "the PDF is encrypted in a way that needs more than pypdf; "
            "install it with: pip install 'parcel-agents[docs]'"
        ) from error
    except Exception as error:
        raise OpinionError(
            f"is a broken PDF ({type(error).__name__}: {str(error)[:120]}); get the file again"
        ) from error


def _require_text(sheets: Sequence[Sheet]) -> None:
    if sum(sheet.letters for sheet in sheets) < MIN_LETTERS:
        raise OpinionError(
            f"has {len(sheets)} page{'s' * (len(sheets) > 1)} but no text: it is a scan; run OCR first (ocrmypdf)"
        )
    # An opinion that is read in part would look like one that says nothing of the matter.
    scans = [sheet.number for sheet in sheets if sheet.has_picture and not sheet.letters]
    if scans:
        named = ", ".join(str(number) for number in scans[:10]) + (" ..." if len(scans) > 10 else "")
        pages = f"page {named} is a picture" if len(scans) == 1 else f"pages {named} are pictures"
        raise OpinionError(f"{pages} without text; run OCR on the file first (ocrmypdf --skip-text)")


def _sheet(reader: PdfReader, index: int) -> Sheet:
    page, number = reader.pages[index], index + 1
    contents = page.get_contents()
    if contents is not None and (size := len(contents.get_data())) > MAX_PAGE_BYTES:
        raise OpinionError(f"page {number} is too large ({size:,} bytes, limit {MAX_PAGE_BYTES:,}); take it out")
    return read_sheet(page, number)
