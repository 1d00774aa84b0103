"""Rates of decisions on labelled claims, for one set of decisions or for thousands at a time.

Everything is computed from confusion counts per opinion: gold label by what was said (`LABELS`, then abstained). That
is all a bootstrap over opinions needs, since claims of one opinion are not independent and are drawn together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import ABSTAINED, NOT_FOUND, REFUTED, Codes
from parcel_agents.ensemble.false_entailment_test import lowest_bound
from parcel_agents.ensemble.rates import SAID, Counts, Rate, Rates, rates
from parcel_agents.types import LABELS

RESAMPLES = 2000
INTERVAL = (0.025, 0.975)
SAYINGS: tuple[str, ...] = (*LABELS, "none")
"""What can be said of a claim, by code."""
_CHUNK = 96
"""Decisions whose resamples are in memory together; 2,000 resamples of 96 are some 10 MB."""


def confusion_by_opinion(decisions: Codes, gold: Codes, opinions: NDArray[np.int64]) -> Counts:
    """(sets of decisions, opinions, gold labels, said): how many claims.

    Args:
        decisions: (sets, claims) codes of labels or ABSTAINED.
        gold: (claims,) codes of labels.
        opinions: (claims,) numbers of opinions from 0.
    """
    groups = int(opinions.max()) + 1 if len(opinions) else 0
    cells = groups * len(LABELS) * SAID
    base = (opinions * len(LABELS) + gold) * SAID
    counts = [np.bincount(base + said, minlength=cells) for said in decisions]
    return np.array(counts, dtype=np.float64).reshape(len(decisions), groups, len(LABELS), SAID)


@dataclass(frozen=True)
class Interval:
    """Ends of a 95% interval of each of the sets of decisions."""

    low: Rate
    high: Rate


def intervals(by_opinion: Counts, rng: np.random.Generator, resamples: int = RESAMPLES) -> dict[str, Interval]:
    """Percentile intervals of every rate, by a bootstrap over opinions; nan with fewer than two opinions.

    Args:
        by_opinion: (sets, opinions, gold labels, said).
        rng: draws the opinions; all sets see the same draws.
        resamples: how many draws.
    """
    sets, groups = by_opinion.shape[:2]
    names = list(Rates.__dataclass_fields__)
    ends = {name: np.full((2, sets), np.nan) for name in names}
    if groups >= 2:
        draws = draw_opinions(groups, rng, resamples)
        for start in range(0, sets, _CHUNK):
            part = by_opinion[start : start + _CHUNK].astype(np.float32)
            flat = part.transpose(1, 0, 2, 3).reshape(groups, -1)
            drawn = rates((draws @ flat).reshape(resamples, len(part), len(LABELS), SAID))
            for name in names:
                ends[name][:, start : start + len(part)] = quantiles(getattr(drawn, name))
        totals = rates(by_opinion.sum(axis=1))
        for name, bound in bounds_without_errors(by_opinion[0].sum(axis=-1)).items():
            ends[name][1, getattr(totals, name) == 0] = bound
    return {name: Interval(*ends[name]) for name in names}


def bounds_without_errors(sizes: Counts) -> dict[str, float]:
    """The upper end of the interval of a false entailment rate where no false entailment occurred.

    Resamples of no errors have none either, and would show an interval of nothing. What so many opinions can show, if
    claims of one opinion may depend on each other in any way, is the lowest bound that risk control could keep to.

    Args:
        sizes: (opinions, gold labels): how many claims.

    Returns:
        The end by name of the rate; a rate of fewer than two opinions is not there.
    """
    of_rate = {"fer": [REFUTED, NOT_FOUND], "fer_refuted": [REFUTED], "fer_not_found": [NOT_FOUND]}
    counts = {name: sizes[:, labels].sum(axis=1) for name, labels in of_rate.items()}
    return {
        name: lowest_bound(found[found > 0].astype(np.int64), INTERVAL[1])
        for name, found in counts.items()
        if (found > 0).sum() >= 2
    }


def draw_opinions(opinions: int, rng: np.random.Generator, resamples: int) -> NDArray[np.float32]:
    """(resamples, opinions): how often each opinion is drawn, with replacement, as many times as there are opinions.

    Counts up to some thousands are exact in single precision, and twice as fast.
    """
    return rng.multinomial(opinions, np.full(opinions, 1 / opinions), size=resamples).astype(np.float32)


def quantiles(drawn: Rate) -> Rate:
    """(2, sets): the interval's ends over the resamples, over those in which the rate exists."""
    if np.isnan(drawn).any():
        with np.errstate(all="ignore"):
            empty = np.isnan(drawn).all(axis=0)
            ends: Rate = np.nanquantile(np.where(empty, 0.0, drawn), INTERVAL, axis=0)
            ends[:, empty] = np.nan
            return ends
    return np.asarray(np.quantile(drawn, INTERVAL, axis=0))


@dataclass(frozen=True)
class ClassRates:
    """Precision, recall and F1 of each class, of shape (..., labels).

    Recall and F1 are nan for a class without claims, precision for a class that nothing was said to be. A class that
    has claims and was never named has F1 0, so the mean of the F1 that exist is the macro F1 of `Rates`.
    """

    precision: Rate
    recall: Rate
    """Share of the class's claims that were called so; a claim without an answer was not."""
    f1: Rate


def class_rates(confusion: Counts) -> ClassRates:
    """The rates of each class, of confusion counts of shape (..., gold labels, said)."""
    right = np.diagonal(confusion, axis1=-2, axis2=-1)
    gold, said = confusion.sum(axis=-1), confusion[..., : len(LABELS)].sum(axis=-2)
    return ClassRates(
        precision=_share(right, said),
        recall=_share(right, gold),
        f1=np.where(gold > 0, _share(2 * right, gold + said), np.nan),
    )


def answered(confusion: Counts) -> Counts:
    """The counts of the claims that got a label: those without an answer are taken out."""
    counts = confusion.copy()
    counts[..., ABSTAINED] = 0
    return counts


def figures(confusion: Counts) -> dict[str, Rate]:
    """Every figure of confusion counts of shape (..., gold labels, said), by name.

    The fields of `Rates`; `supported.precision`, `.recall` and `.f1` and so on; and the share of each gold class that
    was said to be something, as `refuted>supported` or `refuted>none`.
    """
    found: dict[str, Rate] = {name: getattr(rates(confusion), name) for name in Rates.__dataclass_fields__}
    of_classes = class_rates(confusion)
    shares = _share(confusion, np.broadcast_to(confusion.sum(axis=-1, keepdims=True), confusion.shape))
    for place, label in enumerate(LABELS):
        for name in ClassRates.__dataclass_fields__:
            found[f"{label}.{name}"] = getattr(of_classes, name)[..., place]
        for other, said in enumerate(SAYINGS):
            found[f"{label}>{said}"] = shares[..., place, other]
    return found


def _share(part: Rate, whole: Rate) -> Rate:
    share: Rate = np.divide(part, whole, out=np.full(np.shape(part), np.nan), where=whole > 0)
    return share
