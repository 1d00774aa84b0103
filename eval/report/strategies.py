"""How refuted and not-found claims were made: the paper's strategies, in its order, and what else a data set has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcel_agents.eval.vote_table import VoteTable
from parcel_agents.types import LABELS, Label

ORDER = (
    "logic_reversal",
    "distractor_swap",
    "authority_swap",
    "scope_contradiction",
    "phantom_citation",
    "missing_detail",
    "unaddressed_argument",
)
"""Of the paper's figure 2, and of its section 4.2."""
NO_STRATEGY = "(none)"


@dataclass(frozen=True)
class Strategy:
    """The claims of one label that were made in one way."""

    label: Label
    name: str
    claims: int

    @property
    def words(self) -> str:
        """Its name as a heading."""
        return self.name if self.name == NO_STRATEGY else self.name.replace("_", " ").capitalize()


@dataclass(frozen=True)
class Strategies:
    """The strategies of a table, by label."""

    all: tuple[Strategy, ...]
    masks: tuple[NDArray[np.bool_], ...]
    """(claims,): True for the claims of each."""

    def of(self, label: Label) -> list[int]:
        """The places of a label's strategies."""
        return [place for place, strategy in enumerate(self.all) if strategy.label == label]


def strategies_of(table: VoteTable) -> Strategies:
    """The strategies of labelled claims.

    Claims without one stand under `(none)`, at the end. Where no claim of a label has one, and for supported claims,
    which the paper makes without, that would be the label's recall again, so it is left out.
    """
    names = np.array([claim.strategy or NO_STRATEGY for claim in table.claims])
    found: list[Strategy] = []
    masks: list[NDArray[np.bool_]] = []
    for code, label in enumerate(LABELS):
        here = table.gold == code
        there = sorted(set(names[here]), key=_place)
        if there == [NO_STRATEGY]:
            continue
        for name in there:
            mask = here & (names == name)
            found.append(Strategy(label, str(name), int(mask.sum())))
            masks.append(mask)
    return Strategies(tuple(found), tuple(masks))


def _place(name: str) -> tuple[int, str]:
    known = ORDER.index(name) if name in ORDER else len(ORDER)
    return (len(ORDER) + 1 if name == NO_STRATEGY else known), name
