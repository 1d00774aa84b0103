"""The opinions at hand: a folder of files, and which of them is the authority that a brief cites."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from parcel_agents.briefs.case_names import CaseName
from parcel_agents.briefs.shelved import Shelved, plain_cite, shelve
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
_CITE = re.compile(r"(\d+)([a-z].*?[a-z])(\d+)\Z")
"""A plain cite: volume, reporter, page."""


@dataclass(frozen=True)
class Authority:
    """A decision as a brief cites it."""

    cite: str
    name: str | None
    year: int | None
    parallel: tuple[str, ...] = ()


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
        """The file that the authority is: by cite, else by name and year; none where they disagree."""
        cites = {plain_cite(cite) for cite in (authority.cite, *authority.parallel)}
        if by_cite := [one for one in self.files if cites & one.cites]:
            return _by_cite(authority, by_cite)
        named = [one for one in self.files if authority.name and one.named(authority.name) and not one.is_summary]
        right_year = [one for one in named if _same_year(authority, one)]
        agreeing = [one for one in right_year if not _other_cite(cites, one)]
        if len(agreeing) > 1:
            agreeing = [one for one in agreeing if one.is_opinion] or agreeing
        files = tuple(one.file for one in named)
        if len(fitting := [one for one in agreeing if begins_there(authority, one)]) == 1:
            return Match("at_hand", "by name, and its pages begin where the cite says", fitting[0])
        if len(agreeing) == 1:
            known = "name and year" if agreeing[0].year and authority.year else "name; the file tells no year"
            return Match("at_hand", f"by {known}", agreeing[0])
        if agreeing:
            return Match("not_matched", "several files have this name", candidates=files)
        if right_year:
            return Match("not_matched", f"the file of this name is not {authority.cite}", candidates=files)
        if named:
            years = ", ".join(str(one.year) for one in named)
            return Match("not_matched", f"the file of this name is of {years}, not {authority.year}", candidates=files)
        if len(likely := self._likely(authority, cites)) == 1:
            return Match("at_hand", "by a name that its text or file has too, and by where its pages begin", likely[0])
        return Match("not_at_hand", "no file has its cite or name", candidates=self._nearest(authority))

    def _likely(self, authority: Authority, cites: set[str]) -> list[Shelved]:
        """Files that may be the authority by their name, begin on its page and have no other cite or year."""
        return [
            one
            for one in self.files
            if authority.name
            and begins_there(authority, one)
            and _same_year(authority, one)
            and not _other_cite(cites, one)
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


def _same_year(authority: Authority, one: Shelved) -> bool:
    return authority.year is None or one.year is None or authority.year == one.year


def begins_there(authority: Authority, one: Shelved) -> bool:
    """True if the first page mark in the file follows the cited page closely."""
    cited = _CITE.match(plain_cite(authority.cite))
    first = re.search(r"(\d+)\Z", one.opinion.pages[0].page) if one.opinion.pages else None
    return cited is not None and first is not None and int(first[1]) - int(cited[3]) in range(_UNMARKED)


def _other_cite(cites: set[str], one: Shelved) -> bool:
    """True if the file has a cite in the reporter of one of these, and it is another."""
    return any(
        (mine := _CITE.match(cite)) and (its := _CITE.match(own)) and mine[2] == its[2] and cite != own
        for cite in cites
        for own in one.cites
    )
