"""The measures of labelled claims, as the verifier `combined` would take them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import Bools, Floats
from parcel_agents.errors import InputError
from parcel_agents.eval.datasets import Dataset
from parcel_agents.retrievers import Retriever
from parcel_agents.types import Label
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.combined.measures import can_measure, has_similarities, measure
from parcel_agents.verifiers.combined.verifier import is_barred
from parcel_agents.verifiers.matching import closest_match


@dataclass(frozen=True)
class MeasuredClaims:
    """The measures of labelled claims."""

    values: tuple[Mapping[str, float], ...]
    near_verbatim: tuple[bool, ...]
    """True where the claim follows a sentence; of these the verifier supports those that repeat it, and no others."""
    repeats: tuple[bool, ...]
    labels: tuple[Label, ...]
    opinions: tuple[str, ...]

    def matrix(self, names: Sequence[str]) -> Floats:
        """(claims, names): the measures in order."""
        return np.array([[values[name] for name in names] for values in self.values])

    def are(self, label: Label) -> Bools:
        """(claims,): True where the claim's label is this one."""
        return np.array([each == label for each in self.labels])

    def open_to_support(self) -> Bools:
        """(claims,): True where no finding stands against support."""
        return np.array(
            [not near and not is_barred(values) for values, near in zip(self.values, self.near_verbatim, strict=True)]
        )

    def chosen(self, rows: NDArray[np.int64]) -> MeasuredClaims:
        """Some of the claims."""

        def pick(column: Sequence[Any]) -> tuple[Any, ...]:
            return tuple(column[i] for i in rows)

        return MeasuredClaims(*map(pick, (self.values, self.near_verbatim, self.repeats, self.labels, self.opinions)))


def measure_claims(
    dataset: Dataset, retriever: Retriever, top_k: int, progress: Callable[[], None] = lambda: None
) -> MeasuredClaims:
    """The measures of all labelled claims of a data set that say enough to be measured.

    Raises:
        InputError: the retriever gives no similarities.
    """
    values, near, repeats, labels, opinions = [], [], [], [], []
    for opinion_id, claims in dataset.by_opinion().items():
        opinion = dataset.opinions[opinion_id]
        index = retriever.index(opinion)
        index.prepare([gold.claim for gold in claims])
        for gold in claims:
            if gold.label is None:
                continue
            claim = gold.as_claim()
            task = Task(claim, opinion, index, index.search(claim.text, top_k))
            if not has_similarities(task):
                raise InputError(f"the retriever {retriever.name!r} gives no similarities; use hybrid or dense")
            if not can_measure(task):
                continue
            match = closest_match(task)
            values.append(measure(task).values)
            near.append(match is not None)
            repeats.append(match is not None and match.supports)
            labels.append(gold.label)
            opinions.append(opinion_id)
        progress()
    return MeasuredClaims(tuple(values), tuple(near), tuple(repeats), tuple(labels), tuple(opinions))
