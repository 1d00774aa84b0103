"""When the verifier `combined` may vote, and what its votes are worth on opinions that it has not seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import Floats
from parcel_agents.ensemble.false_entailment_test import FalseEntailmentTest
from parcel_agents.eval.combined.claims import MeasuredClaims
from parcel_agents.types import Label

Counts = NDArray[np.int64]

NOT_FOUND_PRECISION = 0.95
"""The threshold of Not Found is the lowest with this precision on opinions that the regression has not seen."""
TRIED_FER = 0.01
"""The report says what support would be worth at this false entailment rate, whether or not it can be vouched for."""


@dataclass(frozen=True)
class Risk:
    """What false entailment rate the votes for Supported must be shown to keep."""

    max_fer: float = 0.02
    confidence: float = 0.95


def not_found_threshold(claims: MeasuredClaims, probabilities: Floats) -> float | None:
    """The lowest probability with the precision that is asked for; None if none has it."""
    votes = np.where(claims.near_verbatim, 0.0, probabilities)
    order = np.argsort(-votes, kind="stable")
    falling = votes[order]
    precision = np.cumsum(claims.are("not_found")[order]) / np.arange(1, len(order) + 1)
    # Claims with equal probabilities vote together.
    last_of_equals = np.append(np.diff(falling) < 0, True) & (falling > 0)
    return _between(falling, np.flatnonzero(last_of_equals & (precision >= NOT_FOUND_PRECISION)))


def supported_threshold(claims: MeasuredClaims, support: Floats, risk: Risk) -> float | None:
    """The lowest probability that keeps the false entailment rate, by Learn-then-Test (see `ensemble.risk`).

    The probabilities come from regressions that have not seen the opinion. None if no threshold passes.
    """
    sizes, errors_from = _false_support(claims, support)
    test = FalseEntailmentTest(sizes, risk.max_fer)
    falling = np.unique(support[support > 0])[::-1]
    passing = 0
    for value in falling:
        if test.p_value(errors_from(float(value))) > 1 - risk.confidence:
            break
        passing += 1
    return _between(falling, np.arange(passing))


def _false_support(claims: MeasuredClaims, support: Floats) -> tuple[Counts, Callable[[float], Counts]]:
    """(opinions,): how many claims are not supported; and how many of them have at least a given support."""
    unsupported = ~claims.are("supported")
    _, opinion, sizes = np.unique(np.array(claims.opinions)[unsupported], return_inverse=True, return_counts=True)

    def errors_from(threshold: float) -> Counts:
        return np.bincount(opinion[support[unsupported] >= threshold], minlength=len(sizes)).astype(np.int64)

    return sizes.astype(np.int64), errors_from


def _between(falling: Floats, passing: Counts) -> float | None:
    """A threshold half way between the last value that passes and the next; None if none passes."""
    if not len(passing):
        return None
    last = int(passing[-1])
    below = falling[last + 1] if last + 1 < len(falling) else 0.0
    middle = float(falling[last] + below) / 2
    return middle if middle > below else float(falling[last])


def worth(claims: MeasuredClaims, label: Label, probabilities: Floats) -> dict[str, float]:
    """How well the probabilities of a label tell its claims from the others."""
    from sklearn.metrics import brier_score_loss, roc_auc_score

    truth = claims.are(label)
    return {
        "auc": round(float(roc_auc_score(truth, probabilities)), 4),
        "brier": round(float(brier_score_loss(truth, probabilities)), 4),
    }


def votes_worth(claims: MeasuredClaims, label: Label, probabilities: Floats, threshold: float | None) -> dict[str, Any]:
    """Precision and recall of the votes for a label from a threshold on."""
    truth = claims.are(label)
    votes = probabilities >= (2.0 if threshold is None else threshold)
    return {
        "precision": round(float(truth[votes].mean()), 4) if votes.any() else None,
        "recall": round(float(votes[truth].mean()), 4),
    }


def price(claims: MeasuredClaims, support: Floats, risk: Risk) -> dict[str, Any]:
    """What votes for Supported would be worth at a rate of false entailment that was seen but cannot be vouched for."""
    sizes, errors_from = _false_support(claims, support)
    falling = np.unique(support[support > 0])[::-1]
    vouched = {"max_fer": risk.max_fer, "confidence": risk.confidence, "opinions": len(sizes)}
    seen = np.array([errors_from(float(value)).sum() / sizes.sum() for value in falling])
    low = np.flatnonzero(seen <= TRIED_FER)
    if not len(low):
        return vouched | {f"at_fer_{TRIED_FER:g}": None}
    tried = float(falling[low[-1]])
    errors = errors_from(tried)
    rates = np.arange(1, 1000) / 1000
    bound = next((r for r in rates if FalseEntailmentTest(sizes, float(r)).p_value(errors) <= 1 - risk.confidence), 1.0)
    return vouched | {
        f"at_fer_{TRIED_FER:g}": votes_worth(claims, "supported", support, tried) | {"bound": float(bound)}
    }
