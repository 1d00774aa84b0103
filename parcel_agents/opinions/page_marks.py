"""Where the pages of the printed and of the slip opinion begin in the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from parcel_agents.opinions.blocks import Block, Mark, starts
from parcel_agents.opinions.notes import Note
from parcel_agents.types import PageMark

_PARAGRAPH = re.compile(r"[\[{]{0,2}¶+ ?(\d{1,4})\.?[\]}]{0,2}\.?\s*")
_MIN_PARAGRAPHS = 3
_STAR = re.compile(r"(?<![^\s\[(])\*(\d{1,4})(?=\s)")


def find_pages(blocks: Sequence[Block], notes: Sequence[Note], citation: str | None) -> tuple[PageMark, ...]:
    """The page marks, in order. Each footnote begins with the page on which it is called, as it does in print."""
    offsets = list(starts(blocks))
    pages: list[PageMark] = []
    for block, start in zip(blocks, offsets, strict=True):
        for mark in block.marks:
            if mark.kind != "note_call":
                reporter = mark.kind == "reporter_page"
                numbered = f"¶ {mark.value}" if mark.kind == "paragraph" else f"*{mark.value}"
                page = _full_page(mark.value, citation) if reporter else numbered
                pages.append(PageMark(offset=start + mark.offset, page=page, reporter=reporter))
    in_order = [[page for page in pages if _sort(page) == sort] for sort in ("reporter", "¶", "*")]
    called: list[PageMark] = []
    for note in notes:
        if note.call_block is None or note.call_offset is None:
            continue
        call = offsets[note.call_block] + note.call_offset
        for marks in in_order:
            if index := bisect_right(marks, call, key=lambda page: page.offset):
                called.append(marks[index - 1].model_copy(update={"offset": offsets[note.first]}))
    # Behind a note's beginning stand the marks of the pages on which the note itself goes on.
    return tuple(sorted(called + pages, key=lambda page: page.offset))


def _sort(page: PageMark) -> str:
    return "reporter" if page.reporter else page.page[0]


def with_paragraph_marks(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with the numbers of their paragraphs as marks, in courts whose opinions are cited by paragraph.

    A single number may belong to the text; several that rise do not.
    """
    numbers = [int(found[1]) for block in blocks if (found := _PARAGRAPH.match(block.text))]
    if len(numbers) < _MIN_PARAGRAPHS or numbers != sorted(numbers):
        return list(blocks)
    return [_numbered(block) for block in blocks]


def _numbered(block: Block) -> Block:
    found = _PARAGRAPH.match(block.text)
    if not found or found.end() == len(block.text):
        return block
    moved = tuple(replace(mark, offset=max(0, mark.offset - found.end())) for mark in block.marks)
    return replace(block, text=block.text[found.end() :], marks=(Mark(0, "paragraph", found[1]), *moved))


def starred_pages(text: str) -> str:
    """A text dump with its star pages, such as `*305` within a line, as marks; other asterisks stay.

    Two that follow each other in number make it likely that all are pages.
    """
    found = [int(number) for number in _STAR.findall(text)]
    if not any(after == before + 1 for before, after in pairwise(found)):
        return text
    return _STAR.sub(lambda match: f"{{{match[1]}}}", text)


def without_parallel_pages(blocks: Sequence[Block], first_page: str | None = None) -> list[Block]:
    """The blocks with the page marks of one reporter.

    Some sources do not say of which reporter a mark is. Where numbers fall back, the pages of two reporters
    interleave. Kept is the series that begins nearest behind the first page or, if that is not known, the first.
    """
    marks = [mark for block in blocks if block.note is None for mark in block.marks if _is_bare(mark)]
    series = _series(marks)
    if len(series) < 2:
        return list(blocks)
    first = int(first_page) if first_page and first_page.isdecimal() else None
    # A number that was misread is a series by itself.
    longest = max(len(one) for one in series)
    whole = [one for one in series if len(one) > 1 and len(one) * 4 >= longest] or series
    behind = [one for one in whole if first is not None and _number(one[0]) >= first]
    kept = min(behind, key=lambda one: _number(one[0])) if behind else whole[0]
    dropped = {id(mark) for mark in marks} - {id(mark) for mark in kept}
    return [
        replace(block, marks=tuple(mark for mark in block.marks if id(mark) not in dropped)) if block.marks else block
        for block in blocks
    ]


def _series(marks: Sequence[Mark]) -> list[list[Mark]]:
    """The marks in rising series: each goes on the one whose last number is nearest below its own.

    One that fits behind none goes on where a series passed it by, whose rest is then another series.
    """
    series: list[list[Mark]] = []
    for mark in marks:
        number = _number(mark)
        if before := [one for one in series if _number(one[-1]) <= number]:
            max(before, key=lambda one: _number(one[-1])).append(mark)
            continue
        for one in series:
            passed = bisect_right(one, number, key=_number)
            if passed:
                series.append(one[passed:])
                one[passed:] = [mark]
                break
        else:
            series.append([mark])
    return series


def _is_bare(mark: Mark) -> bool:
    return mark.kind == "reporter_page" and mark.value.lstrip("*").isdecimal()


def _number(mark: Mark) -> int:
    return int(mark.value.lstrip("*"))


def _full_page(mark: str, citation: str | None) -> str:
    """A reporter's page as it is cited; a mark that is a bare number takes volume and reporter of the citation."""
    number = mark.lstrip("*")
    if not number.isdecimal():
        return mark
    # A neutral citation has a year for a volume and numbers decisions, not pages.
    volume = re.fullmatch(r"((?!(?:19|20)\d\d )\d+ .*\S) (\d+)", citation or "")
    # A page before the first is of another reporter than the one cited.
    fits = volume is not None and int(volume[2]) <= int(number)
    return f"{volume[1]} at {number}" if volume and fits else f"*{number}"
