"""The verifier `similarity`: is the claim's subject in the opinion at all, and is it there word for word?

Similarity tells two things and no more. A claim whose words the opinion hardly has and which resembles none of its
sentences is not found in it; the probability comes from a logistic regression on retrieval scores. A claim that
repeats a sentence of the right voice is supported, unless the sentence only reports what a party argued, a court
below held or a witness said and the claim leaves that out. Everything between, a paraphrase above all, looks the same
whether true or turned into its opposite: the verifier abstains.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

from parcel_agents.opinions.passages import sentences
from parcel_agents.opinions.reported import Attribution
from parcel_agents.retrievers.terms import missing_words, term_set, terms
from parcel_agents.types import LABELS, Claim, EvidenceRef, Hit, Label, Opinion, Span, Vote
from parcel_agents.verifiers.alignment import Alignment, align, claim_body
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.voices import right_voices, words_of_others

MODEL_FILE = "similarity.json"
NOT_FOUND_AT = 0.6
"""Probability from which the vote is `not_found`, chosen on the training set for a precision of .9."""
FEATURES = ("absent_share", "coverage", "similarity", "similarity_top3")


@dataclass(frozen=True)
class _Match:
    alignment: Alignment
    ref: EvidenceRef
    right_voice: bool


@dataclass(frozen=True)
class SimilarityVerifier:
    """See the module."""

    name: str
    casts: frozenset[Label] = frozenset(LABELS) - {"refuted"}

    async def verify(self, task: Task) -> Vote:
        """See `Verifier.verify`."""
        read = tuple(hit.passage for hit in task.hits)
        match = _best_match(task)
        if match and not match.alignment.differences and match.right_voice:
            return Vote(
                verifier=self.name,
                outcome="ok",
                label="supported",
                reason="the claim repeats a sentence of the opinion with no difference that matters",
                evidence=(match.ref,),
                read=read,
            )
        features = similarity_features(task.claim, task.opinion, task.hits)
        if features is None:
            return Vote(verifier=self.name, outcome="ok", reason="the retriever gives no similarities", read=read)
        probability = not_found_probability(features)
        if probability >= NOT_FOUND_AT and match is None:
            absent = ", ".join(missing_words(claim_body(task.claim.text), task.opinion.text)[:6])
            return Vote(
                verifier=self.name,
                outcome="ok",
                label="not_found",
                confidence=probability,
                reason="no passage deals with this" + (f"; the opinion never says: {absent}" if absent else ""),
                read=read,
            )
        return Vote(verifier=self.name, outcome="ok", reason=_why_undecided(match), read=read)


def similarity_features(claim: Claim, opinion: Opinion, hits: tuple[Hit, ...]) -> dict[str, float] | None:
    """What the probability is made of, by name; None if the retriever does not give the scores.

    `absent_share` is the share of the claim's terms that the opinion never has, its first word (`holding`) aside.
    The others are the best hits' scores.
    """
    if not hits or not {"dense", "coverage"} <= hits[0].scores.keys():
        return None
    wanted = set(terms(claim.text)[1:])
    present = term_set(opinion.text)
    similarity = sorted((hit.scores["dense"] for hit in hits), reverse=True)
    return {
        "absent_share": len(wanted - present) / max(1, len(wanted)),
        "coverage": max(hit.scores["coverage"] for hit in hits),
        "similarity": similarity[0],
        "similarity_top3": sum(similarity[:3]) / len(similarity[:3]),
    }


def not_found_probability(features: dict[str, float]) -> float:
    """The probability that a claim with these features is not found in its opinion."""
    model = _load_model()
    score = model["intercept"] + sum(model[name] * features[name] for name in FEATURES)
    return 1 / (1 + math.exp(-score))


@lru_cache(maxsize=1)
def _load_model() -> dict[str, float]:
    text = files("parcel_agents.verifiers").joinpath(MODEL_FILE).read_text(encoding="utf-8")
    coefficients: dict[str, float] = json.loads(text)["coefficients"]
    return coefficients


def _best_match(task: Task) -> _Match | None:
    """The sentence, or pair of sentences, that the claim follows most closely; None if it follows none."""
    kinds = right_voices(task.claim.text)
    best: _Match | None = None
    for hit in task.hits:
        passage = task.opinion.passage(hit.passage)
        part = task.opinion.part(passage.part)
        if part.kind == "front":
            continue
        for span in _windows(sentences(task.opinion.text, passage)):
            alignment = align(task.claim.text, task.opinion.text[span.start : span.end])
            if alignment is None:
                continue
            if not alignment.differences:
                alignment = _with_reporter(alignment, span, words_of_others(task.opinion, part))
            ref = EvidenceRef(passage=passage.id, start=span.start, end=span.end, relation="supports")
            match = _Match(alignment, ref, part.kind in kinds)
            if best is None or _order(match) < _order(best):
                best = match
    return best


def _with_reporter(alignment: Alignment, sentence: Span, reported: Sequence[Attribution]) -> Alignment:
    """The alignment with a difference if the words that the claim repeats are another's and it does not say whose.

    A claim that repeats the speaker and the verb of saying as well (`noting that the clerk argued ...`) says whose.
    """
    repeated = Span(start=sentence.start + alignment.start, end=sentence.start + alignment.end)
    others = [one for one in reported if one.overlaps(repeated) and not one.cue.overlaps(repeated)]
    if not others:
        return alignment
    return replace(
        alignment, differences=tuple(f"the opinion reports this of “{one.who or one.source}”" for one in others)
    )


def _windows(found: list[Span]) -> list[Span]:
    return found + [Span(start=first.start, end=second.end) for first, second in pairwise(found)]


def _order(match: _Match) -> tuple[int, bool, int]:
    """Fewest differences first, then the right voice, then the shortest text."""
    return len(match.alignment.differences), not match.right_voice, match.ref.end - match.ref.start


def _why_undecided(match: _Match | None) -> str:
    if match is None:
        return "passages deal with this in other words; similarity cannot tell whether they support it"
    if not match.alignment.differences:
        return "a sentence says this, but in another voice than the claim names"
    return f"close to a sentence, but {'; '.join(match.alignment.differences[:3])}"
