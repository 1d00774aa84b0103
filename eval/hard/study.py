"""The study of hard claims: what the graph finds, with the claims and votes that it found it on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from parcel_agents.ensemble.ballots import Bools
from parcel_agents.errors import InputError
from parcel_agents.eval.bootstrap import Bootstrap
from parcel_agents.eval.datasets import Dataset, locate_excerpt
from parcel_agents.eval.hard.board import Board
from parcel_agents.eval.hard.shares import BootstrapShares
from parcel_agents.eval.metrics import RESAMPLES
from parcel_agents.eval.report.strategies import strategies_of
from parcel_agents.eval.run_data import data_of_run
from parcel_agents.eval.vote_table import VoteTable
from parcel_agents.graphs.hard_claims import build
from parcel_agents.hard.causes.leakage import Bench
from parcel_agents.hard.communities import Community
from parcel_agents.hard.failures import Failures, failures_of
from parcel_agents.hard.state import HardContext, HardState
from parcel_agents.types import LABELS, GoldClaim, Opinion, Vote

DEFAULT_K = 3
"""The paper's."""


@dataclass(frozen=True)
class StudyOptions:
    """What may be asked for."""

    k: int | None = None
    """A claim is hard if so many verifiers fail it; None for 3, or all of them where there are fewer."""
    wrong_only: bool = False
    """Whether an abstention is no failure; see `hard.failures`."""
    limit: int = 500
    """So many hard claims are diagnosed at most, the hardest."""
    seed: int = 0
    """Of all draws."""
    resamples: int = RESAMPLES
    """Draws of the bootstrap."""


@dataclass(frozen=True)
class Study:
    """Everything that a report on hard claims shows."""

    board: Board
    failures: Failures
    k: int
    found: HardState
    opinions: Mapping[str, Opinion]
    """By the claims' `opinion_id`; empty where the texts are not at hand."""
    votes: Mapping[str, tuple[Vote, ...]]
    """Of the diagnosed claims, by id."""
    notes: tuple[str, ...]
    stopped: str | None
    """Why models were not asked to the end."""

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The claims' places in the table, by id."""
        return {claim.id: row for row, claim in enumerate(self.board.table.claims)}

    @cached_property
    def claims(self) -> dict[str, GoldClaim]:
        """The labelled claims by id."""
        return {claim.id: claim for claim in self.board.table.claims}

    @cached_property
    def diagnoses(self) -> dict[str, dict[str, Any]]:
        """What was found of the hard claims that were looked at, by id."""
        return {one["claim_id"]: one for one in self.found.get("diagnoses", []) if one["role"] == "hard"}

    @property
    def communities(self) -> list[Community]:
        """The communities as values, by rows of the table."""
        return [
            Community(tuple(self.row_of[id] for id in one["claims"]), one["share_failing"])
            for one in self.found["failure_graph"]["communities"]
        ]


async def study(
    board: Board, options: StudyOptions, *, dataset: Dataset | None = None, bench: Bench | None = None
) -> Study:
    """Run the graph of hard claims over recorded votes.

    Args:
        board: the votes.
        options: what is asked for.
        dataset: the data set of the runs as a whole, whose opinions the diagnosis reads; None for none.
        bench: asks models again; needs the data set.

    Raises:
        InputError: k is more than there are verifiers, the data set is not that of the runs, or models are to be asked
            without it.
    """
    table, k = board.table, options.k
    width = len(table.names)
    if k is not None and not 1 <= k <= width:
        raise InputError(
            f"--k {k}: there are {width} verifiers ({', '.join(table.names)}); give a number up to {width}"
        )
    if bench is not None and dataset is None:
        raise InputError("models cannot be asked again without the opinions; name the data set with --dataset")
    level = k or min(DEFAULT_K, width)
    failures = failures_of(table.ballots, table.gold, wrong_only=options.wrong_only)
    notes = _notes(board, failures, options)
    if dataset is None:
        notes.append(_NO_TEXTS)
    else:
        dataset = data_of_run(board.title, board.metas[0][1], board.claims, dataset)
    draws = np.random.default_rng(options.seed)
    bootstrap = Bootstrap.of(int(table.opinions.max()) + 1, draws, options.resamples)
    context = HardContext(
        claims=table.claims,
        ballots=table.ballots,
        failures=failures,
        groups=groups_of(table),
        panel=board.panel,
        read_votes=board.read_votes,
        opinions=dataset.opinions if dataset else {},
        locate=locate_excerpt,
        shares=BootstrapShares(bootstrap, table.opinions),
        limit=options.limit,
        seed=options.seed,
        bench=bench,
    )
    found: Any = await build(context).ainvoke({"k": level})
    if len(found["hard"]) > options.limit:
        notes.append(f"of {len(found['hard']):,} hard claims the {options.limit:,} hardest are diagnosed (--limit)")
    return Study(board, failures, level, found, context.opinions, context.votes, tuple(notes), context.stopped)


def groups_of(table: VoteTable) -> dict[tuple[str, str], Bools]:
    """The claims of each label and of each strategy, by kind and name."""
    groups: dict[tuple[str, str], Bools] = {
        ("label", label): np.asarray(table.gold == code) for code, label in enumerate(LABELS)
    }
    strategies = strategies_of(table)
    for strategy, mask in zip(strategies.all, strategies.masks, strict=True):
        groups["strategy", f"{strategy.label}: {strategy.name}"] = mask
    return groups


_NO_TEXTS = (
    "the opinions are not at hand, so causes that show in the text are not looked for; name the data set with --dataset"
)


_COUNTED = {
    False: "each is a failure, as in table 7 of `report` (--wrong-only counts wrong labels alone)",
    True: "none is a failure (--wrong-only); table 7 of `report` counts each as one, so its figures differ",
}


def _notes(board: Board, failures: Failures, options: StudyOptions) -> list[str]:
    table, notes = board.table, []
    width = len(table.names)
    if options.k is None and width < DEFAULT_K:
        notes.append(f"there are {width} verifiers, so a claim counts as hard if {width} fail it")
    if board.unlabelled:
        notes.append(f"claims without a label are left out: {board.unlabelled:,}")
    absent, abstained, votes = int(failures.absent.sum()), int(failures.abstained.sum()), failures.choices.size
    if absent:
        notes.append(f"votes that failed or were never cast: {absent:,} of {votes:,}; none is a failure")
    if abstained:
        notes.append(f"abstentions: {abstained:,} of {votes:,}; {_COUNTED[failures.wrong_only]}")
    if int(table.opinions.max()) + 1 < 10:
        notes.append("the claims are about fewer than ten opinions: the intervals are rough, with one there are none")
    return notes
