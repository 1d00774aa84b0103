"""What risk control measured, as data and in words."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from parcel_agents.ensemble.ballots import Codes
from parcel_agents.ensemble.rates import confusion, rates


@dataclass(frozen=True)
class Cost:
    """What a threshold costs: how a policy fares on claims with known labels; nan for a class without claims."""

    decided: float
    """The share of claims that it gives a label."""
    supported_recall: float
    """The share of supported claims that it calls Supported."""
    fer: float
    """False entailment rate (see `Rates`)."""
    fer_refuted: float
    fer_not_found: float

    @classmethod
    def of(cls, gold: Codes, decided: Codes) -> Cost:
        """The rates of these decisions."""
        found = rates(confusion(decided, gold))
        return cls(*(float(getattr(found, field.name)) for field in fields(cls)))


@dataclass(frozen=True)
class RiskReport:
    """The threshold that was chosen, what it guarantees and what it costs."""

    policy: str
    """The name of the policy without the threshold."""
    threshold: float | None
    """The lowest score to be called Supported; 0 if all are high enough, None if no threshold passed."""
    max_fer: float
    confidence: float
    p_value: float
    """Of the test at the threshold; without one, of never saying Supported."""
    opinions: int
    claims: int
    """Claims with a label."""
    unsupported: int
    """Those of them that are refuted or not found."""
    unlabelled: int
    """Claims without a label, which were left out."""
    before: Cost
    """The policy as it was."""
    after: Cost
    """With the threshold."""

    def lines(self) -> list[str]:
        """The report for a reader who is no statistician."""
        bound, sure = percent(self.max_fer), percent(self.confidence)
        left_out = f"; {self.unlabelled} more without a label were left out" if self.unlabelled else ""
        return [
            self._threshold(),
            f"What is guaranteed: of the claims that their opinion does not support, at most {bound} are called "
            f"Supported, with {sure} confidence. That is, if the calibration opinions were drawn again and again from "
            f"opinions like these, at least {sure} of the draws would lead to a threshold that keeps to {bound}.",
            f"What it rests on: {self.claims} claims about {self.opinions} opinions, {self.unsupported} of them "
            f"unsupported{left_out}. Claims about one opinion count as dependent on each other. "
            f"(p = {self.p_value:.2g}.)",
            "What it costs, on these claims, before and after:",
            _row("supported claims called Supported", self.before.supported_recall, self.after.supported_recall),
            _row("unsupported claims called Supported", self.before.fer, self.after.fer),
            _row("- refuted ones", self.before.fer_refuted, self.after.fer_refuted),
            _row("- not found ones", self.before.fer_not_found, self.after.fer_not_found),
            _row("claims given a label", self.before.decided, self.after.decided),
            "What is not guaranteed: that any one claim called Supported is supported; the rate among refuted or among "
            "not-found claims alone, or among claims called Supported; anything for other kinds of opinions or "
            "claims, for opinions with many more claims than these, or with other verifiers; and nothing if the "
            "policy was fitted on these opinions or picked because it did well on them.",
        ]

    def _threshold(self) -> str:
        if self.threshold is None:
            return (
                "No threshold passes: even the highest scores include too many false entailments. "
                "Nothing is called Supported; such claims are left open."
            )
        if self.threshold == 0:
            return f"No threshold is needed: {self.policy} passes as it is."
        return (
            f"Threshold: a claim is called Supported only with a score of {self.threshold:.9g} or more by "
            f"{self.policy}; below, it is left open."
        )


def percent(rate: float) -> str:
    """A rate as people write it, such as 2% or 7.25%; words for nan."""
    return "no such claims" if np.isnan(rate) else f"{100 * rate:.4g}%"


def _row(name: str, before: float, after: float) -> str:
    numbers = "no such claims" if np.isnan(before) else f"{before:7.1%} -> {after:6.1%}"
    return f"  {name:<36}{numbers}"
