"""Choose a cascade's thresholds on labelled claims, for a cost or for an error target."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from parcel_agents.ensemble.ballots import SUPPORTED, Ballots, Codes, Floats
from parcel_agents.ensemble.base import Policy, asked
from parcel_agents.ensemble.cascade import Accept, Cascade


@dataclass(frozen=True)
class TunedCascade:
    """A cascade with thresholds chosen on calibration data, and what it reached there."""

    cascade: Cascade
    cost: float
    """Mean cost of a claim, in the unit of the costs given."""
    accuracy: float
    """Share of the labelled claims decided rightly."""
    fer: float
    """Share of the unsupported claims called supported; nan without any."""


GRID = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99, 0.995, 1.0, 1.01)
"""Thresholds that are tried; the last one accepts nothing early."""


def tune_cascade(
    inner: Policy,
    ballots: Ballots,
    gold: Codes,
    costs: Floats,
    *,
    max_cost: float | None = None,
    max_fer: float | None = None,
) -> TunedCascade:
    """The cascade that is best on labelled claims: one pair of thresholds for all tiers but the last.

    Given a cost target, the lowest false entailment rate that it allows (then the highest accuracy, then the lowest
    cost); given an error target, the lowest cost at which the false entailment rate keeps to it and the accuracy is
    no lower than that of asking everybody. The rates are those of the calibration data and no guarantee; for one
    use risk control on other opinions.

    Args:
        inner: the policy, fitted on other claims where it is fitted.
        ballots: votes of all members on labelled claims; `Member.tier` gives the order.
        gold: (claims,) the codes of the labels.
        costs: (claims, members) what each vote cost.
        max_cost: the mean cost of a claim to keep to.
        max_fer: the false entailment rate to keep to.

    Raises:
        ValueError: both targets or none are given, there are no claims, or no thresholds reach the target.
    """
    if (max_cost is None) == (max_fer is None):
        raise ValueError("give either a cost target or an error target")
    for name, target in (("cost", max_cost), ("false entailment rate", max_fer)):
        if target is not None and not 0 <= target <= (1 if name != "cost" else np.inf):
            raise ValueError(f"a {name} of {target!r} is no target")
    if max_fer is not None and not (gold != SUPPORTED).any():
        raise ValueError("no claim is refuted or not found, so no false entailment could show")
    if not len(ballots):
        raise ValueError("there are no labelled claims to tune the cascade on")
    tiers = len({member.tier for member in ballots.members})
    cascades = [Cascade(inner, (Accept(s, o),) * (tiers - 1)) for s in GRID for o in GRID]
    tried = [_measured(cascade, cascade, ballots, gold, costs) for cascade in cascades]
    if max_cost is not None:
        kept = [one for one in tried if one.cost <= max_cost]
        missed = f"cost target of {max_cost:g} a claim; the cheapest costs {min(one.cost for one in tried):g}"
        order = [(_or_zero(one.fer), -one.accuracy, one.cost) for one in kept]
    else:
        everybody = _measured(inner, cascades[-1], ballots, gold, costs)
        kept = [one for one in tried if not one.fer > (max_fer or 0.0) and one.accuracy >= everybody.accuracy]
        missed = f"false entailment rate of {max_fer:g}; asking everybody has {everybody.fer:g}"
        order = [(one.cost, _or_zero(one.fer), -one.accuracy) for one in kept]
    if not kept:
        raise ValueError(f"no thresholds reach the {missed}")
    return kept[order.index(min(order))]


def _measured(policy: Policy, cascade: Cascade, ballots: Ballots, gold: Codes, costs: Floats) -> TunedCascade:
    labels = policy.decide(ballots).labels
    unsupported = gold != SUPPORTED
    return TunedCascade(
        cascade,
        cost=float((costs * asked(policy, ballots)).sum(axis=1).mean()),
        accuracy=float((labels == gold).mean()),
        fer=float((labels[unsupported] == SUPPORTED).mean()) if unsupported.any() else float("nan"),
    )


def _or_zero(rate: float) -> float:
    return 0.0 if np.isnan(rate) else rate
