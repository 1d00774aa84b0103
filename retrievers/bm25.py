"""Ranking by words: BM25 (Okapi) over stemmed terms, by the rank-bm25 library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rank_bm25 import BM25Okapi

from parcel_agents.retrievers.base import Scores, top
from parcel_agents.retrievers.terms import terms
from parcel_agents.types import Hit, Opinion


class TermScores:
    """BM25 scores of some texts, kept by term.

    A score is a sum over the query's terms, so a term is computed once however many queries, and clauses of
    queries, have it.
    """

    def __init__(self, texts: Sequence[list[str]]) -> None:
        """Take the texts as lists of terms."""
        # The library divides by the mean length of the texts; a stand-in keeps texts without terms harmless.
        self._bm25 = BM25Okapi([text or [""] for text in texts])
        self._count = len(texts)
        self._by_term: dict[str, Scores] = {}

    def scores(self, query: Sequence[str]) -> Scores:
        """The score of each text for a query's terms."""
        total = np.zeros(self._count)
        for term in query:
            # A word that the texts lack adds nothing, and is not kept: queries bring any number of them.
            if term in self._bm25.idf:
                if term not in self._by_term:
                    self._by_term[term] = np.asarray(self._bm25.get_scores([term]), dtype=np.float64)
                total += self._by_term[term]
        return total


class BM25Index:
    """The terms of an opinion's passages."""

    def __init__(self, opinion: Opinion) -> None:
        self.opinion = opinion
        self._scores = TermScores([terms(passage.text) for passage in opinion.passages])

    def scores(self, query: str) -> Scores:
        """The BM25 score of each passage, in the order of the text."""
        return self._scores.scores(terms(query))

    def prepare(self, queries: Sequence[str]) -> None:
        """Nothing: terms are cheap."""

    def search(self, query: str, k: int) -> tuple[Hit, ...]:
        """See `Index.search`."""
        scores = self.scores(query)
        return top(self.opinion, scores, k, {"bm25": scores})


@dataclass(frozen=True)
class BM25Retriever:
    """Makes BM25 indexes; they take milliseconds and are not kept on disk."""

    name: str = "bm25"

    def index(self, opinion: Opinion) -> BM25Index:
        """See `Retriever.index`."""
        return BM25Index(opinion)
