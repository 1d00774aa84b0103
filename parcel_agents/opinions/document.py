"""From a file of any known kind to its paragraphs: the step that opinions and briefs have in common."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from parcel_agents.errors import OpinionError
from parcel_agents.opinions.blocks import Block, Document
from parcel_agents.opinions.characters import clean, decode
from parcel_agents.opinions.describe import describe_text
from parcel_agents.opinions.docx import read_docx
from parcel_agents.opinions.html import read_html
from parcel_agents.opinions.markdown import read_markdown
from parcel_agents.opinions.page_marks import starred_pages
from parcel_agents.opinions.pdf import read_pdf
from parcel_agents.opinions.plain import read_plain
from parcel_agents.opinions.publisher import is_export, read_export, with_publisher_parts, without_headnote_marks
from parcel_agents.opinions.records import Record, Section, html_suffix, read_record

__all__ = ["MAX_BYTES", "READERS", "SUFFIXES", "Document", "read_document", "read_text"]

MAX_BYTES = 10_000_000
"""A file larger than this is no single opinion; the longest of the Supreme Court are well under a tenth of it."""

READERS: dict[str, Callable[[str], Document]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".txt": read_plain,
    ".html": read_html,
    ".htm": read_html,
    ".xhtml": read_html,
    ".xml": read_html,
}
BINARY_READERS: dict[str, Callable[[bytes], Document]] = {".pdf": read_pdf, ".docx": read_docx}
SUFFIXES = (*READERS, ".json", *BINARY_READERS)
"""The endings of all files that can be read."""
_ADVICE = {
    ".doc": "is an old Word file; save it as .docx",
    ".rtf": "is a rich-text file; save it as .docx",
    ".odt": "is an OpenDocument file; save it as .docx",
    ".wpd": "is a WordPerfect file; save it as .docx or .pdf",
}

# Text that was taken out of a page with its tags removed and its characters left in code.
_ENTITY = re.compile(r"&(?:amp|quot|lt|gt|nbsp|sect|para|#\d{2,5});")


def read_document(path: Path) -> Document:
    """The paragraphs of a file; the reader is chosen by the file's ending.

    Raises:
        OpinionError: the file is missing, empty, broken, too large or of an unknown kind.
        MissingDependencyError: the library that reads this kind of file is not installed.
    """
    suffix, where = path.suffix.lower(), str(path)
    data = _bytes(path)
    if advice := _ADVICE.get(suffix):
        raise OpinionError(f"{where}: {advice}")
    if reader := BINARY_READERS.get(suffix):
        return with_publisher_parts(_located(lambda: reader(data), where))
    if data.startswith(b"%PDF-"):
        raise OpinionError(f"{where}: is a PDF; name it .pdf")
    return read_text(decode(data, where), suffix, where)


def read_text(text: str, suffix: str, where: str) -> Document:
    """The paragraphs of a text that a file of this ending would hold; `where` names it in errors.

    Raises:
        OpinionError: the ending is unknown, or the text is not what the ending says.
    """
    record = read_record(text, where) if suffix == ".json" else Record([Section(text, html_suffix(text, suffix))])
    documents = [_section_document(section, where) for section in record.sections]
    only = record.sections[0]
    if len(documents) == 1:
        document = documents[0]
        return replace(document, fields={**document.fields, **record.fields}, kind=only.kind or document.kind)
    return _joined(documents, record)


def _section_document(section: Section, where: str) -> Document:
    reader = READERS.get(section.suffix)
    if reader is None:
        if advice := _ADVICE.get(section.suffix):
            raise OpinionError(f"{where}: {advice}")
        raise OpinionError(f"{where}: cannot read files ending in {section.suffix!r}; known: {', '.join(SUFFIXES)}")
    text = without_headnote_marks(clean(section.text))
    if reader is read_plain:
        text = starred_pages(_ENTITY.sub(lambda found: html.unescape(found.group()), text))
        reader = read_export if is_export(text) else reader
    document = with_publisher_parts(_located(lambda: reader(text), where))
    if section.suffix == ".txt":
        document = replace(document, fields={**describe_text(text), **document.fields})
    return document


def _joined(documents: Sequence[Document], record: Record) -> Document:
    """One document of several texts, each of which begins with a block that says whose it is."""
    blocks: list[Block] = []
    fields: dict[str, str] = {}
    for document, section in zip(documents, record.sections, strict=True):
        own = [block for block in document.blocks if block.text or block.marks]
        if section.kind == "front":
            fields |= document.fields
            blocks += [replace(block, matter=True) for block in own]
            continue
        first = next((index for index, block in enumerate(own) if block.text and block.note is None), None)
        if first is not None and own[first].kind is None:
            own[first] = replace(own[first], kind=section.kind or "unknown", author=section.author)
        blocks += own
    doubts = tuple(dict.fromkeys(doubt for document in documents for doubt in document.doubts))
    return Document(blocks, fields={**fields, **record.fields}, doubts=doubts)


def _located(read: Callable[[], Document], where: str) -> Document:
    try:
        return read()
    except OpinionError as error:
        raise OpinionError(f"{where}: {error}") from error


def _bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise OpinionError(f"{path}: is a folder; give the file of one opinion")
        size = path.stat().st_size
        if not path.is_file():
            raise OpinionError(f"{path}: is no regular file; save the opinion to a file and give that")
        if size > MAX_BYTES:
            raise OpinionError(
                f"{path}: {size:,} bytes is too large for one opinion (limit {MAX_BYTES:,}); split the file"
            )
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise OpinionError(f"{path}: cannot be read ({reason}); check the path and its permissions") from error
