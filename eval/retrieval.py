"""Evidence recall of the retrievers, and the training of the hybrid's weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcel_agents.errors import InputError
from parcel_agents.eval.datasets import Dataset, GoldClaim, locate_excerpt
from parcel_agents.retrievers import Index, Retriever
from parcel_agents.retrievers.hybrid import HybridRetriever
from parcel_agents.types import Opinion, Span

DEPTHS = (1, 3, 5, 10, 20)
FOLDS = 5
L2 = 1e-3
"""Strength of the penalty on the weights, chosen by cross-validation over the training opinions."""


@dataclass(frozen=True)
class Ranking:
    """Where a retriever put the evidence of one claim."""

    claim: GoldClaim
    rank: int
    """Rank of the first passage that overlaps the gold excerpt; one more than there are passages if none does."""
    covered: dict[int, float]
    """Share of the excerpt's characters in the first k passages, by k."""


def rank_evidence(dataset: Dataset, retriever: Retriever, progress: Callable[[], None] = lambda: None) -> list[Ranking]:
    """The ranking of each claim with gold evidence; `progress` is called after each opinion."""
    rankings = []
    for opinion_id, claims in dataset.by_opinion().items():
        opinion = dataset.opinions[opinion_id]
        index = retriever.index(opinion)
        index.prepare([claim.claim for claim in claims])
        rankings += [
            _rank(index, claim, excerpt) for claim in claims if (excerpt := _excerpt(opinion, claim)) is not None
        ]
        progress()
    return rankings


def recall(rankings: Sequence[Ranking], k: int) -> float:
    """Share of the claims whose evidence is overlapped by one of the first k passages; nan for no claims."""
    return float(np.mean([ranking.rank <= k for ranking in rankings])) if rankings else float("nan")


def recall_interval(rankings: Sequence[Ranking], k: int, *, seed: int = 0, resamples: int = 2000) -> list[float]:
    """A 95% interval of the recall, by a bootstrap over opinions, whose claims are not independent."""
    groups: dict[str, list[bool]] = {}
    for ranking in rankings:
        groups.setdefault(ranking.claim.opinion_id, []).append(ranking.rank <= k)
    hits = np.array([sum(group) for group in groups.values()])
    sizes = np.array([len(group) for group in groups.values()])
    draws = np.random.default_rng(seed).integers(0, len(hits), (resamples, len(hits)))
    shares = hits[draws].sum(axis=1) / sizes[draws].sum(axis=1)
    return [float(bound) for bound in np.quantile(shares, [0.025, 0.975])]


def summarise(rankings: Sequence[Ranking]) -> dict[str, Any]:
    """Recall and coverage of the excerpt at each depth, and the mean reciprocal rank."""
    return {
        "claims": len(rankings),
        **{f"recall@{k}": round(recall(rankings, k), 4) for k in DEPTHS},
        **{f"interval@{k}": [round(bound, 4) for bound in recall_interval(rankings, k)] for k in (5, 10)},
        **{f"covered@{k}": round(float(np.mean([ranking.covered[k] for ranking in rankings])), 4) for k in (5, 10)},
        "mrr": round(float(np.mean([1 / ranking.rank for ranking in rankings])), 4),
    }


def train_hybrid(
    dataset: Dataset, retriever: HybridRetriever, progress: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """Weights for the hybrid retriever with the report of their training.

    The report holds recall on the training claims in cross-validation by opinion.

    Raises:
        InputError: the data set has fewer opinions with evidence than there are folds.
    """
    examples: list[_Example] = []
    names: list[str] = []
    for opinion_id, claims in dataset.by_opinion().items():
        opinion = dataset.opinions[opinion_id]
        index = retriever.index(opinion)
        index.prepare([claim.claim for claim in claims])
        for claim in claims:
            if (excerpt := _excerpt(opinion, claim)) is None:
                continue
            features = index.features(claim.claim).weighed
            names = list(features)
            gold = np.array([passage.overlaps(excerpt) for passage in opinion.passages])
            examples.append(_Example(opinion_id, np.stack(list(features.values()), axis=1), gold))
        progress()
    groups = sorted({example.group for example in examples})
    if len(groups) < FOLDS:
        raise InputError(f"{dataset.name}: {len(groups)} opinions with evidence; at least {FOLDS} are needed")
    ranks = []
    for fold in range(FOLDS):
        held = set(groups[fold::FOLDS])
        weights = _fit([example for example in examples if example.group not in held])
        ranks += [example.rank(weights) for example in examples if example.group in held]
    weights = _fit(examples)
    return {
        "about": "Weights of the hybrid retriever; made by: parcel-agents train retrieval",
        "trained_on": {"dataset": dataset.name, "opinions": len(groups), "claims": len(examples)},
        "l2": L2,
        "cross_validation": {
            "folds": FOLDS,
            **{f"recall@{k}": round(float(np.mean([rank <= k for rank in ranks])), 4) for k in DEPTHS},
        },
        "weights": {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)},
    }


@dataclass(frozen=True)
class _Example:
    group: str
    features: NDArray[np.float64]
    """Shape (passages, features)."""
    gold: NDArray[np.bool_]

    def rank(self, weights: NDArray[np.float64]) -> int:
        order = np.argsort(-(self.features @ weights), kind="stable")
        return int(np.flatnonzero(self.gold[order])[0]) + 1


def _fit(examples: Sequence[_Example]) -> NDArray[np.float64]:
    """The weights of least penalised loss; the loss is not convex, so the start at zero is part of the method.

    The loss of a claim is -log of the probability that a softmax over the passages gives to the passages with
    the evidence, as in listwise learning to rank.
    """
    from scipy.optimize import minimize

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        total, gradient = 0.0, np.zeros_like(weights)
        for example in examples:
            scores = example.features @ weights
            # The largest score is subtracted so that the exponential cannot overflow.
            mass = np.exp(scores - scores.max())
            everywhere = mass / mass.sum()
            on_gold = np.where(example.gold, mass, 0.0)
            total -= float(np.log(on_gold.sum() / mass.sum()))
            gradient += example.features.T @ (everywhere - on_gold / on_gold.sum())
        count = len(examples)
        return total / count + L2 * float(weights @ weights), gradient / count + 2 * L2 * weights

    start = np.zeros(examples[0].features.shape[1])
    found: NDArray[np.float64] = minimize(loss, start, jac=True, method="L-BFGS-B").x
    return found


def _excerpt(opinion: Opinion, claim: GoldClaim) -> Span | None:
    """Where the claim's gold evidence stands; None if it has none.

    Raises:
        InputError: the excerpt does not occur in the opinion, so the claim cannot be scored.
    """
    if not claim.evidence:
        return None
    found = locate_excerpt(opinion, claim.evidence)
    if found is None:
        raise InputError(f"claim {claim.id}: its evidence does not occur in opinion {claim.opinion_id}")
    return found


def _rank(index: Index, claim: GoldClaim, excerpt: Span) -> Ranking:
    passages = [index.opinion.passage(hit.passage) for hit in index.search(claim.claim, len(index.opinion.passages))]
    rank = next((i for i, passage in enumerate(passages, 1) if passage.overlaps(excerpt)), len(passages) + 1)
    length = excerpt.end - excerpt.start
    covered = {
        k: sum(max(0, min(p.end, excerpt.end) - max(p.start, excerpt.start)) for p in passages[:k]) / length
        for k in DEPTHS
    }
    return Ranking(claim, rank, covered)
