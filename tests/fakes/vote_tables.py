"""Vote tables written as letters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, NOT_FOUND, REFUTED, SUPPORTED, Ballots, Member
from parcel_agents.ensemble.calibration import UNLABELLED
from parcel_agents.eval.report.evaluation import RunVotes
from parcel_agents.eval.report.systems import panel_of
from parcel_agents.eval.vote_table import NOT_RECORDED, OUTCOMES, VoteTable
from parcel_agents.store import PanelMeta
from parcel_agents.types import LABELS, GoldClaim

CODES = {"S": SUPPORTED, "R": REFUTED, "N": NOT_FOUND, "-": ABSTAINED, "x": FAILED, ".": FAILED, "?": UNLABELLED}


def letters(
    rows: Sequence[str],
    *,
    names: Sequence[str] = (),
    tiers: Sequence[int] = (),
    subsets: Sequence[str] = (),
    confidence: Sequence[Sequence[float]] = (),
    cost: float = 0.01,
) -> VoteTable:
    """A table of rows such as `o1 R SR-x. logic_reversal`: opinion, label, a letter per vote, strategy.

    S, R and N are labels, `?` no label, `-` an abstention, `x` a timeout, `.` a vote that is not in the run.
    """
    split = [[*row.split(), None][:4] for row in rows]
    width = len(str(split[0][2]))
    opinions = list(dict.fromkeys(part[0] for part in split))
    members = tuple(
        Member(names[i] if names else f"v{i}", frozenset(LABELS), tiers[i] if tiers else 0) for i in range(width)
    )
    choices = np.array([[CODES[letter] for letter in str(votes)] for _, _, votes, _ in split], dtype=np.int8)
    code = {"x": OUTCOMES.index("timeout"), ".": NOT_RECORDED}
    outcomes = np.array([[code.get(letter, 0) for letter in str(votes)] for _, _, votes, _ in split], dtype=np.int8)
    gold = np.array([CODES[str(label)] for _, label, _, _ in split], dtype=np.int8)
    claims = tuple(
        GoldClaim(
            id=f"c{row}",
            opinion_id=str(opinion),
            claim=f"(claim number {row} of {opinion})",
            label=None if label == "?" else LABELS[CODES[str(label)]],
            strategy=strategy,
            subset=subsets[row] if subsets else "claims",
        )
        for row, (opinion, label, _, strategy) in enumerate(split)
    )
    sure = np.array(confidence, dtype=np.float64) if confidence else np.full(choices.shape, np.nan)
    shape = (*choices.shape, width)
    recorded = outcomes != NOT_RECORDED
    return VoteTable(
        claims,
        Ballots(members, choices, sure, np.zeros(shape, dtype=np.bool_)),
        gold,
        np.array([opinions.index(part[0]) for part in split], dtype=np.int64),
        outcomes,
        cost * recorded,
        2.0 * recorded,
        np.zeros(recorded.shape, dtype=np.bool_),
    )


def run_votes(table: VoteTable, *, name: str = "run", policy: str = "majority") -> RunVotes:
    """The votes of a run whose panel is the whole table."""
    tiers = sorted({member.tier for member in table.ballots.members})
    by_tier = tuple(tuple(member.name for member in table.ballots.members if member.tier == tier) for tier in tiers)
    return RunVotes(name, table, panel_of(table, PanelMeta(name="made-up", policy=policy, tiers=by_tier)))
