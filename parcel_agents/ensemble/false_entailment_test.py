"""Is the false entailment rate below a bound? A p-value for claims that come in opinions.

Opinion g has n_g unsupported claims, of which x_g were called Supported; N is the sum of the n_g. The null hypothesis
is that the rate is above the bound a: E[sum of x_g] > a N. Opinions are independent of each other; claims of one
opinion may depend on each other in any way. All is conditional on the sizes n_g, so they may be put into any formula.

*One claim an opinion:* the exact binomial test, p = P(Bin(N, a) <= sum of x_g). It holds for unequal rates too where
it matters, with sums up to aN - 1 (Hoeffding, Ann. Math. Stat. 27, 1956, theorem 4).

*Several:* opinions are the units. For fixed k_g >= n_g take the product of the (1 - x_g / k_g). Opinions are
independent and each factor is linear in x_g, so its expectation is the product of the (1 - m_g / k_g), m_g = E[x_g].
Divide by the largest value W that this takes under the null, where 0 <= m_g <= n_g and the m_g sum to a N or more:

    e = prod(1 - x_g / k_g) / W,    E[e] <= 1 under the null,    so P(1 / e <= alpha) <= alpha   (Markov).

A mean of such e-values, with weights fixed beforehand, is one too (Vovk and Wang, Ann. Stat. 49, 2021), and p is
min(1, 1 / mean). With n_g = n and k_g = k all alike W is (1 - a n / k)^G, and e is the bet on a mean of Waudby-Smith
and Ramdas (J. R. Stat. Soc. B 86, 2024) with a constant stake; there they bet in some order, here order is nothing.
With 340 opinions of 8 independent claims, a bound of 2% and a rate of .5% (.8%) the test passes at 95% in 1.00 (.78) of
cases; the Hoeffding-Bentkus p-value of Learn-then-Test, taken on the share of errors of each opinion, in .37 (.02).

`k_g = max(n_g, q times the mean size)`: with q = 1 an error costs the factor 1 - 1/k, little if it is one of many
claims, but an opinion wrong in all its claims ends the bet; larger q survive that.

Sizes cost. The rate asked for is that of all claims, so the null may put all errors into the few largest opinions,
where they are seldom seen: opinions of about equal size say most. Also, what is bounded is the rate in opinions of
sizes like these. No test can do without that: a rare opinion with very many claims, all of them wrong, may make up
all of the rate and never be in the sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, log

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.stats import binom

from parcel_agents.ensemble.ballots import Floats

Counts = NDArray[np.int64]

STAKES = ((1.0, 0.4), (1.25, 0.4), (2.0, 0.2))
"""Pairs of q and its weight. Without errors, weights cost some opinions: 171 instead of 149 of equal size for 2% at
95%. In return an opinion that is wrong as a whole does not end the test: with 340 opinions of 8 claims, a rate of .5%
and claims that are all right or all wrong together, the share of tests passed is .43 instead of .18 for q = 1 alone;
with independent claims and a rate of .8% it is .77 instead of .91."""


@dataclass(frozen=True)
class FalseEntailmentTest:
    """Tests whether the false entailment rate is below a bound, for opinions of given sizes.

    Raises:
        ValueError: no opinions, one without an unsupported claim, or a bound that is not between 0 and 1.
    """

    sizes: Counts
    """(opinions,): the number of unsupported claims of each, at least 1."""
    max_fer: float
    """The bound."""

    def __post_init__(self) -> None:
        if not len(self.sizes) or self.sizes.min() < 1:
            raise ValueError("each opinion needs an unsupported claim, and there must be opinions")
        if not 0 < self.max_fer < 1:
            raise ValueError(f"a rate between 0 and 1 is needed, not {self.max_fer!r}")

    def p_value(self, errors: Counts) -> float:
        """How surprising so few false entailments are if the rate is above the bound; it rises with each of them.

        Args:
            errors: (opinions,): the number of false entailments in each.
        """
        if self._single:
            return float(binom.cdf(errors.sum(), len(self.sizes), self.max_fer))
        with np.errstate(divide="ignore"):  # an opinion wrong as a whole: log of 0, and the bet is lost
            bets = np.log1p(-errors / self._scales).sum(axis=1) - len(self.sizes) * self._log_worst
        return float(min(1.0, np.exp(-np.logaddexp.reduce(_LOG_WEIGHTS + bets))))

    def opinions_needed(self, confidence: float) -> int:
        """The number of opinions at which the p-value without any error is 1 - `confidence` or less.

        If sizes differ, the further opinions are taken to be as the given ones, and so is the result: it is the
        least number for multiples of these opinions and near it for others.
        """
        goal = log(1 - confidence)
        if self._single:
            return ceil(goal / log(1 - self.max_fer) - 1e-9)
        # The first stake alone needs no more than `high`.
        low, high = 0, ceil((goal + log(STAKES[0][1])) / float(self._log_worst[0])) + 1
        while high - low > 1:
            middle = (low + high) // 2
            enough = -np.logaddexp.reduce(_LOG_WEIGHTS - middle * self._log_worst) <= goal + 1e-9
            low, high = (low, middle) if enough else (middle, high)
        return high

    @property
    def _single(self) -> bool:
        return bool(self.sizes.max() == 1)

    @cached_property
    def _scales(self) -> Floats:
        """(stakes, opinions): the k_g."""
        floors = np.array([q for q, _ in STAKES]) * self.sizes.mean()
        scales: Floats = np.maximum(floors[:, None], self.sizes)
        return scales

    @cached_property
    def _log_worst(self) -> Floats:
        """(stakes,): log W, per opinion."""
        return np.array([_log_worst(self.sizes, scale, self.max_fer) for scale in self._scales]) / len(self.sizes)


def lowest_bound(sizes: Counts, confidence: float) -> float:
    """The lowest rate that opinions of these sizes could show not to be exceeded: by having no error at all."""
    none = np.zeros_like(sizes)

    def excess(rate: float) -> float:
        return FalseEntailmentTest(sizes, rate).p_value(none) - (1 - confidence)

    return float(brentq(excess, 1e-9, 1 - 1e-9, xtol=1e-9))


_LOG_WEIGHTS = np.log([weight for _, weight in STAKES])


def _log_worst(sizes: Counts, scale: Floats, rate: float) -> float:
    """The largest sum of log(1 - m_g / k_g) with 0 <= m_g <= n_g and the m_g summing to the rate's share of claims.

    The sum is concave, and its slope in m_g is -1 / (k_g - m_g). So the k_g - m_g are brought to one level, as far
    as m_g can go: m_g = k_g - level between its limits.
    """

    def surplus(level: float) -> float:
        return float(np.clip(scale - level, 0, sizes).sum() - rate * sizes.sum())

    level = brentq(surplus, 0.0, float(scale.max()), xtol=1e-12)
    return float(np.log1p(-np.clip(scale - level, 0, sizes) / scale).sum())
