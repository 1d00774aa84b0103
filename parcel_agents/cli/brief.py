"""`parcel-agents brief`: every explanatory parenthetical of a brief against the opinion that it cites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parcel_agents.cli import output
from parcel_agents.cli.panel_options import FailClosed
from parcel_agents.cli.trace_output import HtmlFile, TraceFile, asked_of, write_traces

if TYPE_CHECKING:
    from parcel_agents.briefs.check import BriefClaim, BriefReport
    from parcel_agents.briefs.shelf import Shelf
    from parcel_agents.briefs.source import SourceText
    from parcel_agents.citations.model import Citation
    from parcel_agents.config import Config

NOT_AT_HAND, NOT_MATCHED = "not at hand", "not matched"


@output.reports_errors
def brief(
    brief: Annotated[Path, typer.Argument(help="The brief: a .md, .txt, .html, .json, .pdf or .docx file.")],
    opinions: Annotated[Path, typer.Option(help="The folder that holds the opinions it cites.")],
    panel: Annotated[str | None, typer.Option(help="The panel of verifiers to ask.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with panels and settings.")] = None,
    max_cost: Annotated[
        float | None,
        typer.Option(help="Dollars; stop before models cost more. Needs their prices in the configuration."),
    ] = None,
    fail_closed: FailClosed = False,
    html: HtmlFile = None,
    trace: TraceFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object per claim.")] = False,
) -> None:
    """Check every explanatory parenthetical of a brief against the opinion it cites.

    A parenthetical behind a citation that cannot be read, or about no decision, is listed as not checked. Whether the
    opinion is at hand and whether it supports the claim are two questions, and stand apart. Exit status: 0 all
    supported, 1 some claim not supported, undecided, not checked or without its opinion, or no claim at all, 2 wrong
    usage or unreadable input, 3 some claim could not be checked.
    """
    from parcel_agents.api import make_context
    from parcel_agents.briefs.check import match_claims, read_brief, verify_claims
    from parcel_agents.briefs.shelf import Shelf, opinion_paths
    from parcel_agents.config import load_config

    source, citations = read_brief(brief)
    settings = load_config(config, panel=panel, max_cost_usd=max_cost, fail_closed=fail_closed or None)
    with output.progress("reading opinions", len(opinion_paths(opinions)) if opinions.is_dir() else 0) as step:
        # An empty folder will do where others have the opinions.
        bare = opinions.is_dir() and not opinion_paths(opinions) and bool(settings.settings.sources)
        shelf = Shelf((), ()) if bare else Shelf.read(opinions, step)
    for fault in shelf.unreadable:
        output.say(f"left out: {fault}")
    report = match_claims(citations, _asking(settings, citations, shelf))
    context = make_context(config=settings)
    with output.progress("verifying", sum(claim.match.shelved is not None for claim in report.claims)) as step:
        report = verify_claims(report, context, lambda _: step())
    stopped = report.stopped
    if stopped:
        output.complain(stopped)
    if html is not None or trace is not None:
        from parcel_agents.briefs.traces import from_brief

        book = from_brief(
            report, source, title=f"Check of {brief.name}", asked=asked_of(settings, context), stopped=stopped
        )
        write_traces(book, html=html, trace=trace)
    for claim in report.claims:
        if as_json:
            output.print_json(_row(claim, source, stopped))
        else:
            _print(claim, source, stopped)
    output.say(_summary(report, stopped))
    raise typer.Exit(_status(report, stopped))


def _asking(settings: Config, citations: Sequence[Citation], shelf: Shelf) -> Shelf:
    """The shelf, with what the configured sources have of the decisions that are not on it."""
    from parcel_agents.briefs.sources import authorities_of, make_sources, with_sources

    sources = make_sources(settings)
    authorities = authorities_of(citations) if sources else ()
    with output.progress("asking the sources", len(authorities)) as step:
        return with_sources(shelf, authorities, sources, step)


def _row(claim: BriefClaim, source: SourceText, stopped: str | None) -> dict[str, Any]:
    found, match = claim.harvested, claim.match
    return {
        "id": found.id,
        "claim": found.claim,
        "authority": {"name": found.name, "cite": found.cite, "year": found.year, "court": found.court},
        "pin": found.pin,
        "signal": found.signal,
        "opinion": found.opinion,
        "start": found.start,
        "end": found.end,
        **source.place(found.start),
        "authority_status": match.status,
        "authority_why": match.why,
        "file": match.shelved.file if match.shelved else None,
        "candidates": list(match.candidates),
        "status": status_of(claim, stopped),
        "quotations": [
            {
                "words": words,
                "status": check.status,
                "differences": [difference.model_dump(mode="json") for difference in check.differences],
                "start": check.span.start if check.span else None,
                "end": check.span.end if check.span else None,
            }
            for words, check in claim.quotations
        ],
        "verdict": claim.verdict.model_dump(mode="json") if claim.verdict else None,
    }


def status_of(claim: BriefClaim, stopped: str | None = None) -> str:
    """In a word or two: the verdict, or why there is none."""
    if claim.match.shelved is None:
        return NOT_AT_HAND if claim.match.status == "not_at_hand" else NOT_MATCHED
    if claim.verdict is None:
        return "could not check" if stopped else "not verified"
    if claim.verdict.label is not None:
        return claim.verdict.label.replace("_", " ")
    return "could not check" if claim.verdict.error else "undecided"


_QUOTATIONS = {
    "verbatim": "stands in the opinion",
    "altered": "stands there in other words",
    "absent": "does not stand in the opinion",
}
_COLOURS = {
    "supported": "green",
    "refuted": "red",
    "not found": "yellow",
    "undecided": "cyan",
    "could not check": "magenta",
}


def _print(claim: BriefClaim, source: SourceText, stopped: str | None) -> None:
    from parcel_agents.cli.verify import INDENT, fold, reasons

    found, match = claim.harvested, claim.match
    status = status_of(claim, stopped)
    head = typer.style(f"{status.upper():<{INDENT}}", fg=_COLOURS.get(status, "white"), bold=True)
    typer.echo(head + fold(found.claim).lstrip())
    year = f" ({found.year})" if found.year else ""
    pin = f", {found.pin}" if found.pin else ""
    signal = f"{found.signal} " if found.signal else ""
    named = ", ".join(word for word in (found.name or "an authority without a name", found.cite) if word)
    typer.echo(fold(f"cited: {signal}{named}{pin}{year}"))
    if page := source.place(found.start)["page"]:
        typer.echo(fold(f"in the brief: page {page}"))
    if match.shelved is None:
        near = f"; nearest: {', '.join(match.candidates)}" if match.candidates else ""
        typer.echo(fold(f"opinion: {match.why}{near}"))
    else:
        typer.echo(fold(f"opinion: {match.shelved.file} ({match.why})"))
    for words, check in claim.quotations:
        told = "; ".join(
            f"“{one.quoted or 'nothing'}” for “{one.original or 'nothing'}” ({one.kind})" for one in check.differences
        )
        typer.echo(fold(f"quoted: “{words}” {_QUOTATIONS[check.status]}{f': {told}' if told else ''}"))
    if claim.verdict is not None:
        for reason in reasons(claim.verdict):
            typer.echo(fold(f"why: {reason}"))
        for evidence in claim.verdict.evidence[:2] if claim.verdict.label else claim.verdict.evidence[:1]:
            lead = "nearest: " if evidence.relation == "nearest" else ""
            where = ", ".join(part for part in (evidence.voice, evidence.page) if part)
            typer.echo(fold(f"{lead}“{evidence.text}” [{where}]"))
    typer.echo()


def _summary(report: BriefReport, stopped: str | None) -> str:
    counts = Counter(status_of(claim, stopped) for claim in report.claims)
    said = ", ".join(f"{count} {status}" for status, count in counts.most_common())
    return (
        f"{report.at_hand} of {report.authorities} decisions cited are at hand; {len(report.claims)} explanatory "
        f"parentheticals{': ' if said else ''}{said}"
    )


def _status(report: BriefReport, stopped: str | None) -> int:
    statuses = {status_of(claim, stopped) for claim in report.claims}
    if "could not check" in statuses or stopped:
        return output.EXIT_NOT_CHECKED
    # Where nothing was checked, nothing may pass for checked.
    return 0 if statuses == {"supported"} else output.EXIT_NOT_SUPPORTED
