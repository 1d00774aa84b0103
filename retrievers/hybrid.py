"""Ranking by words and meaning together, with what else tells where a claim is dealt with.

A passage's score is a weighted sum of the features of `features`. The weights maximise the likelihood, under a
softmax over the passages of an opinion, of the passage that holds a training claim's evidence; they are made by
`parcel-agents train retrieval` and stand in `hybrid_weights.json` with the report of their training.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from parcel_agents.retrievers.base import Scores, top
from parcel_agents.retrievers.bm25 import BM25Index
from parcel_agents.retrievers.dense import DEFAULT_MODEL, DenseIndex, Encoder
from parcel_agents.retrievers.features import FeatureIndex, Features
from parcel_agents.types import Hit, Opinion

WEIGHTS_FILE = "hybrid_weights.json"


class HybridIndex:
    """An opinion indexed by words, meaning and structure."""

    def __init__(self, opinion: Opinion, encoder: Encoder, weights: dict[str, float]) -> None:
        self.opinion = opinion
        self._dense = DenseIndex(opinion, encoder)
        self._features = FeatureIndex(opinion, BM25Index(opinion), self._dense)
        self._weights = weights

    def features(self, query: str) -> Features:
        """The features of all passages for a query."""
        return self._features.compute(query)

    def prepare(self, queries: Sequence[str]) -> None:
        """See `Index.prepare`."""
        self._dense.prepare(queries)

    def search(self, query: str, k: int) -> tuple[Hit, ...]:
        """See `Index.search`."""
        if not query.strip():
            return top(self.opinion, np.zeros(len(self.opinion.passages)), k)
        features = self.features(query)
        scores: Scores = np.sum([weight * features.weighed[name] for name, weight in self._weights.items()], axis=0)
        return top(self.opinion, scores, k, features.raw)


class HybridRetriever:
    """Makes hybrid indexes."""

    name = "hybrid"

    def __init__(self, model: str = DEFAULT_MODEL, cache_dir: Path | None = None) -> None:
        """Choose an embedding model; vectors of opinions are kept below `cache_dir` if one is given."""
        self.encoder = Encoder(model, cache_dir)

    def index(self, opinion: Opinion) -> HybridIndex:
        """See `Retriever.index`."""
        return HybridIndex(opinion, self.encoder, load_weights())


@lru_cache(maxsize=1)
def load_weights() -> dict[str, float]:
    """The weight of each feature."""
    text = files("parcel_agents.retrievers").joinpath(WEIGHTS_FILE).read_text(encoding="utf-8")
    weights: dict[str, float] = json.loads(text)["weights"]
    return weights
