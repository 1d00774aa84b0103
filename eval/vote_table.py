"""The votes of a run as arrays: what replay, reports and training read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, Ballots, Bools, Codes, Floats, Member
from parcel_agents.ensemble.calibration import UNLABELLED, Calibration
from parcel_agents.errors import InputError
from parcel_agents.store import Run
from parcel_agents.types import LABELS, GoldClaim, Outcome

OUTCOMES: tuple[str, ...] = get_args(Outcome)
NOT_RECORDED = -1
"""Code of a vote that stands nowhere in the run."""

Json = Mapping[str, Any]


@dataclass(frozen=True)
class VoteTable:
    """Claims, their labels, and every member's vote on them."""

    claims: tuple[GoldClaim, ...]
    ballots: Ballots
    gold: Codes
    """(claims,): code of the label, or UNLABELLED."""
    opinions: NDArray[np.int64]
    """(claims,): number of the opinion, from 0."""
    outcomes: Codes
    """(claims, members): place in `OUTCOMES`, or NOT_RECORDED."""
    costs: Floats
    """(claims, members): dollars."""
    latencies: Floats
    """(claims, members): seconds."""
    kept: Bools
    """(claims, members): True where the answer was kept from before. Cost and time of such a vote are taken from the
    member's other votes, since another run would have to pay and wait; 0 where it has no other."""

    def __len__(self) -> int:
        return len(self.claims)

    @property
    def names(self) -> tuple[str, ...]:
        """The members' names."""
        return tuple(member.name for member in self.ballots.members)

    def calibration(self) -> Calibration:
        """Ballots, labels and opinions, for fitting."""
        return Calibration(self.ballots, self.gold, self.opinions)

    def labelled(self) -> VoteTable:
        """The claims whose label is known."""
        return self.rows(self.gold != UNLABELLED)

    def rows(self, which: Bools) -> VoteTable:
        """Some of the claims; opinions are numbered anew."""
        return VoteTable(
            tuple(claim for claim, keep in zip(self.claims, which, strict=True) if keep),
            self.ballots.rows(which),
            self.gold[which],
            np.unique(self.opinions[which], return_inverse=True)[1].astype(np.int64),
            self.outcomes[which],
            self.costs[which],
            self.latencies[which],
            self.kept[which],
        )

    def columns(self, places: Sequence[int]) -> VoteTable:
        """The votes of some of the members."""
        chosen = list(places)
        return VoteTable(
            self.claims,
            self.ballots.columns(chosen),
            self.gold,
            self.opinions,
            self.outcomes[:, chosen],
            self.costs[:, chosen],
            self.latencies[:, chosen],
            self.kept[:, chosen],
        )


def read_votes(run: Run) -> VoteTable:
    """The final votes of a run, as arrays.

    A pair of claim and verifier without a vote counts as a vote that failed.

    Raises:
        InputError: the run is damaged, holds a vote twice or an unknown label, or holds a vote that its verifier may
            not give.
    """
    members = [
        Member(name, frozenset(run.meta.verifiers[name].casts), tier)
        for tier, names in enumerate(_tiers(run))
        for name in names
    ]
    return vote_table(run.claims, members, run.rows())


def _tiers(run: Run) -> list[tuple[str, ...]]:
    """The panel's tiers; verifiers of earlier panels of the run come last."""
    panel = run.meta.panel.tiers
    earlier = tuple(name for name in run.meta.verifiers if not any(name in tier for tier in panel))
    return [*panel, *([earlier] if earlier else [])]


