"""Where words that a check or a quotation names stand: in the claim, and in the opinion."""

from __future__ import annotations

import re
from collections.abc import Iterable

from parcel_agents.types import EvidenceRef, Span


def words_in(text: str, words: str, within: Span | None = None) -> Span | None:
    """The first place where the words stand whole, whatever the white space between them; None if nowhere.

    Args:
        text: where to look.
        words: as they are quoted, with single spaces.
        within: the part of the text to look in; None for all of it.
    """
    pieces = words.split()
    if not pieces:
        return None
    # `30` is not found in `130.05`, whose digits go on.
    pattern = re.compile(r"(?<!\w)" + r"\s+".join(map(re.escape, pieces)) + r"(?!\w)")
    start, end = (within.start, within.end) if within else (0, len(text))
    found = pattern.search(text, start, end)
    if found is None:
        # Words that begin or end with a sign have no word's edge there.
        found = re.compile(r"\s+".join(map(re.escape, pieces))).search(text, start, end)
    return Span(start=found.start(), end=found.end()) if found else None


def differing(one: str, other: str) -> tuple[str, str]:
    """Two phrases without the words that both begin and end with; both whole where nothing is left of one.

    `differing("was not asked", "was asked")` leaves nothing of the second, so the phrases come back as they are: a
    reader who sees no word marked would look for the difference in vain.
    """
    left, right = one.split(), other.split()
    while left and right and left[0] == right[0]:
        left, right = left[1:], right[1:]
    while left and right and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    return (" ".join(left), " ".join(right)) if left and right else (one, other)


def in_evidence(text: str, words: str, evidence: Iterable[EvidenceRef]) -> tuple[Span, ...]:
    """Where the words stand in the places that a finding points to; nothing where in none."""
    if not words:
        return ()
    found = (words_in(text, words, Span(start=ref.start, end=ref.end)) for ref in evidence)
    return tuple(span for span in found if span is not None)
