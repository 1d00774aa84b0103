"""Several runs in one report: which of them can stand in one table, and what to call them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from parcel_agents.errors import InputError
from parcel_agents.eval.library import Run, votes_of
from parcel_agents.eval.report.evaluation import RunVotes
from parcel_agents.store import RunMeta


@dataclass(frozen=True)
class Group:
    """Runs on the same claims."""

    runs: tuple[RunVotes, ...]
    metas: tuple[tuple[str, RunMeta], ...]
    """By name of the run."""

    @property
    def title(self) -> str:
        """The names of its runs."""
        return ", ".join(run.name for run in self.runs)


def grouped(runs: Sequence[Run], subset: str | None = None) -> list[Group]:
    """The runs, those on the same claims together, in the order in which they were named.

    Args:
        runs: the runs.
        subset: the file of the data set whose claims to take; None for all.

    Raises:
        InputError: a run is named twice, is damaged, or has no claim of the subset.
    """
    names = _names(runs)
    found: dict[object, list[tuple[RunVotes, RunMeta]]] = {}
    for run, name in zip(runs, names, strict=True):
        votes = replace(_chosen(run, subset), name=name)
        # The hash covers the opinions; the claims are compared as well, since they are what is counted.
        same = (run.meta.dataset.hash, tuple((claim.id, claim.label) for claim in votes.table.claims))
        found.setdefault(same, []).append((votes, run.meta))
    return [
        Group(tuple(votes for votes, _ in members), tuple((votes.name, meta) for votes, meta in members))
        for members in found.values()
    ]


def named_votes(runs: Sequence[Run]) -> list[RunVotes]:
    """The votes of each run, under names of their own.

    Raises:
        InputError: a run is named twice, or is damaged.
    """
    return [replace(votes_of(run), name=name) for run, name in zip(runs, _names(runs), strict=True)]


def _names(runs: Sequence[Run]) -> list[str]:
    paths = [run.path.resolve() for run in runs]
    for path in paths:
        if paths.count(path) > 1:
            raise InputError(f"{path}: is named twice")
    short = [run.name for run in runs]
    return [str(run.path) if short.count(name) > 1 else name for run, name in zip(runs, short, strict=True)]


def _chosen(run: Run, subset: str | None) -> RunVotes:
    votes = votes_of(run)
    if subset is None:
        return votes
    of_claims = [claim.subset for claim in run.claims]
    if subset not in of_claims:
        raise InputError(
            f"{run.path}: has no claim of the subset {subset!r}; it has {', '.join(sorted(set(of_claims)))}"
        )
    return replace(votes, table=votes.table.rows(np.array([one == subset for one in of_claims])))
