"""`parcel-agents doctor`: one real verification with a known answer for each model of a panel."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parcel_agents.cli import output

if TYPE_CHECKING:
    from parcel_agents.verifiers.doctor import Examination, Examined


@output.reports_errors
def doctor(
    panel: Annotated[str | None, typer.Option(help="The panel whose models to ask; default: all configured.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with panels and settings.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object per model.")] = False,
) -> None:
    """Ask each model to check one false claim about the bundled opinion, and show what works.

    Exit status: 0 every model answered rightly, 1 some model answered wrongly, 3 some model gave no answer.
    """
    from parcel_agents.api import providers_for
    from parcel_agents.config import load_config
    from parcel_agents.verifiers import make_verifier
    from parcel_agents.verifiers.doctor import Examined

    settings = load_config(config)
    providers = providers_for(settings)
    names = list(settings.get_panel(panel).verifiers) if panel else list(settings.verifier)
    verifiers = [make_verifier(name, settings.verifier[name], providers=providers) for name in names]
    models = [verifier for verifier in verifiers if isinstance(verifier, Examined)]
    if not models:
        output.say("no model to ask: none of these verifiers is of kind 'llm', 'agent' or 'nli'")
        return
    import asyncio

    found = asyncio.run(_examine(models))
    for examination in found:
        if as_json:
            output.print_json(
                {**asdict(examination), "right": examination.right, "usage": examination.usage.model_dump()}
            )
        else:
            _print(examination)
    if any(examination.label is None for examination in found):
        raise typer.Exit(output.EXIT_NOT_CHECKED)
    if not all(examination.right for examination in found):
        raise typer.Exit(output.EXIT_NOT_SUPPORTED)


async def _examine(models: list[Examined]) -> list[Examination]:
    import asyncio

    from parcel_agents.verifiers.doctor import examine

    return list(await asyncio.gather(*(examine(model) for model in models)))


def _print(found: Examination) -> None:
    if found.label is None:
        state = f"no answer ({found.outcome}): {found.reason}"
    else:
        state = f"{found.label}, as it should be" if found.right else f"{found.label}, should be {found.expected}"
    usage = found.usage
    cost = "price not configured" if found.cost_usd is None else f"${found.cost_usd:.6f}"
    typer.echo(f"{found.verifier}: {found.model} at {found.base_url}")
    typer.echo(f"  verdict     {state}")
    typer.echo(f"  structured  {found.rung or 'unknown'}")
    typer.echo(f"  tokens      {usage.input_tokens} in ({usage.cached_tokens} cached), {usage.output_tokens} out")
    typer.echo(f"  cost        {cost}")
    typer.echo(f"  latency     {found.latency_s:.2f} s")
    typer.echo(f"  parameters  {found.parameters}\n")
