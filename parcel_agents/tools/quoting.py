"""The tool `check_quotation`."""

from __future__ import annotations

from typing import Annotated

from langchain_core.tools import BaseTool
from pydantic import Field

from parcel_agents.citations.quotation_differences import Difference
from parcel_agents.citations.quotations import MAX_QUOTED_WORDS, QuotationCheck, check_quotation
from parcel_agents.citations.quoted_words import read_words
from parcel_agents.opinions.passages import sentences
from parcel_agents.retrievers.base import Index
from parcel_agents.tools.answers import Answer, Arguments, Json, check_text, make_tool
from parcel_agents.tools.showing import as_json, heading, passage_at, shown
from parcel_agents.tools.untrusted import NOTICE, fence, label
from parcel_agents.types import Opinion, Passage, Span

MAX_QUOTATION = 6_000
_MOST_SHOWN = 12
_MOST_PIECES = 6
_NEAREST = 2

_WHAT = {
    "splice": "the ellipsis makes one sentence of two",
    "distance": "the ellipsis joins distant places",
    "other part": "the quotation runs from one part of the opinion into another",
    "case": "capitals",
}


class QuotationArguments(Arguments):
    """Arguments of `check_quotation`."""

    text: Annotated[str, Field(description=f"the words quoted, without the citation, at most {MAX_QUOTED_WORDS} words")]


def quotation_tool(index: Index) -> BaseTool:
    """The tool `check_quotation` over an indexed opinion."""
    opinion = index.opinion

    def check(text: str) -> Answer:
        wanted = check_text("text", text, MAX_QUOTATION)
        found = check_quotation(opinion.text, wanted, parts=opinion.parts)
        artifact: Json = {"quotation": wanted, **found.model_dump(mode="json")}
        if found.span is None:
            hits = _nearest(index, wanted)
            lines = ["absent: no place in the opinion has these words, not even with some of them changed. " + NOTICE]
            lines += _pieces(opinion, wanted)
            if hits:
                lines += ["Passages that come closest by their subject:", *(shown(opinion, hit) for hit in hits)]
            return Answer("\n".join(lines), {**artifact, "nearest": [as_json(opinion, hit) for hit in hits]})
        place = as_json(opinion, passage_at(opinion, found.span.start))
        sentence = _sentence(opinion, found.span)
        artifact |= {key: place[key] for key in ("passage", "part", "voice", "page")}
        artifact |= {"sentence": sentence.model_dump(), "in_quote_marks": _in_quote_marks(opinion, found.span)}
        lines = [_headline(opinion, found), NOTICE, *_differences(found), *_around(opinion, found.span, sentence)]
        if found.status == "altered":
            lines += _pieces(opinion, wanted)
        return Answer("\n".join(lines), artifact)

    return make_tool(
        check,
        QuotationArguments,
        name="check_quotation",
        description=(
            "Check whether words stand in the opinion as quoted: verbatim, altered (each difference side by side) or"
            " absent, with the passage, voice and page. White space, quote marks, a first letter's case and harmless"
            " [brackets] and ellipses do not count; a lost or added negation, modal, number, date, name or condition"
            " always does. Long lists of differences are cut; give the quotation in pieces to see all."
        ),
    )


def _nearest(index: Index, quotation: str) -> list[Passage]:
    """The passages that fit a quotation best; none where it tells them apart in nothing."""
    hits = index.search(quotation, _NEAREST)
    told_apart = len({hit.score for hit in hits}) > 1 or len(hits) < 2
    return [index.opinion.passage(hit.passage) for hit in hits] if told_apart else []


def _headline(opinion: Opinion, found: QuotationCheck) -> str:
    assert found.span is not None
    where = heading(opinion, passage_at(opinion, found.span.start), found.span)
    others = [heading(opinion, passage_at(opinion, span.start), span) for span in found.elsewhere]
    also = f". Also, equally well, at: {'; '.join(others[:5])}" if others else ""
    more = f" and {len(others) - 5} more places" if len(others) > 5 else ""
    if found.status == "verbatim":
        marked = ", apart from what it marks itself," if found.disclosed else ""
        return f"verbatim{marked} at {where}{also}{more}"
    count = len(found.differences)
    return f"altered: {count} difference{'s' if count > 1 else ''} from the words at {where}{also}{more}"


