"""What the diagnoses of all claims come to: how often each cause applies, and how often models know."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parcel_agents.hard.causes import CAUSES
from parcel_agents.types import GoldClaim

NO_STRATEGY = "(none)"
COMPARED = frozenset({"terms_absent", "subtle_edit", "voice_disagreement"})
"""Causes that may apply to any claim. The others presuppose wrong votes, which claims that are not hard mostly lack."""


@dataclass(frozen=True)
class LikeForLike:
    """Rates of a cause on the labels that have both hard claims and controls."""

    labels: tuple[str, ...]
    hard: float
    """Of these labels' hard claims."""
    controls: float
    """Of their controls, each label weighing as it does among the hard claims."""


@dataclass(frozen=True)
class CauseRate:
    """How often a cause applies to the hard claims, and to the controls."""

    name: str
    applies: int
    judged: int
    """Hard claims for which it could be told."""
    failed: int
    """Hard claims for which the diagnosis raised."""
    like_for_like: LikeForLike | None
    """None for a cause that is not compared, and where no label has hard claims and controls."""
    by_strategy: dict[str, int]
    """Of `applies`: by label and strategy."""


@dataclass(frozen=True)
class LeakageRate:
    """How often one model still said Supported, on the claims of one strategy."""

    verifier: str
    strategy: str
    """As `label: strategy`; `all` for all claims."""
    condition: str
    leaks: int
    answered: int
    """Questions that got an answer; others are missing and count for nothing."""
    missing: int


@dataclass(frozen=True)
class Summary:
    """Over all diagnosed claims."""

    diagnosed: int
    controls: int
    unexplained: int
    """Diagnosed claims to which no cause applies."""
    causes: tuple[CauseRate, ...]
    leakage: tuple[LeakageRate, ...]
    edits: dict[str, int]
    """By kind of edit, the hard claims in which it occurs."""


def summarise(diagnoses: Sequence[Mapping[str, Any]], claims: Mapping[str, GoldClaim]) -> Summary:
    """The summary of diagnoses as the node `diagnose` gives them.

    Args:
        diagnoses: with `claim_id`, `role`, `causes`, `unknown`, `failed` and `probes`.
        claims: by id.
    """
    hard = [one for one in diagnoses if one["role"] == "hard"]
    controls = [one for one in diagnoses if one["role"] == "control"]
    edits = Counter(
        kind
        for one in hard
        for cause in one["causes"]
        for kind in cause["details"].get("kinds", ())
        if "edits" in cause["details"]
    )
    return Summary(
        len(hard),
        len(controls),
        sum(not one["causes"] for one in hard),
        tuple(_rate(name, hard, controls, claims) for name in CAUSES),
        tuple(_leakage(hard, claims)),
        dict(edits.most_common()),
    )


def kind_of(claim: GoldClaim) -> str:
    """Label and strategy of a claim, as `not_found: phantom_citation`."""
    return f"{claim.label}: {claim.strategy}" if claim.strategy else f"{claim.label}"


def _rate(
    name: str,
    hard: Sequence[Mapping[str, Any]],
    controls: Sequence[Mapping[str, Any]],
    claims: Mapping[str, GoldClaim],
) -> CauseRate:
    applying = [one for one in hard if _applies(name, one)]
    return CauseRate(
        name,
        len(applying),
        sum(_judged(name, one) for one in hard),
        sum(name in one["failed"] for one in hard),
        _like_for_like(name, hard, controls, claims) if name in COMPARED else None,
        dict(Counter(kind_of(claims[one["claim_id"]]) for one in applying).most_common()),
    )


def _like_for_like(
    name: str,
    hard: Sequence[Mapping[str, Any]],
    controls: Sequence[Mapping[str, Any]],
    claims: Mapping[str, GoldClaim],
) -> LikeForLike | None:
    groups: list[dict[str, list[bool]]] = [defaultdict(list), defaultdict(list)]
    for group, diagnoses in zip(groups, (hard, controls), strict=True):
        for one in diagnoses:
            if _judged(name, one):
                group[str(claims[one["claim_id"]].label)].append(_applies(name, one))
    labels = sorted(groups[0].keys() & groups[1].keys())
    size = sum(len(groups[0][label]) for label in labels)
    if not size:
        return None
    applying = sum(sum(groups[0][label]) for label in labels)
    expected = sum(len(groups[0][label]) * sum(groups[1][label]) / len(groups[1][label]) for label in labels)
    return LikeForLike(tuple(labels), applying / size, expected / size)


def _applies(name: str, one: Mapping[str, Any]) -> bool:
    return any(cause["name"] == name for cause in one["causes"])


def _judged(name: str, one: Mapping[str, Any]) -> bool:
    return name not in one["failed"] and name not in one["unknown"]


def _leakage(hard: Sequence[Mapping[str, Any]], claims: Mapping[str, GoldClaim]) -> list[LeakageRate]:
    counts: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for one in hard:
        for probe in one["probes"]:
            said = "missing" if probe["outcome"] != "ok" else "leaks" if probe["label"] == "supported" else "other"
            for strategy in ("all", kind_of(claims[one["claim_id"]])):
                counts[probe["verifier"], strategy, probe["condition"]][said] += 1
    order = sorted(counts, key=lambda key: (key[0], key[1] != "all", key[1], key[2] != "without_opinion"))
    return [
        LeakageRate(*key, counts[key]["leaks"], counts[key]["leaks"] + counts[key]["other"], counts[key]["missing"])
        for key in order
    ]
