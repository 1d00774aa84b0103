"""Explanatory parentheticals as claims, each with the authority it describes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from parcel_agents.citations.model import DECISIONS, LAWS, Citation
from parcel_agents.citations.parentheticals import read_writer
from parcel_agents.types import Span, content_hash

# To deny leave decides nothing that a claim could be about: what follows "lv denied" tells of the decision before it.
_DECIDES_NOTHING = re.compile(r"\b(?:denied|granted|withdrawn|discontinued)\b|\b(?:lv|leave)\b.* dismissed")


class Harvested(Span):
    """An explanatory parenthetical as a claim about a decision; the span is that of its words in the citing text."""

    id: str
    """Depends on claim, authority and signal, not on the place."""
    claim: str
    """In round brackets, as the verifier takes it."""
    cite: str
    name: str | None
    year: int | None
    court: str | None
    pin: str | None
    signal: str | None
    """`but see` and `contra` turn the bearing of the authority on the text, not the claim about the authority."""
    opinion: str | None
    """The separate opinion that the claim is about, where the citation names one."""
    citation: int
    """The number of the citation that carries the parenthetical."""
    unchecked: str | None = None
    """Why no decision can be looked for that the claim is about; None where one can."""


def harvest(citations: Sequence[Citation]) -> Iterator[Harvested]:
    """The claims about decisions in the citations of one text, in order.

    A parenthetical of a reference back counts for the decision it refers to. A short form of nothing known keeps its
    own words as cite.
    """
    for one in harvest_all(citations):
        if one.unchecked is None:
            yield one


def harvest_all(citations: Sequence[Citation]) -> Iterator[Harvested]:
    """All explanatory parentheticals, in order: also those of laws, articles and what could not be read or tied.

    Only decisions can be verified; `unchecked` says of the others why nothing is.
    """
    for number, citation in enumerate(citations):
        claims = [one for one in citation.parentheticals if one.kind == "explanatory"]
        if not claims:
            continue
        full = _authority(citation, citations)
        unchecked = _why_unchecked(citation, citations) if full is None else None
        cited = full or citation
        for one in claims:
            claim = f"({' '.join(one.text.split())})"
            yield Harvested(
                start=one.start,
                end=one.end,
                id=content_hash("\n".join([claim, cited.cite, citation.signal or ""])),
                claim=claim,
                cite=cited.cite,
                name=cited.name or citation.name,
                year=cited.year or citation.year,
                court=cited.court or citation.court,
                pin=citation.pin,
                signal=citation.signal,
                opinion=citation.opinion or read_writer(one.text),
                citation=number,
                unchecked=unchecked,
            )


def _why_unchecked(citation: Citation, citations: Sequence[Citation]) -> str:
    if citation.kind == "unread":
        form = "the citation before it is in a form that is not read"
        return form if citation.cite else "no citation stands before it"
    full = citations[citation.authority] if citation.authority is not None else citation
    if full.kind in LAWS or full.kind == "article":
        what = "a provision of law" if full.kind in LAWS else "an article or a book"
        return f"it describes {what}, and only decisions are checked"
    return citation.doubt or "what it refers back to is not cited in full before it"


def _authority(citation: Citation, citations: Sequence[Citation]) -> Citation | None:
    """The full citation of the decision that is described, None if it is none; an unknown short form is its own."""
    if citation.history_of is not None:
        main = citations[citation.history_of]
        relation = next((one.relation for one in main.history if one.cite == citation.cite), "")
        if _DECIDES_NOTHING.search(relation):
            return _authority(main, citations)
    if citation.kind in DECISIONS:
        return citation
    if citation.kind in LAWS or citation.kind in {"article", "unread"}:
        return None
    if citation.authority is None:
        return citation if citation.kind == "short" and citation.doubt is None else None
    full = citations[citation.authority]
    return full if full.kind in DECISIONS else None
