"""Where the pages of the printed and of the slip opinion begin in the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from parcel_agents.opinions.blocks import Block, starts
from parcel_agents.opinions.notes import Note
from parcel_agents.types import PageMark


def find_pages(blocks: Sequence[Block], notes: Sequence[Note], citation: str | None) -> tuple[PageMark, ...]:
    """The page marks, in order. Each footnote begins with the page on which it is called, as it does in print."""
    offsets = list(starts(blocks))
    pages: list[PageMark] = []
    for block, start in zip(blocks, offsets, strict=True):
        for mark in block.marks:
            if mark.kind != "note_call":
                reporter = mark.kind == "reporter_page"
                page = _full_page(mark.value, citation) if reporter else f"*{mark.value}"
                pages.append(PageMark(offset=start + mark.offset, page=page, reporter=reporter))
    in_order = [[page for page in pages if page.reporter is reporter] for reporter in (False, True)]
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


def _full_page(mark: str, citation: str | None) -> str:
    """A reporter's page as it is cited; a mark that is a bare number takes volume and reporter of the citation."""
    number = mark.lstrip("*")
    if not number.isdigit():
        return mark
    volume = re.fullmatch(r"(\d+ .*\S) \d+", citation or "")
    return f"{volume[1]} at {number}" if volume and "Slip Op" not in volume[1] else f"*{number}"
