"""Paragraphs of a source without its marks, the common language of all readers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from parcel_agents.opinions.words import belong_together
from parcel_agents.types import PartKind

MarkKind = Literal["reporter_page", "slip_page", "paragraph", "note_call"]

# The marks of the New York Official Reports: {**43 NY3d at 324} (since 2025 {324}) begins a printed page, [*2] a
# page of the slip opinion, [FN1] calls a footnote (in text dumps behind the number of a link: ^[3][FN1]).
MARKS = re.compile(
    r"\{(?: ?\*\*(?=[^{}]*\d))?(?P<reporter_page>(?<=\*\*)[^{}]{1,60}|\d{1,4})\}"
    r"|\[\\?\*(?P<slip_page>\d{1,4})\]"
    r"|\^?(?:\[\d{1,4}\])?\[FN\s?(?P<note_call>[^\]\s]{1,4})\]"
)
_WORD_MAX = 30
_LAST_WORD = re.compile(r"\w+\Z")
_FIRST_WORD = re.compile(rf"\w{{1,{_WORD_MAX}}}")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class Mark:
    """A mark taken out of the text: where it stood in its block, and what it said."""

    offset: int
    kind: MarkKind
    value: str


@dataclass(frozen=True)
class Block:
    """A paragraph, heading or footnote paragraph; white space is collapsed, a hard line break stays a newline."""

    text: str
    marks: tuple[Mark, ...] = ()
    note: str | None = None
    """The mark of the footnote this paragraph belongs to."""
    begins_note: bool = False
    """True for a footnote's first paragraph: two notes in a row may bear the same mark."""
    kind: PartKind | None = None
    """Whose voice begins here, where the source says so by markup."""
    author: str | None = None
    """Whose opinion begins here, where the source says so by markup."""
    heading: bool = False
    """True for the title of the document."""
    matter: bool = False
    """True for lines about the case (counsel, dates of filing) that the source marks as no part of an opinion."""

    def split(self, end: int, start: int) -> tuple[Block, Block]:
        """The text before `end` and the text from `start` on as two blocks; only white space stands between."""
        ahead = tuple(mark for mark in self.marks if mark.offset <= end)
        behind = tuple(replace(mark, offset=max(0, mark.offset - start)) for mark in self.marks if mark.offset > end)
        return (
            replace(self, text=self.text[:end], marks=ahead),
            Block(self.text[start:], behind, note=self.note, matter=self.matter),
        )


@dataclass(frozen=True)
class Document:
    """What a reader makes of a file, before anyone asks whether it is an opinion."""

    blocks: Sequence[Block]
    """Paragraphs without marks; footnotes that the source marks as such bear their label."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Name, citation, court, date and author, where the source states them by its structure."""
    kind: PartKind | None = None
    """Whose voice the document is, where the source states it by its structure."""
    doubts: tuple[str, ...] = ()
    """What the reader had to guess, each in a sentence for the user."""

    @property
    def paragraphs(self) -> list[str]:
        """The text of the blocks: notes after the rest, in the order of the document."""
        blocks = with_text(self.blocks)
        ordered = sorted(blocks, key=lambda block: block.note is not None)
        return [block.text for block in ordered]


@dataclass
class BlockWriter:
    """Collects text and marks into blocks."""

    words: Collection[str] = frozenset()
    """The vocabulary of the source, which tells whether a page mark divides a word or stands for a blank."""
    blocks: list[Block] = field(default_factory=list)
    note: str | None = None
    """Footnote that the blocks to come belong to."""
    matter: bool = False
    """True while the text written is about the case and not of an opinion."""
    _begins_note: bool = False
    _pieces: list[str] = field(default_factory=list)
    _length: int = 0
    _marks: list[Mark] = field(default_factory=list)
    _kind: PartKind | None = None
    _author: str | None = None

    @property
    def tail(self) -> str:
        """The last piece of text of the block that is being written."""
        return self._pieces[-1] if self._pieces else ""

    def write(self, text: str) -> None:
        """Append text, taking out the New York marks in it."""
        position = 0
        for match in MARKS.finditer(text):
            self._append(text[position : match.start()])
            kind: MarkKind
            for kind in ("reporter_page", "slip_page", "note_call"):
                if match[kind] is not None:
                    self.mark(kind, match[kind])
            position = match.end()
            before = _LAST_WORD.search(text, max(0, match.start() - _WORD_MAX), match.start())
            after = _FIRST_WORD.match(text, position)
            if before and after and not belong_together(before.group(), after.group(), self.words):
                self._append(" ")
        self._append(text[position:])

    def mark(self, kind: MarkKind, value: str) -> None:
        """Note a mark at the present place."""
        self._marks.append(Mark(self._length, kind, _SPACES.sub(" ", value).strip()))

    def line_break(self) -> None:
        """A hard line break; two in a row end the block."""
        if self.tail.endswith("\n"):
            self.end_block()
        elif self._pieces:
            end = self.tail.rstrip() + "\n"
            self._length += len(end) - len(self.tail)
            self._pieces[-1] = end

    def begin(self, kind: PartKind, author: str | None = None) -> None:
        """Say that the next block begins a part of this kind, by this author."""
        self.end_block()
        self._kind, self._author = kind, author

    def begin_note(self, label: str) -> None:
        """Say that the blocks to come are a footnote, until `note` is set back."""
        self.end_block()
        self.note, self._begins_note = label, True

    def end_block(self, *, heading: bool = False) -> None:
        """Close the block; nothing happens where there is neither text nor a mark."""
        text = "".join(self._pieces).rstrip()
        if text or self._marks:
            marks = tuple(Mark(min(mark.offset, len(text)), mark.kind, mark.value) for mark in self._marks)
            block = Block(text, marks, self.note, self._begins_note, self._kind, self._author, heading, self.matter)
            self.blocks.append(block if text else Block(text, marks, self.note))
        if text:
            self._kind, self._author, self._begins_note = None, None, False
        self._pieces, self._length, self._marks = [], 0, []

    def _append(self, text: str) -> None:
        text = _SPACES.sub(" ", text)
        if not self._pieces or self.tail[-1] in " \n":
            text = text.lstrip()
        if text:
            self._pieces.append(text)
            self._length += len(text)


def with_text(blocks: Sequence[Block]) -> list[Block]:
    """The blocks that have text; what stood in an empty one (page marks, a note's label) moves to the next."""
    kept: list[Block] = []
    waiting: tuple[Mark, ...] = ()
    begins_note = False
    for block in blocks:
        begins_note |= block.begins_note
        if block.text:
            kept.append(replace(block, marks=waiting + block.marks, begins_note=begins_note))
            waiting, begins_note = (), False
        else:
            waiting += tuple(replace(mark, offset=0) for mark in block.marks)
    return kept


def starts(blocks: Sequence[Block], separator: str = "\n\n") -> Iterator[int]:
    """The offset of each block in the blocks' texts joined by the separator."""
    offset = 0
    for block in blocks:
        yield offset
        offset += len(block.text) + len(separator)
