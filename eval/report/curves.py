"""How far a system's confidence can be trusted, and what it errs on if it answers only where it is sure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import ABSTAINED, Codes, Floats
from parcel_agents.eval.report.systems import System

BINS = 10


@dataclass(frozen=True)
class Reliability:
    """Confidence against what came true, in bins of equal width; bins without claims are left out."""

    confidence: Floats
    """Mean of each bin."""
    accuracy: Floats
    claims: NDArray[np.int64]
    error: float
    """Expected calibration error: mean gap between the two, weighted by claims (Guo et al. 2017, arXiv 1706.04599)."""


@dataclass(frozen=True)
class RiskCoverage:
    """Errors among the answers that are kept, as fewer and fewer are (El-Yaniv and Wiener 2010, JMLR 11)."""

    coverage: Floats
    """Share of all claims whose answer is kept, rising."""
    risk: Floats
    """Share of wrong labels among them."""


def reliability(system: System, gold: Codes) -> Reliability | None:
    """The reliability of a system's confidence; None if it gives none, or one that means no probability."""
    sure = (system.decisions < ABSTAINED) & ~np.isnan(system.confidence)
    if not sure.any() or not system.is_probability:
        return None
    confidence, right = system.confidence[sure], (system.decisions == gold)[sure]
    place = np.minimum((confidence * BINS).astype(np.int64), BINS - 1)
    claims = np.bincount(place, minlength=BINS)
    there = claims > 0
    mean = np.bincount(place, weights=confidence, minlength=BINS)[there] / claims[there]
    accuracy = np.bincount(place, weights=right, minlength=BINS)[there] / claims[there]
    error = float((np.abs(mean - accuracy) * claims[there]).sum() / claims.sum())
    return Reliability(mean, accuracy, claims[there], error)


def risk_coverage(system: System, gold: Codes) -> RiskCoverage | None:
    """The curve of a system, a point where it gives no confidence; None if it answered nothing.

    Answers of one confidence are kept or dropped together, and those without any are dropped first.
    """
    answers = system.decisions < ABSTAINED
    if not answers.any():
        return None
    confidence = np.nan_to_num(system.confidence[answers], nan=-1.0)
    order = np.argsort(-confidence, kind="stable")
    wrong = np.cumsum((system.decisions != gold)[answers][order])
    kept = np.arange(1, len(order) + 1)
    ends = np.append(np.flatnonzero(np.diff(confidence[order])), len(order) - 1)
    return RiskCoverage(kept[ends] / len(gold), wrong[ends] / kept[ends])
