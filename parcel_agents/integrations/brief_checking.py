"""A whole brief, or a draft of one, checked by the panel of a checker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from parcel_agents.briefs.check import match_claims, verify_claims
from parcel_agents.briefs.source import SourceText
from parcel_agents.briefs.sources import authorities_of
from parcel_agents.briefs.traces import from_brief
from parcel_agents.citations.harvest import harvest_all
from parcel_agents.citations.model import DECISIONS
from parcel_agents.citations.read import read_citations
from parcel_agents.errors import InputError, ParcelError
from parcel_agents.integrations.checking import Checker
from parcel_agents.integrations.wording import VERDICTS
from parcel_agents.tools.untrusted import NOTICE, clean, fence
from parcel_agents.traces import Asked, Trace, TraceBook
from parcel_agents.types import Verdict

_SHOWN = 40
_ABSENT = {
    "not_at_hand": (
        "NOT AT HAND",
        "DO NOT CITE as verified: the opinion is not among the files, so nothing was checked.",
    ),
    "not_matched": (
        "NOT MATCHED",
        "DO NOT CITE as verified: it is not certain which file is meant; nothing was checked.",
    ),
}


class CheckStoppedError(ParcelError):
    """The client does not want the answer any more."""


def check_brief(
    checker: Checker,
    source: SourceText,
    *,
    title: str,
    asked: Asked,
    on_claims: Callable[[int], None] = lambda _: None,
    on_verdict: Callable[[Verdict], None] = lambda _: None,
) -> TraceBook:
    """The book of a brief: a trace for each of its explanatory parentheticals.

    Args:
        checker: the panel and the opinions.
        source: the brief.
        title: of the book.
        asked: whom the checker asks.
        on_claims: called once, with the number of claims that can be checked.
        on_verdict: called with each verdict, in another thread; what it raises ends the work.

    Raises:
        InputError: the text cites no decision.
        CheckStoppedError: `on_verdict` has raised it.
    """
    citations = read_citations(source.text)
    if not any(citation.kind in DECISIONS for citation in citations) and not any(harvest_all(citations)):
        raise InputError("the text cites no decision, so there is nothing to check; give the draft with its citations")
    report = match_claims(citations, checker.library.shelf_for(authorities_of(citations)))
    on_claims(sum(claim.match.shelved is not None for claim in report.claims))
    stopped = None
    try:
        report = verify_claims(report, checker.context, on_verdict)
        stopped = report.stopped
    except CheckStoppedError:
        raise
    except ParcelError as error:
        stopped = str(error)
    return from_brief(report, source, title=title, asked=asked, stopped=stopped)


def brief_in_words(book: TraceBook) -> str:
    """The answer on a brief: a count, then each parenthetical with its verdict first."""
    if not book.traces:
        return "The text has no explanatory parenthetical, so no claim was checked. " + " ".join(book.notes)
    counts = Counter(_word(trace)[0] for trace in book.traces)
    said = ", ".join(f"{count} {word}" for word, count in counts.most_common())
    lines = [f"{len(book.traces)} explanatory parentheticals: {said}. Only what is SUPPORTED may be cited.", NOTICE]
    lines += [f"Note: {clean(note)[:300]}" for note in book.notes]
    lines += [_line(trace) for trace in book.traces[:_SHOWN]]
    if len(book.traces) > _SHOWN:
        lines.append(f"{len(book.traces) - _SHOWN} more are in the structured answer and in the trace.")
    return "\n".join(lines)


def _word(trace: Trace) -> tuple[str, str]:
    return VERDICTS.get(trace.status) or _ABSENT[trace.status]


def _line(trace: Trace) -> str:
    word, advice = _word(trace)
    place = trace.authority
    cited = clean(", ".join(part for part in (place.name, place.cite) if part))[:160] if place else "?"
    return f"[{trace.number}] {word}. {advice}\n  {cited}: {fence(trace.claim, 300)}\n  Why: {clean(trace.why)[:300]}"
