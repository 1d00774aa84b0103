"""What tells that a passage deals with a claim: words, meaning, place in the opinion, voice.

Each feature is a vector over the passages of an opinion, on a scale that does not depend on the opinion: a
standard score, a share in [0, 1], or the distance from the best passage. `HybridIndex` weighs them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from parcel_agents.citations.speakers import find_speaker
from parcel_agents.opinions.passages import sentences
from parcel_agents.retrievers.base import Scores
from parcel_agents.retrievers.bm25 import BM25Index, TermScores
from parcel_agents.retrievers.dense import DenseIndex
from parcel_agents.retrievers.terms import terms
from parcel_agents.types import Opinion

# Where a claim can be taken apart: what it says of one thing often stands in one passage, the rest in another.
_CLAUSE_BORDER = re.compile(
    r"[,;:—]|\b(?:because|where|when|while|after|although|though|unless|since|that|if|and|which|who|even)\b"
)
_MIN_CLAUSE_TERMS = 3
_NAME = re.compile(r"(?<!^)(?<![.(]\s)\b[A-Z][a-z]{2,}\b")
_NAME_ANYWHERE = re.compile(r"\b[A-Z][a-z]{2,}\b")
_NUMBER = re.compile(r"\d[\d.]*")
_DISPOSES = re.compile(
    r"^\W*(?:\w+ )?(?:affirm|revers|uphold|reinstat|dismiss|vacat|remit|modif|sustain|grant|deny|order|overturn)\w*"
    r"|\b(?:affirm|revers|remit|reinstat|vacat)(?:ing|ed|ance|al)\b"
)
_DISPOSITION = re.compile(
    r"\b(?:should be|we|orders?|is|are)\b[^.]{0,60}"
    r"\b(?:affirmed?|reversed?|modified|remitted|reinstated?|dismissed|vacated?|modify|remit)\b"
    r"|\b[Oo]rders? (?:affirmed|reversed|modified)"
)
_HOLDS = re.compile(r"^\W*(?:\w+ )?(?:hold|conclud|find|reject|agree|declin|determin|rul)\w*")
_HOLDING = re.compile(
    r"\b(?:[Ww]e|[Tt]his Court|I)(?: \w+){0,2}"
    r" (?:hold|held|conclude|concluded|agree|disagree|reject|decline|find|believe|would|dissent|concur)\b"
)
_SEPARATE = re.compile(r"\b[Dd]issent|\b[Cc]oncurr")


@dataclass(frozen=True)
class Features:
    """What is known of the passages of an opinion for one claim."""

    weighed: dict[str, Scores]
    """The features that make the score, by name."""
    raw: dict[str, Scores]
    """The scores behind them, as they are shown: BM25, cosine similarity, share of the claim's terms."""


