"""What is reached without a panel: the largest class, the claim's words alone, and retrieval scores alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from parcel_agents.ensemble.ballots import Codes, Floats
from parcel_agents.eval.claim_only import claim_only_labels
from parcel_agents.eval.datasets import Dataset, GoldClaim
from parcel_agents.retrievers.bm25 import BM25Index
from parcel_agents.retrievers.terms import terms
from parcel_agents.types import LABELS, Opinion

FOLDS = 10
PENALTY = 10.0
"""Inverse strength of the penalty: weak, since there are three features and hundreds of claims."""


def baseline_labels(data: Dataset, claims: Sequence[GoldClaim], train: Dataset | None) -> dict[str, Codes]:
    """(claims,) labels of each baseline, by its name; those that cannot be fitted are left out.

    Args:
        data: holds the opinions.
        claims: labelled claims of it.
        train: claims on other opinions, to fit BM25 similarity on; None for a cross-validation over the opinions.
    """
    largest = np.bincount(gold_codes(claims), minlength=len(LABELS)).argmax()
    found: dict[str, Codes | None] = {
        "majority class": np.full(len(claims), largest, dtype=np.int8),
        "claim only": claim_only_labels(claims),
        "BM25 similarity": bm25_labels(data, claims, train),
    }
    return {name: labels for name, labels in found.items() if labels is not None}


def gold_codes(claims: Sequence[GoldClaim]) -> Codes:
    """(claims,): the codes of the labels of labelled claims."""
    return np.array([LABELS.index(claim.label) for claim in claims if claim.label is not None], dtype=np.int8)


def bm25_labels(data: Dataset, claims: Sequence[GoldClaim], train: Dataset | None) -> Codes | None:
    """(claims,): the guesses of a multinomial logistic regression on `bm25_features`.

    Without a training set every claim is guessed by a regression fitted on claims about other opinions. None where
    there are fewer than five opinions to deal out, or some training would see but one label.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    def fitted(inputs: Floats, labels: Codes) -> object:
        return make_pipeline(StandardScaler(), LogisticRegression(C=PENALTY, max_iter=1000)).fit(inputs, labels)

    gold = gold_codes(claims)
    inputs = _features(data, claims)
    if train is not None:
        known = [claim for claim in train.claims if claim.label is not None]
        if len(set(gold_codes(known))) < 2:
            return None
        model = fitted(_features(train, known), gold_codes(known))
        return np.asarray(model.predict(inputs), dtype=np.int8)  # type: ignore[attr-defined]
    groups = np.unique([claim.opinion_id for claim in claims], return_inverse=True)[1]
    folds = min(FOLDS, len(set(groups)))
    guesses = np.empty(len(claims), dtype=np.int8)
    if folds < 5:
        return None
    for seen, unseen in GroupKFold(folds).split(inputs, groups=groups):
        if len(set(gold[seen])) < 2:
            return None
        guesses[unseen] = fitted(inputs[seen], gold[seen]).predict(inputs[unseen])  # type: ignore[attr-defined]
    return guesses


def bm25_features(index: BM25Index, opinion: Opinion, claim: str) -> list[float]:
    """The best passage's BM25 score, the mean of the best three, and the largest share of the claim's terms in one."""
    scores = np.sort(index.scores(claim))[::-1]
    wanted = set(terms(claim))
    shares = [len(wanted & set(terms(passage.text))) for passage in opinion.passages]
    return [float(scores[0]), float(scores[:3].mean()), max(shares) / max(1, len(wanted))]


def _features(data: Dataset, claims: Sequence[GoldClaim]) -> Floats:
    """(claims, features)."""
    indexes: dict[str, BM25Index] = {}
    rows = []
    for claim in claims:
        opinion = data.opinions[claim.opinion_id]
        if claim.opinion_id not in indexes:
            indexes[claim.opinion_id] = BM25Index(opinion)
        rows.append(bm25_features(indexes[claim.opinion_id], opinion, claim.claim))
    return np.array(rows, dtype=np.float64)
