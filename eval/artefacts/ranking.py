"""The area under the ROC curve of one number, with its interval by a bootstrap over opinions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import Bools, Floats
from parcel_agents.eval.bootstrap import Bootstrap, Estimate
from parcel_agents.eval.metrics import quantiles


def area(values: Floats, positive: Bools, opinions: NDArray[np.int64], bootstrap: Bootstrap) -> Estimate:
    """The chance that a positive claim has a greater value than another claim, ties being half.

    With W[i, j] the pairs of a positive claim of opinion i and another claim of opinion j that are in this order, and
    d how often each opinion is drawn, the area is d'Wd / (d'p d'n): no resample needs a second look at the claims.

    Args:
        values: (claims,); a claim whose value is nan is left out.
        positive: (claims,).
        opinions: (claims,): numbers of the opinions, from 0.
        bootstrap: draws of these opinions.

    Returns:
        The area; nan where all claims, or none, are positive.
    """
    known = ~np.isnan(values)
    values, positive, opinions = values[known], positive[known], opinions[known]
    groups = bootstrap.draws.shape[1]
    counts = [np.bincount(opinions[side], minlength=groups).astype(np.float64) for side in (positive, ~positive)]
    wins = _wins(values, positive, opinions, groups)

    def areas(draws: Floats) -> Floats:
        pairs = (draws @ counts[0]) * (draws @ counts[1])
        won = ((draws @ wins) * draws).sum(axis=1)
        return np.asarray(np.divide(won, pairs, out=np.full(len(draws), np.nan), where=pairs > 0))

    value = float(areas(np.ones((1, groups)))[0])
    if not len(bootstrap.draws):
        return Estimate(value)
    low, high = quantiles(areas(bootstrap.draws.astype(np.float64))[:, None])
    return Estimate(value, float(low[0]), float(high[0]))


def _wins(values: Floats, positive: Bools, opinions: NDArray[np.int64], groups: int) -> Floats:
    """(opinions of the positive claim, opinions of the other): pairs in which the positive claim has the greater value.

    A tie counts half.
    """
    found = np.zeros((groups, groups))
    ours, owners = values[positive], opinions[positive]
    for other in np.unique(opinions[~positive]):
        theirs = np.sort(values[~positive & (opinions == other)])
        ranks = [np.searchsorted(theirs, ours, side) for side in ("left", "right")]
        found[:, other] = np.bincount(owners, weights=(ranks[0] + ranks[1]) / 2, minlength=groups)
    return found
