"""Risk control: `supported` only above a threshold that keeps the false entailment rate below a bound.

Learn-then-Test (Angelopoulos, Bates, Candès, Jordan and Lei, arXiv 2110.01052): for each threshold, from the
strictest to looser ones, test the hypothesis that the rate is above the bound, and take the loosest threshold before
the first test that fails. Each test is at the full level, since the sequence ends at a failure (fixed-sequence
testing). No grid of thresholds need be laid down beforehand: a looser threshold only adds claims that are called
Supported, so the rate and the p-value can only rise from one to the next. To be wrong is to pass at some threshold
whose rate is above the bound, hence at all stricter ones of that kind too, and the probability of that is at most the
level, however close together they lie. So the scores seen in calibration are tried; probabilities that crowd at 1
would fall between the steps of a grid.

MAPIE's risk control takes claims as independent, which those of one opinion are not, so it is not used here; the
p-value that goes by opinions is in `false_entailment_test`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import numpy as np

from parcel_agents.ensemble.ballots import ABSTAINED, SUPPORTED, Ballots, Bools, Floats
from parcel_agents.ensemble.base import Decisions, Policy, asked
from parcel_agents.ensemble.calibration import UNLABELLED, Calibration
from parcel_agents.ensemble.false_entailment_test import FalseEntailmentTest, lowest_bound
from parcel_agents.ensemble.risk_report import Cost, RiskReport, percent
from parcel_agents.errors import ConfigError, InputError

DECIMALS = 9
"""Scores are rounded to so many. The last digits of a score depend on how many claims are decided at once, and many
claims have just the score that the threshold is."""


@dataclass(frozen=True)
class Thresholded(Decisions):
    """What is left of a policy's decisions when `supported` needs a score."""

    held_back: Bools
    """(claims,): True where the policy says supported, with too low a score."""


@dataclass(frozen=True)
class RiskControlled:
    """A policy whose `supported` becomes an abstention where its score is below a threshold.

    Other labels stay as they are. Scores stay too.
    """

    inner: Policy
    threshold: float | None
    """The lowest score to be called Supported; None for never."""
    max_fer: float
    """The bound on the false entailment rate that the threshold was chosen for."""
    confidence: float
    """The probability, over draws of the calibration opinions, that the bound holds."""

    @classmethod
    def of(cls, inner: Policy, report: RiskReport) -> RiskControlled:
        """The policy with the threshold that was chosen for it."""
        return cls(inner, report.threshold, report.max_fer, report.confidence)

    @property
    def name(self) -> str:
        """The policy's name and the bound, such as `majority (FER <= 2%)`."""
        return f"{self.inner.name} (FER <= {percent(self.max_fer)})"

    @property
    def calibrated(self) -> bool:
        """See `Policy.calibrated`."""
        return self.inner.calibrated

    @property
    def reads(self) -> frozenset[str]:
        """See `Policy.reads`."""
        return self.inner.reads

    def decide(self, ballots: Ballots) -> Thresholded:
        """See `Policy.decide`. A score equal to the threshold is enough."""
        inner = self.inner.decide(ballots)
        least = np.inf if self.threshold is None else self.threshold
        held_back = (inner.labels == SUPPORTED) & (support(inner) < least)
        labels = np.where(held_back, ABSTAINED, inner.labels).astype(np.int8)
        return Thresholded(labels, inner.scores, held_back)

    def asked(self, ballots: Ballots) -> Bools:
        """See `Tiered.asked`; the same members as without the threshold."""
        return asked(self.inner, ballots)

    def explain(self, decisions: Decisions) -> str:
        """See `Policy.explain`."""
        if not (isinstance(decisions, Thresholded) and decisions.held_back[0]):
            return self.inner.explain(decisions)
        score = float(support(Decisions(np.array([SUPPORTED], dtype=np.int8), decisions.scores))[0])
        bound = f"keeps false support under {percent(self.max_fer)}"
        if self.threshold is None:
            return f"supported with a score of {_short(score)}, but no score was found that {bound}"
        digits = next((d for d in range(2, DECIMALS) if f"{score:.{d}f}" != f"{self.threshold:.{d}f}"), DECIMALS)
        least = _short(self.threshold, digits)
        return f"supported with a score of {_short(score, digits)}, below the threshold of {least} that {bound}"


def support(decisions: Decisions) -> Floats:
    """(claims,): the score with which each is called Supported, rounded; minus infinity where it is not."""
    scores = np.round(decisions.scores[:, SUPPORTED], DECIMALS)
    return np.where(decisions.labels == SUPPORTED, scores, -np.inf)


