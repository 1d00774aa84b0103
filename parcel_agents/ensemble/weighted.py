"""A majority in which a member's vote weighs as much as its record is good."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import FiniteFloat

from parcel_agents.ensemble.ballots import ABSTAINED, SUPPORTED, Ballots, Floats
from parcel_agents.ensemble.base import Decisions
from parcel_agents.ensemble.calibration import Calibration
from parcel_agents.ensemble.posterior import columns_of, over_half, read_parameters
from parcel_agents.types import LABELS, Frozen


class _Parameters(Frozen):
    weights: dict[str, FiniteFloat]


@dataclass(frozen=True)
class Weighted:
    """More than half of the weight of the configured panel, else abstention.

    A member that is right with probability `p` and spreads its errors evenly over the `K - 1` other labels has the
    weight of the optimal rule for independent members:

        w = log((K - 1) p / (1 - p)),    p = (right + 1) / (given + K),    K = 3

    where `given` counts the labels that it gave on labelled claims, and `right` those that were true. An abstention
    is neither. The smoothing is one vote for each label, so a member that gave no label where the truth is known has
    p = 1/K and weight 0, as has one that guesses: its votes are shown and do not count until it has a record. A worse
    one has weight 0 too, not a negative one: a vote for support must never lower support.

    A label's score is its share of the weight of all members who did not abstain. A member who failed stays in that
    sum, so the panel does not shrink; for `supported` the sum is at least the weight of all members that can say so,
    as in `Majority`. The scores are shares and not probabilities: members err together, which weights do not see.
    """

    weights: Mapping[str, float]
    """The weight of each member by name, never negative."""
    name: str = "weighted"
    calibrated: ClassVar[bool] = False
    reads: ClassVar[frozenset[str]] = frozenset()

    def __post_init__(self) -> None:
        for member, weight in self.weights.items():
            if not 0 <= weight < np.inf:
                raise ValueError(f"the weight of {member!r} is {weight}, but a weight is 0 or more, and finite")

    @classmethod
    def fit(cls, calibration: Calibration) -> Self:
        """Weights from the members' records on the labelled claims; unlabelled ones are left out.

        Raises:
            ValueError: no claim is labelled, or nobody gave a label on one.
        """
        labelled = calibration.labelled()
        choices = labelled.ballots.choices
        given = (choices < ABSTAINED).sum(axis=0)
        right = (choices == labelled.gold[:, None]).sum(axis=0)
        if not len(labelled):
            raise ValueError("weights need claims whose label is known, and there are none")
        if not given.any():
            raise ValueError("weights need votes on labelled claims, and no member gave a label on one")
        others = len(LABELS) - 1
        odds = others * (right + 1) / (given - right + others)
        weights = np.log(np.maximum(odds, 1)).tolist()
        return cls({member.name: weight for member, weight in zip(labelled.ballots.members, weights, strict=True)})

    def decide(self, ballots: Ballots) -> Decisions:
        """See `Policy.decide`. A tie abstains, and so does a panel without weight."""
        order = [column for column in columns_of(ballots, self._members) if column is not None]
        # By name, whatever the order of the panel: sums depend on their order.
        choices = ballots.choices[:, order]
        weights = np.array([self.weights[ballots.members[column].name] for column in order], dtype=np.float64)
        votes = np.stack([(choices == label) @ weights for label in range(len(LABELS))], axis=1)
        of = np.repeat(((choices != ABSTAINED) @ weights)[:, None], len(LABELS), axis=1)
        of[:, SUPPORTED] = np.maximum(of[:, SUPPORTED], ballots.able[order, SUPPORTED] @ weights)
        # A sum in another order may be larger in its last digit, hence the minimum.
        shares: Floats = np.minimum(np.divide(votes, of, out=np.zeros_like(votes), where=of > 0), 1)
        return Decisions(over_half(shares), shares)

    def explain(self, decisions: Decisions) -> str:
        """See `Policy.explain`."""
        share = f"{decisions.scores[0].max():.0%} of the weight"
        return f"at most {share}, no majority" if decisions.labels[0] == ABSTAINED else f"majority with {share}"

    def parameters(self) -> dict[str, Any]:
        """What was fitted, as JSON."""
        return {"weights": dict(self.weights)}

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> Self:
        """The policy with these parameters.

        Raises:
            ValueError: they are not what `parameters` returns.
        """
        return cls(read_parameters(_Parameters, parameters).weights)

    @cached_property
    def _members(self) -> tuple[str, ...]:
        return tuple(sorted(self.weights))
