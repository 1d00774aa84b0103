"""The contract of retrievers, as a check."""

from __future__ import annotations

from parcel_agents.retrievers.base import Retriever
from parcel_agents.testing.opinion import example_opinion
from parcel_agents.types import Opinion

_QUERIES = (
    "must a board state its reasons in writing",
    "fee",
    "",
    "   ",
    "zyzzyva qwxq",
    "§ 12 — “ﬁ” \x00 ⟦",
    "a " * 2_000,
)


def check_retriever(retriever: Retriever, *, opinion: Opinion | None = None) -> None:
    """Check a retriever against the contract of `parcel_agents.retrievers.base`.

    Args:
        retriever: as its factory makes it.
        opinion: the opinion to index; None for a short one that comes with the kit.

    Raises:
        AssertionError: it breaks the contract; the text says how.
    """
    read = opinion or example_opinion()
    name = getattr(retriever, "name", None)
    _require(isinstance(name, str) and bool(name), f"name is {name!r}; it must be the name in the registry")
    index = retriever.index(read)
    _require(index.opinion is read, "index(opinion).opinion is another opinion than the one that was given")
    total = len(read.passages)
    known = {passage.id for passage in read.passages}
    for query in _QUERIES:
        shown = query[:30]
        for k in (0, 1, 3, total, total + 10):
            hits = index.search(query, k)
            what = f"search({shown!r}, {k})"
            _require(isinstance(hits, tuple), f"{what} returned a {type(hits).__name__}, not a tuple of Hit")
            _require(len(hits) == min(k, total), f"{what} returned {len(hits)} passages; {min(k, total)} are wanted")
            ids = [hit.passage for hit in hits]
            _require(set(ids) <= known, f"{what} returned passages that the opinion does not have")
            _require(len(set(ids)) == len(ids), f"{what} returned a passage twice")
            _require([hit.rank for hit in hits] == list(range(1, len(hits) + 1)), f"{what}: ranks are not 1, 2, 3 ...")
            scores = [hit.score for hit in hits]
            _require(all(score == score for score in scores), f"{what}: a score is NaN")
            _require(scores == sorted(scores, reverse=True), f"{what}: scores rise; the best comes first")
            places = [(-hit.score, read.passage(hit.passage).start) for hit in hits]
            _require(places == sorted(places), f"{what}: passages of equal score are not in the order of the text")
            _require(index.search(query, k) == hits, f"{what} returned something else the second time")
        every = index.search(query, total)
        _require(index.search(query, 1) == every[:1], f"{shown!r}: the best one is not the first of all")
    for empty in ("", "   "):
        scores = [hit.score for hit in index.search(empty, total)]
        _require(len(set(scores)) <= 1, "an empty query scores some passages higher than others")
    before = [index.search(query, 3) for query in _QUERIES]
    index.prepare(list(_QUERIES))
    _require(before == [index.search(query, 3) for query in _QUERIES], "prepare() changed what search() returns")
    again = [retriever.index(read).search(query, 3) for query in _QUERIES]
    _require(before == again, "a second index of the same opinion answers otherwise")


def _require(holds: bool, fault: str) -> None:
    if not holds:
        raise AssertionError(f"retriever: {fault}")
