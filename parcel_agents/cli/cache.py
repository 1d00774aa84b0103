"""`parcel-agents cache`: what is kept of models' answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parcel_agents.cli import output

app = typer.Typer(help="Look into the cache of models' answers.", no_args_is_help=True)


@app.callback()
def _cache() -> None:
    """Keep `explain` a command of its own while it is the only one."""


@app.command("explain")
@output.reports_errors
def explain(
    opinion: Annotated[Path, typer.Argument(help="The opinion: a .md, .txt, .html, .json, .pdf or .docx file.")],
    claim: Annotated[str, typer.Argument(help="The claim.")],
    panel: Annotated[str | None, typer.Option(help="The panel whose models would be asked.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with panels and settings.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object per model.")] = False,
) -> None:
    """Say for each model whether its answer on a claim is kept, and if not, what differs from the nearest."""
    from parcel_agents.api import make_context, make_tasks
    from parcel_agents.config import load_config
    from parcel_agents.types import Claim, Opinion
    from parcel_agents.verifiers.doctor import ModelVerifier

    context = make_context(config=load_config(config, panel=panel))
    (task,) = make_tasks(context, Opinion.load(opinion), [Claim.of(claim)])
    models = [verifier for verifier in context.verifiers if isinstance(verifier, ModelVerifier)]
    if not models:
        output.say("no model to ask: none of the panel's verifiers is of kind 'llm' or 'agent'")
    for model in models:
        explanation = model.explain(task)
        if as_json:
            found = explanation is not None and explanation.found
            differs = dict(explanation.differs) if explanation else {}
            output.print_json({"verifier": model.name, "found": found, "differs": differs, "text": str(explanation)})
        else:
            typer.echo(f"{model.name}: {explanation or 'the answer cache is switched off'}")
