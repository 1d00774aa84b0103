"""Claims with the same verifiers right and the same verifiers wrong are one pattern.

With N verifiers there are at most 3^N patterns however many claims there are, and mostly a few hundred; what is
computed over patterns stays fast for any number of claims. A set of verifiers is an integer with a bit for each, in
the order of their names, so that nothing depends on the order of the columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import Bools
from parcel_agents.hard.failures import Failures

MAX_VERIFIERS = 62
"""A set of them has to fit an integer of 64 bits."""

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Patterns:
    """Sets of verifiers that occur on some claim, each once, and which claims have them."""

    names: tuple[str, ...]
    """Of the verifiers, sorted: bit i stands for the i-th."""
    masks: Ints
    """(patterns,): in order of frequency, then of their value."""
    sizes: Ints
    """(patterns,): how many claims have it."""
    of_claim: Ints
    """(claims,): number of the claim's pattern."""

    def members(self, mask: int) -> tuple[str, ...]:
        """The names of the verifiers in a set."""
        return tuple(name for bit, name in enumerate(self.names) if mask >> bit & 1)


def patterns_of(names: tuple[str, ...], which: Bools) -> Patterns:
    """The patterns of a property of votes.

    Args:
        names: the verifiers, in the order of the columns.
        which: (claims, verifiers).

    Raises:
        ValueError: there are more verifiers than fit.
    """
    if len(names) > MAX_VERIFIERS:
        raise ValueError(f"{len(names)} verifiers; at most {MAX_VERIFIERS} can be taken together")
    order = sorted(range(len(names)), key=lambda place: names[place])
    weights = np.array([1 << bit for bit in range(len(names))], dtype=np.int64)
    of_claim = which[:, order].astype(np.int64) @ weights
    masks, inverse, sizes = np.unique(of_claim, return_inverse=True, return_counts=True)
    ranked = np.lexsort((masks, -sizes))
    place = np.empty(len(ranked), dtype=np.int64)
    place[ranked] = np.arange(len(ranked))
    return Patterns(tuple(names[i] for i in order), masks[ranked], sizes[ranked], place[inverse.reshape(-1)])


def failing_patterns(failures: Failures) -> Patterns:
    """Who fails together: the set of verifiers that each claim fails."""
    return patterns_of(failures.names, failures.failed)
