"""The verifiers of one or more runs over the same claims, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from parcel_agents.ensemble.ballots import Ballots, Member
from parcel_agents.errors import InputError
from parcel_agents.eval.vote_table import VoteTable, vote_table
from parcel_agents.store import Run, RunMeta
from parcel_agents.store.votes_file import Row
from parcel_agents.types import GoldClaim, Vote

Renamed = Mapping[str, str]
"""A verifier's name on the board by its name in its run."""


@dataclass(frozen=True)
class Board:
    """The labelled claims of some runs, with the votes of all their verifiers."""

    title: str
    table: VoteTable
    """Whose votes share a place in the opinion is not known to it (`Ballots.shared`): nothing here asks for that, and
    finding it takes as long as everything else together."""
    metas: tuple[tuple[str, RunMeta], ...]
    """By name of the run."""
    claims: tuple[GoldClaim, ...]
    """All claims of the runs, those of other subsets and those without a label too."""
    panel: tuple[str, ...]
    """The panel of the first run: what another verifier might be added to."""
    unlabelled: int
    """Claims that are left out, since they have no label."""
    read_votes: Callable[[Sequence[str]], dict[str, tuple[Vote, ...]]]
    """The votes on some claims, by the claim's id."""


def read_board(paths: Sequence[Path], subset: str | None = None) -> Board:
    """The runs side by side. A verifier whose name stands in several of them gets the run's name before its own.

    Args:
        paths: the run folders, at least one.
        subset: the file of the data set whose claims to take; None for all.

    Raises:
        InputError: the runs are on different claims, one is damaged or named twice, none has the subset, or no claim is
            labelled.
    """
    titles, runs = _titles(paths), [Run.open(path) for path in paths]
    _require_same_claims(titles, runs)
    tables = [_table(run) for run in runs]
    every = [name for table in tables for name in table.names]
    names = [
        {name: f"{title}: {name}" if every.count(name) > 1 else name for name in table.names}
        for title, table in zip(titles, tables, strict=True)
    ]
    whole = _side_by_side(tables, names)
    if subset is not None:
        chosen = np.array([claim.subset == subset for claim in whole.claims], dtype=np.bool_)
        if not chosen.any():
            known = ", ".join(sorted({claim.subset for claim in whole.claims}))
            raise InputError(f"{titles[0]}: has no claim of the subset {subset!r}; it has {known}")
        whole = whole.rows(chosen)
    table = whole.labelled()
    if not len(table):
        raise InputError("the runs have no labelled claim, so nobody can be said to fail one")
    panel = [names[0][name] for name in runs[0].meta.panel.verifiers if name in names[0]]
    return Board(
        ", ".join(titles),
        table,
        tuple((title, run.meta) for title, run in zip(titles, runs, strict=True)),
        tuple(runs[0].claims),
        tuple(panel or table.names),
        len(whole) - len(table),
        lambda ids: _read(runs, names, ids),
    )


def _titles(paths: Sequence[Path]) -> list[str]:
    """The folders' names, or their paths where two have one name."""
    whole = [path.resolve() for path in paths]
    for path in whole:
        if whole.count(path) > 1:
            raise InputError(f"{path}: is named twice")
    short = [path.name for path in whole]
    return [str(path) if short.count(name) > 1 else name for path, name in zip(paths, short, strict=True)]


def _require_same_claims(titles: Sequence[str], runs: Sequence[Run]) -> None:
    """The hash covers the opinions; the claims are compared as well, since they are what is counted."""
    same = {(run.meta.dataset.hash, tuple((claim.id, claim.label) for claim in run.claims)) for run in runs}
    if len(same) > 1:
        told = "; ".join(
            f"{title}: {len(run.claims):,} claims of {run.meta.dataset.name} ({run.meta.dataset.hash})"
            for title, run in zip(titles, runs, strict=True)
        )
        raise InputError(f"the runs are on different sets of claims ({told}); name runs over the same data set")


def _table(run: Run) -> VoteTable:
    """The votes of a run without the places they point to; verifiers of earlier panels come last."""
    names = dict.fromkeys([*run.meta.panel.verifiers, *run.meta.verifiers])
    members = [Member(name, frozenset(run.meta.verifiers[name].casts)) for name in names]
    return vote_table(run.claims, members, _without_places(run))


def _without_places(run: Run) -> Iterator[Row]:
    for row in run.rows():
        row.pop("evidence", None)
        yield row


def _side_by_side(tables: Sequence[VoteTable], names: Sequence[Renamed]) -> VoteTable:
    """One table with the columns of all."""
    first = tables[0]
    members = tuple(
        Member(renamed[member.name], member.casts)
        for table, renamed in zip(tables, names, strict=True)
        for member in table.ballots.members
    )
    return VoteTable(
        first.claims,
        Ballots(
            members,
            np.hstack([table.ballots.choices for table in tables]),
            np.hstack([table.ballots.confidence for table in tables]),
            np.zeros((len(first), len(members), len(members)), dtype=np.bool_),
        ),
        first.gold,
        first.opinions,
        np.hstack([table.outcomes for table in tables]),
        np.hstack([table.costs for table in tables]),
        np.hstack([table.latencies for table in tables]),
        np.hstack([table.kept for table in tables]),
    )


def _read(runs: Sequence[Run], names: Sequence[Renamed], ids: Sequence[str]) -> dict[str, tuple[Vote, ...]]:
    wanted = set(ids)
    found: dict[str, list[Vote]] = {id: [] for id in ids}
    if not wanted:
        return {}
    for run, renamed in zip(runs, names, strict=True):
        for claim_id, vote in _votes(run, wanted):
            found[claim_id].append(vote.model_copy(update={"verifier": renamed[vote.verifier]}))
    return {id: tuple(sorted(votes, key=lambda vote: vote.verifier)) for id, votes in found.items()}


def _votes(run: Run, wanted: set[str]) -> Iterator[tuple[str, Vote]]:
    for row in run.rows():
        if row["claim_id"] in wanted:
            claim_id = row.pop("claim_id")
            try:
                yield claim_id, Vote.model_validate(row)
            except ValidationError as error:
                who = f"the vote of {row['verifier']!r} on {claim_id!r}"
                raise InputError(f"{run.path}: {who} is damaged ({error})") from error
