"""What the wording of the claims gives away: a classifier that never sees an opinion."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from parcel_agents.ensemble.ballots import Codes
from parcel_agents.types import LABELS, GoldClaim

FOLDS = 10
PENALTY = 100.0
"""Inverse strength of the penalty; with the words and the marks, chosen by cross-validation on parcel_train."""
TOKENS = r"(?u)\b\w+\b|[^\w\s]"
"""Words of any length, and marks: a comma or a dollar sign tells something too."""


def claim_only_labels(claims: Sequence[GoldClaim]) -> Codes | None:
    """(claims,): the guesses of a classifier of the claim's words alone, for labelled claims.

    TF-IDF of words, marks and pairs of them; logistic regression of each label against the others. Every claim is
    guessed by a classifier that was trained on claims of other opinions. None with fewer than five opinions or two
    labels, or where some training would see but one label.
    """
    groups = np.unique([claim.opinion_id for claim in claims], return_inverse=True)[1]
    labels = np.array([-1 if claim.label is None else LABELS.index(claim.label) for claim in claims])
    folds = min(FOLDS, len(set(groups)))
    if folds < 5 or len(set(labels)) < 2:
        return None
    from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold
    from sklearn.multiclass import OneVsRestClassifier

    counts = CountVectorizer(ngram_range=(1, 2), token_pattern=TOKENS).fit_transform([claim.claim for claim in claims])
    guesses = np.empty(len(claims), dtype=np.int8)
    for train, test in GroupKFold(folds).split(counts, groups=groups):
        if len(set(labels[train])) < 2:
            return None
        known = counts[:, np.unique(counts[train].indices)]
        weights = TfidfTransformer(sublinear_tf=True).fit(known[train])
        # The dual solver takes a tenth of the time of the usual one: there are more words than claims.
        one = LogisticRegression(C=PENALTY, solver="liblinear", dual=True, tol=1e-3, max_iter=200, random_state=0)
        with warnings.catch_warnings():
            # A solver that stops at its limit still guesses.
            warnings.simplefilter("ignore")
            model = OneVsRestClassifier(one).fit(weights.transform(known[train]), labels[train])
        guesses[test] = model.predict(weights.transform(known[test]))
    return guesses


def claim_only_accuracy(claims: Sequence[GoldClaim]) -> float:
    """Accuracy of these guesses; nan where there are none."""
    guesses = claim_only_labels(claims)
    if guesses is None:
        return float("nan")
    right = sum(claim.label == LABELS[guess] for claim, guess in zip(claims, guesses.tolist(), strict=True))
    return float(right / len(claims))
