"""The numbers that the default panel is to reach, beside what it reaches."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from parcel_agents.eval.bootstrap import Estimate
from parcel_agents.eval.verdicts.entries import Entry

SECTION = "targets"


@dataclass(frozen=True)
class Target:
    """A bound on one figure of one entry."""

    words: str
    section: str
    about: Mapping[str, str]
    """What the entry must say of itself."""
    figure: str
    sign: Literal[">=", "<="]
    bound: float

    def is_met(self, value: float) -> bool:
        """True if the value keeps the bound; a share of nothing does not."""
        return not math.isnan(value) and (value >= self.bound if self.sign == ">=" else value <= self.bound)


_ALL = {"subset": "all", "system": "panel"}
TARGETS = (
    Target("Not Found precision", "labelled", _ALL, "not_found.precision", ">=", 0.95),
    Target("Not Found recall", "labelled", _ALL, "not_found.recall", ">=", 0.85),
    Target("FER", "labelled", _ALL, "fer", "<=", 0.02),
    Target("FER on refuted", "labelled", _ALL, "fer_refuted", "<=", 0.03),
    Target("FER on not found", "labelled", _ALL, "fer_not_found", "<=", 0.03),
    Target("accuracy of decided", "labelled", _ALL, "accuracy_of_decided", ">=", 0.92),
    Target("decided", "labelled", _ALL, "decided", ">=", 0.40),
    Target("verbatim called Supported", "verbatim", {"voice": "all"}, "supported", ">=", 0.95),
    Target("edited called Supported", "edited", {"kind": "all"}, "supported", "<=", 0.02),
    Target("natural called Refuted or Not Found", "natural", {}, "wrong", "<=", 0.05),
    Target("warm claims a second", "speed", {"state": "warm"}, "claims_per_s", ">=", 20),
    Target("cold start, seconds", "speed", {"state": "cold"}, "seconds", "<=", 15),
)


@dataclass(frozen=True)
class Result:
    """A target beside its figure."""

    target: Target
    estimate: Estimate

    def as_json(self) -> dict[str, Any]:
        """One flat object."""
        return {
            "section": SECTION,
            "target": self.target.words,
            "sign": self.target.sign,
            "bound": self.target.bound,
            "value": round(self.estimate.value, 4),
            "value_interval": [round(end, 4) for end in self.estimate.interval],
            "met": self.target.is_met(self.estimate.value),
        }


def compare(entries: Iterable[Entry], dataset: str) -> list[Result]:
    """Each target whose figure was measured on the data set, or on no data set, in the order of `TARGETS`."""
    here = [entry for entry in entries if entry.about.get("dataset", dataset) == dataset]
    return [
        Result(target, entry.figures[target.figure])
        for target in TARGETS
        for entry in here
        if entry.section == target.section
        and target.about.items() <= entry.about.items()
        and target.figure in entry.figures
    ]
