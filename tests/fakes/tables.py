"""Tables of votes from rows of codes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from fakes.ballots import ballots_of

from parcel_agents.ensemble.ballots import ABSTAINED, FAILED
from parcel_agents.ensemble.calibration import UNLABELLED
from parcel_agents.eval.vote_table import NOT_RECORDED, OUTCOMES, VoteTable
from parcel_agents.types import LABELS, GoldClaim, Label


def table_of(
    rows: Sequence[Sequence[int]],
    gold: Sequence[int],
    *,
    opinions: Sequence[int] | None = None,
    costs: Sequence[float] | None = None,
    tiers: Sequence[int] | None = None,
    casts: Sequence[frozenset[Label]] | None = None,
    names: Sequence[str] | None = None,
    strategies: Sequence[str | None] | None = None,
) -> VoteTable:
    """Votes of members v0, v1, ... on claims c0, c1, ...; a failed vote is a timeout, one cost a member."""
    ballots = ballots_of(rows, tiers=tiers, casts=casts, names=names)
    places = list(opinions) if opinions is not None else list(range(len(gold)))
    outcomes = np.where(ballots.choices <= ABSTAINED, OUTCOMES.index("ok"), OUTCOMES.index("timeout")).astype(np.int8)
    outcomes[ballots.choices > FAILED] = NOT_RECORDED
    return VoteTable(
        tuple(
            GoldClaim(
                id=f"c{row}",
                opinion_id=f"o{place}",
                claim=f"(holding number {row})",
                label=None if label == UNLABELLED else LABELS[label],
                strategy=strategies[row] if strategies else None,
            )
            for row, (label, place) in enumerate(zip(gold, places, strict=True))
        ),
        ballots,
        np.array(gold, dtype=np.int8),
        np.unique(np.array(places, dtype=np.int64), return_inverse=True)[1].astype(np.int64),
        outcomes,
        np.tile(costs if costs is not None else np.zeros(len(rows[0])), (len(rows), 1)).astype(float),
        np.ones(ballots.choices.shape),
        np.zeros(ballots.choices.shape, dtype=np.bool_),
    )
