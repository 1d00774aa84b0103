"""`parcel-agents replay`: recorded votes under every subset of verifiers and every policy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parcel_agents.cli import output
from parcel_agents.errors import InputError

if TYPE_CHECKING:
    from parcel_agents.eval.replay.report import ReplayReport
    from parcel_agents.eval.replay.rows import Row
    from parcel_agents.eval.vote_table import VoteTable

RunFolder = Annotated[Path, typer.Argument(help="A run folder, made by `parcel-agents run`.")]
Seed = Annotated[int, typer.Option(help="Seed of all draws: folds, resamples, tests.")]
MaxFer = Annotated[
    float | None,
    typer.Option("--max-fer", help="Choose a threshold for Supported that keeps the false entailment rate below this."),
]
Confidence = Annotated[float, typer.Option(help="Confidence of the bound of --max-fer.")]


@output.reports_errors
def replay(
    run: RunFolder,
    policy: Annotated[
        list[str] | None,
        typer.Option("--policy", help="A policy to replay; may be repeated. Majority is always there."),
    ] = None,
    verifier: Annotated[
        list[str] | None, typer.Option("--verifier", help="A verifier to take; may be repeated. All without it.")
    ] = None,
    pareto: Annotated[
        bool, typer.Option("--pareto", help="Show what nothing beats in cost, FER and accuracy; cascades included.")
    ] = False,
    max_fer: MaxFer = None,
    confidence: Confidence = 0.95,
    plot: Annotated[Path | None, typer.Option(help="Draw cost against FER into this .png, .svg or .pdf file.")] = None,
    seed: Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object per row, of all combinations.")] = False,
) -> None:
    """Say what other subsets of the verifiers and other policies would have made of the votes of a run, at no cost.

    Beside them stand the best single verifier, the majority, the oracle, the majority class and a claim-only baseline.
    """
    import numpy as np

    from parcel_agents.cli import replay_text
    from parcel_agents.eval.replay.combinations import POLICY_NAMES
    from parcel_agents.eval.replay.report import make_report
    from parcel_agents.eval.replay.rows import front

    rng = np.random.default_rng(seed)
    table = chosen_votes(run, verifier)
    if max_fer is not None:
        if pareto or plot is not None:
            raise InputError("--max-fer prints the bound alone; leave out --pareto and --plot, or ask twice")
        _print_risk(table, policy or ["majority"], max_fer, confidence, rng, as_json=as_json)
        return
    if plot is not None:
        from parcel_agents.eval.replay.plots import require_matplotlib

        require_matplotlib()
    with output.progress("replaying", len(policy or POLICY_NAMES) + 2) as step:
        replayed, report = make_report(table, rng, policy or (), progress=step)
    best, compared = front(replayed, report.rows, rng) if pareto or plot is not None else ([], 0)
    if plot is not None:
        from parcel_agents.eval.replay.plots import plot_front

        plot_front(report, best, plot)
        output.say(f"{plot}: written")
    if as_json:
        for row in _json_rows(report, best):
            output.print_json(row)
    elif pareto:
        replay_text.print_front(report, best, compared, free=not replayed.table.costs.any())
    else:
        replay_text.print_report(report)


def chosen_votes(run: Path, verifiers: Sequence[str] | None) -> VoteTable:
    """The votes of a run, of these verifiers or of all."""
    from parcel_agents.eval.replay.fit_policy import in_tiers
    from parcel_agents.eval.vote_table import read_votes
    from parcel_agents.store import Run

    table = read_votes(Run.open(run))
    return in_tiers(table, [verifiers]) if verifiers else table


def _print_risk(
    table: VoteTable, policies: Sequence[str], max_fer: float, confidence: float, rng: Any, *, as_json: bool
) -> None:
    from parcel_agents.eval.replay.fit_policy import Targets, fit_policy

    for name in policies:
        fitted = fit_policy(table, name, Targets(max_fer=max_fer, confidence=confidence), rng)
        if fitted.risk is None:
            continue
        if as_json:
            output.print_json({"row": "risk", "policy": name, **asdict(fitted.risk)})
            continue
        if fitted.fitted_on:
            typer.echo(f"{name}: fitted on {fitted.fitted_on} claims; the bound is tested on the other opinions.")
        for line in fitted.risk.lines():
            typer.echo(line)


def _json_rows(report: ReplayReport, best: Sequence[Row]) -> Iterable[dict[str, Any]]:
    yield {
        "row": "run",
        "claims": report.claims,
        "opinions": report.opinions,
        "notes": list(report.notes),
        "majority_class": report.majority_class,
        "claim_only_baseline": report.claim_only_baseline,
        "best_single": report.rows[report.best_single].name,
        "most_accurate": report.rows[report.most_accurate].name,
        "safest": report.rows[report.safest].name,
        "held_out_choice": asdict(report.held_out) if report.held_out else None,
    }
    for row in report.rows:
        yield {"row": "combination", **row.as_json()}
    yield {"row": "oracle", **report.oracle.as_json()}
    for row in best:
        yield {"row": "front", **row.as_json()}
    for place, comparison in report.against_best_single.items():
        yield {"row": "against_best_single", "name": report.rows[place].name, **asdict(comparison)}
    yield {"row": "independence", **asdict(report.independence)}
    yield {"row": "reach", **asdict(report.reach)}
