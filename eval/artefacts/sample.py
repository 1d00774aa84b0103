"""Labelled claims, as the parts of a probe take them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import Codes
from parcel_agents.types import LABELS, GoldClaim


@dataclass(frozen=True)
class Sample:
    """Labelled claims with their labels and opinions as numbers."""

    claims: tuple[GoldClaim, ...]
    gold: Codes
    """(claims,): codes of the labels."""
    opinions: NDArray[np.int64]
    """(claims,): numbers of the opinions, from 0."""
    groups: int
    """How many opinions."""

    @classmethod
    def of(cls, claims: Iterable[GoldClaim]) -> Sample:
        """The claims that have a label.

        They are put into one order, whatever their order was: the solver of the classifier shuffles by place, and a
        claim on the edge between two labels would otherwise be guessed by where it stands in its file.
        """
        known = sorted(
            (claim for claim in claims if claim.label is not None),
            key=lambda claim: (claim.opinion_id, claim.subset, claim.id, claim.claim),
        )
        ids, numbers = np.unique([claim.opinion_id for claim in known], return_inverse=True)
        gold = np.array([LABELS.index(claim.label) for claim in known if claim.label is not None], dtype=np.int8)
        return cls(tuple(known), gold, numbers.astype(np.int64), len(ids))
