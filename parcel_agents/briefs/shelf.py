"""The opinions at hand: a folder of files, and which of them is the authority that a brief cites."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from parcel_agents.briefs.case_names import CaseName
from parcel_agents.briefs.courts import same_court
from parcel_agents.briefs.plain_cites import differ, first_page, is_blank, is_paged_apart, plain_cite, stated_year
from parcel_agents.briefs.shelved import Shelved, shelve
from parcel_agents.errors import InputError, OpinionError
from parcel_agents.opinions.document import SUFFIXES
from parcel_agents.types import Opinion

__all__ = ["Authority", "Match", "Shelf", "Shelved", "opinion_paths", "plain_cite", "shelve"]

MatchStatus = Literal["at_hand", "not_at_hand", "not_matched"]
"""`not_matched`: files come near, but name and cite or year disagree, or several would do."""

FileState = tuple[int, int, int, int]
CANDIDATES = 3
_NEAR = 0.5
"""The least share of an authority's name that a file must have to be shown as near."""
_UNMARKED = 10
"""Pages before the first mark in a file: counsel and syllabus are often left out."""
_OMITTED = 30
"""Pages by which the first mark of a file may lie behind the cited page before it is another case's."""


@dataclass(frozen=True)
class Authority:
    """A decision as a brief cites it."""

    cite: str
    name: str | None
    year: int | None
    parallel: tuple[str, ...] = ()
    court: str | None = None
    docket: str | None = None

    @property
    def cites(self) -> frozenset[str]:
        """Its cites as `plain_cite` writes them."""
        return frozenset(plain_cite(cite) for cite in (self.cite, *self.parallel) if cite)

    @property
    def years(self) -> frozenset[int]:
        """The years in which it may have been decided, as the brief and the cites themselves state them."""
        stated = {self.year, *(stated_year(cite) for cite in self.cites)}
        return frozenset(year for year in stated if year is not None)


@dataclass(frozen=True)
class Match:
    """Which file an authority is, and how that is known, or why none is."""

    status: MatchStatus
    why: str
    shelved: Shelved | None = None
    candidates: tuple[str, ...] = ()
    """Names of the nearest files, where none is matched."""


@dataclass(frozen=True)
class Shelf:
    """All files of a folder that could be read as opinions."""

    files: tuple[Shelved, ...]
    unreadable: tuple[str, ...]
    """Why the other files could not be read, each with its name."""

    @classmethod
    def read(cls, folder: Path, progress: Callable[[], None] = lambda: None) -> Shelf:
        """The opinions in a folder and the folders in it.

        Raises:
            InputError: it is no folder, or holds no file of a kind that can be read.
        """
        if not folder.is_dir():
            raise InputError(f"{folder}: is no folder; name the folder that holds the opinions")
        paths = opinion_paths(folder)
        if not paths:
            raise InputError(f"{folder}: holds no opinion ({', '.join(SUFFIXES)})")
        files: list[Shelved] = []
        unreadable: list[str] = []
        for path in paths:
            name = path.relative_to(folder).as_posix()
            try:
                one = shelve(name, Opinion.load(path))
            except OpinionError as error:
                unreadable.append(str(error))
            else:
                if one.is_summary:
                    unreadable.append(f"{name}: by its name and its text a summary, no opinion")
                else:
                    files.append(one)
            progress()
        return cls(tuple(files), tuple(unreadable))

    def match(self, authority: Authority) -> Match:
        """The file that the authority is: by cite, else by name where something else agrees; none if they disagree."""
        certain = {cite for cite in authority.cites if not is_blank(cite)}
        if by_cite := [one for one in self.files if certain & one.cites]:
            return _by_cite(authority, by_cite)
        named = [one for one in self.files if authority.name and one.named(authority.name) and not one.is_summary]
        files = tuple(one.file for one in named)
        against = [(one, _against(authority, one)) for one in named]
        left = [one for one, reason in against if reason is None]
        if len(left) > 1:
            left = [one for one in left if one.is_opinion] or left
        known = [(one, _known_by(authority, one)) for one in left]
        for sure in (_PAGES, _YEAR, None):
            agreeing = [(one, how) for one, how in known if how is not None and sure in {how, None}]
            if len(agreeing) == 1:
                one, how = agreeing[0]
                return Match("at_hand", f"by {how}", one)
            if agreeing:
                return Match("not_matched", "several files have this name", candidates=files)
        if left:
            lacking = "the file of this name tells no year" if authority.years else "the brief states no year"
            why = f"{lacking}, and nothing else shows that it is {authority.cite or 'the one that is meant'}"
            return Match("not_matched", why, candidates=files)
        if len(named) > 1:
            return Match("not_matched", "several files have this name", candidates=files)
        if named:
            return Match("not_matched", f"the file of this name {against[0][1]}", candidates=files)
        if len(likely := self._likely(authority)) == 1:
            return Match("at_hand", "by a name that its text or file has too, and by where its pages begin", likely[0])
        return Match("not_at_hand", "no file has its cite or name", candidates=self._nearest(authority))

    def _likely(self, authority: Authority) -> list[Shelved]:
        """Files that may be the authority by their name, begin on its page and have no other cite or year."""
        return [
            one
            for one in self.files
            if authority.name
            and begins_there(authority, one)
            and _against(authority, one) is None
            and one.may_be(authority.name)
        ]

    def _nearest(self, authority: Authority) -> tuple[str, ...]:
        if not authority.name:
            return ()
        wanted = CaseName.of(authority.name)
        scored = [(max(wanted.likeness(CaseName.of(name)) for name in one.names), one.file) for one in self.files]
        near = sorted((-score, file) for score, file in scored if score >= _NEAR)
        return tuple(file for _, file in near[:CANDIDATES])


