"""The claims that two runs share, so that their votes can be compared claim by claim."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from parcel_agents.ensemble.calibration import UNLABELLED
from parcel_agents.errors import InputError
from parcel_agents.eval.report.evaluation import RunVotes
from parcel_agents.eval.vote_table import VoteTable


@dataclass(frozen=True)
class SharedClaims:
    """The claims that two runs share, in the order of the first."""

    tables: tuple[VoteTable, VoteTable]
    notes: tuple[str, ...]
    """What was left out."""


def shared_claims(first: RunVotes, second: RunVotes) -> SharedClaims:
    """The labelled claims with one id, one text, one opinion and one label in both.

    Raises:
        InputError: there is none.
    """
    there = {claim.id: row for row, claim in enumerate(second.table.claims)}
    rows: list[tuple[int, int]] = []
    differing = unlabelled = 0
    for row, claim in enumerate(first.table.claims):
        if claim.id not in there:
            continue
        other = second.table.claims[there[claim.id]]
        if (claim.claim, claim.opinion_id, claim.label) != (other.claim, other.opinion_id, other.label):
            differing += 1
        elif first.table.gold[row] == UNLABELLED:
            unlabelled += 1
        else:
            rows.append((row, there[claim.id]))
    common = len(rows) + differing + unlabelled
    sizes = (len(first.table), len(second.table))
    notes = []
    if common < max(sizes):
        notes.append(
            f"{first.name} has {sizes[0]} claims and {second.name} {sizes[1]}; compared are those whose id is in both, "
            f"{common}"
        )
    if differing:
        notes.append(f"claims that have one id and differ in text, opinion or label are left out: {differing}")
    if unlabelled:
        notes.append(f"claims without a label are left out: {unlabelled}")
    if not rows:
        raise InputError(
            f"{first.name} and {second.name} share no labelled claim"
            + (f" ({'; '.join(notes)})" if notes else "")
            + "; compare runs on one data set"
        )
    chosen = np.array(rows, dtype=np.int64)
    return SharedClaims((_rows(first.table, chosen[:, 0]), _rows(second.table, chosen[:, 1])), tuple(notes))


def _rows(table: VoteTable, which: np.ndarray[Any, np.dtype[np.int64]]) -> VoteTable:
    """Claims in a given order; opinions are numbered in the order in which they come."""
    claims = tuple(table.claims[row] for row in which)
    number = {name: place for place, name in enumerate(dict.fromkeys(claim.opinion_id for claim in claims))}
    return replace(
        table,
        claims=claims,
        ballots=table.ballots.rows(which),
        gold=table.gold[which],
        opinions=np.array([number[claim.opinion_id] for claim in claims], dtype=np.int64),
        outcomes=table.outcomes[which],
        costs=table.costs[which],
        latencies=table.latencies[which],
    )
