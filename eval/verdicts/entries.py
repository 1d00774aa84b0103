"""The figures that the parts of the bench hand over, and how a share gets its interval."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import ABSTAINED, Bools, Codes
from parcel_agents.ensemble.false_entailment_test import lowest_bound
from parcel_agents.eval.bootstrap import Bootstrap, Estimate, by_opinion, ratio
from parcel_agents.eval.metrics import INTERVAL
from parcel_agents.types import LABELS, Verdict


@dataclass(frozen=True)
class Entry:
    """What was measured of one thing: a subset of the claims, a kind of edit, a check."""

    section: str
    about: Mapping[str, str]
    """Which thing it is, such as `{"subset": "contrast", "system": "panel"}`."""
    counts: Mapping[str, int] = field(default_factory=dict)
    figures: Mapping[str, Estimate] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """One flat object; the interval of `fer` stands under `fer_interval`."""
        row: dict[str, Any] = {"section": self.section, **self.about, **self.counts}
        for name, estimate in self.figures.items():
            row |= {name: round(estimate.value, 4), f"{name}_interval": [round(end, 4) for end in estimate.interval]}
        return row


@dataclass(frozen=True)
class Shares:
    """Takes shares of claims, with intervals by a bootstrap over the opinions they are about."""

    opinions: NDArray[np.int64]
    """(claims,): number of the opinion, from 0."""
    bootstrap: Bootstrap

    @classmethod
    def over(cls, opinion_ids: Iterable[str], rng: np.random.Generator) -> Shares:
        """For claims about these opinions, one id a claim."""
        ids, numbers = np.unique(list(opinion_ids), return_inverse=True)
        return cls(numbers.astype(np.int64), Bootstrap.of(len(ids), rng))

    def of(self, part: Bools, whole: Bools | None = None) -> Estimate:
        """The share of `whole` that is in `part` too; nan of nothing.

        Of a share of nought the upper end is the lowest that so many opinions can rule out, since resamples of no
        errors have none either (`bounds_without_errors`).
        """
        among = np.ones(len(self.opinions), dtype=np.bool_) if whole is None else whole
        groups = int(self.opinions.max()) + 1 if len(self.opinions) else 0
        counts = [by_opinion(each.astype(np.float64), self.opinions, groups) for each in (part & among, among)]
        found = self.bootstrap.estimates(np.stack(counts, axis=1), ratio)["ratio"]
        sizes = counts[1][counts[1] > 0].astype(np.int64)
        if found.value == 0 and not math.isnan(found.high) and len(sizes) >= 2:
            return replace(found, high=lowest_bound(sizes, INTERVAL[1]))
        return found

    def of_labels(self, said: Codes, whole: Bools | None = None) -> dict[str, Estimate]:
        """The shares that were called each label, and those of which nothing was said."""
        names = {**dict(enumerate(LABELS)), ABSTAINED: "undecided"}
        return {name: self.of(said == code, whole) for code, name in names.items()}


def said_codes(verdicts: Iterable[Verdict]) -> Codes:
    """(claims,): the code of each verdict's label, ABSTAINED where it has none."""
    codes = [ABSTAINED if verdict.label is None else LABELS.index(verdict.label) for verdict in verdicts]
    return np.array(codes, dtype=np.int8)
