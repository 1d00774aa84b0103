"""`parcel-agents train`: make the numbers that the package learns from labelled data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from parcel_agents.cli import output
from parcel_agents.errors import InputError

app = typer.Typer(help="Learn weights from a labelled data set.", no_args_is_help=True)


DatasetFolder = Annotated[Path, typer.Argument(help="A data set folder: claims.jsonl and opinions/.")]
OutFile = Annotated[Path, typer.Option(help="The JSON file to write.")]


@app.command("retrieval")
@output.reports_errors
def retrieval(dataset: DatasetFolder, out: OutFile) -> None:
    """Learn the weights of the hybrid retriever from claims with evidence."""
    from parcel_agents.config import load_config
    from parcel_agents.eval.datasets import load_dataset
    from parcel_agents.eval.retrieval import train_hybrid
    from parcel_agents.retrievers.hybrid import HybridRetriever

    data = load_dataset(dataset)
    retriever = HybridRetriever(cache_dir=load_config().settings.cache_path)
    with output.progress("reading opinions", len(data.opinions)) as step:
        report = train_hybrid(data, retriever, step)
    _write(out, report)


@app.command("similarity")
@output.reports_errors
def similarity(dataset: DatasetFolder, out: OutFile) -> None:
    """Learn from labelled claims when the verifier `similarity` may say that a claim is not found."""
    from parcel_agents.api import retriever_for
    from parcel_agents.config import load_config
    from parcel_agents.eval.datasets import load_dataset
    from parcel_agents.eval.similarity import train_similarity

    config = load_config()
    data = load_dataset(dataset)
    with output.progress("reading opinions", len(data.opinions)) as step:
        report = train_similarity(data, retriever_for(config), config.settings.top_k, step)
    _write(out, report)


def _write(out: Path, report: dict[str, Any]) -> None:
    try:
        out.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({error.strerror or error})") from error
    output.say(f"{out}: written; in cross-validation {json.dumps(report['cross_validation'])}")
