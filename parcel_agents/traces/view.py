"""One trace as the template of the page takes it: nothing left to decide, all of it plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from parcel_agents.traces.cites import cite_of
from parcel_agents.traces.finding_words import words_in
from parcel_agents.traces.model import UNCHECKED, BriefPlace, Trace, TraceBook, TracedOpinion
from parcel_agents.traces.text_marks import BrowserOffsets, stretches
from parcel_agents.traces.words import (
    CHECK_WORDS,
    LABEL_WORDS,
    QUOTATION_WORDS,
    RELATION_WORDS,
    STATUS_WORDS,
    percent,
    voice_words,
    vote_words,
)
from parcel_agents.types import Evidence, Span, Vote

_LONGEST_REASON = 2_000
"""Characters of a model's reason that a page shows; `trace.json` has all of it."""


def view_of(
    trace: Trace, book: TraceBook, places: Mapping[str, int], offsets: Mapping[str, BrowserOffsets]
) -> dict[str, Any]:
    """What the page shows of a trace.

    Args:
        trace: the trace.
        book: its book.
        places: the number of each opinion in the page, by id.
        offsets: the browser's offsets in each opinion.
    """
    opinion = book.opinions.get(trace.opinion_id or "")
    counted = offsets.get(trace.opinion_id or "")
    verdict = trace.verdict
    return {
        "number": trace.number,
        "status": trace.status,
        "unchecked": trace.status in UNCHECKED,
        "words": STATUS_WORDS[trace.status],
        "meaning": _meaning(trace),
        # Apart from the verdict: a claim may be true and its quotation wrong.
        "misquoted": any(one.status != "verbatim" for one in trace.quotations),
        "text": trace.claim,
        "claim": stretches(trace.claim, _marks(trace)),
        "legend": sorted({name for _, name in _marks(trace)}),
        "as_written": trace.authority.parenthetical
        if trace.authority and trace.authority.parenthetical != trace.claim
        else None,
        "cited": _cited(trace.authority) if trace.authority else opinion.name if opinion else None,
        "authority": trace.authority,
        "opinion": places.get(trace.opinion_id or ""),
        "reasons": [_clip(reason) for reason in _reasons(trace)],
        "how": _clip(verdict.reason) if verdict and verdict.votes else None,
        "policy": verdict.policy if verdict else None,
        "defects": list(_defects(trace, counted)),
        "quotations": list(_quotations(trace, counted)),
        "evidence": [
            _evidence(one, trace, opinion, counted)
            for one in (verdict.evidence if verdict else ())
            if one.relation != "nearest"
        ],
        "nearest": [
            {**_evidence(one.evidence, trace, opinion, counted), "shortfall": one.shortfall} for one in trace.nearest
        ],
        "certificate": _certificate(trace, opinion),
        "votes": [_vote(vote, opinion) for vote in (verdict.votes if verdict else ())],
        "gold": _gold(trace),
    }


def _meaning(trace: Trace) -> str:
    """The verdict in a sentence; words that were made up say nothing of whether the opinion has their substance."""
    if trace.status == "not_found" and any(defect.check == "quotation" for defect in trace.defects):
        return "The opinion was searched; the words that the claim puts in quotation marks do not stand in it."
    return STATUS_WORDS[trace.status].meaning


def _marks(trace: Trace) -> list[tuple[Span, str]]:
    """What is marked in the claim: words at fault, else words that none of the nearest passages has."""
    marks = [(span, "differs") for defect in trace.defects for span in defect.in_claim]
    marks += [(span, "differs") for one in trace.quotations if one.status != "verbatim" for span in one.in_claim]
    if trace.nearest and not marks:
        everywhere = set(trace.nearest[0].lacks).intersection(*(near.lacks for near in trace.nearest))
        found = (words_in(trace.claim, word) for word in everywhere)
        marks += [(span, "unmet") for span in found if span is not None]
    return marks


