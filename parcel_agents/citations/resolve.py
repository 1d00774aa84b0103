"""Which authority each citation refers to, and the citations in their final form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from parcel_agents.citations.marks import Mark
from parcel_agents.citations.model import BACKWARD, DECISIONS, LAWS, Citation, History
from parcel_agents.citations.names import short_names

if TYPE_CHECKING:
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
        found = known.find(draft, number)
        if draft.kind == "id":
            # What is cited inside a parenthetical or only quoted from is not what `id.` means.
            found = known.last_within.get(within[number], known.last)
        if draft.main is None and (within[number] is None) and not (draft.signal or "").startswith(_SIDE_SIGNALS):
            known.last = found
        if within[number] is not None:
            known.last_within[within[number]] = found
        citations.append(_citation(text, draft, number, found, within[number], numbers, citations))
    # What is cited in full only later, as behind a syllabus or where a footnote comes first.
    return tuple(
        one
        if one.authority is not None or one.kind not in {"short", "supra", *LAWS}
        else _late(one, draft, known, citations)
        for one, draft in zip(citations, drafts, strict=True)
    )


def _late(citation: Citation, draft: Draft, known: _Known, citations: Sequence[Citation]) -> Citation:
    found = known.find(draft, len(citations))
    name = citation.name or (citations[found.number].name if found.number is not None else None)
    return citation.model_copy(update={"authority": found.number, "doubt": _doubt(draft, found), "name": name})


def _doubt(draft: Draft, found: _Found) -> str | None:
    return found.doubt if draft.kind in BACKWARD and found.number is None else None


@dataclass(frozen=True)
class _Found:
    """The number of an authority, or why none is meant for certain."""

    number: int | None
    doubt: str | None = None


@dataclass(frozen=True)
class _Candidate:
    """An authority that bears a name; `rank` 0 is its whole name, 1 the party that tells it, 2 the other party."""

    number: int
    rank: int


_NOT_CITED = _Found(None)


class _Known:
    """The authorities cited so far."""

    def __init__(self) -> None:
        self.by_cite: dict[tuple[str, str, str], int] = {}
        self.by_volume: dict[tuple[str, str], list[tuple[int, int]]] = {}
        self.by_name: dict[str, list[_Candidate]] = {}
        self.pages: dict[int, list[Mark]] = {}
        self.called: dict[int, str] = {}
        self.laws: dict[str, int] = {}
        self.levels: dict[int | None, str | None] = {}
        self.last = _Found(None)
        self.last_within: dict[int | None, _Found] = {}

    def find(self, draft: Draft, number: int) -> _Found:
        """The number of the authority's first full citation; a full citation not seen before is its own."""
        mark = draft.mark
        if draft.kind in DECISIONS or draft.kind == "article":
            return _Found(self._decision(draft, number))
        if draft.kind in LAWS:
            if mark.bare:
                return _Found(self.laws.get(mark.page))
            first = self.by_cite.setdefault(("", mark.key, mark.page), number)
            self.laws[mark.page] = first
            return _Found(first)
        if draft.kind == "unread":
            return _Found(None, "the citation before it is in a form that is not read")
        if draft.kind == "short":
            found = self._by_page(draft)
            if found is not None:
                return _Found(found)
            named = self._by_name(draft)
            # The case of the Appellate Division bears the name of the one above it, and is another decision.
            levels = {_level(draft.mark.key), self.levels.get(named.number)} - {None}
            return named if len(levels) < 2 else _NOT_CITED
        return self._by_name(draft)

    def _decision(self, draft: Draft, number: int) -> int:
        keys = [_key(mark, draft) for mark in draft.cites]
        first = next((self.by_cite[key] for key in keys if key in self.by_cite), number)
        self.levels.setdefault(first, _level(draft.mark.key))
        for key, mark in zip(keys, draft.cites, strict=True):
            self.by_cite.setdefault(key, first)
            if mark.year is None:
                page = int(mark.page) if mark.page.isdecimal() else _BLANK
                self.by_volume.setdefault(key[:2], []).append((page, first))
        self.pages.setdefault(first, []).extend(draft.cites)
        if draft.name is not None and draft.main is None:
            self.called.setdefault(first, f"{draft.name.text}, {draft.cites[0].cite}")
            for rank, name in enumerate(_names(draft.name.text)):
                self.by_name.setdefault(name, []).append(_Candidate(first, min(rank, 2)))
        return first

    def _by_page(self, draft: Draft) -> int | None:
        """The case of the same volume that begins last before the page cited; the only one, if that is left blank."""
        for mark in draft.cites:
            begun = self.by_volume.get((mark.volume, mark.key), [])
            if not mark.page.isdecimal():
                blank = {number for page, number in begun if page == _BLANK}
                if len(blank) == 1 and draft.name is None:
                    return blank.pop()
                continue
            before = [entry for entry in begun if 0 <= int(mark.page) - entry[0] < _LONGEST and entry[0] != _BLANK]
            if before:
                return max(before)[1]
        return None

    def _by_name(self, draft: Draft) -> _Found:
        if draft.name is None:
            return _Found(None)
        bearing = next((self.by_name[name] for name in _names(draft.name.text) if name in self.by_name), None)
        return _NOT_CITED if bearing is None else self._choose(bearing, draft.tail.pin)

    def _choose(self, bearing: Sequence[_Candidate], pin: str | None) -> _Found:
        """The authority of a name whose pages hold the pin; the party that tells a case goes before the other one."""
        ranks: dict[int, int] = {}
        for one in bearing:
            ranks[one.number] = min(one.rank, ranks.get(one.number, one.rank))
        distances = {number: _pages_to(pin, self.pages.get(number, ())) for number in ranks}
        fitting = [number for number in ranks if distances[number] is not None]
        if not fitting:
            told = " or ".join(self._called(number) for number in ranks)
            return _Found(None, f"its page {pin} lies outside of {told}")
        best = min(ranks[number] for number in fitting)
        meant = [number for number in fitting if ranks[number] == best]
        if len(meant) > 1:
            meant.sort(key=lambda number: distances[number] or 0)
            nearest, next_one = (distances[number] or 0 for number in meant[:2])
            if next_one - nearest < _CLEARLY_NEARER:
                told = " or ".join(self._called(number) for number in sorted(meant))
                return _Found(None, f"it may be {told}")
        return _Found(meant[0])

    def _called(self, number: int) -> str:
        return self.called.get(number, "a decision without a name")


