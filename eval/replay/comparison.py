"""Is one set of decisions better than another on the same claims, or only by chance?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import SUPPORTED, Codes
from parcel_agents.ensemble.rates import Counts, rates

FLIPS = 10_000
MAX_EXACT = 14
"""With so many differing opinions, or fewer, all signs are tried; with more, so many drawn ones."""
ROUNDS = 200


@dataclass(frozen=True)
class Comparison:
    """One set of decisions against another, on accuracy and on false entailments."""

    only_first_right: int
    """Claims that the first decides rightly and the second does not."""
    only_second_right: int
    accuracy_gain: float
    """Accuracy of the first minus that of the second."""
    mcnemar_p: float
    """Exact McNemar test; it takes claims for independent, so beside it stands:"""
    permutation_p: float
    """Sign-flip test by opinion, two-sided."""
    only_first_false: int
    """False entailments of the first alone."""
    only_second_false: int
    fer_permutation_p: float
    """Sign-flip test by opinion on the false entailments, two-sided."""


def compare(
    first: Codes, second: Codes, gold: Codes, opinions: NDArray[np.int64], rng: np.random.Generator
) -> Comparison:
    """Paired tests of two sets of decisions, each (claims,), on labelled claims."""
    from scipy.stats import binomtest

    right, other = first == gold, second == gold
    won, lost = int((right & ~other).sum()), int((other & ~right).sum())
    false, their_false = [(decided == SUPPORTED) & (gold != SUPPORTED) for decided in (first, second)]
    return Comparison(
        won,
        lost,
        float((right.sum() - other.sum()) / len(gold)),
        float(binomtest(won, won + lost).pvalue) if won + lost else 1.0,
        _sign_flips(right.astype(int) - other, opinions, rng),
        int((false & ~their_false).sum()),
        int((their_false & ~false).sum()),
        _sign_flips(false.astype(int) - their_false, opinions, rng),
    )


def _sign_flips(difference: NDArray[np.int64], opinions: NDArray[np.int64], rng: np.random.Generator) -> float:
    """P-value of a sum of differences when each opinion's sum might as well have had the other sign."""
    sums = np.bincount(opinions, weights=difference)
    sums = sums[sums != 0]
    if not len(sums):
        return 1.0
    if len(sums) <= MAX_EXACT:
        signs = (np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums)) & 1) * 2 - 1
        return float((np.abs(signs @ sums) >= abs(sums.sum()) - 1e-9).mean())
    signs = rng.integers(0, 2, size=(FLIPS, len(sums)), dtype=np.int8) * 2 - 1
    extreme = np.abs(signs @ sums) >= abs(sums.sum()) - 1e-9
    # The observed signs are one of the possible ones, so the value is never 0.
    return float((extreme.sum() + 1) / (FLIPS + 1))


@dataclass(frozen=True)
class HeldOutChoice:
    """What choosing the most accurate of many on half of the opinions gives on the other half, on average."""

    accuracy_where_chosen: float
    accuracy_elsewhere: float
    fer_elsewhere: float


def choose_by_halves(confusion: Counts, rng: np.random.Generator, rounds: int = ROUNDS) -> HeldOutChoice | None:
    """The cost of having chosen the best of many combinations on the claims that it is measured on.

    Ties go to the lower false entailment rate. None with fewer than two opinions.

    Args:
        confusion: (combinations, opinions, gold labels, said).
        rng: halves the opinions.
        rounds: how often.
    """
    groups = confusion.shape[1]
    if groups < 2:
        return None
    flat = confusion.transpose(1, 0, 2, 3).reshape(groups, -1)
    in_half = np.zeros((rounds, groups))
    for half in in_half:
        half[rng.permutation(groups)[: groups // 2]] = 1
    shape = (rounds, *confusion.shape[:1], *confusion.shape[2:])
    here, there = rates((in_half @ flat).reshape(shape)), rates(((1 - in_half) @ flat).reshape(shape))
    best = (here.accuracy - 1e-6 * np.nan_to_num(here.fer)).argmax(axis=1)
    row = np.arange(rounds)
    return HeldOutChoice(
        float(here.accuracy[row, best].mean()),
        float(there.accuracy[row, best].mean()),
        float(np.nanmean(there.fer[row, best])) if not np.isnan(there.fer[row, best]).all() else float("nan"),
    )