def file_state(path: Path) -> FileState:
    """Changes with the file: a copy that keeps size and time of the old one has another number or change time.

    Raises:
        OSError: it is not there any more.
    """
    told = path.stat()
    return told.st_mtime_ns, told.st_ctime_ns, told.st_size, told.st_ino


def opinion_paths(folder: Path) -> list[Path]:
    """The files of a folder that the opinion reader knows by their ending, in order."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix.lower() in SUFFIXES)


def _by_cite(authority: Authority, files: Sequence[Shelved]) -> Match:
    if len(files) > 1:
        return Match("not_matched", "several files have this cite", candidates=tuple(one.file for one in files))
    (found,) = files
    if authority.name and not found.named(authority.name):
        return Match("not_matched", f"the file with this cite is named {found.names[0]}", candidates=(found.file,))
    return Match("at_hand", "by cite", found)


def begins_there(authority: Authority, one: Shelved) -> bool:
    """True if the first page mark in the file follows the cited page closely."""
    pages = [mark.page for mark in one.opinion.pages if not mark.page.startswith("¶")]
    first = re.search(r"(\d+)\Z", pages[0]) if pages else None
    if first is None:
        return False
    cited = first_page(plain_cite(authority.cite))
    return cited is not None and int(first[1]) - cited in range(_UNMARKED)


def _against(authority: Authority, one: Shelved) -> str | None:
    """Why a file of the authority's name is another decision, as it follows `the file`; None if nothing says so."""
    if authority.years and one.years and not authority.years & one.years:
        years, cited = (" or ".join(map(str, sorted(each))) for each in (one.years, authority.years))
        return f"is of {years}, not {cited}"
    stated = plain_cite(one.opinion.citation or "")
    if any(differ(cite, own, reporter_alone=own != stated) for cite in authority.cites for own in one.cites):
        return f"is not {authority.cite}"
    if one.page_span and not begins_there(authority, one):
        begun = [page for cite in authority.cites if (page := first_page(cite)) is not None]
        first, last = one.page_span
        apart = any(is_paged_apart(cite) for cite in authority.cites)
        if begun and not apart and all(not first - _OMITTED <= page <= last for page in begun):
            return f"is not {authority.cite}; its pages are {first} to {last}"
    if authority.court and one.opinion.court and same_court(authority.court, one.opinion.court) is False:
        return f"is of another court ({one.opinion.court})"
    return None


_PAGES = "name, and its pages begin where the cite says"
_YEAR = "name and year"


def _known_by(authority: Authority, one: Shelved) -> str | None:
    """What beside the name shows that a file is the authority; None if nothing does."""
    if begins_there(authority, one):
        return _PAGES
    if authority.years & one.years:
        return _YEAR
    name = authority.name or ""
    missing = "the file tells no year" if authority.years else "the brief states no year"
    if not authority.cite:
        return "name"
    if one.file_named(name):
        return f"name; {missing}"
    if not CaseName.of(name).is_distinctive:
        return None
    if authority.docket and one.shows_docket(authority.docket):
        return f"name and docket number; {missing}"
    if authority.court and one.opinion.court and same_court(authority.court, one.opinion.court):
        return f"name and court; {missing}"
    return None