def choose_threshold(policy: Policy, calibration: Calibration, *, max_fer: float, confidence: float) -> RiskReport:
    """The lowest threshold that keeps the false entailment rate below a bound, and what that costs.

    The policy must have been fitted on other opinions, and settled on before these ones were looked at: of several
    policies tried here, the best one's guarantee is worth less. Claims without a label are left out. If no threshold
    passes, the report says that nothing is to be called Supported.

    Args:
        policy: the policy to put a threshold to.
        calibration: claims with known labels, about opinions like those to come.
        max_fer: the bound on the rate, such as 0.02.
        confidence: the probability, over draws of the calibration opinions, that the bound is kept.

    Raises:
        ConfigError: the bound or the confidence is not between 0 and 1.
        InputError: the claims are too few to show such a bound, whatever the policy does, or of too few kinds.
    """
    for name, rate in (("max-fer", max_fer), ("confidence", confidence)):
        if not 0 < rate < 1:
            raise ConfigError(f"{name} is {rate!r}; it must lie between 0 and 1, such as 0.02 or 0.95")
    known = calibration.labelled()
    _refuse_one_sided(known)
    unsupported = known.gold != SUPPORTED
    _, opinion, sizes = np.unique(known.opinions[unsupported], return_inverse=True, return_counts=True)
    test = FalseEntailmentTest(sizes, max_fer)
    if test.p_value(np.zeros_like(sizes)) > 1 - confidence:
        raise InputError(_too_few(test, confidence))

    decisions = policy.decide(known.ballots)
    scores = support(decisions)

    def p_value(threshold: float) -> float:
        return test.p_value(np.bincount(opinion[scores[unsupported] >= threshold], minlength=len(sizes)))

    threshold = _loosest(p_value, np.unique(scores[scores > -np.inf]), 1 - confidence)
    after = RiskControlled(policy, threshold, max_fer, confidence).decide(known.ballots)
    return RiskReport(
        policy=policy.name,
        threshold=threshold,
        max_fer=max_fer,
        confidence=confidence,
        p_value=p_value(np.inf if threshold is None else threshold),
        opinions=len(np.unique(known.opinions)),
        claims=len(known),
        unsupported=int(unsupported.sum()),
        unlabelled=int((calibration.gold == UNLABELLED).sum()),
        before=Cost.of(known.gold, decisions.labels),
        after=Cost.of(known.gold, after.labels),
    )


def _loosest(p_value: Callable[[float], float], thresholds: Floats, level: float) -> float | None:
    """The lowest of the ascending thresholds that passes; 0 if all do, None if none does.

    The p-value falls as the threshold rises, so the middle can be tried first: it is the same as to go down from
    the top until one fails.
    """
    place = bisect_left(thresholds.tolist(), True, key=lambda threshold: p_value(threshold) <= level)
    if place == 0:
        return 0.0
    return float(thresholds[place]) if place < len(thresholds) else None


def _refuse_one_sided(known: Calibration) -> None:
    """InputError if there is nothing to measure a rate or a recall on."""
    if not len(known):
        raise InputError("no claim of the calibration set has a label; risk control needs claims with known labels")
    if not (known.gold != SUPPORTED).any():
        raise InputError(
            f"none of the {len(known)} labelled claims is refuted or not found, so no false entailment could show; "
            "add claims that their opinion does not support"
        )
    if not (known.gold == SUPPORTED).any():
        raise InputError(
            f"none of the {len(known)} labelled claims is supported, so what the bound costs in supported claims "
            "cannot be told; add claims that their opinion supports"
        )
    if len(np.unique(known.opinions)) == 1:
        raise InputError(
            f"all {len(known)} labelled claims are about one opinion, which says nothing about others; add opinions"
        )


def _too_few(test: FalseEntailmentTest, confidence: float) -> str:
    """The words for a calibration set that is too small, with the size that would do."""
    sizes = test.sizes
    needed = test.opinions_needed(confidence)
    lowest = ceil(lowest_bound(sizes, confidence) * 1000) / 1000
    words = (
        f"{len(sizes)} opinions with {sizes.sum()} unsupported claims are too few to keep the false entailment rate "
        f"under {percent(test.max_fer)} with {percent(confidence)} confidence, even if none of them is called "
        f"Supported: it takes {needed} such opinions, about {ceil(needed * sizes.mean())} unsupported claims at "
        f"{sizes.mean():.3g} an opinion. The lowest bound that these could show is {percent(lowest)}."
    )
    if sizes.max() > 1.5 * sizes.mean():
        words += f" The largest has {sizes.max()}: opinions of more equal size would do with fewer."
    return words


def _short(score: float, digits: int = 2) -> str:
    """A score as people write it: .61, 1.00."""
    return f"{score:.{digits}f}".removeprefix("0")
