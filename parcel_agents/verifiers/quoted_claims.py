"""A claim that is nothing but a quotation: does the opinion say these words, and say them itself?

Whether the words stand there is the business of `citations.quotations`, which reads quote marks, brackets and ellipses.
Here each place where they do is asked what a repeated sentence is asked: whose part it is, whose words the sentence
reports, what stands around them and what the next sentence does to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from parcel_agents.citations.citing_brackets import blank_citations
from parcel_agents.citations.quotations import MAX_QUOTED_WORDS, QuotationCheck, check_quotation
from parcel_agents.citations.quoted_words import EDITORS_NOTE, WordClass, read_words
from parcel_agents.types import Opinion, Span
from parcel_agents.verifiers.alignment import claim_body, hands_over
from parcel_agents.verifiers.quotation_surroundings import quotation_surroundings
from parcel_agents.verifiers.standing import Place, find_place, standing

MIN_WORDS = 5
"""Fewer quoted words may be a term of art, or words that the claim only mentions."""

_TURNING: frozenset[WordClass] = frozenset({"negation", "condition", "modal", "quantifier"})
_WEAKENS = re.compile(
    r"\b(?:in part|part(?:ly|ially)|almost|nearly|largely|mostly|mainly|primarily|generally|usually|ordinarily|normally"
    r"|perhaps|possibly|probably|arguably|likely|rarely|seldom|sometimes|often)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.?!:;][”\"’')\]]*\s")
_NOTES = rf"(?:\s*(?:{EDITORS_NOTE}))*"
_WHOLE = re.compile(
    rf"\s*(?:“(?P<curly>[^“”]+(?:“[^“”]+”[^“”]*)*)”|\"(?P<straight>[^\"]+)\"){_NOTES}[\s.]*", re.IGNORECASE
)


@dataclass(frozen=True)
class QuotedPlace:
    """A place where all words of a claim stand as quoted."""

    span: Span
    sentence: Span
    """The sentence, or the sentences, in which they stand."""
    differences: tuple[str, ...]
    """What keeps the place from being a statement of its writer, in words; empty if nothing does."""


def whole_quotation(claim: str) -> str:
    """The words that a claim quotes, if it has no other; else nothing.

    `holding that` and the words that name the speaker are no other words, nor is a note such as `(emphasis added)`.
    """
    found = _WHOLE.fullmatch(claim_body(claim))
    return (found["curly"] or found["straight"]).strip() if found else ""


def quoted_places(opinion: Opinion, claim: str) -> tuple[QuotedPlace, ...]:
    """Where the quotation that a claim consists of stands word for word, in order; none if it is no such claim."""
    words = whole_quotation(claim)
    if not MIN_WORDS <= len(read_words(words)) <= MAX_QUOTED_WORDS:
        return ()
    check = check_quotation(opinion.text, words, parts=opinion.parts)
    if check.status != "verbatim" or check.span is None or not _hides_nothing(check):
        return ()
    # What an ellipsis hides is known of the first place alone.
    places = (check.span,) if check.disclosed else (check.span, *check.elsewhere)
    spans = sorted(places, key=lambda span: span.start)
    return tuple(_place(opinion, span, claim) for span in spans)


def _hides_nothing(check: QuotationCheck) -> bool:
    """True if only ellipses were disclosed, and none that skips a word that turns, limits or hands over."""
    for one in check.disclosed:
        hidden = one.original
        if one.quoted != "..." or hands_over(hidden) or _SENTENCE_END.search(hidden) or _WEAKENS.search(hidden):
            return False
        if any(word.kind in _TURNING for word in read_words(one.original)):
            return False
    return True


def _place(opinion: Opinion, span: Span, claim: str) -> QuotedPlace:
    place = find_place(opinion.text, span)
    return QuotedPlace(span, place.sentence, tuple(_differences(opinion, place, span, claim)))


def _differences(opinion: Opinion, place: Place, span: Span, claim: str) -> Iterator[str]:
    text, first = opinion.text, place.sentence.start
    # Blanked with all of the paragraph: a citation's bracket may hold what looks like the end of a sentence. The
    # sentence may begin before the paragraph, with a section's number.
    begin, end = min(place.paragraph.start, first), max(place.paragraph.end, place.sentence.end)
    blanked = blank_citations(text[begin:end])
    sentence = blanked[first - begin : place.sentence.end - begin]
    yield from quotation_surroundings(sentence, span.start - first, span.end - first)
    # What the opinion itself only quotes may be the law that it goes on to overrule: that is left to a reader.
    yield from standing(text, place, span, claim)
