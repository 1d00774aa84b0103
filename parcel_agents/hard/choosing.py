"""Which claims are hard, which of them come first, and which others to hold against them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import Ballots, Bools
from parcel_agents.hard.failures import Failures


def hardest_first(failures: Failures, ballots: Ballots, k: int, opinions: Sequence[str]) -> list[int]:
    """Rows of the claims that at least k verifiers fail.

    First those that fail most; of these those that most give a wrong label; then those that fewest get right; then
    those where the wrong labels are surest, a vote without a confidence counting for half. Of equals the first of each
    opinion come before the second, so that the top is not all about one; then the order of the claims.

    Args:
        failures: the votes, as right or not.
        ballots: the same, with confidences.
        k: verifiers.
        opinions: what each claim is about.
    """
    rows = np.flatnonzero(failures.hard(k))
    wrong = failures.wrong[rows].sum(axis=1)
    sure = np.where(failures.wrong, np.nan_to_num(ballots.confidence, nan=0.5), 0.0)[rows].sum(axis=1)
    # Rounded, so that the order of the verifiers, in which the sum is taken, does not matter.
    mean = np.round(sure / np.maximum(wrong, 1), 9)
    keys = np.column_stack([-failures.failed_by[rows], -wrong, failures.right[rows].sum(axis=1), -mean]).tolist()
    before: Counter[tuple[float | str, ...]] = Counter()
    ranked = []
    for row, key in zip(rows.tolist(), keys, strict=True):
        equal = (*key, opinions[row])
        ranked.append((*key, before[equal], row))
        before[equal] += 1
    return [int(one[-1]) for one in sorted(ranked)]


def controls_for(failures: Failures, hard: Bools, chosen: Sequence[int], most: int, seed: int) -> NDArray[np.int64]:
    """Rows of claims that are not hard, as many of each label as the chosen ones have, as far as there are any.

    Args:
        failures: the votes.
        hard: (claims,) True for hard claims.
        chosen: rows of the hard claims that they are held against.
        most: so many in all, at most.
        seed: of the draw.
    """
    rng = np.random.default_rng(seed)
    share = min(1.0, most / len(chosen)) if len(chosen) else 0.0
    found: list[int] = []
    labels = failures.gold[np.array(chosen, dtype=np.int64)]
    for label in np.unique(labels):
        wanted = round(share * int((labels == label).sum()))
        there = np.flatnonzero(~hard & (failures.gold == label))
        found += rng.choice(there, size=min(wanted, len(there)), replace=False).tolist()
    return np.array(sorted(found), dtype=np.int64)
