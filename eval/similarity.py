"""Training of the similarity verifier's probability that a claim is not found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parcel_agents.errors import InputError
from parcel_agents.eval.datasets import Dataset
from parcel_agents.retrievers import Retriever
from parcel_agents.verifiers.checks.verifier import find_defects
from parcel_agents.verifiers.similarity import FEATURES, NOT_FOUND_AT, similarity_features

FOLDS = 5


def train_similarity(
    dataset: Dataset, retriever: Retriever, top_k: int, progress: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """Coefficients of the logistic regression with the report of its training.

    Claims with a defect that `checks` finds are left out: the regression is for those it must judge alone.

    Raises:
        InputError: the data set has no labels, or fewer opinions than folds.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import GroupKFold, cross_val_predict

    rows, labels, groups = [], [], []
    for opinion_id, claims in dataset.by_opinion().items():
        opinion = dataset.opinions[opinion_id]
        index = retriever.index(opinion)
        index.prepare([gold.claim for gold in claims])
        for gold in claims:
            claim = gold.as_claim()
            features = similarity_features(claim, opinion, index.search(claim.text, top_k))
            if gold.label is not None and features is not None and not find_defects(claim, opinion):
                rows.append([features[name] for name in FEATURES])
                labels.append(gold.label == "not_found")
                groups.append(opinion_id)
        progress()
    if len(set(groups)) < FOLDS or len(set(labels)) < 2:
        raise InputError(f"{dataset.name}: needs claims of both kinds on at least {FOLDS} opinions")
    inputs, truth = np.array(rows), np.array(labels)
    # The features are shares between 0 and 1; a weak penalty lets the coefficients find that scale.
    model = LogisticRegression(C=10.0, max_iter=2000)
    probabilities = cross_val_predict(
        model, inputs, truth, groups=groups, cv=GroupKFold(FOLDS), method="predict_proba"
    )[:, 1]
    voted = probabilities >= NOT_FOUND_AT
    model.fit(inputs, truth)
    coefficients = dict(zip(FEATURES, model.coef_[0], strict=True))
    return {
        "about": "Probability that a claim is not found; made by: parcel-agents train similarity",
        "trained_on": {"dataset": dataset.name, "opinions": len(set(groups)), "claims": len(rows)},
        "cross_validation": {
            "folds": FOLDS,
            "auc": round(float(roc_auc_score(truth, probabilities)), 4),
            "threshold": NOT_FOUND_AT,
            "precision": round(float(truth[voted].mean()), 4) if voted.any() else None,
            "recall": round(float(voted[truth].mean()), 4),
        },
        "coefficients": {
            "intercept": round(float(model.intercept_[0]), 4),
            **{name: round(float(value), 4) for name, value in coefficients.items()},
        },
    }
