"""Which authority each citation refers to, and the citations in their final form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from parcel_agents.citations.model import BACKWARD, DECISIONS, LAWS, Citation, History
from parcel_agents.citations.names import short_names

if TYPE_CHECKING:
    from parcel_agents.citations.marks import Mark
    from parcel_agents.citations.read import Draft

_NEW_YORK_SERIES = re.compile(r"(?P<court>NY|AD|Misc)(?:[23]d)?")
_BETWEEN = re.compile(
    r"\b(?P<docket>(?:Case\s|Docket\s|Index\s|Civ(?:il)?\.?\s(?:A(?:ction|\.)\s)?)?Nos?\.?\s.{1,60}?)[,\s]*\Z",
    re.DOTALL,
)
_SIDE_SIGNALS = ("quoting", "citing", "quoted", "cited", "in turn")


def resolve(text: str, drafts: Sequence[Draft]) -> tuple[Citation, ...]:
    """The citations of the drafts, in order, with their authorities by number."""
    numbers = {id(draft): number for number, draft in enumerate(drafts)}
    within = _within(drafts)
    known = _Known()
    citations: list[Citation] = []
    for number, draft in enumerate(drafts):
        authority = known.find(draft, number)
        if draft.kind == "id":
            # What is cited inside a parenthetical or only quoted from is not what `id.` means.
            authority = known.last_within.get(within[number], known.last)
        if draft.main is None and (within[number] is None) and not (draft.signal or "").startswith(_SIDE_SIGNALS):
            known.last = authority
        if within[number] is not None:
            known.last_within[within[number]] = authority
        citations.append(_citation(text, draft, number, authority, within[number], numbers, citations))
    # What is cited in full only later, as behind a syllabus or where a footnote comes first.
    return tuple(
        one
        if one.authority is not None or one.kind not in {"short", "supra", *LAWS}
        else _late(one, draft, known, citations)
        for one, draft in zip(citations, drafts, strict=True)
    )


def _late(citation: Citation, draft: Draft, known: _Known, citations: Sequence[Citation]) -> Citation:
    authority = known.find(draft, len(citations))
    name = citation.name or (citations[authority].name if authority is not None else None)
    return citation.model_copy(update={"authority": authority, "name": name})


class _Known:
    """The authorities cited so far."""

    def __init__(self) -> None:
        self.by_cite: dict[tuple[str, str, str], int] = {}
        self.by_volume: dict[tuple[str, str], list[tuple[int, int]]] = {}
        self.by_name: dict[str, int] = {}
        self.laws: dict[str, int] = {}
        self.levels: dict[int | None, str | None] = {}
        self.last: int | None = None
        self.last_within: dict[int | None, int | None] = {}

    def find(self, draft: Draft, number: int) -> int | None:
        """The number of the authority's first full citation; a full citation not seen before is its own."""
        mark = draft.mark
        if draft.kind in DECISIONS or draft.kind == "article":
            return self._decision(draft, number)
        if draft.kind in LAWS:
            if mark.bare:
                return self.laws.get(mark.page)
            first = self.by_cite.setdefault(("", mark.key, mark.page), number)
            self.laws[mark.page] = first
            return first
        if draft.kind == "short":
            found = self._by_page(draft.cites)
            if found is not None:
                return found
            named = self._by_name(draft)
            # The case of the Appellate Division bears the name of the one above it, and is another decision.
            levels = {_level(draft.mark.key), self.levels.get(named)} - {None}
            return named if len(levels) < 2 else None
        return self._by_name(draft)

    def _decision(self, draft: Draft, number: int) -> int:
        keys = [(mark.volume, mark.key, mark.page) for mark in draft.cites]
        first = next((self.by_cite[key] for key in keys if key in self.by_cite), number)
        self.levels.setdefault(first, _level(draft.mark.key))
        for key in keys:
            self.by_cite.setdefault(key, first)
            if key[2].isdecimal():
                self.by_volume.setdefault(key[:2], []).append((int(key[2]), first))
        if draft.name is not None and draft.main is None:
            for name in _names(draft.name.text):
                self.by_name[name] = first
        return first

    def _by_page(self, cites: Sequence[Mark]) -> int | None:
        """The case of the same volume that begins last before the page cited."""
        for mark in cites:
            begun = self.by_volume.get((mark.volume, mark.key), [])
            page = int(mark.page) if mark.page.isdecimal() else 0
            before = [entry for entry in begun if entry[0] <= page]
            if before:
                return max(before)[1]
        return None

    def _by_name(self, draft: Draft) -> int | None:
        if draft.name is None:
            return None
        return next((self.by_name[name] for name in _names(draft.name.text) if name in self.by_name), None)


