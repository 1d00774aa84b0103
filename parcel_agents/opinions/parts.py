"""Whose voice each paragraph is: caption, majority, separate opinions, closing lines, footnotes.

A list of the judges who concur opens the closing lines and is not an opinion. A footnote belongs to the opinion in
which it is called.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from parcel_agents.opinions.blocks import Block, starts
from parcel_agents.opinions.headings import (
    Head,
    author_of,
    court_form,
    delivering_author,
    form_in_closing,
    is_author_line,
    is_opinion_title,
    names_one_of_several_cases,
    separate_head,
    split_glued_head,
    tells_the_order,
    tells_who_concurred,
)
from parcel_agents.opinions.notes import Note
from parcel_agents.types import Part, PartForm, PartKind

_AUTHOR_WITHIN_BLOCKS = 60
"""Further down, a paragraph that begins like an author's line is more likely part of the text."""
_CAPTION_WITHIN_BLOCKS = 30
_CAPTION = "SUPREME COURT OF THE UNITED STATES"


@dataclass(frozen=True)
class Segment:
    """Blocks `first` (inclusive) to `last` (exclusive) that make one part."""

    first: int
    last: int
    kind: PartKind
    author: str | None = None
    form: PartForm | None = None


def separate_glued_heads(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, with headings in blocks of their own where a source has run them into the paragraph before."""
    separated: list[Block] = []
    for block in blocks:
        place = split_glued_head(block.text) if block.note is None else None
        separated.extend(block.split(*place) if place else [block])
    return separated


def opinion_start(blocks: Sequence[Block]) -> int:
    """The index of the first block of the Court's own words; 0 where no head of an opinion is found."""
    body_end = _body_end(blocks)
    for index, block in enumerate(blocks[:body_end]):
        if block.kind is not None or (is_opinion_title(block.text) and not block.matter):
            return index
    # A syllabus tells who delivered what, too, and stands before the opinion.
    before_separate = next((i for i in range(1, body_end) if separate_head(blocks[i].text)), body_end)
    for index in range(before_separate - 1, 0, -1):
        if delivering_author(blocks[index].text):
            return index
    for index, block in enumerate(blocks[: min(before_separate, _AUTHOR_WITHIN_BLOCKS)]):
        # A line that names a judge among the bold lines at the top is part of the head, not the beginning.
        if index > 0 and is_author_line(block.text) and "\n" not in block.text and not tells_who_concurred(block.text):
            return index
    # Where no head is found, the opinion begins behind the title and the lines about the case.
    return next((i for i, block in enumerate(blocks[:body_end]) if not block.heading and not block.matter), 0)


def find_parts(
    blocks: Sequence[Block],
    notes: Sequence[Note],
    *,
    court_author: str | None = None,
    kind: PartKind | None = None,
) -> tuple[Part, ...]:
    """The parts of an opinion, in order; they cover the text of the blocks joined by empty lines.

    Args:
        blocks: paragraphs with text, footnotes last.
        notes: the footnotes among them.
        court_author: the author of the Court's opinion as the head of the document names him or her.
        kind: whose voice the document is, where its description says so.
    """
    segments = _segments(blocks, court_author, kind)
    offsets = [*starts(blocks), sum(len(block.text) + 2 for block in blocks)]
    end_of_text = max(0, offsets[-1] - 2)
    parts: list[Part] = []
    numbers: dict[str, int] = {}

    def add(segment: Segment, note: str | None = None) -> None:
        name = segment.kind if note is None else f"{segment.kind}-note"
        numbers[name] = numbers.get(name, 0) + 1
        single = name in {"front", "majority", "closing"} and numbers[name] == 1
        parts.append(
            Part(
                id=name if single else f"{name}-{numbers[name]}",
                kind=segment.kind,
                author=segment.author,
                footnote=note,
                form=segment.form,
                start=offsets[segment.first],
                end=min(offsets[segment.last], end_of_text),
            )
        )

    for segment in segments:
        add(segment)
    for note in notes:
        owner = _owner(note, segments)
        add(replace(owner, first=note.first, last=note.last), note.label)
    return tuple(parts)


def _body_end(blocks: Sequence[Block]) -> int:
    return next((i for i, block in enumerate(blocks) if block.note is not None), len(blocks))


def _segments(blocks: Sequence[Block], court_author: str | None, kind: PartKind | None) -> list[Segment]:
    """The front, the opinions and the closing lines, footnotes aside."""
    body_end = _body_end(blocks)
    first = opinion_start(blocks)
    if first >= body_end:
        return [Segment(0, body_end, "front")] if body_end else []
    begins = [(first, _first_head(blocks[first:body_end], court_author, kind))]
    announced = False
    for index in range(first + 1, body_end):
        head = _head(blocks[index])
        if head and announced and blocks[index].kind is None:
            # "Dissenting opinion by Judge Gray" is followed by the heading proper, which names the manner best.
            begins[-1] = (begins[-1][0], _as_stated(blocks[begins[-1][0]], head))
        elif head:
            begins.append((_caption_start(blocks, begins[-1][0] + 1, index), head))
        announced = head is not None and head.announced and not announced
    segments = [Segment(0, first, "front")] if first > 0 else []
    for (start, head), end in zip(begins, [*(start for start, _ in begins[1:]), body_end], strict=True):
        closing = _closing_start(blocks, start + 1, end)
        segments.append(Segment(start, closing, head.kind, head.author, head.form))
        if closing < end:
            segments.append(Segment(closing, end, "closing"))
    return _formed_by_closing(blocks, segments)


def _formed_by_closing(blocks: Sequence[Block], segments: Sequence[Segment]) -> list[Segment]:
    """The segments, with the form that only the closing lines tell."""
    closing = "\n\n".join(
        block.text
        for segment in segments
        if segment.kind == "closing"
        for block in blocks[segment.first : segment.last]
    )
    formed = []
    for segment in segments:
        form = segment.form
        if form is None and segment.kind == "majority" and segment.author is None:
            form = form_in_closing(closing, None)
        elif form is None and segment.kind == "concurrence" and (surname := _surname(segment.author)):
            form = form_in_closing(closing, surname)
        formed.append(replace(segment, form=form))
    return formed


def _surname(author: str | None) -> str | None:
    """The last name of one judge; None for nobody and for several."""
    words = re.sub(
        r"\b(?:JJ?|Ch|C|Jr)\.|\b(?:Acting|Senior|Chief|Judge|Justice|Circuit)\b|,", " ", author or ""
    ).split()
    return words[-1].split(".")[-1] if words and "JJ." not in (author or "") and "and" not in words else None


def _first_head(blocks: Sequence[Block], court_author: str | None, kind: PartKind | None) -> Head:
    """Kind and author of the opinion that begins with these blocks; a file may hold a dissent alone."""
    if found := separate_head(blocks[0].text):
        return _as_stated(blocks[0], found)
    # Where the whole document is a dissent, its description names the dissent's author.
    described = court_author if kind or blocks[0].kind in {None, "majority"} else None
    kind = kind or blocks[0].kind or "majority"
    author = blocks[0].author or _author(blocks, described)
    return Head(kind, author, form=_court_form(blocks) if kind == "majority" else None)


def _court_form(blocks: Sequence[Block]) -> PartForm | None:
    for index, block in enumerate(blocks[:4]):
        if index > 0 and separate_head(block.text):
            return None
        if delivering_author(block.text) or is_author_line(block.text):
            return court_form(block.text)
    return None


def _author(blocks: Sequence[Block], court_author: str | None) -> str | None:
    """The author named in the first lines of an opinion; None for one signed by nobody."""
    for index, block in enumerate(blocks[:4]):
        if index > 0 and separate_head(block.text):
            return None
        text = block.text
        if text.endswith(",") and index + 1 < len(blocks):
            # Some sources set "GRAY," and "Circuit Judge:" in two paragraphs.
            text = f"{text} {blocks[index + 1].text}"
        if author := delivering_author(text) or author_of(text):
            return author
        if is_author_line(text):
            return None
    return court_author


def _head(block: Block) -> Head | None:
    """The head of a separate opinion if one begins with this block."""
    if found := separate_head(block.text):
        return _as_stated(block, found)
    if block.kind is not None:
        return Head(block.kind, block.author or author_of(block.text), announced=True)
    return None


def _as_stated(block: Block, head: Head) -> Head:
    """The head with kind and author as the source's markup states them.

    Markup that says `majority` over a line that says `dissenting` is the default of a program, and yields.
    """
    kind = head.kind if block.kind in {None, "majority", "unknown"} else block.kind
    return replace(head, kind=kind or head.kind, author=block.author or head.author)


def _caption_start(blocks: Sequence[Block], lowest: int, head: int) -> int:
    """The block at which a separate opinion begins, which in slip opinions repeats the caption of the case."""
    for index in range(head, max(lowest, head - _CAPTION_WITHIN_BLOCKS) - 1, -1):
        if blocks[index].text.startswith(_CAPTION):
            return index
    return head


def _closing_start(blocks: Sequence[Block], first: int, last: int) -> int:
    """The index of the first closing line among the last lines of an opinion; `last` if there is none."""
    start = last
    for index in range(last - 1, first - 1, -1):
        text = blocks[index].text
        if tells_who_concurred(text) or blocks[index].matter or (start < last and names_one_of_several_cases(text)):
            start = index
        elif not tells_the_order(text):
            break
    return start


def _owner(note: Note, segments: Sequence[Segment]) -> Segment:
    """The segment whose opinion a footnote belongs to: the one that calls it, or the only one there is."""
    if note.call_block is not None:
        return next(s for s in segments if s.first <= note.call_block < s.last)
    opinions = [segment for segment in segments if segment.kind not in {"front", "closing"}]
    return opinions[0] if len(opinions) == 1 else Segment(note.first, note.last, "unattributed")
