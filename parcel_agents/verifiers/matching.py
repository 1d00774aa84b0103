"""Which sentence of an opinion a claim follows most closely, if it follows one at all.

Several verifiers and checks ask this of the same claim; it is found once. The whole opinion is searched, not only the
passages that were retrieved: that a sentence stands nowhere else can be told in no other way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from parcel_agents.citations.citing_brackets import blank_citations
from parcel_agents.opinions.passages import sentences
from parcel_agents.opinions.reported import Attribution
from parcel_agents.types import EvidenceRef, Opinion, PartKind, Span
from parcel_agents.verifiers.alignment import (
    MIN_SHARE,
    Alignment,
    Word,
    align_words,
    cites,
    claim_body,
    read_closely,
    telling_words,
)
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.quoted_claims import quoted_places
from parcel_agents.verifiers.standing import find_place, standing
from parcel_agents.verifiers.voices import right_voices, words_of_others


@dataclass(frozen=True)
class Match:
    """A sentence, or two on end, that a claim follows."""

    alignment: Alignment
    """How; its offsets count from the start of `ref`."""
    ref: EvidenceRef
    kind: PartKind
    """Whose words the sentence is."""
    right_voice: bool
    """True if these are the words of whom the claim says it reports."""
    reporters: tuple[Attribution, ...] = ()
    """Whose words the sentence only reports, unless the claim says so; looked for only where nothing else differs."""
    quoted: bool = False
    """True if the claim is nothing but a quotation, and all its words stand there as quoted."""

    @property
    def verbatim(self) -> bool:
        """True if nothing that matters keeps the claim from being this sentence."""
        return not self.alignment.differences

    @property
    def supports(self) -> bool:
        """True if the claim is this sentence, and it is said by whom the claim names."""
        return self.verbatim and self.right_voice


@dataclass(frozen=True)
class _Sentence:
    span: Span
    passage: str
    part: str
    words: tuple[Word, ...]
    keys: frozenset[str] = field(compare=False)


@dataclass(frozen=True)
class _Question:
    """A claim about an opinion; the opinion's id depends on its content and stands for it."""

    claim: str
    opinion_id: str
    opinion: Opinion = field(compare=False, repr=False)


def closest_match(task: Task) -> Match | None:
    """The sentence, or two on end, that the claim follows most closely; None if it follows none.

    The one with the fewest differences; of several the one of the right voice, then the shortest.
    """
    return next(iter(close_matches(task)), None)


def close_matches(task: Task) -> tuple[Match, ...]:
    """All that the claim follows, the closest first."""
    return _matches(_Question(task.claim.text, task.opinion.id, task.opinion))


@lru_cache(maxsize=256)
def _matches(question: _Question) -> tuple[Match, ...]:
    opinion, kinds = question.opinion, right_voices(question.claim)
    body = claim_body(question.claim)
    wanted = telling_words(body)
    least = MIN_SHARE * len(wanted)
    counts = Counter(word.key for word in wanted)
    found = list(_quoted(question))
    for sentence in _sentences(_Question("", question.opinion_id, opinion), cites(body)):
        # The overlap without order bounds the one in order, and is counted in a fraction of the time.
        if sum(counts[key] for key in sentence.keys & counts.keys()) < least:
            continue
        if (alignment := align_words(wanted, sentence.words)) is None:
            continue
        reporters: tuple[Attribution, ...] = ()
        part = opinion.part(sentence.part)
        if not alignment.differences:
            alignment = _in_its_place(alignment, question, wanted, sentence.span)
        if not alignment.differences:
            reporters = _reporters(alignment, sentence.span, words_of_others(opinion, part))
            alignment = replace(alignment, differences=_reported(reporters))
        span = sentence.span
        ref = EvidenceRef(passage=sentence.passage, start=span.start, end=span.end, relation="supports")
        found.append(Match(alignment, ref, part.kind, part.kind in kinds, reporters))
    return tuple(sorted(found, key=_order))


def _quoted(question: _Question) -> Iterator[Match]:
    """The places of a claim that is nothing but a quotation; caption and counsel left out."""
    opinion, kinds = question.opinion, right_voices(question.claim)
    for place in quoted_places(opinion, question.claim):
        passage = next((one for one in opinion.passages if one.start <= place.span.start < one.end), None)
        if passage is None or (part := opinion.part(passage.part)).kind == "front":
            continue
        start, end = max(place.sentence.start, passage.start), min(place.sentence.end, passage.end)
        alignment = Alignment(place.span.start - start, place.span.end - start, place.differences)
        reporters: tuple[Attribution, ...] = ()
        if not alignment.differences:
            reporters = _reporters(alignment, Span(start=start, end=end), words_of_others(opinion, part))
            alignment = replace(alignment, differences=_reported(reporters))
        ref = EvidenceRef(passage=passage.id, start=start, end=end, relation="supports")
        yield Match(alignment, ref, part.kind, part.kind in kinds, reporters, quoted=True)


@lru_cache(maxsize=16)
def _sentences(question: _Question, with_citations: bool) -> tuple[_Sentence, ...]:
    """The sentences of an opinion and each two on end of a passage, caption and counsel left out.

    Args:
        question: the opinion, with no claim.
        with_citations: whether what a citation's brackets hold counts among their words.
    """
    opinion = question.opinion
    found = []
    for passage in opinion.passages:
        if opinion.part(passage.part).kind == "front":
            continue
        for span in _windows(sentences(opinion.text, passage)):
            text = opinion.text[span.start : span.end]
            words = telling_words(text if with_citations else blank_citations(text))
            found.append(_Sentence(span, passage.id, passage.part, words, frozenset(word.key for word in words)))
    return tuple(found)


def _in_its_place(alignment: Alignment, question: _Question, wanted: Sequence[Word], window: Span) -> Alignment:
    """The alignment with what the rest of the sentence and the text around it say to it."""
    text, body = question.opinion.text, claim_body(question.claim)
    repeated = Span(start=window.start + alignment.start, end=window.start + alignment.end)
    place = find_place(text, repeated)
    sentence = text[place.sentence.start : place.sentence.end]
    moved = window.start - place.sentence.start
    placed = replace(alignment, start=alignment.start + moved, end=alignment.end + moved)
    read = read_closely(placed, body, wanted, sentence if cites(body) else blank_citations(sentence))
    stretch = Span(start=place.sentence.start + read.start, end=place.sentence.start + read.end)
    differences = (*read.differences, *standing(text, place, stretch, question.claim))
    return replace(read, start=read.start - moved, end=read.end - moved, differences=differences)


def _reporters(alignment: Alignment, sentence: Span, reported: Sequence[Attribution]) -> tuple[Attribution, ...]:
    """Those whose words the claim repeats without saying whose they are.

    A claim that repeats the speaker and the verb of saying as well (`noting that the clerk argued ...`) says whose.
    """
    repeated = Span(start=sentence.start + alignment.start, end=sentence.start + alignment.end)
    return tuple(one for one in reported if one.overlaps(repeated) and not one.cue.overlaps(repeated))


def _reported(reporters: Sequence[Attribution]) -> tuple[str, ...]:
    return tuple(f"the opinion reports this of “{one.who or one.source}”" for one in reporters)


def _windows(found: list[Span]) -> Iterator[Span]:
    yield from found
    yield from (Span(start=first.start, end=second.end) for first, second in pairwise(found))


def _order(match: Match) -> tuple[int, bool, int, int]:
    """Fewest differences first, then the right voice, then the shortest text, then the first in the opinion."""
    size = match.ref.end - match.ref.start
    return len(match.alignment.differences), not match.right_voice, size, match.ref.start
