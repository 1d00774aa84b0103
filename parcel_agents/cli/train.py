"""`parcel-agents train`: make the numbers that the package learns from labelled data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parcel_agents.cli import output
from parcel_agents.cli.dataset_options import ColumnMap, DatasetPath, SkipBad, read_dataset
from parcel_agents.errors import InputError

if TYPE_CHECKING:
    from parcel_agents.eval.replay.fit_policy import Fitted

app = typer.Typer(help="Learn weights from a labelled data set.", no_args_is_help=True)


OutFile = Annotated[Path, typer.Option(help="The JSON file to write.")]


@app.command("retrieval")
@output.reports_errors
def retrieval(dataset: DatasetPath, out: OutFile, column_map: ColumnMap = None, skip_bad: SkipBad = False) -> None:
    """Learn the weights of the hybrid retriever from claims with evidence."""
    from parcel_agents.config import load_config
    from parcel_agents.eval.retrieval import train_hybrid
    from parcel_agents.retrievers.hybrid import HybridRetriever

    data = read_dataset(dataset, column_map, skip_bad)
    retriever = HybridRetriever(cache_dir=load_config().settings.cache_path)
    with output.progress("reading opinions", len(data.opinions)) as step:
        report = train_hybrid(data, retriever, step)
    _write(out, report, report["cross_validation"])


@app.command("combined")
@output.reports_errors
def combined(
    dataset: DatasetPath,
    out: OutFile,
    max_fer: Annotated[
        float, typer.Option(help="Votes for Supported must be shown to keep the false entailment rate below this.")
    ] = 0.02,
    confidence: Annotated[float, typer.Option(help="Confidence of the bound of --max-fer.")] = 0.95,
    column_map: ColumnMap = None,
    skip_bad: SkipBad = False,
) -> None:
    """Learn from labelled claims what the findings of the verifier `combined` weigh, and when it may vote."""
    from parcel_agents.api import retriever_for
    from parcel_agents.config import load_config
    from parcel_agents.eval.combined import Risk, measure_claims, train_combined

    for name, rate in (("--max-fer", max_fer), ("--confidence", confidence)):
        if not 0 < rate < 1:
            raise InputError(f"{name} is {rate:g}; it must lie between 0 and 1")
    config = load_config()
    data = read_dataset(dataset, column_map, skip_bad)
    with output.progress("reading opinions", len(data.opinions)) as step:
        claims = measure_claims(data, retriever_for(config), config.settings.top_k, step)
    model = train_combined(claims, data.name, risk=Risk(max_fer, confidence))
    _write(out, model.model_dump(), model.report)
    if model.supported.threshold is None:
        output.say(
            f"no vote for Supported: {len(set(claims.opinions))} opinions cannot show a false entailment rate below "
            f"{max_fer:g} at {confidence:g} with these scores"
        )


@app.command("policy")
@output.reports_errors
def policy(
    run: Annotated[Path, typer.Argument(help="A run folder with votes on labelled claims.")],
    out: Annotated[Path, typer.Option(help="The policy file to write (.json); a panel names it as its policy.")],
    policy: Annotated[str, typer.Option(help="The policy to fit.")] = "majority",
    tier: Annotated[
        list[str] | None,
        typer.Option(
            help="Verifiers asked together, separated by commas; repeat it in order. The run's own without it."
        ),
    ] = None,
    max_fer: Annotated[
        float | None, typer.Option(help="Keep the false entailment rate below this, by a threshold for Supported.")
    ] = None,
    confidence: Annotated[float, typer.Option(help="Confidence of the bound of --max-fer.")] = 0.95,
    cascade_cost: Annotated[
        float | None, typer.Option(help="Tune when a tier's decision stands: at most so many dollars a claim.")
    ] = None,
    cascade_fer: Annotated[
        float | None,
        typer.Option(
            help="Tune it for the lowest cost at this false entailment rate on the claims, without guarantee."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of all draws.")] = 0,
) -> None:
    """Fit a policy, a cascade or a bound on false support to the votes of a run on labelled claims."""
    import numpy as np

    from parcel_agents.eval.replay.fit_policy import Targets, fit_policy, in_tiers, policy_file
    from parcel_agents.eval.vote_table import read_votes
    from parcel_agents.store import Run

    if out.suffix != ".json":
        raise InputError(f"{out}: name a file that ends in .json, so that a panel can tell it from a policy's name")
    recorded = Run.open(run)
    table = read_votes(recorded)
    tiers = [[name.strip() for name in one.split(",")] for one in tier or []] or recorded.meta.panel.tiers
    table = in_tiers(table, tiers)
    targets = Targets(max_fer, confidence, cascade_cost, cascade_fer)
    fitted = fit_policy(table, policy, targets, np.random.default_rng(seed))
    policy_file(fitted, table, policy, recorded.meta).write(out)
    for line in _described(fitted, policy):
        typer.echo(line)
    output.say(f"{out}: written; name it in a panel: policy = {str(out)!r}")


def _described(fitted: Fitted, policy: str) -> Iterator[str]:
    if fitted.fitted_on:
        yield f"{policy}: fitted on {fitted.fitted_on} labelled claims."
    for note in fitted.notes:
        yield f"note: {note}"
    if (tuned := fitted.cascade) is not None:
        accept = next(one for one in tuned.cascade.accept if one is not None)
        yield (
            f"Cascade: a tier's decision stands from a score of {accept.supported:g} for supported and "
            f"{accept.other:g} for the others; on the claims it was tuned on ${tuned.cost:.4f} a claim, accuracy "
            f"{tuned.accuracy:.3f}, false entailment rate {tuned.fer:.3f}."
        )
    if fitted.risk is not None:
        yield from fitted.risk.lines()


def _write(out: Path, report: dict[str, Any], worth: Any) -> None:
    told = f"written; in cross-validation {json.dumps(worth)}"
    output.write_file(out, json.dumps(report, indent=2) + "\n", told=told)
