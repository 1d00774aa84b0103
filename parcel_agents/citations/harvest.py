"""Explanatory parentheticals as claims, each with the authority it describes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from parcel_agents.citations.model import DECISIONS, LAWS, Citation
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


def harvest(citations: Sequence[Citation]) -> Iterator[Harvested]:
    """The claims in the citations of one text, in order.

    Only decisions can be verified, so parentheticals of statutes and articles are left out; one of a reference back
    counts for the decision it refers to. A reference to nothing known keeps its own words as cite.
    """
    for number, citation in enumerate(citations):
        full = _authority(citation, citations)
        if full is None:
            continue
        for one in citation.parentheticals:
            if one.kind != "explanatory":
                continue
            claim = f"({' '.join(one.text.split())})"
            yield Harvested(
                start=one.start,
                end=one.end,
                id=content_hash("\n".join([claim, full.cite, citation.signal or ""])),
                claim=claim,
                cite=full.cite,
                name=full.name or citation.name,
                year=full.year or citation.year,
                court=full.court or citation.court,
                pin=citation.pin,
                signal=citation.signal,
                opinion=citation.opinion,
                citation=number,
            )


def _authority(citation: Citation, citations: Sequence[Citation]) -> Citation | None:
    """The full citation of the decision that is described, None if it is none; an unknown short form is its own."""
    if citation.history_of is not None:
        main = citations[citation.history_of]
        relation = next((one.relation for one in main.history if one.cite == citation.cite), "")
        if _DECIDES_NOTHING.search(relation):
            return _authority(main, citations)
    if citation.kind in DECISIONS:
        return citation
    if citation.kind in LAWS or citation.kind == "article":
        return None
    if citation.authority is None:
        return citation if citation.kind == "short" else None
    full = citations[citation.authority]
    return full if full.kind in DECISIONS else None
