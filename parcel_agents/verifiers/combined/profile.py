"""What is known of an opinion before any claim is looked at."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log

from parcel_agents.opinions.passages import sentences
from parcel_agents.retrievers.terms import terms
from parcel_agents.types import Opinion, Span
from parcel_agents.verifiers.combined.particulars import find_times

_TREATS = re.compile(
    r"\b(?:reject\w*|declin\w*|disagree\w*|unpersua\w*|unavailing|without merit|(?:lacks?|no) merit|meritless"
    r"|(?:un)?preserv\w+|academic|need not|reach|address\w*|consider\w*|decid\w*|conten[dt]\w*|argu\w*|claim\w*"
    r"|assert\w*|maintain\w*|urg\w*|unreviewable|waive\w*|forfeit\w*|beyond (?:our|the scope))\b",
    re.IGNORECASE,
)
_LEAST_WEIGHT = 0.3


@dataclass(frozen=True)
class Sentence:
    """A sentence with its terms."""

    span: Span
    passage: str
    text: str
    terms: frozenset[str]


class OpinionProfile:
    """The terms of an opinion, its passages and its sentences."""

    def __init__(self, opinion: Opinion) -> None:
        """Read the opinion once."""
        self.sentences: dict[str, tuple[Sentence, ...]] = {
            passage.id: tuple(
                Sentence(span, passage.id, text, frozenset(terms(text)))
                for span in sentences(opinion.text, passage)
                if (text := opinion.text[span.start : span.end])
            )
            for passage in opinion.passages
        }
        self.passages: tuple[frozenset[str], ...] = tuple(
            frozenset(terms(passage.text)) for passage in opinion.passages
        )
        self.treating: tuple[frozenset[str], ...] = tuple(
            found
            for found, passage in zip(self.passages, opinion.passages, strict=True)
            if _TREATS.search(passage.text)
        )
        """The passages that speak of an argument or a question."""
        self.terms: frozenset[str] = frozenset().union(*self.passages)
        self.times: frozenset[str] = frozenset(find_times(opinion.text))

    @cached_property
    def _frequency(self) -> Counter[str]:
        return Counter(term for found in self.sentences.values() for sentence in found for term in sentence.terms)

    @cached_property
    def _count(self) -> int:
        return sum(len(found) for found in self.sentences.values())

    def weight(self, term: str) -> float:
        """How much a term tells: more, the fewer sentences of the opinion have it; most if none has."""
        return max(_LEAST_WEIGHT, log((self._count + 1) / (self._frequency[term] + 0.5)))


class _ById:
    """An opinion that is hashed by its id, which depends on the text alone; its models are slow to hash."""

    def __init__(self, opinion: Opinion) -> None:
        self.opinion = opinion

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and self.opinion.id == other.opinion.id

    def __hash__(self) -> int:
        return hash(self.opinion.id)


def profile_of(opinion: Opinion) -> OpinionProfile:
    """The opinion's profile, kept for the opinions asked for last."""
    return _profile(_ById(opinion))


@lru_cache(maxsize=32)
def _profile(key: _ById) -> OpinionProfile:
    return OpinionProfile(key.opinion)
