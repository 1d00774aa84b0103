"""DOCX: paragraphs, tables, footnotes and endnotes of a Word file, as it stands with all changes accepted.

python-docx opens the package; the paragraphs are walked by hand, because it shows neither notes nor tracked changes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from parcel_agents.errors import MissingDependencyError, OpinionError
from parcel_agents.opinions.blocks import Block, BlockWriter, Document
from parcel_agents.opinions.characters import clean
from parcel_agents.opinions.docx_file import W, check_package, notes_of
from parcel_agents.opinions.words import vocabulary

_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
# What has been deleted or moved away, and what programs put beside the text.
_SKIPPED = frozenset(
    [f"{W}{name}" for name in "del moveFrom pPr rPr instrText delText sectPr tblPr tcPr trPr object".split()]
    + [f"{_MC}Fallback"]
)
_NOTE_KINDS = {f"{W}footnoteReference": "footnote", f"{W}endnoteReference": "endnote"}
_TITLE_STYLES = frozenset(("title", "titel"))
_MAX_DEPTH = 200


def read_docx(data: bytes) -> Document:
    """The blocks of a Word file, footnotes and endnotes last; page breaks are marked as slip pages.

    Raises:
        OpinionError: the file is no Word file, is broken, protected by a password or too large, or holds no text.
        MissingDependencyError: python-docx is not installed.
    """
    try:
        import docx
    except ImportError as error:
        raise MissingDependencyError(
            "reading DOCX needs python-docx; install it with: pip install 'parcel-agents[docs]'"
        ) from error
    check_package(data)
    try:
        document = docx.Document(io.BytesIO(data))
        notes = {
            kind: notes_of(part.blob, kind)
            for relation in document.part.rels.values()
            if not relation.is_external
            for kind in ("footnote", "endnote")
            if relation.reltype.endswith(f"/{kind}s") and (part := relation.target_part)
        }
        return Document(_Walker(notes).read(document.element.body))
    except OpinionError:
        raise
    except Exception as error:
        raise OpinionError(
            f"is a broken Word file ({type(error).__name__}: {str(error)[:120]}); open it in Word and save it again"
        ) from error


class _Walker:
    """Writes the elements of a document as blocks."""

    def __init__(self, notes: dict[str, dict[str, Any]]) -> None:
        self._notes = notes
        self._called: list[tuple[str, Any]] = []
        self._counts = {"footnote": 0, "endnote": 0}
        self._page = 1
        self._pages_rendered = False
        self._custom_mark: Any = None
        self._title_seen = False
        self.writer = BlockWriter()

    def read(self, body: Any) -> list[Block]:
        texts = [element.text or "" for element in body.iter(f"{W}t")]
        self.writer = BlockWriter(words=vocabulary("\n".join(texts)))
        # Word notes where its pages ended when the file was last saved; else only the breaks set by hand are known.
        self._pages_rendered = next(body.iter(f"{W}lastRenderedPageBreak"), None) is not None
        if self._pages_rendered or next(_page_breaks(body), None) is not None:
            self.writer.mark("slip_page", "1")
        self._blocks(body, 0)
        self.writer.end_block()
        for label, note in self._called:
            self.writer.begin_note(label)
            self._blocks(note, 0)
        self.writer.end_block()
        return self.writer.blocks

    def _blocks(self, parent: Any, depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise OpinionError("is nested too deeply; open it in Word and save it again")
        for element in parent:
            if element.tag == f"{W}p":
                self._paragraph(element, depth)
            elif element.tag == f"{W}tr":
                self._row(element, depth)
            elif element.tag not in _SKIPPED and isinstance(element.tag, str):
                self._blocks(element, depth + 1)

    def _row(self, row: Any, depth: int) -> None:
        """The cells of a table's row are paragraphs of their own."""
        if row.find(f"{W}trPr/{W}del") is None:
            self._blocks(row, depth + 1)

    def _paragraph(self, paragraph: Any, depth: int) -> None:
        self._custom_mark = None
        if _flag(paragraph.find(f"{W}pPr/{W}pageBreakBefore")) and not self._pages_rendered:
            self._begin_page()
        boxes: list[Any] = []
        self._runs(paragraph, depth + 1, boxes)
        title = _style(paragraph) in _TITLE_STYLES and not self._title_seen
        self._title_seen |= title
        # Where the mark at a paragraph's end has been deleted, the next one goes on in it.
        if paragraph.find(f"{W}pPr/{W}rPr/{W}del") is None:
            self.writer.end_block(heading=title)
        for box in boxes:
            self._blocks(box, depth + 1)

    def _runs(self, parent: Any, depth: int, boxes: list[Any]) -> None:
        if depth > _MAX_DEPTH:
            raise OpinionError("is nested too deeply; open it in Word and save it again")
        for element in parent:
            tag = element.tag
            if tag in _SKIPPED or not isinstance(tag, str):
                continue
            if tag == f"{W}r" and _flag(element.find(f"{W}rPr/{W}vanish")):
                continue
            if tag == f"{W}t":
                self._text(element.text or "")
            elif tag == f"{W}txbxContent":
                boxes.append(element)
            elif tag in _NOTE_KINDS:
                self._call(element, _NOTE_KINDS[tag])
            elif tag == f"{W}lastRenderedPageBreak" or (tag == f"{W}br" and element.get(f"{W}type") == "page"):
                if (tag == f"{W}br") != self._pages_rendered:
                    self._begin_page()
            elif tag in {f"{W}br", f"{W}cr"}:
                self.writer.line_break()
            elif tag in {f"{W}tab", f"{W}ptab"}:
                self.writer.write(" ")
            elif tag == f"{W}noBreakHyphen":
                self.writer.write("-")
            elif len(element):
                self._runs(element, depth + 1, boxes)

    def _text(self, text: str) -> None:
        if self._custom_mark is not None:
            # A mark that the author chose stands in the text behind its call.
            label, self._custom_mark = text.strip()[:4], None
            self._called[-1] = (label or "*", self._called[-1][1])
            self.writer.mark("note_call", label or "*")
            return
        self.writer.write(clean(text))

    def _call(self, element: Any, kind: str) -> None:
        note = self._notes.get(kind, {}).get(element.get(f"{W}id", ""))
        if note is None:
            return
        if _truth(element.get(f"{W}customMarkFollows", "0")):
            self._called.append(("*", note))
            self._custom_mark = element
            return
        self._counts[kind] += 1
        number = self._counts[kind]
        label = str(number) if kind == "footnote" else _roman(number)
        self._called.append((label, note))
        self.writer.mark("note_call", label)

    def _begin_page(self) -> None:
        self._page += 1
        self.writer.mark("slip_page", str(self._page))


def _page_breaks(body: Any) -> Iterator[Any]:
    for tag in ("br", "pageBreakBefore"):
        for element in body.iter(f"{W}{tag}"):
            if tag == "pageBreakBefore" or element.get(f"{W}type") == "page":
                yield element


def _style(paragraph: Any) -> str:
    style = paragraph.find(f"{W}pPr/{W}pStyle")
    return "" if style is None else str(style.get(f"{W}val", "")).lower()


def _flag(element: Any) -> bool:
    return element is not None and _truth(element.get(f"{W}val", "1"))


def _truth(value: str) -> bool:
    return value.lower() not in {"0", "false", "off"}


def _roman(number: int) -> str:
    digits = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
    text = "x" * (number // 100 * 10)
    number %= 100
    for value, letters in digits:
        text += letters * (number // value)
        number %= value
    return text
