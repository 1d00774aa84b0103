"""Shares of claims with their intervals, by a bootstrap over opinions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import Bools
from parcel_agents.ensemble.rates import Counts, Rate
from parcel_agents.eval.bootstrap import Bootstrap, by_opinion
from parcel_agents.hard.distribution import Share


@dataclass(frozen=True)
class BootstrapShares:
    """Finds the shares of a distribution; all of them see the same draws of opinions."""

    bootstrap: Bootstrap
    opinions: NDArray[np.int64]
    """(claims,): number of the opinion."""

    def __call__(self, part: Bools, whole: Bools) -> list[Share]:
        """See `Shares`; without an interval where there are fewer than two opinions."""
        groups = int(self.opinions.max()) + 1
        columns = [*(column & whole for column in part.T), whole]
        counts = np.stack([by_opinion(c.astype(np.float64), self.opinions, groups) for c in columns], axis=1)
        found = self.bootstrap.estimates(counts, _shares)
        return [Share(one.value, one.low, one.high) for one in found.values()]


def _shares(counts: Counts) -> dict[str, Rate]:
    """Each column of (..., columns + 1) by the last; nan of nothing."""
    whole = counts[..., -1]
    nothing = np.full(np.shape(whole), np.nan)
    return {
        f"{place}": np.divide(counts[..., place], whole, out=nothing.copy(), where=whole > 0)
        for place in range(counts.shape[-1] - 1)
    }
