"""Training of the verifier `combined`: two logistic regressions whose weights have given signs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from parcel_agents.ensemble.ballots import Floats
from parcel_agents.errors import InputError
from parcel_agents.eval.combined.claims import MeasuredClaims
from parcel_agents.eval.combined.thresholds import (
    Risk,
    not_found_threshold,
    price,
    supported_threshold,
    votes_worth,
    worth,
)
from parcel_agents.types import Label
from parcel_agents.verifiers.combined.model import (
    NOT_FOUND_SIGNS,
    SUPPORTED_SIGNS,
    Coefficient,
    CombinedModel,
    Regression,
    Sign,
)

FOLDS = 8
PENALTY = 5.0
"""Of the squared weights; the features are in standard deviations. Between 1 and 20 little changes."""


def train_combined(
    claims: MeasuredClaims, dataset: str, *, risk: Risk | None = None, leave_out: Sequence[str] = ()
) -> CombinedModel:
    """The model with the report of its training.

    Args:
        claims: the training claims with their measures.
        dataset: the name of the data set, for the report.
        risk: the bound on false support, by default 2% at 95%. Where the claims are about too few opinions to show
            it, the model never votes `supported`.
        leave_out: measures that the model is not to use.

    Raises:
        InputError: the claims are of fewer opinions than folds, or of fewer labels than three.
    """
    risk = risk or Risk()
    if len(set(claims.opinions)) < FOLDS or len(set(claims.labels)) < 3:
        raise InputError(f"{dataset}: needs claims of all three labels on at least {FOLDS} opinions")
    signs: dict[Label, dict[str, Sign]] = {
        "not_found": {name: sign for name, sign in NOT_FOUND_SIGNS.items() if name not in leave_out},
        "supported": {name: sign for name, sign in SUPPORTED_SIGNS.items() if name not in leave_out},
    }
    unseen = {label: _unseen_probabilities(claims, label, chosen) for label, chosen in signs.items()}
    missing = not_found_threshold(claims, unseen["not_found"])
    open_to_support = claims.open_to_support() & (unseen["not_found"] < (np.inf if missing is None else missing))
    # What repeats a sentence is supported whatever the model says, and counts at every threshold.
    support = np.where(claims.repeats, 1.0, np.where(open_to_support, unseen["supported"], 0.0))
    thresholds = {"not_found": missing, "supported": supported_threshold(claims, support, risk)}
    fitted = {label: fit(claims, label, chosen, thresholds[label]) for label, chosen in signs.items()}
    return CombinedModel(
        about="Weights of the verifier combined; made by: parcel-agents train combined",
        trained_on={"dataset": dataset, "opinions": len(set(claims.opinions)), "claims": len(claims.labels)},
        report={
            "folds": FOLDS,
            "penalty": PENALTY,
            "not_found": worth(claims, "not_found", unseen["not_found"])
            | votes_worth(claims, "not_found", unseen["not_found"], missing),
            "supported": worth(claims, "supported", unseen["supported"]) | price(claims, support, risk),
        },
        not_found=fitted["not_found"],
        supported=fitted["supported"],
    )


def fit(claims: MeasuredClaims, label: Label, signs: Mapping[str, Sign], threshold: float | None) -> Regression:
    """A logistic regression for a label whose weights have the signs that are given."""
    from scipy.optimize import minimize

    inputs = claims.matrix(list(signs))
    mean, scale = inputs.mean(axis=0), inputs.std(axis=0)
    scale[scale == 0] = 1.0
    scaled = (inputs - mean) / scale
    target = np.where(claims.are(label), 1.0, -1.0)

    def loss(weights: Floats) -> tuple[float, Floats]:
        margin = target * (scaled @ weights[1:] + weights[0])
        slope = -target / (1 + np.exp(np.clip(margin, -500, 500)))
        value = np.logaddexp(0, -margin).sum() + PENALTY / 2 * (weights[1:] @ weights[1:])
        return float(value), np.concatenate([[slope.sum()], scaled.T @ slope + PENALTY * weights[1:]])

    # scikit-learn's logistic regression takes no bounds on its weights.
    bounds = [(None, None), *((0, None) if sign > 0 else (None, 0) for sign in signs.values())]
    weights = minimize(loss, np.zeros(len(signs) + 1), jac=True, bounds=bounds, method="L-BFGS-B").x
    return Regression(
        intercept=round(float(weights[0]), 4),
        coefficients={
            name: Coefficient(mean=round(float(m), 4), scale=round(float(s), 4), weight=round(float(w), 4))
            for name, m, s, w in zip(signs, mean, scale, weights[1:], strict=True)
        },
        threshold=threshold,
    )


def _unseen_probabilities(claims: MeasuredClaims, label: Label, signs: Mapping[str, Sign]) -> Floats:
    """(claims,): the probability by a regression that has seen no claim on the same opinion."""
    from sklearn.model_selection import GroupKFold

    found = np.zeros(len(claims.labels))
    for seen, unseen in GroupKFold(FOLDS).split(found, groups=claims.opinions):
        regression = fit(claims.chosen(seen), label, signs, 1.0)
        found[unseen] = [regression.probability(claims.values[i]) for i in unseen]
    return found