def _cited(authority: BriefPlace) -> str:
    name = authority.name or "an authority without a name"
    pin = f", {authority.pin}" if authority.pin else ""
    when = " ".join(piece for piece in (authority.court, str(authority.year or "")) if piece)
    signal = f"{authority.signal} " if authority.signal else ""
    return f"{signal}{name}, {authority.cite}{pin}{f' ({when})' if when else ''}"


def _reasons(trace: Trace) -> Iterator[str]:
    """What speaks for the verdict, or all that was said where there is none."""
    verdict = trace.verdict
    if verdict is None or verdict.error is not None:
        yield trace.why
    for vote in verdict.votes if verdict else ():
        failed = vote.outcome != "ok"
        if vote.reason and (failed or verdict is None or verdict.label is None or vote.label == verdict.label):
            yield f"{vote.verifier}: {vote.reason}"


def _defects(trace: Trace, counted: BrowserOffsets | None) -> Iterator[dict[str, Any]]:
    for defect in trace.defects:
        yield {
            "check": CHECK_WORDS.get(defect.check, defect.check),
            "label": LABEL_WORDS[defect.label],
            "reason": defect.reason,
            "words": defect.words,
            "against": defect.against,
            "at": [counted.span(span) for span in defect.in_opinion] if counted else [],
            "said_by": ", ".join(defect.said_by),
        }


def _quotations(trace: Trace, counted: BrowserOffsets | None) -> Iterator[dict[str, Any]]:
    for one in trace.quotations:
        yield {
            "words": one.words,
            "status": one.status,
            "told": QUOTATION_WORDS[one.status],
            "differences": [
                {"quoted": each.quoted or "nothing", "original": each.original or "nothing", "kind": each.kind}
                for each in one.differences
            ],
            "at": [counted.span(span) for span in one.in_opinion] if counted else [],
            "mark": "differs" if one.status == "altered" else "quoted",
        }


def _evidence(
    one: Evidence, trace: Trace, opinion: TracedOpinion | None, counted: BrowserOffsets | None
) -> dict[str, Any]:
    return {
        "text": one.text,
        "relation": one.relation,
        "told": RELATION_WORDS[one.relation],
        "voice": voice_words(one.voice),
        "page": one.page,
        "at": counted.span(one) if counted else "",
        "cite": cite_of(one, opinion, trace.authority) if opinion else "",
    }


def _certificate(trace: Trace, opinion: TracedOpinion | None) -> dict[str, Any] | None:
    if trace.verdict is None or trace.verdict.certificate is None or opinion is None:
        return None
    certificate = trace.verdict.certificate
    return {
        "coverage": percent(certificate.coverage),
        "readers": [
            {"verifier": name, "share": percent(_share(read, opinion))} for name, read in certificate.read_by.items()
        ],
    }


def _vote(vote: Vote, opinion: TracedOpinion | None) -> dict[str, Any]:
    return {
        "verifier": vote.verifier,
        "says": vote_words(vote),
        "missing": vote.outcome != "ok",
        "sure": percent(vote.confidence) if vote.confidence is not None else "",
        "reason": _clip(vote.reason),
        "read": percent(_share(vote.read, opinion)) if opinion and vote.read else "",
    }


def _gold(trace: Trace) -> dict[str, str] | None:
    gold = trace.gold
    if gold is None or gold.label is None:
        return None
    label = trace.verdict.label if trace.verdict else None
    return {
        "label": LABEL_WORDS[gold.label],
        "strategy": (gold.strategy or "").replace("_", " "),
        "same": "as decided here" if gold.label == label else "not as decided here" if label else "left open here",
    }


def _share(read: tuple[str, ...], opinion: TracedOpinion) -> float:
    """The share of the opinion's passages, by characters."""
    wanted = set(read)
    total = sum(passage.end - passage.start for passage in opinion.passages)
    got = sum(passage.end - passage.start for passage in opinion.passages if passage.id in wanted)
    return got / total if total else 0.0


def _clip(text: str) -> str:
    return text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON].rsplit(' ', 1)[0]} ..."
