"""Rates of decisions on labelled claims, for one set of decisions or for many at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import ABSTAINED, NOT_FOUND, REFUTED, SUPPORTED, Codes
from parcel_agents.types import LABELS

SAID = len(LABELS) + 1
"""What can be said of a claim: a label, or nothing."""

Counts = NDArray[np.floating[Any]]
Rate = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Rates:
    """Rates of decisions; each is nan where it is a share of nothing. The arrays have one shape."""

    accuracy: Rate
    """Share of all claims decided rightly; an abstention is not right."""
    macro_f1: Rate
    """Mean F1 of the classes that have claims; an abstention lowers recall."""
    fer: Rate
    """False entailment rate: share of the refuted and not-found claims called supported (PARCEL, section 4.1)."""
    fer_refuted: Rate
    fer_not_found: Rate
    supported_recall: Rate
    """Share of the supported claims called so."""
    decided: Rate
    """Share of all claims that got a label."""
    accuracy_of_decided: Rate


def rates(confusion: Counts) -> Rates:
    """The rates of confusion counts of shape (..., gold labels, said)."""
    claims = confusion.sum(axis=(-2, -1))
    right = np.trace(confusion[..., : len(LABELS)], axis1=-2, axis2=-1)
    decided = claims - confusion[..., ABSTAINED].sum(axis=-1)
    of_class = confusion.sum(axis=-1)
    false = confusion[..., SUPPORTED]
    unsupported = of_class[..., REFUTED] + of_class[..., NOT_FOUND]
    return Rates(
        accuracy=_share(right, claims),
        macro_f1=_macro_f1(confusion),
        fer=_share(false[..., REFUTED] + false[..., NOT_FOUND], unsupported),
        fer_refuted=_share(false[..., REFUTED], of_class[..., REFUTED]),
        fer_not_found=_share(false[..., NOT_FOUND], of_class[..., NOT_FOUND]),
        supported_recall=_share(false[..., SUPPORTED], of_class[..., SUPPORTED]),
        decided=_share(decided, claims),
        accuracy_of_decided=_share(right, decided),
    )


def confusion(decisions: Codes, gold: Codes) -> Counts:
    """(gold labels, said): how many claims, of decisions and labels of shape (claims,)."""
    cells = len(LABELS) * SAID
    counts = np.bincount(gold.astype(np.int64) * SAID + decisions, minlength=cells)
    return counts.reshape(len(LABELS), SAID).astype(np.float64)


def _macro_f1(confusion: Counts) -> Rate:
    total = np.zeros(confusion.shape[:-2])
    classes = np.zeros(confusion.shape[:-2])
    for label in range(len(LABELS)):
        gold, said = confusion[..., label, :].sum(axis=-1), confusion[..., :, label].sum(axis=-1)
        there = gold > 0
        f1 = np.divide(2 * confusion[..., label, label], gold + said, out=np.zeros_like(total), where=there)
        total += f1
        classes += there
    return _share(total, classes)


def _share(part: Rate, whole: Rate) -> Rate:
    share: Rate = np.divide(part, whole, out=np.full(np.shape(part), np.nan), where=whole > 0)
    return share
