"""`parcel-agents generate`: a data set of labelled claims, made from decisions and briefs."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parcel_agents.cli import output
from parcel_agents.errors import InputError

if TYPE_CHECKING:
    from parcel_agents.config import Config
    from parcel_agents.eval.generation.making import Made, Recipe
    from parcel_agents.generation.folder import OutFolder
    from parcel_agents.generation.orders import Wanted
    from parcel_agents.types import Opinion


@output.reports_errors
def generate(
    decisions: Annotated[
        list[Path], typer.Argument(help="Decisions, or folders of them: .md, .txt, .html, .json, .pdf, .docx.")
    ],
    out: Annotated[
        Path | None, typer.Option(help="The folder of the data set: a new one, or one to go on with.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(help="The model that writes: provider:name, or a [verifier.NAME] table of kind llm."),
    ] = None,
    blind: Annotated[
        str | None,
        typer.Option(help="Another model, which labels each claim without knowing what it was meant to be."),
    ] = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Ask no model: make claims by rules alone, and say so in the data.")
    ] = False,
    briefs: Annotated[
        Path | None, typer.Option(help="A folder of briefs, whose parentheticals show the style.")
    ] = None,
    contrast: Annotated[
        bool, typer.Option("--contrast", help="Add true claims in the wording of the false ones.")
    ] = False,
    per_opinion: Annotated[
        int, typer.Option(min=1, max=100, help="Supported claims an opinion; refuted are twice as many.")
    ] = 10,
    share: Annotated[
        list[str] | None,
        typer.Option(help="STRATEGY=NUMBER in place of the paper's count of it; may be given several times."),
    ] = None,
    usage_type: Annotated[
        list[str] | None,
        typer.Option(help="A use of parentheticals, in place of the paper's; may be given several times."),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with models and settings.")] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, max=1024, help="How many decisions may be worked on at the same time.")
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option(help="Dollars; stop before the whole set costs more. Needs the models' prices."),
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Ask models afresh, and keep no answer.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of all draws; with another seed a model writes anew.")] = 0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be asked and what it costs, and ask nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the data card as a JSON object.")] = False,
) -> None:
    """Make a data set as the PARCEL paper does: true, refuted and not-found claims about decisions, of any court.

    Killed at any moment, the same command goes on where it was. Claims that the blind reader labels otherwise go to
    review.jsonl; write keep or drop behind `decision` there, and the same command heeds it. Exit status: 0 every
    decision is done, 2 wrong usage or unreadable input, 3 some decision failed and is asked about again next time.
    """
    if (model is None) == (not offline):
        raise InputError("name the model that writes with --model, or have claims made by rules alone with --offline")
    if offline and blind:
        raise InputError("--offline asks no model, so there is none to read blind; leave --blind out")
    if out is None and not dry_run:
        raise InputError("no folder given for the data set; name one with --out, or ask for --dry-run")
    for folder in decisions:
        if out is not None and folder.is_dir() and out.resolve().is_relative_to(folder.resolve()):
            raise InputError(f"{out}: lies in {folder}, so its files would be taken for decisions; put --out elsewhere")

    from parcel_agents.config import load_config
    from parcel_agents.eval.generation.inputs import find_decisions, read_briefs
    from parcel_agents.eval.generation.making import Recipe, describe
    from parcel_agents.generation.folder import OutFolder

    settings = load_config(
        config,
        concurrency=concurrency,
        max_cost_usd=max_cost,
        answer_cache=False if no_cache else None,
    )
    given = read_briefs(briefs)
    for problem in given.unreadable:
        output.complain(problem)
    recipe = Recipe(
        decisions=find_decisions(decisions),
        briefs=given,
        wanted=_wanted(per_opinion, share or [], usage_type or [], contrast),
        seed=seed,
        model=model,
        blind=blind,
    )
    meta = describe(recipe, settings, created=datetime.now(UTC))
    if meta.blind is not None and meta.blind == meta.made_by:
        output.say(f"{meta.blind} writes and reads blind; another model as --blind would share fewer of its errors")
    if dry_run:
        _print_plan(recipe, settings, as_json)
        return
    assert out is not None
    with OutFolder(out, meta) as opened:
        made, stopped = _make(recipe, opened, settings)
    if as_json:
        output.print_json({"out": str(out), **made.card.as_json(), "complete": made.complete, "stopped": stopped})
    else:
        _print(made, out)
    if stopped or not made.complete:
        output.say("some decisions are not done; the same command goes on with them")
        raise typer.Exit(output.EXIT_NOT_CHECKED)


def _wanted(per_opinion: int, shares: list[str], usage_types: list[str], contrast: bool) -> Wanted:
    from parcel_agents.generation.balance import check_shares
    from parcel_agents.generation.model import USAGE_TYPES
    from parcel_agents.generation.orders import Wanted

    given: dict[str, float] = {}
    for item in shares:
        name, _, number = item.partition("=")
        try:
            given[name.strip()] = float(number)
        except ValueError:
            raise InputError(f"--share {item!r} is not of the form STRATEGY=NUMBER, such as logic_reversal=2") from None
    types = tuple(dict.fromkeys(one.strip().lower().replace(" ", "_") for one in usage_types if one.strip()))
    return Wanted(per_opinion, check_shares(given), types or tuple(USAGE_TYPES), contrast)


def _make(recipe: Recipe, folder: OutFolder, config: Config) -> tuple[Made, str | None]:
    """Work on what is not done; what came of it, and what the work had to stop for."""
    import asyncio

    from parcel_agents.api import providers_for
    from parcel_agents.eval.generation.making import finish, make
    from parcel_agents.providers import RunStoppedError

    opinions: dict[str, Opinion] = {}
    stopped = None
    with output.progress("decisions", len(recipe.decisions)) as step:
        work = make(recipe, folder, config, providers_for(config), opinions, lambda record: step())
        try:
            asyncio.run(work)
        except RunStoppedError as error:
            stopped = str(error)
        except KeyboardInterrupt:
            stopped = "interrupted"
    if stopped:
        output.complain(stopped)
    return finish(recipe, folder, opinions), stopped


def _print(made: Made, out: Path) -> None:
    from parcel_agents.eval.report.table_formats import as_text

    statuses = Counter(record.status for record in made.records)
    output.say(", ".join(f"{count:,} decisions {status}" for status, count in sorted(statuses.items())))
    for record in made.records:
        if record.status != "done":
            output.say(f"{record.status}: {record.opinion_id}: {record.reason}")
    if made.claims:
        for table in made.card.summary():
            typer.echo(as_text(table))
    in_question = sum(len(record.review) for record in made.records)
    if in_question:
        output.say(f"{in_question:,} claims are in question; see {out / 'review.jsonl'}")
    output.say(f"the whole card is {out / 'CARD.md'}")
    if made.claims:
        output.say(f"the set is in {out}; parcel-agents run {out} --out RUN records a panel's votes on it")
    else:
        why = out / "dropped.jsonl"
        output.say(
            f"no claims of every class came through, so there is no set{f'; {why} says why' if why.exists() else ''}"
        )


def _print_plan(recipe: Recipe, config: Config, as_json: bool) -> None:
    from parcel_agents.eval.generation.plan import make_plan

    plan = make_plan(recipe, config)
    if as_json:
        output.print_json(plan.as_json())
        return
    for line in plan.lines():
        typer.echo(line)
