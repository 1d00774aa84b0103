"""Does a quotation stand in an opinion, word for word?

What a quotation may change is noise: white space, quote marks, the case of a first letter, punctuation at its ends,
`[t]he` and `[was]`, notes such as `(emphasis added)`, and text that an ellipsis leaves out within one part. A word
that turns, limits, measures or names (see `quoted_words`) is never noise, wherever it is lost or gained: between
words, in a bracket, under an ellipsis. The words themselves are laid along the opinion by `word_alignment`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from parcel_agents.citations.quotation_differences import Difference, Reading, read_differences
from parcel_agents.citations.quoted_words import Word, read_words
from parcel_agents.citations.scan_faults import mend
from parcel_agents.citations.word_alignment import BORDER, Step, Text, best_places, steps_between
from parcel_agents.errors import InputError
from parcel_agents.types import Frozen, Part, Span

QuotationStatus = Literal["verbatim", "altered", "absent"]
MAX_QUOTED_WORDS = 400
MIN_LIKENESS = 0.55
"""Share of a quotation's words that a place must have, in order, to be its altered source. Of sentences with every
tenth word changed all keep .69 and more, with every third .53 (but one in twenty); the best place for a sentence of
another opinion has .2, and .36 in one of twenty (150 sentences of ten New York opinions)."""
_MAX_PLACES = 20


class QuotationCheck(Frozen):
    """What became of a quotation's words."""

    status: QuotationStatus
    span: Span | None = None
    """The place in the opinion, from the first word quoted to the last; None if absent."""
    differences: tuple[Difference, ...] = ()
    """All that makes the quotation other than verbatim, in order."""
    disclosed: tuple[Difference, ...] = ()
    """What the quotation itself marks as changed, and may change: harmless brackets and ellipses."""
    elsewhere: tuple[Span, ...] = ()
    """Further places that fit as well."""


def check_quotation(opinion_text: str, quotation: str, *, parts: Sequence[Span] = ()) -> QuotationCheck:
    """Where and how a quotation stands in an opinion.

    Of several places that fit equally well the first in the Court's words is `span`, and the others are `elsewhere`.

    Args:
        opinion_text: the text that offsets refer to.
        quotation: the words quoted, with or without quote marks around them.
        parts: the parts of the opinion; no quotation runs from one into the next. None given: one part.

    Raises:
        InputError: the quotation has no word, or more than `MAX_QUOTED_WORDS`.
    """
    quoted = read_words(quotation)
    if not 0 < len(quoted) <= MAX_QUOTED_WORDS:
        raise InputError(f"the quotation has {len(quoted)} words; give 1 to {MAX_QUOTED_WORDS}")
    borders = tuple(part.start for part in parts if part.start > 0)
    found = _read(opinion_text, quotation, quoted, _text(opinion_text, borders))
    if not found or found[0].differences:
        wanted = frozenset(word.key for word in quoted)
        whole = mend(_words(opinion_text), wanted)
        # A mended text is made only for the few quotations that have a word which the scan spoiled.
        if len(whole) != len(_words(opinion_text)) or any(map(_differs, whole, _words(opinion_text))):
            mended = _read(opinion_text, quotation, quoted, _with_borders(whole, borders))
            found = mended or found
    if not found:
        return QuotationCheck(status="absent")
    best, *others = sorted(found, key=lambda reading: _rank(reading, parts))
    return QuotationCheck(
        status="altered" if best.differences else "verbatim",
        span=best.span,
        differences=best.differences,
        disclosed=best.disclosed,
        elsewhere=tuple(other.span for other in others),
    )


def _read(opinion_text: str, quotation: str, quoted: Sequence[Word], text: Text) -> list[Reading]:
    """The places with the fewest differences, in order; none if no place has enough of the words."""
    if not text.words:
        return []
    laid = [steps_between(quoted, text, *place) for place in best_places(quoted, text, _MAX_PLACES)]
    readings = [
        read_differences(opinion_text, quotation, quoted, text.words, steps)
        for steps in laid
        if _is_like(steps, quoted)
    ]
    fewest = min((len(reading.differences) for reading in readings), default=0)
    return [reading for reading in readings if len(reading.differences) == fewest]


def _rank(reading: Reading, parts: Sequence[Span]) -> int:
    """The Court's words before those of separate opinions, and a syllabus or counsel's lines last."""
    for part in parts:
        if isinstance(part, Part) and part.start <= reading.span.start < part.end:
            return {"majority": 0, "front": 2, "closing": 2}.get(part.kind, 1)
    return 0


def _differs(one: Word, other: Word) -> bool:
    return one.key != other.key


@lru_cache(maxsize=8)
def _words(opinion_text: str) -> tuple[Word, ...]:
    return tuple(read_words(opinion_text))


@lru_cache(maxsize=8)
def _text(opinion_text: str, borders: tuple[int, ...]) -> Text:
    return _with_borders(_words(opinion_text), borders)


def _with_borders(found: Sequence[Word], borders: Sequence[int]) -> Text:
    """The words with a border between two parts."""
    words: list[Word] = []
    waiting = sorted(set(borders))
    for word in found:
        crossed = False
        while waiting and waiting[0] <= word.start:
            waiting.pop(0)
            crossed = True
        if crossed and words:
            here = words[-1].end
            words.append(Word(BORDER, "", here, here, "", False, False, False, "other"))
        words.append(word)
    return Text(words)


def _is_like(steps: Sequence[Step], quoted: Sequence[Word]) -> bool:
    """True if a place has enough of the quotation's words to be what it was made from.

    Of up to four words one may differ, of two none. Words that carry no meaning of their own prove little: half of
    the others must be there, too.
    """
    kept = [quoted[step.quoted] for step in steps if step.quoted is not None and (step.same or step.stands)]
    needed = len(quoted) if len(quoted) < 3 else len(quoted) - 1 if len(quoted) < 5 else MIN_LIKENESS * len(quoted)
    telling = sum(not word.is_light for word in quoted)
    return len(kept) >= needed and 2 * sum(not word.is_light for word in kept) >= telling
