"""What stands in a column of a table, and for which role that would do."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from parcel_agents.eval.datasets.labels import STRATEGIES, label_of, strategy_of
from parcel_agents.eval.datasets.names import LIKELY, NAMELESS

SHORT = 120
"""Characters of an id or a file name at most."""
_DECISION_CHARS = 2_000
"""The shortest decision of the paper; the median of a column of decisions is far above it."""
_NAMED_DECISION_CHARS = 300
"""Enough for a column that is called a decision: excerpts, or a small data set of one's own."""
_CLAIM_CHARS = 1_500
_CATEGORY_CHARS = 60
_OWN_NUMBERS = 0.05


@dataclass(frozen=True)
class Profile:
    """What stands in a column."""

    name: str
    cells: tuple[str, ...]
    """Those that are not empty."""

    @cached_property
    def chars(self) -> float:
        """The median length of a cell."""
        return median(map(len, self.cells)) if self.cells else 0

    @cached_property
    def words(self) -> float:
        """The median number of words in a cell, counted as far as a claim may go."""
        return median(len(cell[:_CLAIM_CHARS].split()) for cell in self.cells) if self.cells else 0

    @cached_property
    def distinct(self) -> int:
        """How many cells differ."""
        return len(set(self.cells))

    @property
    def sample(self) -> str:
        """Some cells, for people."""
        return ", ".join(repr(cell[:30]) for cell in list(dict.fromkeys(self.cells))[:4])

    def share(self, test: Callable[[str], bool]) -> float:
        """The share of cells that pass."""
        return sum(map(test, self.cells)) / len(self.cells) if self.cells else 0.0


def has_own_numbers(profile: Profile) -> bool:
    """True if many cells are numbers, and not the paper's 1, -1 and 0.

    Such a column has numbered its classes in its own way, from 0 for instance: its 1 need not be the paper's.
    """
    return profile.share(_is_other_number) > _OWN_NUMBERS


def is_label(profile: Profile, rank: int) -> bool:
    """True for labels: half of the cells at least, so that a typing error is found as one.

    Args:
        profile: the column.
        rank: how well its name goes with the role, as for all functions here.
    """
    if has_own_numbers(profile) or profile.share(lambda cell: label_of(cell) is not None) < 0.5:
        return False
    # A column with another name may hold 0 and 1 for any reason.
    return rank < NAMELESS or {"refuted", "not_found"} <= {label_of(cell) for cell in profile.cells}


def is_strategy(profile: Profile, rank: int) -> bool:
    """True for names of strategies, of the paper's if the column's name says nothing."""
    if not _is_category(profile):
        return False
    named = [strategy for cell in set(profile.cells) if (strategy := strategy_of(cell))]
    known = sum(strategy in STRATEGIES for strategy in named)
    return bool(named) and (rank < NAMELESS or known * 2 >= len(named))


def is_usage_type(profile: Profile, rank: int) -> bool:
    """True for short values of which there are few."""
    return rank < NAMELESS and _is_category(profile)


def is_evidence(profile: Profile, rank: int) -> bool:
    """True for any words under such a name."""
    return rank < NAMELESS and profile.words >= 2


def is_decision(profile: Profile, rank: int) -> bool:
    """True for long texts; a column that is called a decision in part only may hold a summary of it."""
    return profile.chars >= (_NAMED_DECISION_CHARS if rank <= LIKELY else _DECISION_CHARS)


def is_claim(profile: Profile, rank: int) -> bool:
    """True for sentences, which differ from row to row if the column's name says nothing."""
    if profile.chars > _CLAIM_CHARS:
        return False
    if rank < NAMELESS:
        return profile.words >= 2
    return profile.words >= 5 and profile.distinct * 2 >= len(profile.cells)


def is_id(profile: Profile, rank: int) -> bool:
    """True for what differs from row to row, if not always: an id that comes twice is a mistake to report."""
    return rank < NAMELESS and profile.distinct * 2 >= len(profile.cells) and profile.chars <= SHORT


def _is_category(profile: Profile) -> bool:
    return profile.chars <= _CATEGORY_CHARS and profile.distinct <= max(50, len(profile.cells) // 20)


def _is_other_number(cell: str) -> bool:
    return bool(re.fullmatch(r"\s*[+-]?\d+(\.\d*)?\s*", cell)) and label_of(cell) is None
