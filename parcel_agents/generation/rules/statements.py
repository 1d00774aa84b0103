"""What an opinion says, sentence by sentence, told as a lawyer tells it in a parenthetical."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from parcel_agents.generation.rules.clauses import (
    first_of_series,
    refers_back,
    stands_alone,
    without_links,
    without_order,
)
from parcel_agents.generation.rules.leads import (
    Usage,
    choose_lead,
    court_opening,
    separate_opening,
)
from parcel_agents.generation.rules.sentences import Voice, lower_first, spoken_sentences
from parcel_agents.generation.rules.wording import is_well_formed
from parcel_agents.types import Opinion, Part, Span

_THE_COURT = (
    (re.compile(r"\bthis Court\b"), "the Court"),
    (re.compile(r"\bthis State\b"), "the State"),
    (re.compile(r"\bthis state\b"), "the state"),
)
_MANNER = {"dissent": "dissenting", "concurrence": "concurring"}
_NOUN = {"dissent": "dissent", "concurrence": "concurring opinion"}


@dataclass(frozen=True)
class Statement:
    """A sentence of an opinion as a claim, in its pieces."""

    speaker: str
    """Who says it, before the lead: `Quist, J., dissenting,`; empty for the Court."""
    lead: str
    body: str
    is_clause: bool
    """True if the body could stand behind any `that`."""
    usage: Usage
    voice: Voice
    span: Span
    """The sentence in `Opinion.text`."""
    sentence: str
    """The sentence as the opinion has it, with single spaces."""

    @property
    def claim(self) -> str:
        """The true claim."""
        return self.saying(self.body)

    def saying(self, body: str) -> str:
        """The claim with other words behind the lead."""
        return f"({' '.join(filter(None, [self.speaker, self.lead, body]))})"


def statements(opinion: Opinion, voice: Voice, rng: np.random.Generator) -> tuple[Statement, ...]:
    """The sentences of a voice that can stand alone, in the order of the text, each once.

    Args:
        opinion: the opinion.
        voice: whose sentences.
        rng: chooses among the leads that fit a sentence.
    """
    found: dict[str, Statement] = {}
    for spoken in spoken_sentences(opinion, voice, bare=True):
        for one in _of(spoken.text, opinion, voice, rng):
            words = " ".join(opinion.text[spoken.span.start : spoken.span.end].split())
            speaker = speaker_of(spoken.part, voice, rng)
            one = replace(one, speaker=speaker, span=spoken.span, sentence=words)
            if is_well_formed(one.claim):
                found.setdefault(one.body, one)
    return tuple(found.values())


def _of(text: str, opinion: Opinion, voice: Voice, rng: np.random.Generator) -> Iterator[Statement]:
    sentence = first_of_series(without_links(text))
    for pattern, words in _THE_COURT:
        sentence = pattern.sub(words, sentence)
    opening = court_opening(sentence) if voice == "court" else separate_opening(sentence)
    body = without_order(opening.body) if opening.is_clause else opening.body
    if not (stands_alone(body[:1].upper() + body[1:]) if opening.is_clause else not refers_back(body)):
        return
    if opening.lead is None:
        body = lower_first(body[:1].upper() + body[1:], opinion)
    lead = choose_lead(opening.usage, body, voice, rng) if opening.lead is None else opening.lead
    yield Statement("", lead, body, opening.is_clause, opening.usage, voice, Span(start=0, end=0), "")


def speaker_of(part: Part, voice: Voice, rng: np.random.Generator) -> str:
    """`Quist, J., dissenting,` or `dissent`; a judge who is not named is never named."""
    if voice == "court":
        return ""
    by_name = bool(rng.integers(2))
    if part.author is None or not by_name:
        return _NOUN[voice]
    author = re.sub(r"^Chief Judge (.+)$", r"\1, Ch. J.", part.author)
    return f"{author}, {_MANNER[voice]}," if author.endswith(".") else _NOUN[voice]
