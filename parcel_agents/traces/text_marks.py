"""Texts for a page: cut into stretches by what is marked in them, counted as browsers count, and made harmless."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from parcel_agents.types import Span

# Overrides of the writing direction would show a text that is not the one that was checked; control characters and
# halves of pairs have no place in a page. Each is replaced by one character, so that offsets stay.
_HARMFUL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def harmless(text: str) -> str:
    """The text with a visible sign for every character that would make it look like another."""
    return _HARMFUL.sub("\ufffd", text)


@dataclass(frozen=True)
class Stretch:
    """A stretch of a text, and the names of what is marked in it."""

    text: str
    marks: str
    """Separated by blanks; empty for plain text."""


def stretches(text: str, marked: Iterable[tuple[Span, str]]) -> list[Stretch]:
    """The text cut wherever a mark begins or ends; marks may overlap."""
    spans = [(span, name) for span, name in marked if span.end > span.start]
    edges = sorted({0, len(text), *(min(place, len(text)) for span, _ in spans for place in (span.start, span.end))})
    found = []
    for start, end in pairwise(edges):
        names = sorted({name for span, name in spans if span.start < end and start < span.end})
        found.append(Stretch(text[start:end], " ".join(names)))
    return found


class BrowserOffsets:
    """Offsets as browsers count: a character beyond the basic plane is two of theirs."""

    def __init__(self, text: str) -> None:
        self._wide = [place for place, character in enumerate(text) if character > "\uffff"]

    def at(self, offset: int) -> int:
        """The browser's offset of a character."""
        return offset + bisect_left(self._wide, offset)

    def span(self, span: Span) -> str:
        """A span as an attribute of the page has it: `start-end`."""
        return f"{self.at(span.start)}-{self.at(span.end)}"
