"""The opinions of a data set: files in its folder `opinions/`, each read once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from parcel_agents.errors import OpinionError
from parcel_agents.eval.datasets.model import Problem
from parcel_agents.opinions.document import SUFFIXES
from parcel_agents.types import Opinion

OPINIONS = "opinions"
"""The folder's name."""
_LONGEST_NAME = 200


class OpinionShelf:
    """Opinions by id, each read once; of one that cannot be read, one problem with the number of its claims."""

    def __init__(self) -> None:
        self.opinions: dict[str, Opinion] = {}
        self._faults: dict[str, Problem] = {}
        self._lost: Counter[str] = Counter()

    def has(self, id: str, where: str, read: Callable[[], Opinion]) -> bool:
        """True if the opinion is there, or can be read now.

        Args:
            id: how claims name the opinion.
            where: the claim's place, for the problem if this is the first claim about an unreadable opinion.
            read: reads the opinion; may raise OpinionError.
        """
        if id not in self.opinions and id not in self._faults:
            try:
                self.opinions[id] = read()
            except OpinionError as error:
                self._faults[id] = Problem(where, str(error))
        if id in self._faults:
            self._lost[id] += 1
        return id in self.opinions

    def problems(self) -> list[Problem]:
        """What keeps claims from having an opinion."""
        return [
            fault
            if self._lost[id] == 1
            else Problem(fault.where, f"{fault.what}; {self._lost[id]} claims are about it")
            for id, fault in self._faults.items()
        ]


def load_from(folder: Path, opinion_id: str) -> Opinion:
    """The opinion of this id in a folder of opinions.

    Raises:
        OpinionError: there is none, or it cannot be read.
    """
    path = find_opinion(folder, opinion_id)
    if path is None:
        raise OpinionError(f"{folder}: has no opinion {opinion_id!r} ({', '.join(SUFFIXES)})")
    return Opinion.load(path)


def find_opinion(folder: Path, opinion_id: str) -> Path | None:
    """The file of an opinion, whose id may be written with the file's ending or without; None if there is none."""
    # An id is a name; one with a path in it would read files that are no part of the data set.
    if not 0 < len(opinion_id) <= _LONGEST_NAME or Path(opinion_id).name != opinion_id or "\0" in opinion_id:
        return None
    whole = [opinion_id] if opinion_id.endswith(SUFFIXES) else []
    paths = (folder / name for name in (*(f"{opinion_id}{suffix}" for suffix in SUFFIXES), *whole))
    return next((path for path in paths if path.is_file()), None)
