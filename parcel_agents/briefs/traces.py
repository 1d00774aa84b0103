"""The traces of a checked brief."""

from __future__ import annotations

from collections.abc import Sequence

from parcel_agents.briefs.check import BriefClaim, BriefReport, spoken
from parcel_agents.briefs.source import SourceText
from parcel_agents.traces.building import make_book, quoted, trace_of
from parcel_agents.traces.model import Asked, BriefPlace, QuotedWords, Trace, TraceBook
from parcel_agents.types import Opinion

_BEFORE = 320
"""Characters of the brief before a parenthetical: the sentence that it stands behind, by which a reader finds it."""


def from_brief(
    report: BriefReport, source: SourceText, *, title: str, asked: Asked | None = None, stopped: str | None = None
) -> TraceBook:
    """The book of a brief, with a trace for each of its explanatory parentheticals in order.

    Args:
        report: what was found.
        source: the brief.
        title: of the book.
        asked: what was asked of whom.
        stopped: why claims whose opinion is at hand may have no verdict.
    """
    opinions: dict[str, Opinion] = {}
    traces = []
    for number, claim in enumerate(report.claims, 1):
        if claim.match.shelved is not None:
            opinions[claim.match.shelved.opinion.id] = claim.match.shelved.opinion
        traces.append(claim_trace(number, claim, source, stopped))
    return make_book(title, "brief", tuple(traces), opinions, asked=asked, notes=notes_of(report, stopped))


def claim_trace(number: int, claim: BriefClaim, source: SourceText, stopped: str | None = None) -> Trace:
    """The trace of one parenthetical; one whose opinion is at hand and that has no verdict could not be checked."""
    found, match = claim.harvested, claim.match
    place = BriefPlace(
        name=found.name,
        cite=found.cite,
        year=found.year,
        court=found.court,
        pin=found.pin,
        signal=found.signal,
        opinion=found.opinion,
        parenthetical=found.claim,
        before=_before(source.text, found.start),
        start=found.start,
        end=found.end,
        page=source.place(found.start)["page"],
        why=match.why,
        file=match.shelved.file if match.shelved else None,
        candidates=match.candidates,
    )
    opinion = match.shelved.opinion if match.shelved else None
    text = spoken(found)
    if claim.verdict is not None:
        quotations = _quotations(text, claim)
        return trace_of(number, claim.verdict, opinion, authority=place, quotations=quotations)
    if match.status != "at_hand":
        return Trace(number=number, claim_id=found.id, claim=text, status=match.status, why=match.why, authority=place)
    return Trace(
        number=number,
        claim_id=found.id,
        claim=text,
        status="could_not_check",
        why=stopped or "nobody was asked",
        opinion_id=opinion.id if opinion else None,
        authority=place,
    )


def _quotations(text: str, claim: BriefClaim) -> tuple[QuotedWords, ...]:
    return tuple(quoted(text, words, check) for words, check in claim.quotations)


def _before(text: str, start: int) -> str:
    """The words before a place, from the beginning of a word on."""
    cut = text[max(0, start - _BEFORE) : start].rstrip("([ \n")
    words = " ".join(cut.split())
    return words if start <= _BEFORE else f"... {words.partition(' ')[2]}"


def notes_of(report: BriefReport, stopped: str | None = None) -> tuple[str, ...]:
    """What a reader has to know of the whole brief."""
    absent = report.authorities - report.at_hand
    notes: Sequence[str] = (
        f"{report.at_hand} of the {report.authorities} decisions that the brief cites are at hand"
        + (f"; nothing that it says of the other {absent} was checked" if absent else ""),
        *(f"stopped: {reason}" for reason in [stopped] if reason),
        *(f"left out: {fault}" for fault in report.unreadable),
    )
    return tuple(notes)
