"""A second folder of files as a source of opinions: read when it is first asked, and again when its files change."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from parcel_agents.briefs.shelf import Authority, FileState, Shelf, file_state, opinion_paths
from parcel_agents.errors import InputError
from parcel_agents.types import Opinion

_State = tuple[tuple[Path, FileState], ...]

_log = logging.getLogger(__name__)


class FolderSource:
    """The opinions of a folder."""

    own_files = True
    """Its files are named by whoever keeps them, as those at hand are."""

    def __init__(self, *, name: str, folder: str) -> None:
        """Take the name in the configuration, and the folder, which is looked at when somebody asks."""
        self.name = name
        self._folder = Path(folder)
        self._read: tuple[_State, Shelf] | None = None

    def fetch(self, authority: Authority) -> Sequence[Opinion]:
        """The opinion that the authority is, or all that come near, so that it shows why none is meant for certain.

        Raises:
            InputError: the folder is none.
        """
        return offered(self._shelf(), authority)

    def _shelf(self) -> Shelf:
        if not self._folder.is_dir():
            # Where it should be is in the configuration, and nobody's business who asks for opinions.
            raise InputError("its folder is not there")
        state = tuple((path, file_state(path)) for path in opinion_paths(self._folder))
        if self._read is None or self._read[0] != state:
            self._read = state, Shelf.read(self._folder) if state else Shelf((), ())
            for fault in self._read[1].unreadable:
                _log.warning("the source %s leaves out: %s", self.name, fault)
        return self._read[1]


def offered(shelf: Shelf, authority: Authority) -> tuple[Opinion, ...]:
    """The opinion that the authority is, or all that come near, so that it shows why none is meant for certain."""
    match = shelf.match(authority)
    if match.shelved is not None:
        return (match.shelved.opinion,)
    if match.status == "not_at_hand":
        return ()
    return tuple(one.opinion for one in shelf.files if one.file in match.candidates)