def _level(reporter: str) -> str | None:
    """The court whose decisions a reporter of New York holds; None for any other reporter."""
    found = _NEW_YORK_SERIES.fullmatch(reporter)
    return found["court"] if found else None


def _names(name: str) -> list[str]:
    """The forms under which a case may be called again."""
    return [name, *short_names(name)]


def _within(drafts: Sequence[Draft]) -> list[int | None]:
    """For each draft the number of the one in whose parenthetical it stands."""
    found: list[int | None] = []
    opened: list[tuple[int, int, int]] = []
    for number, draft in enumerate(drafts):
        place = draft.mark.start
        while opened and opened[-1][1] <= place:
            opened.pop()
        holders = [holder for start, end, holder in opened if start <= place < end]
        found.append(holders[-1] if holders else None)
        opened += [(one.start, one.end, number) for one in reversed(draft.tail.parentheticals)]
    return found


def _citation(
    text: str,
    draft: Draft,
    number: int,
    authority: int | None,
    within: int | None,
    numbers: dict[int, int],
    before: Sequence[Citation],
) -> Citation:
    tail, cites = draft.tail, draft.cites
    start, end = min(draft.start, draft.mark.start), tail.end
    name = draft.name.text if draft.name else None
    if name is None and draft.kind in BACKWARD | DECISIONS and authority is not None and authority < number:
        name = before[authority].name
    year, court = _year_and_court(draft)
    return Citation(
        start=start,
        end=end,
        kind=draft.kind,
        cite=draft.name.text if draft.kind == "supra" and draft.name else cites[0].cite,
        text=text[start:end],
        name=name,
        pin=tail.pin or next((mark.subdivision for mark in draft.marks if mark.subdivision), None),
        court=court,
        year=year,
        docket=_docket(text, draft),
        opinion=tail.opinion,
        parallel=tuple(mark.cite for mark in cites[1:]),
        history=tuple(_history(one) for one in draft.history),
        history_of=numbers[id(draft.main)] if draft.main else None,
        signal=draft.signal,
        authority=authority,
        within=within,
        parentheticals=tuple(tail.parentheticals),
    )


def _year_and_court(draft: Draft) -> tuple[int | None, str | None]:
    """As the bracket behind the cite states them, else as the cite itself does."""
    decided = draft.tail.decided
    stated = next((mark for mark in draft.marks if mark.year is not None), None)
    # A neutral cite tells the year of decision; a database's number only stands in for the bracket.
    year = decided.year if decided else stated.year if stated else None
    court = decided.court if decided else None
    return year, court or next((mark.court for mark in draft.marks if mark.court), None)


def _docket(text: str, draft: Draft) -> str | None:
    """The docket number of a decision: its cite, or what stands between its name and its cite."""
    if number := next((mark.volume for mark in draft.marks if mark.kind == "docket"), None):
        return " ".join(number.split())
    if draft.name is None or draft.kind not in DECISIONS:
        return None
    found = _BETWEEN.search(text, draft.name.end, draft.mark.start) if draft.name.end < draft.mark.start else None
    return " ".join(found["docket"].split()) if found else None


def _history(draft: Draft) -> History:
    return History(relation=draft.relation or "", cite=draft.cites[0].cite, year=_year_and_court(draft)[0])
