"""The opinions that an agent may ask about, and which of them it means: by citation, name, file or id, not by guess."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from parcel_agents.briefs.shelf import Authority, FileState, Match, Shelf, Shelved, file_state, shelve
from parcel_agents.briefs.sources import OpinionSource, asked_sources, with_sources
from parcel_agents.citations.model import DECISIONS, Citation
from parcel_agents.citations.read import read_citations
from parcel_agents.errors import InputError, MissingDependencyError, OpinionError
from parcel_agents.opinions.document import SUFFIXES
from parcel_agents.types import Opinion

MAX_REFERENCE = 400
"""Characters of a citation or name; a longer text is something else."""
_CITE = re.compile(r"(?<![\w.])(\d{1,4} [A-Z][\w.'’]*(?: [A-Z\d][\w.'’]*){0,3}? \d{1,5})(?!\w)")
_YEAR = re.compile(r"[\[(][^\])]*?\b((?:1[6-9]|20)\d\d)[\])]")


class Library:
    """Opinions in memory, or those of a folder, which is looked at again whenever somebody asks."""

    def __init__(
        self, opinions: Opinion | Iterable[Opinion] | Path | str, *, sources: Iterable[OpinionSource] = ()
    ) -> None:
        """Take opinions or a folder of files, and who is asked for opinions that are not among them.

        Args:
            opinions: opinions, or the folder that holds them.
            sources: in the order in which they are asked; `make_sources` makes those of a configuration.

        Raises:
            InputError: the folder is none.
        """
        self.folder: Path | None = None
        self._held: tuple[Shelved, ...] = ()
        self._read: dict[Path, tuple[FileState, Shelved | str]] = {}
        self._lock = threading.Lock()
        self._sources = asked_sources(sources)
        if isinstance(opinions, str | Path):
            self.folder = Path(opinions).resolve()
            if not self.folder.is_dir():
                raise InputError(f"{opinions}: is no folder; name the folder that holds the opinions")
        else:
            given = [opinions] if isinstance(opinions, Opinion) else opinions
            self._held = tuple(shelve(one.source or one.name or one.id, one) for one in given)

    def shelf(self) -> Shelf:
        """All opinions as they are now; files that are new or have changed are read."""
        if self.folder is None:
            return Shelf(self._held, ())
        with self._lock:
            return self._read_folder(self.folder)

    def shelf_for(self, authorities: Iterable[Authority]) -> Shelf:
        """As `shelf`, with what the sources have of these authorities where it is not at hand."""
        return with_sources(self.shelf(), authorities, self._sources)

    def find(self, reference: str) -> Match:
        """Which opinion a citation, a case name, a file's name or an id stands for, or why none is meant.

        Where a citation is not at hand, the sources are asked.
        """
        match = self.at_hand(reference)
        if match.status != "not_at_hand" or not self._sources:
            return match
        authority = read_reference(_plain(reference))
        return with_sources(self.shelf(), [authority], self._sources).match(authority)

    @property
    def has_sources(self) -> bool:
        """True if somebody is asked for what is not at hand."""
        return bool(self._sources)

    def at_hand(self, reference: str) -> Match:
        """As `find`, without asking the sources."""
        wanted = _plain(reference)
        if not wanted or len(wanted) > MAX_REFERENCE:
            return Match("not_matched", "give the opinion's citation, name, file name or id, and nothing else")
        shelf = self.shelf()
        named = [one for one in shelf.files if wanted in (one.opinion.id, one.file, Path(one.file).stem)]
        exact = [one for one in named if not one.is_summary]
        if len(exact) == 1:
            return Match("at_hand", "by id" if wanted == exact[0].opinion.id else "by file name", exact[0])
        if len({one.cite for one in _named(read_citations(wanted))}) > 1:
            return Match("not_matched", "several decisions are named; give one")
        return shelf.match(read_reference(wanted))

    def _read_folder(self, folder: Path) -> Shelf:
        fresh: dict[Path, tuple[FileState, Shelved | str]] = {}
        for path, state in _listed(folder):
            kept = self._read.get(path)
            fresh[path] = kept if kept is not None and kept[0] == state else (state, _read(path, folder))
        self._read = fresh
        found = [one for _, one in fresh.values()]
        return Shelf(
            tuple(one for one in found if isinstance(one, Shelved)), tuple(one for one in found if isinstance(one, str))
        )


def read_reference(text: str) -> Authority:
    """A decision as somebody refers to it: `People v Marlowe, 97 NY3d 210 (2024)`, or the cite or the name alone."""
    decisions = [one for one in read_citations(text) if one.kind in DECISIONS]
    if decisions:
        first = decisions[0]
        return Authority(first.cite, first.name or _name(text[: first.start]), first.year, first.parallel)
    dated = _YEAR.search(text)
    year = int(dated[1]) if dated else None
    # Reporters that the citation reader does not know.
    cited = _CITE.search(text)
    if cited:
        return Authority(cited[1], _name(text[: cited.start()]), year)
    return Authority("", _name(text[: dated.start()] if dated else text), year)


def _listed(folder: Path) -> Iterator[tuple[Path, FileState]]:
    """The files of the folder that may be opinions, in order, each with its state.

    It is looked at whenever somebody asks, and may hold thousands of files.
    """
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(place, name)
            if path.suffix.lower() not in SUFFIXES:
                continue
            try:
                # A link out of the folder would show what nobody offered.
                if path.is_symlink() and not path.resolve().is_relative_to(folder):
                    continue
                state = file_state(path)
            except OSError:
                # It was there when the folder was listed.
                continue
            yield path, state


def _plain(reference: str) -> str:
    return " ".join(reference.split()).strip(" ,;.")


def _named(citations: Iterable[Citation]) -> list[Citation]:
    return [one for one in citations if one.kind in DECISIONS and one.name]


def safe_path(folder: Path, name: str, *, what: str) -> Path:
    """The file of this name below the folder, links followed.

    Raises:
        InputError: it is not below the folder, is no file, or is of a kind that cannot be read.
    """
    wrong = f"{what} {name[:120]!r}: is no file of the folder; give its name relative to the folder"
    try:
        path = (folder / name).resolve()
        found = path.is_relative_to(folder.resolve()) and path.is_file()
    except (OSError, ValueError) as error:
        raise InputError(wrong) from error
    if not found:
        raise InputError(wrong)
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"{what} {name[:120]!r}: is not of a kind that can be read ({', '.join(SUFFIXES)})")
    return path


def _name(text: str) -> str | None:
    """The name in the words before a cite, without a signal; None if there is none."""
    return re.sub(r"^see\b\s*", "", text.strip(" ,;([*_"), flags=re.IGNORECASE) or None


def _read(path: Path, folder: Path) -> Shelved | str:
    try:
        return shelve(path.relative_to(folder).as_posix(), Opinion.load(path))
    except (OpinionError, MissingDependencyError) as error:
        # Where the folder lies is nobody's business.
        name = path.relative_to(folder).as_posix()
        told = str(error).replace(str(path), name)
        return told if name in told else f"{name}: {told}"
