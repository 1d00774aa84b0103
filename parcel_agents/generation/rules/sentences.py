"""Sentences that an opinion says in its own voice, as clauses that a claim can hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from parcel_agents.opinions.passages import sentences
from parcel_agents.opinions.reported import attributions_in, party_names
from parcel_agents.opinions.reported_masks import mask
from parcel_agents.types import Opinion, Part, PartKind, Span

Voice = Literal["court", "dissent", "concurrence"]
KIND_OF: Mapping[Voice, PartKind] = {"court": "majority", "dissent": "dissent", "concurrence": "concurrence"}
"""The kind of the parts in which each speaks."""

MIN_WORDS, MAX_WORDS = 10, 45
_MAX_QUOTED = 0.3
"""A sentence with a larger share of its letters between quotation marks is hardly in the writer's own words."""

_CITING = re.compile(
    r"\b(?:see|cf|id|ibid|citing|quoting|accord|compare|supra|infra|ante)\b|\bop\b[^()]*\bat\b|\bat \*?\d"
    r"|\d+ [A-Z][\w.]*(?: ?[\w.]+){0,2} \*?\d+",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
_NO_CLAUSE = re.compile(r"^(?:Id|Ibid|See|Cf|Accord|But see|Compare)\b[.,;]?(?! that\b)|^Nor\b")
"""How a citation begins, and a sentence that cannot stand behind `that`."""
_TWO = re.compile(r"[a-z]{2}\. [A-Z]")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|do|does|did|may|might|must|shall|should|can|cannot|could|will|would|[a-z]+ed)\b"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


@dataclass(frozen=True)
class Spoken:
    """A sentence of an opinion, without the citation behind it and without its full stop."""

    text: str
    span: Span
    """The whole sentence in `Opinion.text`."""
    part: Part


def own_sentences(opinion: Opinion, voice: Voice) -> Iterator[str]:
    """The words of `spoken_sentences`."""
    return (one.text for one in spoken_sentences(opinion, voice))


def spoken_sentences(opinion: Opinion, voice: Voice, *, bare: bool = False) -> Iterator[Spoken]:
    """The sentences that the Court, or a separate opinion, says as its own, in the order of the text.

    Footnotes, questions, fragments, mere citations, sentences with a citation in their middle, reported speech and
    sentences that quote more than they say are left out, and so are the shorter and the longer ones.

    Args:
        opinion: the opinion.
        voice: who speaks.
        bare: take headings off, and bracketed citations out of the middle of sentences, which then are not left out
            for them, and give some shorter and longer ones too.
    """
    names = party_names(opinion)
    for part in opinion.parts:
        if part.kind != KIND_OF[voice] or part.footnote is not None:
            continue
        anothers = [one for one in attributions_in(opinion.text, part, kind=part.kind, names=names) if one.is_anothers]
        for passage in opinion.passages:
            if passage.part != part.id:
                continue
            for span in sentences(opinion.text, passage):
                span = _behind_heading(opinion.text, span) if bare else span
                words = opinion.text[span.start : span.end]
                text = plain_sentence(without_cites(words), least=6, most=55) if bare else plain_sentence(words)
                if text is not None and not any(one.overlaps(span) for one in anothers):
                    yield Spoken(text, span, part)


def _behind_heading(text: str, span: Span) -> Span:
    """The last paragraph of what was taken for a sentence: a heading has no full stop to end it."""
    place = text.rfind("\n\n", span.start, span.end)
    return span if place < 0 else Span(start=place + 2, end=span.end)


def plain_sentence(text: str, *, least: int = MIN_WORDS, most: int = MAX_WORDS) -> str | None:
    """The sentence without the citation that ends it and without its full stop; None if it is not fit to be a claim.

    Args:
        text: the sentence.
        least: a sentence of fewer words is not fit.
        most: nor is one of more.
    """
    text = " ".join(text.split())
    if not text.endswith((".", ".”", '."', ".)")) or not text[:1].isupper() or _NO_CLAUSE.match(text):
        return None
    text = text.rstrip(".")
    while (
        (last := list(_BRACKETED.finditer(text))) and last[-1].end() == len(text) and _CITING.search(last[-1].group())
    ):
        text = text[: last[-1].start()].rstrip(" ,.")
    if re.search(r"[\[\]{}?*:]|\.\s*\.|\.[”\"]$", text) or _TWO.search(text) or text.count("(") != text.count(")"):
        return None
    # Half a quotation, or half a sentence that was cut at an abbreviation, would make no claim.
    if text.count("“") != text.count("”") or text.count('"') % 2 or any(map(_CITING.search, _BRACKETED.findall(text))):
        return None
    masked = mask(text)
    if masked.count("_") > _MAX_QUOTED * len(text) or not _FINITE.search(masked):
        return None
    return text if least <= len(text.split()) <= most and not _shouts(text) else None


def lower_first(sentence: str, opinion: Opinion) -> str:
    """The sentence as it goes on behind `that`: its first word in small letters, unless it is a name.

    A word that the opinion writes with a capital within sentences more often than without is a name.
    """
    first = _WORD.match(sentence)
    if first is None or first.group() == "I" or first.group()[1:] != first.group()[1:].lower():
        return sentence
    word = re.escape(first.group())
    capital = len(re.findall(rf"(?<=[a-z,;] ){word}\b", opinion.text))
    small = len(re.findall(rf"\b{word.lower()}\b", opinion.text))
    return sentence if capital > small else sentence[0].lower() + sentence[1:]


def without_cites(text: str) -> str:
    """The text without citations in brackets and without calls of footnotes."""
    text = re.sub(r"\^\d+", "", text)
    return re.sub(
        r"\s+(?=[,;]|\.(?!\d))", "", _BRACKETED.sub(lambda found: "" if _CITING.search(found[0]) else found[0], text)
    )


def _shouts(text: str) -> bool:
    letters = [character for character in text if character.isalpha()]
    return sum(map(str.isupper, letters)) > 0.3 * len(letters)
