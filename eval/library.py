"""The library: a run as frames of pandas, and its figures.

from parcel_agents.eval import Run, evaluate

run = Run("runs/first")
votes = run.votes()                      # a row a vote
print(votes.groupby("verifier").outcome.value_counts())
found = evaluate(run)
print(found.find("majority").figures["accuracy"].interval)
print(frame(found))                      # a row a verifier and policy
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from parcel_agents import store
from parcel_agents.ensemble.ballots import ABSTAINED, Ballots
from parcel_agents.ensemble.base import asked
from parcel_agents.ensemble.policy_file import recorded_policy
from parcel_agents.errors import MissingDependencyError
from parcel_agents.eval.metrics import RESAMPLES
from parcel_agents.eval.report.evaluate import evaluate_votes
from parcel_agents.eval.report.evaluation import Evaluation, RunVotes
from parcel_agents.eval.report.systems import panel_of
from parcel_agents.eval.vote_table import NOT_RECORDED, OUTCOMES, VoteTable, read_votes
from parcel_agents.store import RunMeta
from parcel_agents.types import LABELS, GoldClaim

if TYPE_CHECKING:
    from pandas import DataFrame, Series


class Run:
    """A run folder, read once and as often as it is asked."""

    def __init__(self, path: str | Path) -> None:
        """Open the folder for reading.

        Raises:
            InputError: it is no run folder.
        """
        self.path = Path(path)
        self._run = store.Run.open(self.path)

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.path.resolve().name

    @property
    def meta(self) -> RunMeta:
        """What was asked, of whom, with which settings."""
        return self._run.meta

    @property
    def claims(self) -> tuple[GoldClaim, ...]:
        """The claims that were asked about."""
        return self._run.claims

    @cached_property
    def table(self) -> VoteTable:
        """The final votes as arrays.

        Raises:
            InputError: the folder is damaged.
        """
        return read_votes(self._run)

    def votes(self) -> DataFrame:
        """A row per final vote: the claim, what was said, how sure, at what cost.

        The columns: claim_id, opinion_id, subset, gold, strategy, verifier, outcome, label, confidence, cost_usd,
        latency_s. `label` is empty where the verifier abstained or failed; `outcome` tells which.

        Raises:
            MissingDependencyError: there is no pandas.
            InputError: the folder is damaged.
        """
        pandas = _pandas()
        table = self.table
        rows, columns = np.nonzero(table.outcomes != NOT_RECORDED)
        at = (rows, columns)
        made: DataFrame = pandas.DataFrame(
            {
                **self._of_claims(rows),
                "verifier": pandas.Categorical.from_codes(columns, categories=list(table.names)),
                "outcome": pandas.Categorical.from_codes(table.outcomes[at], categories=list(OUTCOMES)),
                "label": _labels(table.ballots.choices[at]),
                "confidence": table.ballots.confidence[at],
                "cost_usd": table.costs[at],
                "latency_s": table.latencies[at],
            }
        )
        return made

    def verdicts(self, policy: str | None = None) -> DataFrame:
        """A row per claim: what a policy makes of the panel's votes.

        The columns: claim_id, opinion_id, subset, gold, strategy, policy, label, status, score, cost_usd, asked.
        `score` is what speaks for the label, a share of the votes or a probability; `asked` counts the verifiers that
        the policy asks.

        Args:
            policy: a policy that needs no fitting; None for the panel's own.

        Raises:
            MissingDependencyError: there is no pandas.
            InputError: the folder is damaged, or the policy is unknown or has to be fitted.
        """
        pandas = _pandas()
        name = policy or self.meta.panel.policy
        panel = self.meta.panel
        if policy is not None:
            panel = panel.model_copy(update={"policy": policy, "settings": {}, "accept": (), "fitted": None})
        ballots = self._panel_ballots()
        rule = recorded_policy(panel)
        decided, was_asked = rule.decide(ballots), asked(rule, ballots)
        places = panel_of(self.table, self.meta.panel).columns
        found: DataFrame = pandas.DataFrame(
            {
                **self._of_claims(np.arange(len(self.table))),
                "policy": name,
                "label": _labels(decided.labels),
                "status": np.where(decided.labels == ABSTAINED, "abstained", "decided"),
                "score": decided.score_of_label(),
                "cost_usd": (self.table.costs[:, places] * was_asked).sum(axis=1),
                "asked": was_asked.sum(axis=1),
            }
        )
        return found

    def _panel_ballots(self) -> Ballots:
        panel = panel_of(self.table, self.meta.panel)
        return self.table.ballots.columns(panel.columns)

    def _of_claims(self, rows: np.ndarray[Any, np.dtype[np.int64]]) -> dict[str, Any]:
        """The columns that describe the claims, for these rows of the table."""
        pandas = _pandas()
        claims = self.table.claims

        def column(values: Sequence[str | None]) -> Series[Any]:
            # A million rows of a few thousand words: codes take a tenth of the memory.
            codes, words = pandas.factorize(np.array(values, dtype=object))
            made: Series[Any] = pandas.Series(pandas.Categorical.from_codes(codes[rows], categories=words))
            return made

        return {
            "claim_id": column([claim.id for claim in claims]),
            "opinion_id": column([claim.opinion_id for claim in claims]),
            "subset": column([claim.subset for claim in claims]),
            "gold": _labels(self.table.gold[rows]),
            "strategy": column([claim.strategy for claim in claims]),
        }


def evaluate(
    run: Run | str | Path, *, policies: Sequence[str] = (), seed: int = 0, resamples: int = RESAMPLES
) -> Evaluation:
    """The figures of a run: of every verifier, and of every policy over the whole panel.

    Args:
        run: the run, or its folder.
        policies: names of policies beside the panel's own; none given: those that are replayed by default.
        seed: of all draws.
        resamples: draws of the bootstrap.

    Raises:
        InputError: the folder is no run or damaged, or no claim is labelled.
    """
    opened = run if isinstance(run, Run) else Run(run)
    return evaluate_votes([votes_of(opened)], np.random.default_rng(seed), policies=policies, resamples=resamples)


def votes_of(run: Run) -> RunVotes:
    """The votes of a run with its panel, as a report takes them."""
    panel = run.meta.panel
    return RunVotes(run.name, run.table, panel_of(run.table, panel))


def frame(found: Evaluation) -> DataFrame:
    """A row per verifier, policy, baseline and denominator, with every figure and both ends of its interval.

    Raises:
        MissingDependencyError: there is no pandas.
    """
    rows = []
    for system in found.systems:
        for scope, measured in system.scopes.items():
            row: dict[str, Any] = {"name": system.name, "kind": system.kind, "on": scope, "claims": measured.claims}
            for name, estimate in measured.figures.items():
                row |= {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
            rows.append(row)
    made: DataFrame = _pandas().DataFrame(rows)
    return made


def _labels(codes: np.ndarray[Any, np.dtype[np.int8]]) -> Any:
    """A categorical of labels; empty where there is none."""
    return _pandas().Categorical.from_codes(np.where(codes < ABSTAINED, codes, -1), categories=list(LABELS))


def _pandas() -> Any:
    if find_spec("pandas") is None:
        raise MissingDependencyError("frames need pandas; install it with: pip install 'parcel-agents[frames]'")
    import pandas

    return pandas
