"""The smallest panels that leave no claim uncovered.

A panel covers a claim if some member of it gives the right label. A claim that nobody gets right can be covered by no
panel; it is counted and set aside. What remains is set cover: the greedy answer is found for any number of verifiers,
the exact one for up to a dozen by trying all sets in order of size over the patterns of who is right.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from parcel_agents.hard.failures import Failures
from parcel_agents.hard.patterns import Ints, Patterns, patterns_of

MAX_EXACT = 12
"""Verifiers up to which all panels are tried."""


@dataclass(frozen=True)
class Step:
    """A verifier that the greedy way takes in."""

    verifier: str
    adds: int
    """Claims that it covers and none before it did."""
    covered: int
    """Claims covered so far."""


@dataclass(frozen=True)
class Covers:
    """How a panel can cover the claims."""

    claims: int
    coverable: int
    """Claims that some verifier gets right."""
    greedy: tuple[Step, ...]
    """In each step the verifier that adds most; of several the first by name."""
    exact: tuple[tuple[str, ...], ...] | None
    """All smallest panels that cover every coverable claim; None with too many verifiers to try."""


def covers(failures: Failures) -> Covers:
    """The greedy cover, and the exact ones for at most MAX_EXACT verifiers."""
    patterns = patterns_of(failures.names, failures.right)
    there = patterns.masks != 0
    masks, sizes = patterns.masks[there], patterns.sizes[there]
    exact = _exact(patterns, masks) if len(failures.names) <= MAX_EXACT else None
    return Covers(len(failures), int(sizes.sum()), _greedy(patterns, masks, sizes), exact)


def _greedy(patterns: Patterns, masks: Ints, sizes: Ints) -> tuple[Step, ...]:
    open_, covered, steps = np.ones(len(masks), dtype=np.bool_), 0, []
    while open_.any():
        adds = [int(sizes[open_ & (masks >> bit & 1).astype(np.bool_)].sum()) for bit in range(len(patterns.names))]
        best = int(np.argmax(adds))
        open_ &= ~(masks >> best & 1).astype(np.bool_)
        covered += adds[best]
        steps.append(Step(patterns.names[best], adds[best], covered))
    return tuple(steps)


def _exact(patterns: Patterns, masks: Ints) -> tuple[tuple[str, ...], ...]:
    """All panels of the least size that meet every set; one empty panel if there is nothing to cover."""
    needed = _least(masks)
    for size in range(len(patterns.names) + 1):
        panels = [
            panel
            for chosen in combinations(range(len(patterns.names)), size)
            if ((needed & (panel := sum(1 << bit for bit in chosen))) != 0).all()
        ]
        if panels:
            return tuple(patterns.members(panel) for panel in panels)
    return ()


def _least(masks: Ints) -> Ints:
    """The sets that contain no other: whoever meets these meets all."""
    kept: list[int] = []
    for mask in sorted((int(mask) for mask in masks), key=lambda mask: (mask.bit_count(), mask)):
        if not any(mask & least == least for least in kept):
            kept.append(mask)
    return np.array(kept, dtype=np.int64)