class FeatureIndex:
    """An opinion's side of the features; `compute` adds a claim's."""

    def __init__(self, opinion: Opinion, bm25: BM25Index, dense: DenseIndex) -> None:
        """Read the opinion once."""
        self.opinion = opinion
        self._bm25 = bm25
        self._dense = dense
        passages = opinion.passages
        parts = [opinion.part(passage.part) for passage in passages]
        self._terms = [terms(passage.text) for passage in passages]
        self._term_sets = [set(found) for found in self._terms]
        self._bigrams = [set(pairwise(found)) for found in self._terms]
        self._frequency = Counter(term for found in self._term_sets for term in found)
        self._telling = [_telling_words(passage.text, _NAME_ANYWHERE) for passage in passages]
        spans = [sentences(opinion.text, passage) for passage in passages]
        self._first = np.cumsum([0, *(len(found) for found in spans)])[:-1]
        self._sentence_bm25 = TermScores(
            [terms(opinion.text[span.start : span.end]) for found in spans for span in found]
        )

        def flag(test: Callable[[int], bool]) -> Scores:
            return np.array([float(test(i)) for i in range(len(passages))])

        self._length = np.log1p([len(found) for found in self._terms]) / 4
        self._position = np.array(
            [(p.start - part.start) / max(1, part.end - part.start) for p, part in zip(passages, parts, strict=True)]
        )
        self._head = flag(lambda i: passages[i].start == parts[i].start)
        self._front = flag(lambda i: parts[i].kind == "front")
        self._closing = flag(lambda i: parts[i].kind == "closing")
        self._note = flag(lambda i: parts[i].footnote is not None)
        self._disposition = flag(lambda i: bool(_DISPOSITION.search(passages[i].text)))
        self._holding = flag(lambda i: bool(_HOLDING.search(passages[i].text)))
        self._dissent = flag(lambda i: parts[i].kind in {"dissent", "mixed"})
        self._concurrence = flag(lambda i: parts[i].kind in {"concurrence", "mixed"})

    def compute(self, claim: str) -> Features:
        """All features of the passages for a claim."""
        bm25 = self._bm25.scores(claim)
        sentence_bm25 = np.maximum.reduceat(self._sentence_bm25.scores(terms(claim)), self._first)
        clauses = np.sum([_standard(self._bm25.scores(clause)) for clause in split_clauses(claim)], axis=0)
        similarity = self._dense.scores(claim)
        coverage = self._coverage(claim)
        weighed = {
            "bm25": bm25 / (bm25.max() or 1.0),
            "sentence_bm25": _standard(sentence_bm25),
            "clause_bm25": _standard(clauses),
            "coverage": _standard(coverage),
            "coverage_gap": coverage - coverage.max(),
            "bigrams": self._shared_bigrams(claim),
            "names_and_numbers": self._shared_names(claim),
            "similarity": _standard(similarity),
            "similarity_gap": similarity - similarity.max(),
            "neighbour_coverage": _standard(_neighbours(coverage)),
            "neighbour_similarity": _standard(_neighbours(similarity)),
            "length": self._length,
            "head": self._head,
            "position": self._position,
            "front": self._front,
            "note": self._note,
            **self._speech_acts(claim),
            **self._voices(claim),
        }
        return Features(weighed, {"bm25": bm25, "dense": similarity, "coverage": coverage})

    def _coverage(self, claim: str) -> Scores:
        """Share of the claim's terms, weighted by rarity in the opinion, that each passage has."""
        wanted = {term for term in terms(claim) if term in self._frequency}
        count = len(self._terms) + 1
        weight = {term: float(np.log(count / (self._frequency[term] + 0.5))) for term in wanted}
        total = sum(weight.values()) or 1.0
        return np.array([sum(weight[term] for term in wanted & found) / total for found in self._term_sets])

    def _shared_bigrams(self, claim: str) -> Scores:
        found = terms(claim)
        wanted = set(pairwise(found))
        return np.array([len(wanted & bigrams) / (len(wanted) or 1) for bigrams in self._bigrams])

    def _shared_names(self, claim: str) -> Scores:
        wanted = _telling_words(claim, _NAME)
        return np.array([len(wanted & telling) / (len(wanted) or 1) for telling in self._telling])

    def _speech_acts(self, claim: str) -> dict[str, Scores]:
        """A claim that affirms or reverses is met by a disposition, one that holds or rejects by a holding."""
        disposes = float(bool(_DISPOSES.search(claim)))
        return {
            "disposition": self._disposition * disposes,
            "closing_disposition": self._closing * disposes,
            "holding": self._holding * float(bool(_HOLDS.search(claim))),
        }

    def _voices(self, claim: str) -> dict[str, Scores]:
        """Separate opinions, by whether the claim speaks for them, of them, for the Court, or says nothing."""
        speaker = find_speaker(claim)
        who: str = speaker.kind
        if not speaker.text:
            who = "mentioned" if _SEPARATE.search(claim) else "unattributed"
        return {
            f"{name}_when_{case}": values * float(who == case)
            for name, values in (("dissent", self._dissent), ("concurrence", self._concurrence))
            for case in ("dissent", "concurrence", "majority", "mentioned", "unattributed")
        }


def split_clauses(claim: str) -> list[str]:
    """The claim's clauses of at least three terms; the whole claim where it has none."""
    clauses = [piece.strip(" ()") for piece in _CLAUSE_BORDER.split(claim)]
    return [piece for piece in clauses if len(terms(piece)) >= _MIN_CLAUSE_TERMS] or [claim]


def _telling_words(text: str, name: re.Pattern[str]) -> set[str]:
    return {*name.findall(text), *_NUMBER.findall(text)}


def _standard(values: Scores) -> Scores:
    """Standard scores; zeros where all values are alike."""
    spread = values.std()
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros_like(values)


def _neighbours(values: Scores) -> Scores:
    """The better of the two neighbours' values."""
    lowest = values.min()
    better: Scores = np.maximum(np.r_[lowest, values[:-1]], np.r_[values[1:], lowest])
    return better
