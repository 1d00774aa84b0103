"""The places of a text at which something is cited, in order and without overlap."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from parcel_agents.citations.dockets import find_docket_cites
from parcel_agents.citations.model import CitationKind
from parcel_agents.citations.reporters import (
    Cite,
    find_reporter_cites,
    find_year_first_cites,
    find_year_last_cites,
)
from parcel_agents.citations.short_forms import find_ids, find_supras
from parcel_agents.citations.statutes import Provision, find_bare_sections, find_provisions
from parcel_agents.citations.unread import find_records

MarkKind = CitationKind | Literal["placeholder"]


@dataclass(frozen=True)
class Mark:
    """A cite without what stands around it.

    `key` tells the reporter or the law apart, `page` is the first page or the section; `volume` is empty for laws.
    """

    start: int
    end: int
    kind: MarkKind
    cite: str
    key: str = ""
    volume: str = ""
    page: str = ""
    subdivision: str | None = None
    bare: bool = False
    year: int | None = None
    """The year that the cite itself states."""
    court: str | None = None
    """The court that the cite itself names."""


def find_marks(text: str) -> list[Mark]:
    """All cites but the bare short names, which are known only when the citations are."""
    numbered = [*find_year_first_cites(text), *find_year_last_cites(text), *find_docket_cites(text)]
    marks = _without_overlap([_of_cite(cite) for cite in [*find_reporter_cites(text), *numbered]], [])
    marks = _without_overlap([_of_provision(one) for one in find_provisions(text)], marks)
    # A section whose law is named nowhere else in the text may be one of a contract or of the text itself.
    sections = {mark.page for mark in marks if not mark.volume}
    bare = [_of_provision(one) for one in find_bare_sections(text) if one.section in sections]
    marks = _without_overlap(bare, marks)
    words = [Mark(start, end, "id", text[start:end]) for start, end in find_ids(text)]
    words += [Mark(start, end, "supra", "supra") for start, end in find_supras(text)]
    words += [Mark(start, end, "unread", " ".join(text[start:end].split())) for start, end in find_records(text)]
    return _without_overlap(words, marks)


def _of_cite(cite: Cite) -> Mark:
    return Mark(
        cite.start,
        cite.end,
        cite.kind,
        cite.text,
        cite.key,
        cite.volume,
        cite.page,
        subdivision=cite.pin,
        year=cite.year,
        court=cite.court,
    )


def _of_provision(one: Provision) -> Mark:
    return Mark(
        one.start,
        one.end,
        one.kind,
        one.text,
        key=one.code,
        page=one.section,
        subdivision=one.subdivision,
        bare=one.bare,
    )


def _without_overlap(added: Iterable[Mark], kept: list[Mark]) -> list[Mark]:
    """The marks kept, and those of the added that overlap none of them nor one another."""
    merged = sorted([(mark.start, 0, -mark.end, mark) for mark in kept], key=lambda entry: entry[:3])
    merged += [(mark.start, 1, -mark.end, mark) for mark in added]
    merged.sort(key=lambda entry: entry[:3])
    following = [0] * len(merged)
    nearest = 1 << 62
    for place in range(len(merged) - 1, -1, -1):
        following[place] = nearest
        if merged[place][1] == 0:
            nearest = merged[place][0]
    result: list[Mark] = []
    for (start, is_added, _, mark), limit in zip(merged, following, strict=True):
        if not is_added or (mark.end <= limit and (not result or result[-1].end <= start)):
            result.append(mark)
    return result
