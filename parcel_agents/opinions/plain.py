"""Plain text, as courts' slip opinions give it: indented paragraphs, lines that end within a sentence or a word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from parcel_agents.opinions.blocks import BlockWriter, Document
from parcel_agents.opinions.headings import is_heading_line, looks_like_head, separate_head
from parcel_agents.opinions.layout import indent_of, is_double_spaced, read_pages
from parcel_agents.opinions.words import belong_together, vocabulary

_INDENT = 2
"""Blanks by which the first line of a paragraph stands in from the line before."""
_DEDENT = 6
"""Blanks by which a line must stand out from a short one (a centred heading, the end of a quotation)."""
_SHORT_SHARE = 0.6
_DIVIDED = re.compile(r"([^\W\d_]{1,30})-$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_ENDED = re.compile(r"(?:^|[.?!:;\])”\"_])\s*$")


def read_plain(source: str) -> Document:
    """The blocks of a text: paragraphs end at an empty line or where a line is indented anew."""
    pages = read_pages(source)
    words = vocabulary(source)
    writer = BlockWriter(words=words)
    body = _Paragraphs(writer, words, _width(line for page in pages for line in page.lines))
    double = is_double_spaced([line for page in pages for line in page.lines])
    for page in pages:
        # A brief's tables are set close and its argument is not, so each page may differ from the whole.
        body.write(_closed_up(page.lines) if double or is_double_spaced(page.lines) else page.lines)
    writer.end_block()
    for note in (note for page in pages for note in page.notes):
        if note.label is not None:
            writer.begin_note(note.label)
        _Paragraphs(writer, words, _width(note.lines)).write(note.lines)
    writer.end_block()
    return Document(writer.blocks)


@dataclass
class _Paragraphs:
    """Writes lines as paragraphs, which go on from page to page."""

    writer: BlockWriter
    words: set[str]
    """Every word of the text, which tells whether a hyphen at a line's end belongs to the word."""
    width: int
    _margin: int | None = None
    """Where the line before begins; None after an empty line."""
    _short: bool = False
    """True if the line before ends far from the right margin."""

    def write(self, lines: Sequence[str]) -> None:
        """Write the lines of one page."""
        new_matter = self._short or (len(lines) > 0 and lines[0].isupper())
        if new_matter and _ENDED.search(self.writer.tail):
            self.writer.end_block()
        for index, line in enumerate(lines):
            text = line.strip()
            if not text:
                self.writer.end_block()
                self._margin = None
                continue
            indent = indent_of(line)
            if self._begins_paragraph(indent):
                self.writer.end_block()
            self._margin = indent
            self._short = len(line.rstrip()) < _SHORT_SHARE * self.width
            if is_heading_line(text) and _ENDED.search(self.writer.tail):
                self.writer.end_block()
                self._margin = None
            following = next((later.strip() for later in lines[index + 1 : index + 4] if later.strip()), "")
            self.writer.write(self._joined(text, following))
            if self._margin is None:
                self.writer.end_block()

    def _begins_paragraph(self, indent: int) -> bool:
        if self._margin is None:
            return False
        return indent >= self._margin + _INDENT or (self._short and indent <= self._margin - _DEDENT)

    def _joined(self, text: str, following: str) -> str:
        """The line as it goes on in the next: a word divided at the line's end becomes whole again."""
        if text.endswith("—"):
            return text
        divided = _DIVIDED.search(text)
        rest = _FIRST_WORD.match(following)
        if not divided or not rest:
            return f"{text} "
        first, last = divided[1], rest.group()
        compound = f"{first}-{last}".lower() in self.words or not belong_together(first, last, self.words)
        return text if compound else text[:-1]


def _closed_up(lines: Sequence[str]) -> list[str]:
    """Double-spaced lines without the empty line between; a larger gap stays, and so do those around headings.

    A heading that is closed up with the text around it would be lost, and the words of a dissent be the Court's.
    """
    before = {index for index, line in enumerate(lines) if line.strip() and _begins_apart(line.strip())}
    after = {index for index in before if is_heading_line(lines[index].strip())}
    return [
        line
        for index, line in enumerate(lines)
        if line.strip()
        or index - 1 in after
        or index + 1 in before
        or (index + 1 < len(lines) and not lines[index + 1].strip())
    ]


def _begins_apart(line: str) -> bool:
    return is_heading_line(line) or separate_head(line) is not None or looks_like_head(line)


def _width(lines: Iterable[str]) -> int:
    """The length that the longest tenth of the lines reaches."""
    lengths = sorted(len(line.rstrip()) for line in lines if line.strip())
    return lengths[len(lengths) * 9 // 10] if lengths else 0
