"""How a passage is named and shown: its id, whose words it holds, its page, its text."""

from __future__ import annotations

from bisect import bisect_right

from parcel_agents.tools.answers import Json
from parcel_agents.tools.untrusted import fence, label
from parcel_agents.types import Opinion, Part, Passage, Span

MAX_PASSAGE = 1_500
"""A passage is listed up to so many characters; one of 120 words, the most that passages have, holds about 800."""

_NOBODYS: dict[str, str] = {
    "front": "front (caption, headnotes, counsel)",
    "closing": "closing (who concurred, the order)",
    "unattributed": "unattributed (an appendix, or a footnote of an unknown opinion)",
    "unknown": "unknown voice (the file does not show whose words these are)",
}
"""Kinds of parts whose names do not tell a reader what they are."""


def heading(opinion: Opinion, passage: Passage, span: Span | None = None) -> str:
    """Id, voice and page of a passage, or of a place in it: `p12 | dissent (Garcia, J.) | 42 NY3d at 187`."""
    return f"{passage.id} | {voice(opinion.part(passage.part))} | {pages(opinion, span or passage)}"


def voice(part: Part) -> str:
    """Whose words a part holds."""
    return _NOBODYS.get(part.kind) or label(part.voice, 80)


def pages(opinion: Opinion, span: Span) -> str:
    """The page or pages of a stretch of text."""
    found, last = opinion.pages_of(span.start, span.end), opinion.page_at(max(span.start, span.end - 1))
    if found is None:
        return "no page marked" if last is None else f"to {label(last)}"
    return label(found)


def shown(opinion: Opinion, passage: Passage, limit: int = MAX_PASSAGE) -> str:
    """A passage with its heading."""
    return f"{heading(opinion, passage)}\n{fence(passage.text, limit)}"


def as_json(opinion: Opinion, passage: Passage) -> Json:
    """A passage as data; its text is that of the opinion, to the letter."""
    part = opinion.part(passage.part)
    return {
        "passage": passage.id,
        "start": passage.start,
        "end": passage.end,
        "text": passage.text,
        "part": part.id,
        "voice": part.voice,
        "page": opinion.page_at(passage.start),
    }


def passage_at(opinion: Opinion, offset: int) -> Passage:
    """The passage in which a character stands, or the one before it."""
    index = bisect_right(opinion.passages, offset, key=lambda passage: passage.start) - 1
    return opinion.passages[max(index, 0)]
