"""How many claims at least k verifiers fail: the paper's table 7, overall and for each kind of claim."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from parcel_agents.ensemble.ballots import Bools
from parcel_agents.hard.failures import Failures


@dataclass(frozen=True)
class Share:
    """A share and the ends of its 95% interval; nan where there is none."""

    value: float
    low: float = math.nan
    high: float = math.nan


class Shares(Protocol):
    """Finds shares with their intervals."""

    def __call__(self, part: Bools, whole: Bools) -> list[Share]:
        """For each column of `part` (claims, columns) its share of the claims of `whole` (claims,)."""
        ...


@dataclass(frozen=True)
class AtLeast:
    """The claims of a group that at least `k` verifiers fail."""

    k: int
    claims: int
    share: Share
    """Of the group's claims."""
    exactly: int
    """The claims that `k` verifiers fail and no more."""
    if_missing_fail: int
    """The claims it would be if every missing vote were a failure too: at least `claims`."""


@dataclass(frozen=True)
class Group:
    """One kind of claim."""

    kind: str
    """`all`, `label` or `strategy`."""
    name: str
    claims: int
    with_abstentions: int
    """Claims on which some verifier abstained."""
    with_absent_votes: int
    """Claims on which some vote failed or was never cast."""
    rows: tuple[AtLeast, ...]
    """For k from 1 to the number of verifiers."""


def distribution(
    failures: Failures, groups: Mapping[tuple[str, str], Bools], shares: Shares | None = None
) -> tuple[Group, ...]:
    """Table 7, for all claims and for each group.

    Args:
        failures: the votes.
        groups: by kind and name, (claims,) True for the claims of the group. A group without claims is left out.
        shares: finds intervals; without it there are none.
    """
    find = shares or plain_shares
    levels = np.arange(1, len(failures.names) + 1)
    reached = np.asarray(failures.failed_by[:, None] >= levels)
    at_most = failures.failed_by + failures.absent.sum(axis=1)
    possible = np.asarray(at_most[:, None] >= levels)
    abstained, absent = (np.asarray(kind.any(axis=1)) for kind in (failures.abstained, failures.absent))
    everything = {("all", "all claims"): np.ones(len(failures), dtype=np.bool_), **groups}
    return tuple(
        Group(
            kind,
            name,
            int(which.sum()),
            int(abstained[which].sum()),
            int(absent[which].sum()),
            tuple(
                AtLeast(
                    int(k),
                    int(reached[which, place].sum()),
                    share,
                    int((failures.failed_by[which] == k).sum()),
                    int(possible[which, place].sum()),
                )
                for place, (k, share) in enumerate(zip(levels, find(reached, which), strict=True))
            ),
        )
        for (kind, name), which in everything.items()
        if which.any()
    )


def plain_shares(part: Bools, whole: Bools) -> list[Share]:
    """Shares without intervals; nan of nothing."""
    size = int(whole.sum())
    return [Share(float(column[whole].sum()) / size if size else math.nan) for column in part.T]
