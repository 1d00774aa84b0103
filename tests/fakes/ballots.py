"""Ballots from rows of codes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, Ballots, Member
from parcel_agents.types import LABELS, Label


def ballots_of(
    rows: Sequence[Sequence[int]],
    *,
    tiers: Sequence[int] | None = None,
    casts: Sequence[frozenset[Label]] | None = None,
    names: Sequence[str] | None = None,
) -> Ballots:
    """Ballots of members v0, v1, ... without confidence and evidence."""
    choices = np.array(rows, dtype=np.int8)
    claims, width = choices.shape
    members = tuple(
        Member(
            names[i] if names else f"v{i}",
            casts[i] if casts else frozenset(LABELS),
            tiers[i] if tiers else 0,
        )
        for i in range(width)
    )
    return Ballots(members, choices, np.full((claims, width), np.nan), np.zeros((claims, width, width), dtype=np.bool_))


def codes(*, missing: bool = True) -> st.SearchStrategy[int]:
    """The code of a vote."""
    return st.sampled_from([*range(len(LABELS)), ABSTAINED, *([FAILED] if missing else [])])