def _differences(found: QuotationCheck) -> list[str]:
    lines = [f"{n}. {_told(d)}" for n, d in enumerate(found.differences[:_MOST_SHOWN], 1)]
    if (left := len(found.differences) - _MOST_SHOWN) > 0:
        lines.append(f"... and {left} more differences; give the quotation in pieces to see them.")
    lines += [f"marked by the quotation itself: {_told(d)}" for d in found.disclosed[:_MOST_SHOWN]]
    return lines


def _told(difference: Difference) -> str:
    """A difference, side by side."""
    quoted, original = label(difference.quoted, 200), fence(difference.original, 300)
    what = _WHAT.get(difference.kind, difference.kind)
    if not difference.original:
        return f"{what}: the quotation adds “{quoted}”"
    if not difference.quoted:
        return f"{what}: the quotation leaves out {original}"
    if difference.quoted == "...":
        return f"{what}: the ellipsis leaves out {original}"
    return f"{what}: the quotation has “{quoted}”, the opinion has {original}"


def _around(opinion: Opinion, span: Span, sentence: Span) -> list[str]:
    """The whole sentence, and what in it could turn the words quoted."""
    lines = [f"In its sentence: {fence(opinion.text[sentence.start : sentence.end], 1_500)}"]
    outside = [opinion.text[sentence.start : span.start], opinion.text[span.end : sentence.end]]
    turning = [word.text for text in outside for word in read_words(text) if word.turns]
    if turning:
        lines.append(f"Outside the quoted words this sentence has: {label(', '.join(turning), 120)}")
    if _in_quote_marks(opinion, span):
        lines.append("The words stand in quote marks there: the opinion repeats somebody else's. Read who says them.")
    return lines


def _sentence(opinion: Opinion, span: Span) -> Span:
    """From the beginning of the sentence in which a stretch begins to the end of that in which it ends."""
    part = opinion.part(passage_at(opinion, span.start).part)
    start = max(opinion.text.rfind("\n\n", part.start, span.start), part.start - 2) + 2
    end = opinion.text.find("\n\n", span.end, part.end)
    paragraph = Span(start=min(start, span.start), end=part.end if end < 0 else end)
    touched = [s for s in sentences(opinion.text, paragraph) if s.overlaps(span)]
    if not touched:
        return span
    return Span(start=min(touched[0].start, span.start), end=max(touched[-1].end, span.end))


def _in_quote_marks(opinion: Opinion, span: Span) -> bool:
    """True if a quotation is open, in its paragraph, where a stretch begins."""
    before = opinion.text[opinion.text.rfind("\n\n", 0, span.start) + 1 : span.start]
    return before.count("“") > before.count("”") or before.count('"') % 2 == 1


def _pieces(opinion: Opinion, quotation: str) -> list[str]:
    """What becomes of the pieces between ellipses, each for itself: true words may be joined falsely."""
    words = read_words(quotation)
    starts = [0, *(word.start for word in words if word.skip)]
    pieces = [quotation[a:b].rstrip(" .…*[") for a, b in zip(starts, [*starts[1:], len(quotation)], strict=True)]
    if not 1 < len(pieces) <= _MOST_PIECES:
        return []
    lines = ["Its pieces, each for itself:"]
    for piece in pieces:
        if not read_words(piece):
            return []
        found = check_quotation(opinion.text, piece, parts=opinion.parts)
        where = (
            "" if found.span is None else f" at {heading(opinion, passage_at(opinion, found.span.start), found.span)}"
        )
        lines.append(f"- “{label(piece, 80)}”: {found.status}{where}")
    return lines
