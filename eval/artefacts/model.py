"""What a probe finds. A figure over nothing is nan here, and null in JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from parcel_agents.eval.bootstrap import Estimate
from parcel_agents.types import Label


@dataclass(frozen=True)
class Group:
    """Claims of one label, or of one way of making them, and how many of them are guessed right."""

    label: Label
    strategy: str | None
    """None for all claims of the label."""
    claims: int
    right: Estimate
    """Share that is guessed right, by words alone."""

    def as_json(self) -> dict[str, Any]:
        """One flat object."""
        return {
            "label": self.label,
            "strategy": self.strategy,
            "claims": self.claims,
            **estimate_json("right", self.right),
        }


@dataclass(frozen=True)
class Guessing:
    """What a classifier reaches that sees the claim's words and no opinion."""

    accuracy: Estimate
    classes: tuple[Group, ...]
    strategies: tuple[Group, ...]
    """Of the labels that have strategies."""
    contrast: Group | None
    """The contrast claims that are labelled supported: where the classifier still tells by the wording, it is wrong."""

    def as_json(self) -> dict[str, Any]:
        """Its figures by name."""
        return {
            **estimate_json("accuracy", self.accuracy),
            "classes": [group.as_json() for group in self.classes],
            "strategies": [group.as_json() for group in self.strategies],
            "contrast": None if self.contrast is None else self.contrast.as_json(),
        }


@dataclass(frozen=True)
class Feature:
    """A number that every claim has, by label."""

    medians: Mapping[Label, float]
    """Of the labels that have claims."""
    auc: Estimate
    """The chance that a supported claim has more of it than another one, ties being half: .5 tells nothing."""
    auc_against: Mapping[Label, Estimate]
    """The same against the claims of one other label."""

    def as_json(self) -> dict[str, Any]:
        """Its figures by name."""
        return {
            "medians": {label: json_number(value) for label, value in self.medians.items()},
            **estimate_json("auc", self.auc),
            "auc_against": {label: estimate_json("auc", one) for label, one in self.auc_against.items()},
        }


@dataclass(frozen=True)
class Distance:
    """How far two distributions are apart: 0 for equal ones, 1 for ones that share nothing."""

    value: float
    by_chance: float
    """What it would be on average if the claims of both had been dealt out at random; small classes are never equal."""


@dataclass(frozen=True)
class LeadWords:
    """The words that the claims begin with."""

    counts: Mapping[Label, Mapping[str, int]]
    """Of the labels that have claims; the most frequent word of all labels first."""
    from_supported: Mapping[Label, Distance]
    """The total variation distance of each other label's words from those of the supported claims."""

    def as_json(self) -> dict[str, Any]:
        """Its figures by name."""
        return {
            "counts": {label: dict(counts) for label, counts in self.counts.items()},
            "distance_from_supported": {
                label: {"value": json_number(one.value), "by_chance": json_number(one.by_chance)}
                for label, one in self.from_supported.items()
            },
        }


@dataclass(frozen=True)
class Probed:
    """What some claims give away."""

    claims: int
    opinions: int
    classes: Mapping[Label, int]
    """Claims of each label that has any."""
    guessing: Guessing | None
    """None where nothing can be guessed; `reason` says why."""
    reason: str
    length: Feature
    """In words, divided by white space."""
    overlap: Feature
    """The share of the claim's different words, without function words and as stems, that the opinion has too."""
    lead: LeadWords

    @property
    def majority(self) -> float:
        """The share of the largest class, which is what always saying it would reach; nan without claims."""
        return max(self.classes.values()) / self.claims if self.claims else math.nan

    def as_json(self) -> dict[str, Any]:
        """Its figures by name."""
        return {
            "claims": self.claims,
            "opinions": self.opinions,
            "classes": dict(self.classes),
            "majority_class": json_number(self.majority),
            "claim_only": None if self.guessing is None else self.guessing.as_json(),
            "cannot_be_probed": self.reason or None,
            "length_words": self.length.as_json(),
            "lead_words": self.lead.as_json(),
            "overlap": self.overlap.as_json(),
        }


@dataclass(frozen=True)
class Probe:
    """What a data set gives away, without and with its contrast claims."""

    main: Probed
    with_contrast: Probed | None
    """The main and the contrast claims together; None where there are no contrast claims."""
    unlabelled: int
    """Claims that have no label and are left out."""

    def as_json(self) -> dict[str, Any]:
        """One object that JSON can hold."""
        both = None if self.with_contrast is None else self.with_contrast.as_json()
        return {"main": self.main.as_json(), "with_contrast": both, "unlabelled": self.unlabelled}


def json_number(value: float) -> float | None:
    """The number to four places; None for nan."""
    return None if math.isnan(value) else round(value, 4)


def estimate_json(name: str, estimate: Estimate) -> dict[str, Any]:
    """The value under the name, both ends under `NAME_interval`; None for what there is not."""
    ends = None if math.isnan(estimate.low) else [json_number(end) for end in estimate.interval]
    return {name: json_number(estimate.value), f"{name}_interval": ends}