_BLANK = 1 << 40
"""Stands for a first page that is left blank."""
_LONGEST = 250
"""Pages; a decision is hardly longer, so that a pin beyond is in another one."""
_CLEARLY_NEARER = 60
"""Pages by which one of two cases of a name has to begin nearer to the pin."""


def _key(mark: Mark, draft: Draft) -> tuple[str, str, str]:
    """What makes two cites one authority. Blanks and dockets are shared by many: name, year and entry must agree."""
    if mark.kind not in {"placeholder", "docket"}:
        return mark.volume, mark.key, mark.page
    name = draft.name.text if draft.name else f"at {draft.mark.start}"
    decided = draft.tail.decided
    page = mark.cite if mark.kind == "docket" else ""
    return mark.volume, mark.key, "|".join([page, name, str(decided.year if decided else None)])


def _pages_to(pin: str | None, cites: Sequence[Mark]) -> int | None:
    """How far behind the first page of a case a pin lies; None if it lies outside. 0 where nothing can be said."""
    number = re.match(r"(?P<sign>¶|\*)?[¶\s*]*(?P<page>\d+)", pin or "")
    if number is None:
        return 0
    paged = [int(mark.page) for mark in cites if mark.kind == "case" and mark.year is None and mark.page.isdecimal()]
    otherwise = len(paged) < len(cites)
    if number["sign"]:
        # Paragraphs and star pages are counted in cites by number.
        return 0 if otherwise else None
    page = int(number["page"])
    behind = [page - first for first in paged if 0 <= page - first < _LONGEST]
    if behind:
        return min(behind)
    return 0 if otherwise and page < _LONGEST else None


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
    found: _Found,
    within: int | None,
    numbers: dict[int, int],
    before: Sequence[Citation],
) -> Citation:
    tail, cites = draft.tail, draft.cites
    start, end = min(draft.start, draft.mark.start), tail.end
    name, authority = draft.name.text if draft.name else None, found.number
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
        doubt=_doubt(draft, found),
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