def vote_table(claims: Sequence[GoldClaim], members: Sequence[Member], rows: Iterable[Json]) -> VoteTable:
    """The table of votes that were read from a file, one for each pair of claim and member at most.

    Args:
        claims: the claims, with their labels.
        members: the panel.
        rows: the votes as JSON: `claim_id`, and the fields of `Vote`.

    Raises:
        InputError: a vote is by nobody of the panel, or has a label that its member may not give.
    """
    row_of = {claim.id: row for row, claim in enumerate(claims)}
    column_of = {member.name: column for column, member in enumerate(members)}
    outcome_of = {outcome: code for code, outcome in enumerate(OUTCOMES)}
    label_of: dict[str | None, int] = {None: ABSTAINED, **{label: code for code, label in enumerate(LABELS)}}
    casts = [{label_of[label] for label in member.casts} | {ABSTAINED} for member in members]
    shape = (len(claims), len(members))
    choices = np.full(shape, FAILED, dtype=np.int8)
    outcomes = np.full(shape, NOT_RECORDED, dtype=np.int8)
    confidence, costs, latencies = np.full(shape, np.nan), np.zeros(shape), np.zeros(shape)
    kept = np.zeros(shape, dtype=np.bool_)
    places: dict[int, list[tuple[int, list[tuple[int, int]]]]] = {}
    for vote in rows:
        row, column = row_of[vote["claim_id"]], column_of.get(vote["verifier"])
        if column is None:
            raise InputError(f"{_where(vote)} is by nobody of the run's verifiers ({', '.join(column_of)})")
        outcomes[row, column] = outcome_of[vote["outcome"]]
        costs[row, column], latencies[row, column] = _number(vote, "cost_usd"), _number(vote, "latency_s")
        kept[row, column] = bool(vote.get("cached"))
        if vote["outcome"] != "ok":
            continue
        label = label_of[vote.get("label")]
        if label not in casts[column]:
            raise InputError(f"{_where(vote)} says {vote['label']!r}, which this verifier may not say")
        choices[row, column] = label
        if vote.get("confidence") is not None:
            confidence[row, column] = _number(vote, "confidence", most=1.0)
        if found := vote.get("evidence"):
            places.setdefault(row, []).append((column, _places(vote, found)))
    opinion_of = {name: number for number, name in enumerate(dict.fromkeys(claim.opinion_id for claim in claims))}
    return VoteTable(
        tuple(claims),
        Ballots(tuple(members), choices, confidence, _shared(choices, places)),
        np.array([UNLABELLED if c.label is None else label_of[c.label] for c in claims], dtype=np.int8),
        np.array([opinion_of[claim.opinion_id] for claim in claims], dtype=np.int64),
        outcomes,
        _as_if_asked(costs, kept, outcomes),
        _as_if_asked(latencies, kept, outcomes),
        kept,
    )


def _as_if_asked(spent: Floats, kept: Bools, outcomes: Codes) -> Floats:
    """What was spent on each vote, kept answers at the mean of the member's other votes."""
    others = ~kept & (outcomes == OUTCOMES.index("ok"))
    count = others.sum(axis=0)
    mean = np.divide((spent * others).sum(axis=0), count, out=np.zeros(len(count)), where=count > 0)
    return np.where(kept, mean, spent)


def _number(vote: Json, field: str, most: float = float("inf")) -> float:
    """A number of a vote, 0 where it has none; InputError if it cannot be one."""
    value = vote.get(field, 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise InputError(f"{_where(vote)} has {field} {value!r}; it must be a number from 0 to {most:g}")
    return float(value)


def _places(vote: Json, evidence: Any) -> list[tuple[int, int]]:
    try:
        return [(int(ref["start"]), int(ref["end"])) for ref in evidence]
    except (TypeError, KeyError, ValueError) as error:
        raise InputError(f"{_where(vote)} has evidence without start and end: {str(evidence)[:80]}") from error


def _where(vote: Json) -> str:
    return f"the vote of {vote['verifier']!r} on the claim {vote['claim_id']!r}"


def _shared(choices: Codes, places: dict[int, list[tuple[int, list[tuple[int, int]]]]]) -> Bools:
    claims, width = choices.shape
    shared = np.zeros((claims, width, width), dtype=np.bool_)
    for row, found in places.items():
        for one, its in found:
            for other, theirs in found:
                if choices[row, one] == choices[row, other]:
                    shared[row, one, other] = any(a < d and c < b for a, b in its for c, d in theirs)
    return shared
