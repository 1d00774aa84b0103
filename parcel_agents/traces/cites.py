"""The cite of a place in an opinion, ready to be copied into a brief."""

from __future__ import annotations

import re

from parcel_agents.traces.model import BriefPlace, TracedOpinion, TracedPart
from parcel_agents.types import Evidence

# New York's official reports are cited without periods, with the year in square brackets.
_NEW_YORK = re.compile(r"\d+ (?:NY|AD|Misc)(?:\d(?:d|th))? \d|\bNY Slip Op\b")
_YEAR = re.compile(r"\b(1[6-9]\d\d|20\d\d)\b")
_BY_NUMBER = ("Slip Op", " WL ", "LEXIS")
"""Decisions cited by number, whose pages carry a star."""
_LONGEST = 300
"""Pages of a long decision."""
_SEPARATE = {"dissent": "dissenting", "concurrence": "concurring", "mixed": "concurring in part and dissenting in part"}


def cite_of(evidence: Evidence, opinion: TracedOpinion, authority: BriefPlace | None = None) -> str:
    """Name, reporter, page of the evidence, court and year, and whose separate opinion it is, as far as they are known.

    The page is the opinion's own, never the one that a brief cites for it. Nothing for what stands before the opinion:
    a syllabus is nobody's holding.

    Args:
        evidence: the place.
        opinion: the opinion it stands in.
        authority: how a brief cites the opinion; its name and cite come first, since a court knows it by them.
    """
    name = (authority and authority.name) or opinion.name
    cite = (authority and authority.cite) or opinion.citation
    year = str(authority.year) if authority and authority.year else _year(opinion.date)
    part = next((one for one in opinion.parts if one.id == evidence.part), None)
    if part is not None and part.kind == "front":
        return ""
    where = ", ".join(piece for piece in (name, cite, _pin(evidence.page, cite)) if piece)
    if part is not None and part.footnote:
        where = f"{where} n {part.footnote}".strip()
    brackets = "[]" if cite and _NEW_YORK.search(cite) else "()"
    court = authority.court if authority else None
    when = " ".join(piece for piece in (court, year) if piece)
    told = [when] if when else []
    told += [_speaker(part)] if part is not None and part.kind in _SEPARATE else []
    return " ".join([where, *(f"{brackets[0]}{one}{brackets[1]}" for one in told)]).strip()


def _pin(page: str | None, cite: str | None) -> str | None:
    """The page as it stands behind this cite, with its reporter where that is another.

    A wrong page would be copied into a brief, so a bare page number counts only where it can be one of the cite's; it
    is None elsewhere.
    """
    if page is None or cite is None or page.startswith("¶"):
        return page
    reporter, _, number = page.rpartition(" at ")
    number = number.lstrip("*")
    if any(mark in cite for mark in _BY_NUMBER):
        return f"*{number}" if not reporter else None
    if reporter:
        return number if cite.startswith(f"{reporter} ") else page
    first = re.search(r"(\d+)\Z", cite)
    begins = number.partition("-")[0]
    is_its = first and begins.isdigit() and int(begins) - int(first[1]) in range(_LONGEST)
    return number if is_its else None


def _year(date: str | None) -> str | None:
    found = _YEAR.search(date or "")
    return found[1] if found else None


def _speaker(part: TracedPart) -> str:
    how = _SEPARATE[part.kind]
    return f"{part.author}, {how}" if part.author else f"{how} op"
