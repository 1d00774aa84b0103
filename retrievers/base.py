"""The contract of all retrievers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from parcel_agents.registry import RETRIEVERS
from parcel_agents.types import Hit, Opinion

Scores = NDArray[np.float64]


class Index(Protocol):
    """One opinion, ready to be searched."""

    @property
    def opinion(self) -> Opinion:
        """The opinion that is indexed."""
        ...

    def prepare(self, queries: Sequence[str]) -> None:
        """Compute together what the searches to come would compute one by one; their answers do not change."""
        ...

    def search(self, query: str, k: int) -> tuple[Hit, ...]:
        """The best k passages for a query, best first.

        Fewer come back only where the opinion has fewer. Equal scores keep the order of the text. An empty
        query, or one without a word that the retriever knows, scores all passages alike.
        """
        ...


class Retriever(Protocol):
    """Makes indexes."""

    @property
    def name(self) -> str:
        """The name in the registry, shown in traces."""
        ...

    def index(self, opinion: Opinion) -> Index:
        """Read an opinion once; any number of queries follow."""
        ...


def make_retriever(name: str, **settings: Any) -> Retriever:
    """The retriever registered under this name.

    Raises:
        ConfigError: there is none, or it does not take these settings.
    """
    return cast(Retriever, RETRIEVERS.create(name, **settings))


def top(opinion: Opinion, scores: Scores, k: int, components: dict[str, Scores] | None = None) -> tuple[Hit, ...]:
    """The k best passages by score, ties in the order of the text."""
    order: Sequence[int] = np.argsort(-scores, kind="stable")[: max(k, 0)].tolist()
    return tuple(
        Hit(
            passage=opinion.passages[i].id,
            rank=rank,
            score=float(scores[i]),
            scores={name: float(values[i]) for name, values in (components or {}).items()},
        )
        for rank, i in enumerate(order, 1)
    )
