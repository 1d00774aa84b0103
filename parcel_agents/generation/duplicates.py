"""Claims about one decision that say the same twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from parcel_agents.generation.checks import bare_words
from parcel_agents.generation.model import Candidate, Dropped
from parcel_agents.retrievers.terms import terms

MAX_SHARED = 0.8
"""Two claims of one kind that share more of their words (Jaccard) are near-duplicates. False claims are one change
away from a true one by design, so claims of different kinds may be as near as they like, short of the same words."""


def find_duplicates(candidates: Sequence[Candidate]) -> Iterator[tuple[int, Dropped]]:
    """The places of claims to drop, with the reason; the first of two near-duplicates stays.

    Of claims in the same words with different labels at least one is mislabelled, and all go.
    """
    by_words: dict[str, list[int]] = {}
    for place, candidate in enumerate(candidates):
        by_words.setdefault(bare_words(candidate.claim), []).append(place)
    kept: dict[str, list[frozenset[str]]] = {}
    for place, candidate in enumerate(candidates):
        same = by_words[bare_words(candidate.claim)]
        if len({candidates[other].label for other in same}) > 1:
            yield place, _dropped(candidate, "two labels", "stands in the set in the same words with another label")
            continue
        words = frozenset(terms(candidate.claim))
        near = kept.setdefault(candidate.kind, [])
        if place != same[0] or any(_shared(words, other) > MAX_SHARED for other in near):
            yield place, _dropped(candidate, "near-duplicate", "says what another claim of its kind says")
            continue
        near.append(words)


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0


def _dropped(candidate: Candidate, rule: str, reason: str) -> Dropped:
    return Dropped(stage="duplicates", kind=candidate.kind, reason=reason, rule=rule, claim=candidate.claim)
