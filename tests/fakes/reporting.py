"""A small table of votes, and what a report says of it."""

from __future__ import annotations

import numpy as np
from fakes.vote_tables import run_votes

from parcel_agents.eval.bootstrap import Estimate
from parcel_agents.eval.report.evaluate import evaluate_votes
from parcel_agents.eval.report.evaluation import Evaluation, RunVotes
from parcel_agents.eval.report.tables import Table, all_tables
from parcel_agents.eval.vote_table import VoteTable

# Two verifiers; a: right, wrong (false entailment), abstained, failed; b: not in the run on the last claim.
ROWS = (
    "o1 S SS",
    "o1 R SR logic_reversal",
    "o1 N -N phantom_citation",
    "o2 R xR authority_swap",
    "o2 R RS logic_reversal",
    "o2 N N. missing_detail",
)


def found(*runs: RunVotes | VoteTable, **settings: object) -> Evaluation:
    votes = [run if isinstance(run, RunVotes) else run_votes(run) for run in runs]
    return evaluate_votes(votes, np.random.default_rng(0), policies=("majority",), resamples=100, **settings)  # type: ignore[arg-type]


def table_of(evaluation: Evaluation, key: str) -> Table:
    return {table.key: table for table in all_tables(evaluation)}[key]


def cell(table: Table, row: str, column: str, group: str = "") -> object:
    place = [(one.title, one.group) for one in table.columns].index((column, group))
    return {one.name: one for one in table.rows}[row].cells[place]


def value(estimate: object) -> float:
    assert isinstance(estimate, Estimate)
    return estimate.value
