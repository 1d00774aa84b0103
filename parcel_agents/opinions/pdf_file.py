"""PDF: from bytes to pages, by PDFium.

Everything that can be wrong with such a file becomes an `OpinionError` here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from threading import Lock
from typing import Any

from parcel_agents.errors import MissingDependencyError, OpinionError
from parcel_agents.opinions.pdf_damage import mend_encoding, mend_ligatures
from parcel_agents.opinions.pdf_page import Sheet, read_sheet

MAX_PAGES = 1_000
MAX_CHARS = 5_000_000
MAX_PAGE_CHARS = 200_000
"""A page with more characters than this is no page of an opinion; placing them would take long."""
MIN_LETTERS = 10
"""A text layer with fewer letters than this holds a stamp or a page number and not the text of the pages."""
_EOF = b"%%EOF"
_TAIL = 4_096
"""Bytes at the end of the file within which its end mark must stand."""
_ONE_AT_A_TIME = Lock()
"""PDFium may not be called by two threads at once."""


def read_sheets(data: bytes) -> list[Sheet]:
    """The pages of a PDF with the text on each.

    Raises:
        OpinionError: the file is no PDF, cut off, broken, encrypted or too large, or pages are pictures without text.
        MissingDependencyError: pypdfium2 is not installed.
    """
    _require_pdf(data)
    try:
        import pypdfium2
    except ImportError as error:
        raise MissingDependencyError(
            "reading PDF needs pypdfium2; install it with: pip install 'parcel-agents[docs]'"
        ) from error
    with _ONE_AT_A_TIME, _told(), closing(pypdfium2.PdfDocument(data)) as document:
        pages = len(document)
        if pages == 0:
            raise OpinionError("is a PDF without pages; get the file again")
        if pages > MAX_PAGES:
            raise OpinionError(f"has {pages:,} pages, too many for one document (limit {MAX_PAGES:,}); split the file")
        sheets = list(_sheets(document))
        mend_ligatures(document, sheets)
    mend_encoding(sheets)
    _require_text(sheets)
    return sheets


def _require_pdf(data: bytes) -> None:
    start = data[:1024].lstrip()
    if b"%PDF-" not in data[:1024]:
        kind = "it begins like a web page; " if start[:1] == b"<" else "is it empty? " if not start else ""
        raise OpinionError(f"is no PDF despite its ending ({kind}expected %PDF at its start); get the file again")
    if _EOF not in data[-_TAIL:]:
        raise OpinionError("is cut off: the end of the PDF is missing; get the file again")


@contextmanager
def _told() -> Iterator[None]:
    """Says what PDFium cannot read as an `OpinionError`."""
    import pypdfium2
    import pypdfium2.raw as pdfium

    try:
        yield
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD:
            raise OpinionError("is encrypted and needs a password; save it without one and give that file") from error
        raise OpinionError(f"is a broken PDF ({str(error)[:120]}); get the file again") from error


def _sheets(document: Any) -> Iterator[Sheet]:
    chars = 0
    for index in range(len(document)):
        with closing(document[index]) as page:
            sheet = read_sheet(page, index + 1, MAX_PAGE_CHARS)
        chars += sum(len(run.glyphs) for run in sheet.runs)
        if chars > MAX_CHARS:
            raise OpinionError(f"holds more than {MAX_CHARS:,} characters, too many for one document; split the file")
        yield sheet


def _require_text(sheets: Sequence[Sheet]) -> None:
    if sum(sheet.letters for sheet in sheets) < MIN_LETTERS:
        raise OpinionError(
            f"has {len(sheets)} page{'s' * (len(sheets) > 1)} but no text: it is a scan; run OCR first (ocrmypdf)"
        )
    require_no_scans([sheet.number for sheet in sheets if sheet.picture and not sheet.letters])


def require_no_scans(scans: Sequence[int]) -> None:
    """Refuse pages, named by their numbers, that are pictures without text.

    Raises:
        OpinionError: there are such pages; read in part, an opinion would look like one that says nothing of a matter.
    """
    if scans:
        named = ", ".join(str(number) for number in scans[:10]) + (" ..." if len(scans) > 10 else "")
        pages = f"page {named} is a picture" if len(scans) == 1 else f"pages {named} are pictures"
        raise OpinionError(f"{pages} without text; run OCR on the file first (ocrmypdf --skip-text)")
