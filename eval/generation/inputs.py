"""The decisions and briefs that a data set is made from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from parcel_agents.briefs.source import read_source
from parcel_agents.errors import InputError, OpinionError
from parcel_agents.opinions.document import SUFFIXES
from parcel_agents.types import content_hash


@dataclass(frozen=True)
class Briefs:
    """The texts of briefs."""

    texts: tuple[str, ...]
    unreadable: tuple[str, ...]
    """What could not be read, and why."""


def find_decisions(paths: Sequence[Path]) -> dict[str, Path]:
    """The files that are named and those below the folders that are named, by the id that their claims will bear.

    The id is the file's name without its ending; where two files share it, the later one's is told apart by a hash.

    Raises:
        InputError: a path does not exist, or there is no file at all.
    """
    found: dict[str, Path] = {}
    for file in dict.fromkeys(one.resolve() for one in _files(paths)):
        stem = file.stem[:150]
        id = stem if stem not in found else f"{stem}-{hash_file(file)[:6]}"
        found.setdefault(id, file)
    if not found:
        raise InputError(f"no decisions ({', '.join(SUFFIXES)}) in {', '.join(map(str, paths))}")
    return found


def hash_file(file: Path) -> str:
    """The hash of what is in the file; of nothing where it cannot be read, which its reader is going to tell."""
    try:
        return content_hash(str(file.read_bytes()))
    except OSError:
        return content_hash("")


def read_briefs(folder: Path | None) -> Briefs:
    """The texts of all files below the folder; nothing without one.

    Raises:
        InputError: there is no such folder, or no file in it can be read.
    """
    if folder is None:
        return Briefs((), ())
    texts, unreadable = [], []
    for file in _files([folder]):
        try:
            texts.append(read_source(file).text)
        except OpinionError as error:
            unreadable.append(str(error))
    if not texts:
        raise InputError(f"{folder}: holds no brief that can be read ({', '.join(SUFFIXES)})")
    return Briefs(tuple(texts), tuple(unreadable))


def _files(paths: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise InputError(f"{path}: does not exist")
        inside = sorted(one for one in path.rglob("*") if one.suffix.lower() in SUFFIXES and one.is_file())
        found += inside if path.is_dir() else [path]
    return found
