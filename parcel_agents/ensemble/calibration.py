"""Votes on claims whose labels are known: what policies are fitted on, and thresholds chosen on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import Ballots, Bools, Codes
from parcel_agents.types import LABELS

UNLABELLED = -1
"""Code of a claim whose label is not known."""


@dataclass(frozen=True)
class Calibration:
    """Ballots, the labels of their claims, and the opinions the claims are about.

    Claims of one opinion are not independent of each other, so every split is by opinion.

    Raises:
        ValueError: the arrays differ in length, or a label's code is unknown.
    """

    ballots: Ballots
    gold: Codes
    """(claims,): the code of the label, or UNLABELLED."""
    opinions: NDArray[np.int64]
    """(claims,): a number per opinion, equal for claims about the same one."""

    def __post_init__(self) -> None:
        if not len(self.ballots) == len(self.gold) == len(self.opinions):
            raise ValueError("ballots, labels and opinions differ in their number of claims")
        if len(self.gold) and not (self.gold.min() >= UNLABELLED and self.gold.max() < len(LABELS)):
            raise ValueError(f"unknown code among the labels: {np.unique(self.gold).tolist()}")

    def __len__(self) -> int:
        return len(self.gold)

    def rows(self, which: NDArray[np.int64] | Bools) -> Calibration:
        """Some of the claims."""
        return Calibration(self.ballots.rows(which), self.gold[which], self.opinions[which])

    def columns(self, places: Sequence[int]) -> Calibration:
        """All claims with the votes of some of the members."""
        return Calibration(self.ballots.columns(places), self.gold, self.opinions)

    def labelled(self) -> Calibration:
        """The claims whose label is known."""
        return self.rows(self.gold != UNLABELLED)

    def folds(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """(claims,): a fold from 0 to `count` - 1, the same for all claims of an opinion.

        The folds have nearly the same number of opinions. With fewer opinions than folds some stay empty.
        """
        names, place = np.unique(self.opinions, return_inverse=True)
        fold_of = np.arange(len(names)) % count
        rng.shuffle(fold_of)
        return np.asarray(fold_of[place], dtype=np.int64)
