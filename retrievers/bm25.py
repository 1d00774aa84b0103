"""Ranking by words: BM25 (Okapi) over stemmed terms, by the rank-bm25 library."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from rank_bm25 import BM25Okapi

from parcel_agents.retrievers.base import Scores, top
from parcel_agents.retrievers.terms import terms
from parcel_agents.types import Hit, Opinion


class BM25Index:
    """The terms of an opinion's passages."""

    def __init__(self, opinion: Opinion) -> None:
        self.opinion = opinion
        # The library divides by the mean length of the texts; a stand-in keeps texts without terms harmless.
        self._bm25 = BM25Okapi([terms(passage.text) or [""] for passage in opinion.passages])

    def scores(self, query: str) -> Scores:
        """The BM25 score of each passage, in the order of the text."""
        return np.asarray(self._bm25.get_scores(terms(query)), dtype=np.float64)

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
