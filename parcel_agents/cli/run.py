"""`parcel-agents run`: the votes of a panel on a whole data set, in a folder that can be gone on with."""

from __future__ import annotations

import time
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parcel_agents.cli import output
from parcel_agents.cli.dataset_options import ColumnMap, DatasetPath, SkipBad, read_dataset
from parcel_agents.cli.run_progress import Meter, counted, duration, shown
from parcel_agents.errors import InputError

if TYPE_CHECKING:
    from parcel_agents.eval.datasets import Dataset
    from parcel_agents.eval.runs.plan import Plan
    from parcel_agents.eval.runs.summary import RunSummary
    from parcel_agents.graphs.state import VerifyContext
    from parcel_agents.store import Run


@output.reports_errors
def run(
    dataset: DatasetPath,
    out: Annotated[Path | None, typer.Option(help="The folder of the run: a new one, or one to go on with.")] = None,
    panel: Annotated[str | None, typer.Option(help="The panel of verifiers to ask.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with panels and settings.")] = None,
    subset: Annotated[
        list[str] | None,
        typer.Option(help="Only claims_NAME.jsonl, or 'claims' for claims.jsonl; may be given several times."),
    ] = None,
    column_map: ColumnMap = None,
    skip_bad: SkipBad = False,
    concurrency: Annotated[
        int | None, typer.Option(min=1, max=1024, help="How many verifiers may run at the same time.")
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option(help="Dollars; stop before the whole run costs more. Needs models' prices in the configuration."),
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Ask models afresh, and keep no answer.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be asked and what it costs, and ask nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as a JSON object.")] = False,
) -> None:
    """Ask every verifier of a panel about every claim, and write each vote down at once.

    Killed at any moment, the same command goes on where it was; it asks again for votes that failed. The panel may
    have got further verifiers meanwhile. Exit status: 0 all votes are there, 2 wrong usage or unreadable input, 3 some
    vote is missing.
    """
    if out is None and not dry_run:
        raise InputError("no folder given for the run; name one with --out, or ask for --dry-run")

    from parcel_agents.api import make_context
    from parcel_agents.config import load_config
    from parcel_agents.eval.runs.opening import check_same, choose, describe, open_run
    from parcel_agents.eval.runs.plan import make_plan
    from parcel_agents.eval.runs.summary import summarise
    from parcel_agents.store import Run
    from parcel_agents.store.run import RUN

    settings = load_config(
        config,
        concurrency=concurrency,
        panel=panel,
        max_cost_usd=max_cost,
        answer_cache=False if no_cache else None,
    )
    context = make_context(config=settings)
    data = choose(read_dataset(dataset, column_map, skip_bad), subset or [])
    meta = describe(data, dataset.resolve().name, settings, context, created=datetime.now(UTC))
    if dry_run:
        there = Run.open(out) if out is not None and (out / RUN).is_file() else None
        if there:
            check_same(there, meta, data.claims)
        _print_plan(make_plan(there, data, context), as_json)
        return
    assert out is not None
    with open_run(out, meta, data.claims) as opened:
        if opened.repaired:
            output.say("the last vote was torn when the run was killed; it has been cut off and is asked for again")
        stopped = _record(opened, data, context)
        summary = summarise(opened)
    if as_json:
        output.print_json({"run": str(out), **asdict(summary), "complete": summary.complete, "stopped": stopped})
    else:
        _print(summary)
    if not summary.complete:
        output.say(f"{summary.votes - summary.ok:,} votes are missing; the same command asks for them again")
        raise typer.Exit(output.EXIT_NOT_CHECKED)


def _record(opened: Run, data: Dataset, context: VerifyContext) -> str | None:
    """Ask for what is missing; what the run had to stop for, None if it came to its end."""
    from parcel_agents.api import claim_fault
    from parcel_agents.eval.runs.recording import find_pending, record_votes
    from parcel_agents.providers import RunStoppedError

    for claim in data.claims:
        if fault := claim_fault(claim.claim):
            output.complain(f"claim {claim.id!r} cannot be verified: {fault}")
    pending = [each for claims in find_pending(opened, data, context.verifiers).values() for each in claims]
    to_come = sum(len(each.verifiers) for each in pending)
    total = len(data.claims) * len(context.verifiers)
    ok = sum(opened.state(claim.id, each.name) == "ok" for claim in data.claims for each in context.verifiers)
    output.say(f"{total:,} votes: {ok:,} are there, {to_come:,} to come")
    meter = Meter(total, ok, to_come, time.monotonic, opened.cost_usd)
    if context.providers is not None:
        # The cap is one of the run, however often it is killed.
        context.providers.account.spent_usd = opened.cost_usd

    import asyncio

    async def record() -> None:
        async with shown(meter):
            try:
                await record_votes(
                    opened, data, context, on_vote=lambda _, vote: meter.count(vote.outcome, vote.cost_usd)
                )
            finally:
                if context.providers is not None:
                    await context.providers.aclose()

    try:
        # A loop of its own and not the one of `verify`: an interrupt ends it before the summary is made.
        asyncio.run(record())
    except RunStoppedError as error:
        output.complain(str(error))
        return str(error)
    except KeyboardInterrupt:
        output.complain("interrupted")
        return "interrupted"
    return None


def _print_plan(plan: Plan, as_json: bool) -> None:
    if as_json:
        output.print_json(asdict(plan))
        return
    models = plan.models
    typer.echo(
        f"{plan.votes:,} votes: {plan.ok:,} are there, {plan.to_ask:,} to ask for; {models.votes:,} of these are "
        f"models', {models.cached_votes:,} of them kept from before\n"
        f"about {models.input_tokens:,} tokens in and {models.output_tokens:,} out; "
        f"about ${models.cost_usd:.4f}, at most ${models.most_usd:.4f}"
    )
    if models.unpriced:
        output.say(f"not in the sums, since their price is not configured: {', '.join(models.unpriced)}")
    if plan.time_s is None:
        typer.echo("time: not known before some votes are there; try a --subset, or a run that you interrupt")
    else:
        how = "about" if plan.time_by == "latency" else "at least"
        by = "the votes that are there" if plan.time_by == "latency" else "the limits on requests and tokens a minute"
        typer.echo(f"time: {how} {duration(plan.time_s)}, by {by}")


def _print(summary: RunSummary) -> None:
    rows = [("verifier", "ok", "failed", "not asked", "cost", "median s")]
    for each in summary.verifiers:
        latency = "-" if each.median_latency_s is None else f"{each.median_latency_s:.3f}"
        failed = counted(each.failed) or "-"
        rows.append((each.verifier, f"{each.ok:,}", failed, f"{each.missing:,}", f"${each.cost_usd:.4f}", latency))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    typer.echo(f"{summary.ok:,} of {summary.votes:,} votes on {summary.claims:,} claims, ${summary.cost_usd:.4f}")
