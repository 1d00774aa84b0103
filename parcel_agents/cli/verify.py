"""`parcel-agents verify`: claims about one opinion, each with a verdict and what it rests on."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parcel_agents.cli import output
from parcel_agents.cli.claims_file import Line, read_claims
from parcel_agents.cli.panel_options import FailClosed
from parcel_agents.cli.trace_output import HtmlFile, TraceFile, asked_of, write_traces
from parcel_agents.errors import ClaimError
from parcel_agents.types import Claim, Opinion, Verdict

if TYPE_CHECKING:
    from parcel_agents.graphs.state import VerifyContext


@output.reports_errors
def verify(
    opinion: Annotated[Path, typer.Argument(help="The opinion: a .md, .txt, .html, .json, .pdf or .docx file.")],
    claims: Annotated[
        list[str] | None, typer.Argument(help='Claims, such as "(holding that the waiver was invalid)".')
    ] = None,
    claims_file: Annotated[
        Path | None,
        typer.Option("--claims", help="A JSONL file of claims: a field 'claim', and 'id' if you like."),
    ] = None,
    panel: Annotated[str | None, typer.Option(help="The panel of verifiers to ask.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with panels and settings.")] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, max=1024, help="How many verifiers may run at the same time.")
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option(help="Dollars; stop before models cost more. Needs their prices in the configuration."),
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Ask models afresh, and keep no answer.")] = False,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Say what the models would be asked and cost, and ask nothing.")
    ] = False,
    fail_closed: FailClosed = False,
    html: HtmlFile = None,
    trace: TraceFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object per claim.")] = False,
) -> None:
    """Check claims against the opinion they cite.

    Exit status: 0 all supported, 1 some claim not supported or undecided, 2 wrong usage or unreadable input,
    3 some claim could not be checked.
    """
    lines = [Line("argument", Claim.of(text), text) for text in claims or []]
    if claims_file is not None:
        lines += read_claims(claims_file, opinion=opinion.stem)
    if not lines:
        raise ClaimError("no claim given; pass claims as arguments or a file with --claims")

    from parcel_agents.api import claim_fault, make_context, unusable
    from parcel_agents.api import verify as run
    from parcel_agents.config import load_config
    from parcel_agents.providers import RunStoppedError

    settings = load_config(
        config,
        concurrency=concurrency,
        panel=panel,
        max_cost_usd=max_cost,
        answer_cache=False if no_cache else None,
        fail_closed=fail_closed or None,
    )
    context = make_context(config=settings)
    read = Opinion.load(opinion)
    good = [line.claim for line in lines if line.claim is not None]
    if estimate:
        _print_estimate(context, read, good, as_json)
        return
    done: dict[str, Verdict] = {}
    stopped = None
    with output.progress("verifying", len(good)) as step:

        def keep(verdict: Verdict) -> None:
            done[verdict.claim_id] = verdict
            step()

        try:
            run(read, good, context=context, on_verdict=keep)
        except RunStoppedError as error:
            # What has been found is shown all the same; the rest could not be checked.
            stopped = str(error)
            output.complain(stopped)
        except KeyboardInterrupt:
            stopped = "interrupted"
            output.complain(stopped)
    bad_input = False
    verdicts: list[Verdict] = []
    for line in lines:
        fault = line.fault or claim_fault(line.text)
        if fault:
            bad_input = True
            output.complain(f"{line.where}: {fault}")
        if line.claim is not None:
            rest = unusable(line.claim.id, line.text, stopped or "", opinion_id=read.id, policy=context.policy.name)
            verdicts.append(done.get(line.claim.id, rest))
        else:
            verdicts.append(unusable(line.where, line.text, line.fault or "", opinion_id=read.id))
    if html is not None or trace is not None:
        from parcel_agents.traces import from_verdicts

        title = read.name or opinion.name
        book = from_verdicts([read], verdicts, title=f"Claims about {title}", asked=asked_of(settings, context))
        write_traces(book, html=html, trace=trace)
    for verdict in verdicts:
        if as_json:
            output.print_json(verdict.model_dump(mode="json"))
        else:
            _print(verdict)
    if not as_json:
        output.say(_summary(verdicts))
    raise typer.Exit(_status(verdicts, bad_input=bad_input))


def _print_estimate(context: VerifyContext, opinion: Opinion, claims: list[Claim], as_json: bool) -> None:
    from parcel_agents.api import make_tasks
    from parcel_agents.providers import Estimate
    from parcel_agents.verifiers.doctor import ModelVerifier

    tasks = make_tasks(context, opinion, claims)
    models = [verifier for verifier in context.verifiers if isinstance(verifier, ModelVerifier)]
    total = sum((model.estimate(tasks) for model in models), Estimate())
    if as_json:
        output.print_json(asdict(total))
        return
    typer.echo(
        f"{total.votes} votes of {len(models)} models, {total.cached_votes} of them kept from before; "
        f"about {total.input_tokens:,} tokens in and {total.output_tokens:,} out; "
        f"about ${total.cost_usd:.4f}, at most ${total.most_usd:.4f}"
    )
    if total.unpriced:
        output.say(f"not in the sums, since their price is not configured: {', '.join(total.unpriced)}")


def _print(verdict: Verdict) -> None:
    word, colour = _WORDS[_outcome(verdict)]
    typer.echo(typer.style(f"{word:<{INDENT}}", fg=colour, bold=True) + fold(verdict.claim).lstrip())
    for reason in reasons(verdict):
        typer.echo(fold(f"why: {reason}"))
    for evidence in verdict.evidence[:3] if verdict.label else verdict.evidence[:1]:
        lead = "nearest: " if evidence.relation == "nearest" else ""
        place = ", ".join(part for part in (evidence.voice, evidence.page, evidence.passage) if part)
        typer.echo(fold(f"{lead}“{evidence.text}” [{place}]"))
    typer.echo()


def fold(text: str) -> str:
    """The text indented, and broken into lines where a person is reading; a program gets whole lines."""
    text = _CONTROL.sub("", " ".join(text.split()))
    if not sys.stdout.isatty():
        return " " * INDENT + text
    width = max(60, min(shutil.get_terminal_size().columns, 120))
    return textwrap.fill(text, width, initial_indent=" " * INDENT, subsequent_indent=" " * INDENT)


INDENT = 17
# Text from files must not steer a terminal.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_WORDS = {
    "supported": ("SUPPORTED", "green"),
    "refuted": ("REFUTED", "red"),
    "not_found": ("NOT FOUND", "yellow"),
    "undecided": ("UNDECIDED", "cyan"),
    "unchecked": ("COULD NOT CHECK", "magenta"),
}


def _outcome(verdict: Verdict) -> str:
    return verdict.label or ("unchecked" if verdict.error else "undecided")


def reasons(verdict: Verdict) -> list[str]:
    """What speaks for the verdict, or why there is none."""
    said = [
        f"{vote.verifier}: {vote.reason}"
        for vote in verdict.votes
        if vote.reason and (vote.label == verdict.label or vote.outcome != "ok" or verdict.label is None)
    ]
    if verdict.error:
        return [verdict.error, *said]
    # Where nothing is decided, the votes alone would not say why.
    return (said or [verdict.reason]) if verdict.label else [verdict.reason, *said]


def _summary(verdicts: list[Verdict]) -> str:
    counts = {key: sum(_outcome(verdict) == key for verdict in verdicts) for key in _WORDS}
    names = {**{key: word.lower() for key, (word, _) in _WORDS.items()}, "unchecked": "that could not be checked"}
    said = ", ".join(f"{count} {names[key]}" for key, count in counts.items() if count)
    return f"{len(verdicts)} claim{'s' * (len(verdicts) != 1)}: {said}"


def _status(verdicts: list[Verdict], *, bad_input: bool) -> int:
    if bad_input:
        return output.EXIT_BAD_INPUT
    if any(verdict.error for verdict in verdicts):
        return output.EXIT_NOT_CHECKED
    if any(verdict.label != "supported" for verdict in verdicts):
        return output.EXIT_NOT_SUPPORTED
    return 0
