"""What every retriever promises, tried on each of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parcel_agents.errors import ConfigError
from parcel_agents.opinions import parse_opinion
from parcel_agents.retrievers import Index, make_retriever
from parcel_agents.retrievers.dense import DenseRetriever, Encoder, Vectors
from parcel_agents.retrievers.hybrid import HybridRetriever
from parcel_agents.retrievers.terms import terms
from parcel_agents.types import Opinion

PARAGRAPHS = [
    "The officer boarded the moored oyster boat and asked nobody for the fire extinguisher it had to carry.",
    "The harbor statute lets an officer open a closed compartment in search of required safety equipment.",
    "A reporter's page and a lighthouse have little in common, whatever the parties may say about them here.",
    "We hold that the owner of the vessel must first be asked to produce the missing equipment.",
    "A reporter's page and a lighthouse have little in common, whatever the parties may say about them here.",
]


class BagOfWordsEncoder(Encoder):
    """An encoder whose vectors are hashed words: fast, and similar where words are shared."""

    def _compute(self, texts: Sequence[str]) -> Vectors:
        rows = np.full((len(texts), 64), 1e-3, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term in terms(text):
                row[sum(map(ord, term)) % 64] += 1
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


def retriever(name: str) -> Any:
    made = make_retriever(name)
    if isinstance(made, DenseRetriever | HybridRetriever):
        made.encoder = BagOfWordsEncoder()
    return made


def opinion() -> Opinion:
    return parse_opinion("\n\n".join(PARAGRAPHS))


@pytest.fixture(params=["bm25", "dense", "hybrid"])
def index(request: pytest.FixtureRequest) -> Index:
    made: Index = retriever(request.param).index(opinion())
    return made


def found(index: Index, query: str, k: int = 99) -> list[str]:
    return [hit.passage for hit in index.search(query, k)]


def test_the_passage_that_says_it_comes_first(index: Index) -> None:
    assert found(index, "(holding that the vessel's owner must first be asked to produce missing equipment)")[0] == "p4"


@pytest.mark.parametrize("k", [0, 1, 3, 5])
def test_k_passages_come_back_ranked_from_one(index: Index, k: int) -> None:
    hits = index.search("oyster boat", k)
    assert [hit.rank for hit in hits] == list(range(1, k + 1))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_no_more_come_back_than_there_are_and_each_once(index: Index) -> None:
    assert sorted(found(index, "oyster boat")) == ["p1", "p2", "p3", "p4", "p5"]


@pytest.mark.parametrize("query", ["", "   "])
def test_an_empty_query_keeps_the_order_of_the_text(index: Index, query: str) -> None:
    assert found(index, query) == ["p1", "p2", "p3", "p4", "p5"]


def test_equal_passages_keep_the_order_of_the_text(index: Index) -> None:
    if type(index).__name__ == "HybridIndex":
        pytest.skip("the hybrid weighs the place in the opinion, so no two passages are equal")
    ranked = found(index, "lighthouse")
    assert ranked.index("p3") + 1 == ranked.index("p5")


def test_a_query_of_unknown_words_is_answered(index: Index) -> None:
    assert len(found(index, "zygomorphic quux")) == 5


def test_the_same_query_gives_the_same_answer(index: Index) -> None:
    assert index.search("missing equipment", 5) == index.search("missing equipment", 5)


def test_an_unknown_retriever_names_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="unknown retriever 'bm52'; known: bm25, dense, hybrid"):
        make_retriever("bm52")


def test_a_setting_the_retriever_does_not_know_is_an_error() -> None:
    with pytest.raises(ConfigError, match="cannot be made with"):
        make_retriever("bm25", colour="red")


def test_vectors_of_an_opinion_are_computed_once(tmp_path: Path) -> None:
    computed: list[int] = []

    class Counting(BagOfWordsEncoder):
        def _compute(self, texts: Sequence[str]) -> Vectors:
            computed.append(len(texts))
            return super()._compute(texts)

    first = Counting(cache_dir=tmp_path).encode_cached(PARAGRAPHS)
    again = Counting(cache_dir=tmp_path).encode_cached(PARAGRAPHS)
    assert np.array_equal(first, again)
    assert computed == [5]
    Counting(cache_dir=tmp_path).encode_cached(PARAGRAPHS[:4])
    Counting("another-model", cache_dir=tmp_path).encode_cached(PARAGRAPHS)
    assert computed == [5, 4, 5]


@pytest.mark.parametrize("content", [b"", b"no numpy file", b"\x93NUMPY\x01\x00garbage"])
def test_a_broken_cache_file_costs_time_and_not_the_result(tmp_path: Path, content: bytes) -> None:
    expected = BagOfWordsEncoder(cache_dir=tmp_path).encode_cached(PARAGRAPHS)
    (file,) = tmp_path.rglob("*.npy")
    file.write_bytes(content)
    assert np.array_equal(BagOfWordsEncoder(cache_dir=tmp_path).encode_cached(PARAGRAPHS), expected)


def test_a_cache_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert BagOfWordsEncoder(cache_dir=blocked).encode_cached(PARAGRAPHS).shape[0] == 5


def test_the_packaged_weights_give_meaning() -> None:
    vectors = Encoder().encode(["the boat was moored", "the vessel lay at its berth", "taxes were due in April"])
    similarity = vectors @ vectors.T
    assert vectors.shape == (3, 384)
    assert np.allclose(np.diag(similarity), 1, atol=1e-5)
    assert similarity[0, 1] > similarity[0, 2] + 0.2
