"""What the verifier `combined` would say without a group of its measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from parcel_agents.ensemble.ballots import ABSTAINED
from parcel_agents.eval.combined import MeasuredClaims, measure_claims, train_combined
from parcel_agents.eval.datasets import Dataset
from parcel_agents.eval.verdicts.asking import Panel
from parcel_agents.eval.verdicts.entries import Entry, Shares
from parcel_agents.types import LABELS
from parcel_agents.verifiers.combined.model import CombinedModel
from parcel_agents.verifiers.combined.verifier import decide

GROUPS: Mapping[str, tuple[str, ...]] = {
    "nothing": (),
    "terms": ("absent", "coverage", "coverage_two", "coverage_near", "pairs"),
    "passage similarity": ("similarity", "similarity_top3"),
    "findings of the checks": ("missing", "contradicted"),
    "arguments dealt with": ("untreated",),
    "spans of time": ("other_times",),
    "figures and names": ("conflicts", "other_name", "far"),
    "voice": ("other_voice", "reported"),
    "what the claim leaves out": ("lost_conditions", "lost_negations"),
}
"""Measures that are left out together."""


def measure_ablations(data: Dataset, train: Dataset, panel: Panel, rng: np.random.Generator) -> Iterator[Entry]:
    """An entry for each group: `combined`, trained without it and measured on the data set.

    Findings that stand against support do so in all of them; only what the model weighs is left out.
    """
    context = panel.context
    seen, unseen = (measure_claims(each, context.retriever, context.top_k, lambda: None) for each in (train, data))
    shares = Shares.over(unseen.opinions, rng)
    for name, group in GROUPS.items():
        yield _entry(name, train_combined(seen, train.name, leave_out=group), unseen, shares)


def _entry(name: str, model: CombinedModel, claims: MeasuredClaims, shares: Shares) -> Entry:
    said = [
        "supported" if repeats else decide(model, values, near_verbatim=near)[0]
        for values, near, repeats in zip(claims.values, claims.near_verbatim, claims.repeats, strict=True)
    ]
    codes = np.array([ABSTAINED if label is None else LABELS.index(label) for label in said], dtype=np.int8)
    not_found, supported = (codes == LABELS.index(label) for label in ("not_found", "supported"))
    decided = codes != ABSTAINED
    right = np.array([label == gold for label, gold in zip(said, claims.labels, strict=True)])
    return Entry(
        "ablations",
        {"without": name},
        {},
        {
            "decided": shares.of(decided),
            "accuracy_of_decided": shares.of(right, decided),
            "fer": shares.of(supported, ~claims.are("supported")),
            "not_found_precision": shares.of(claims.are("not_found"), not_found),
            "not_found_recall": shares.of(not_found, claims.are("not_found")),
        },
    )
