"""Figures with their 95% intervals, by a bootstrap over opinions.

Claims about one opinion are not independent, so opinions are drawn and not claims. Every figure is computed from
counts per opinion, and a resample is a weighted sum of these; with the same draws for all figures, two of them can be
compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.rates import Counts, Rate
from parcel_agents.eval.metrics import RESAMPLES, bounds_without_errors, draw_opinions, quantiles

Statistic = Callable[[Counts], Mapping[str, Rate]]
"""Figures by name, each of shape (...), of counts of shape (..., *cells)."""


@dataclass(frozen=True)
class Estimate:
    """A figure and the ends of its 95% interval; nan where there is none."""

    value: float
    low: float = math.nan
    high: float = math.nan

    @property
    def interval(self) -> list[float]:
        """Both ends."""
        return [self.low, self.high]


NOTHING = Estimate(math.nan)


@dataclass(frozen=True)
class Bootstrap:
    """Resamples of opinions."""

    draws: NDArray[np.float32]
    """(resamples, opinions): how often each opinion is drawn."""

    @classmethod
    def of(cls, opinions: int, rng: np.random.Generator, resamples: int = RESAMPLES) -> Bootstrap:
        """So many draws; with fewer than two opinions there are none, and every interval is nan."""
        return cls(draw_opinions(opinions, rng, resamples if opinions >= 2 else 0))

    def estimates(self, counts: Counts, statistic: Statistic) -> dict[str, Estimate]:
        """Each figure with the 2.5% and 97.5% quantiles over the resamples in which it exists.

        Args:
            counts: (opinions, *cells).
            statistic: the figures of summed counts.
        """
        values = statistic(counts.sum(axis=0))
        if not len(self.draws):
            return {name: Estimate(float(value)) for name, value in values.items()}
        drawn = statistic((self.draws @ counts.reshape(len(counts), -1)).reshape(-1, *counts.shape[1:]))
        # Figures of one statistic have one shape, so their quantiles are found together.
        low, high = quantiles(np.stack([drawn[name] for name in values], axis=1))
        return {
            name: Estimate(float(value), float(low[place]), float(high[place]))
            for place, (name, value) in enumerate(values.items())
        }


def with_bounds(estimates: Mapping[str, Estimate], sizes: Counts) -> dict[str, Estimate]:
    """The estimates, with an upper end for false entailment rates of which nothing occurred (`bounds_without_errors`).

    Args:
        estimates: figures by name.
        sizes: (opinions, gold labels): how many claims.
    """
    found = dict(estimates)
    for name, bound in bounds_without_errors(sizes).items():
        if found[name].value == 0 and not math.isnan(found[name].high):
            found[name] = replace(found[name], high=bound)
    return found


def ratio(counts: Counts) -> dict[str, Rate]:
    """The statistic `ratio`, of counts of shape (..., 2): first by second; nan of nothing."""
    part, whole = counts[..., 0], counts[..., 1]
    return {"ratio": np.divide(part, whole, out=np.full(np.shape(part), np.nan), where=whole > 0)}


def by_opinion(values: Rate, opinions: NDArray[np.int64], groups: int) -> Counts:
    """(opinions,): the sum of values of shape (claims,) within each opinion."""
    return np.bincount(opinions, weights=values, minlength=groups).astype(np.float64)
