"""Cutting parts into passages: one to a few whole sentences, the unit that is retrieved and shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from parcel_agents.types import Part, Passage, Span

MAX_WORDS = 120
"""No passage is longer; a longer sentence is divided, at a semicolon where it has one."""
TARGET_WORDS = 115
"""Sentences of a paragraph are joined while the passage stays at or below this."""
_SHORT_PARAGRAPH = 8
"""A paragraph of fewer words (a heading, `I.`) is joined to the one behind it."""

_WORD = re.compile(r"\S+")


def cut_passages(text: str, parts: tuple[Part, ...]) -> tuple[Passage, ...]:
    """The passages of all parts, in order, numbered `p1`, `p2`, ...; none crosses a part's border."""
    passages: list[Passage] = []
    for part in parts:
        for span in _passages_of(text, part):
            passages.append(
                Passage(
                    id=f"p{len(passages) + 1}",
                    part=part.id,
                    start=span.start,
                    end=span.end,
                    text=text[span.start : span.end],
                )
            )
    return tuple(passages)


def sentences(text: str, within: Span) -> list[Span]:
    """The sentences of a stretch of text, without the white space around them."""
    stretch = text[within.start : within.end]
    found = []
    for start, end in _split(stretch):
        span = _stripped(text, within.start + start, within.start + end)
        if span.end > span.start:
            found.append(span)
    return found


def _passages_of(text: str, part: Part) -> Iterator[Span]:
    """Join sentences up to the target; a paragraph's end closes the passage unless the paragraph is short."""
    open_start: int | None = None
    open_end = words = 0
    for paragraph in paragraphs(text, part):
        pieces = [piece for sentence in sentences(text, paragraph) for piece in _fit(text, sentence)]
        for piece in pieces:
            size = _count(text, piece)
            if open_start is not None and words + size > TARGET_WORDS:
                yield Span(start=open_start, end=open_end)
                open_start, words = None, 0
            if open_start is None:
                open_start = piece.start
            open_end, words = piece.end, words + size
        if open_start is not None and words >= _SHORT_PARAGRAPH:
            yield Span(start=open_start, end=open_end)
            open_start, words = None, 0
    if open_start is not None:
        yield Span(start=open_start, end=open_end)


def paragraphs(text: str, part: Span) -> Iterator[Span]:
    """The paragraphs of a stretch of text, without the empty lines between them."""
    start = part.start
    for gap in re.finditer(r"\n\n+", text[part.start : part.end]):
        yield Span(start=start, end=part.start + gap.start())
        start = part.start + gap.end()
    yield Span(start=start, end=part.end)


def _fit(text: str, sentence: Span) -> Iterator[Span]:
    """The sentence, divided where it is longer than a passage may be."""
    words = list(_WORD.finditer(text, sentence.start, sentence.end))
    first = 0
    while len(words) - first > MAX_WORDS:
        window = range(first, first + MAX_WORDS)
        stops = [i for i in window[MAX_WORDS // 3 :] if words[i].group().endswith(";")]
        stops = stops or [i for i in window[MAX_WORDS // 2 :] if words[i].group().endswith(",")]
        last = stops[-1] if stops else window[-1]
        yield Span(start=words[first].start(), end=words[last].end())
        first = last + 1
    yield Span(start=words[first].start(), end=sentence.end)


def _stripped(text: str, start: int, end: int) -> Span:
    stretch = text[start:end]
    lead = len(stretch) - len(stretch.lstrip())
    return Span(start=start + lead, end=max(start + lead, start + len(stretch.rstrip())))


def _count(text: str, span: Span) -> int:
    return sum(1 for _ in _WORD.finditer(text, span.start, span.end))


@lru_cache(maxsize=4096)
def _split(paragraph: str) -> tuple[tuple[int, int], ...]:
    # Loading the sentence model takes a moment; commands that read no opinion do not pay for it.
    import nupunkt

    return tuple((int(start), int(end)) for start, end in nupunkt.sent_spans(paragraph))
