"""Do two verifiers fail the same claims more often than chance would have it?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

from parcel_agents.ensemble.ballots import ABSTAINED, Bools
from parcel_agents.hard.failures import Failures
from parcel_agents.types import LABELS


@dataclass(frozen=True)
class CoFailure:
    """Two verifiers, on the claims on which each of them is right or fails."""

    one: str
    other: str
    claims: int
    together: int
    """Claims that fail both."""
    same_label: int
    """Of these, how many both gave the same wrong label."""
    expected: float
    """How many it would be if they failed apart: claims x the share that fails the one x that of the other."""
    expected_by_label: float
    """The same, label by label, and added up: what remains beside it is no matter of hard and easy labels."""

    @property
    def lift(self) -> float:
        """Observed over expected: 1 for independence; nan where none is expected."""
        return self.together / self.expected if self.expected else math.nan

    @property
    def lift_by_label(self) -> float:
        """The same over what is expected label by label."""
        return self.together / self.expected_by_label if self.expected_by_label else math.nan


def co_failures(failures: Failures) -> tuple[CoFailure, ...]:
    """Every pair of verifiers, in the order of their columns."""
    return tuple(_pair(failures, one, other) for one, other in combinations(range(len(failures.names)), 2))


def _pair(failures: Failures, one: int, other: int) -> CoFailure:
    both = failures.counted[:, one] & failures.counted[:, other]
    first, second = failures.failed[both, one], failures.failed[both, other]
    gold, together = failures.gold[both], first & second
    same = (failures.choices[both, one] == failures.choices[both, other]) & (failures.choices[both, one] < ABSTAINED)
    by_label = [_expected(first[gold == code], second[gold == code]) for code in range(len(LABELS))]
    return CoFailure(
        failures.names[one],
        failures.names[other],
        int(both.sum()),
        int(together.sum()),
        int((together & same).sum()),
        _expected(first, second),
        sum(by_label),
    )


def _expected(first: Bools, second: Bools) -> float:
    return float(first.sum()) * float(second.sum()) / len(first) if len(first) else 0.0
