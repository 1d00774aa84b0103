"""How often the labels are guessed by a classifier that sees the claims' words alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from parcel_agents.ensemble.ballots import SUPPORTED, Bools
from parcel_agents.eval.artefacts.model import Group, Guessing
from parcel_agents.eval.artefacts.sample import Sample
from parcel_agents.eval.bootstrap import Bootstrap, Estimate, by_opinion, ratio
from parcel_agents.eval.claim_only import claim_only_labels
from parcel_agents.eval.report.strategies import NO_STRATEGY, ORDER
from parcel_agents.types import LABELS

FEWEST_OPINIONS = 5
"""With fewer, no part of the claims is large enough to learn from (`claim_only_labels`)."""


def guess(sample: Sample, contrast: Bools, bootstrap: Bootstrap) -> Guessing | str:
    """What is guessed right, as shares with intervals over opinions; the reason where nothing can be guessed.

    Args:
        sample: labelled claims.
        contrast: (claims,): True for contrast claims. They have no strategy, and stand in no strategy's group.
        bootstrap: draws of the sample's opinions.
    """
    if (reason := _obstacle(sample)) is not None:
        return reason
    guesses = claim_only_labels(sample.claims)
    if guesses is None:
        return "all claims of one label are about one opinion or few, so that there is no other to learn it from"
    right = guesses == sample.gold

    def share(among: Bools) -> Estimate:
        counts = [
            by_opinion(each.astype(np.float64), sample.opinions, sample.groups) for each in (right & among, among)
        ]
        return bootstrap.estimates(np.stack(counts, axis=1), ratio)["ratio"]

    def group(code: int, strategy: str | None, among: Bools) -> Group:
        return Group(LABELS[code], strategy, int(among.sum()), share(among))

    of_label = [sample.gold == code for code in range(len(LABELS))]
    true_contrast = contrast & of_label[SUPPORTED]
    return Guessing(
        accuracy=share(np.ones(len(right), dtype=np.bool_)),
        classes=tuple(group(code, None, among) for code, among in enumerate(of_label) if among.any()),
        strategies=tuple(
            group(code, name, among)
            for code, label in enumerate(of_label)
            for name, among in _by_strategy(sample, label & ~contrast)
        ),
        contrast=group(SUPPORTED, None, true_contrast) if true_contrast.any() else None,
    )


def _obstacle(sample: Sample) -> str | None:
    if not sample.claims:
        return "no claim has a label"
    if sample.groups < FEWEST_OPINIONS:
        return f"the claims are about {_opinions(sample.groups)}, and it takes {FEWEST_OPINIONS}"
    if len(labels := set(sample.gold.tolist())) == 1:
        return f"all claims are labelled {LABELS[labels.pop()]}, so that there is nothing to guess"
    return None


def _by_strategy(sample: Sample, label: Bools) -> Sequence[tuple[str, Bools]]:
    """The strategies of one label's claims in the paper's order; none where no claim has one."""
    names = np.array([claim.strategy or NO_STRATEGY for claim in sample.claims])
    found = sorted(set(names[label].tolist()), key=_place)
    return [] if found == [NO_STRATEGY] else [(name, label & (names == name)) for name in found]


def _place(name: str) -> tuple[int, str]:
    last = len(ORDER) + (name == NO_STRATEGY)
    return (ORDER.index(name) if name in ORDER else last), name


def _opinions(count: int) -> str:
    return "1 opinion" if count == 1 else f"{count} opinions"
