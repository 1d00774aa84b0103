"""A labelled data set in memory, and what is wrong with the file it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from parcel_agents.errors import InputError
from parcel_agents.types import GoldClaim, Opinion

SHOWN_PROBLEMS = 20
"""So many problems are listed in an error; who has more of them has one cause to look for, not a list to read."""


@dataclass(frozen=True)
class Problem:
    """Something in a data set that cannot be used; the claim it stands in is refused or left out."""

    where: str
    """File and line as `claims.csv:17`, or file and record as `claims.json: record 17` where lines mean nothing."""
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class DatasetError(InputError):
    """A data set with claims that cannot be used."""

    def __init__(self, source: str, problems: Sequence[Problem]) -> None:
        shown = [str(problem) for problem in problems[:SHOWN_PROBLEMS]]
        more = len(problems) - len(shown)
        if more:
            shown.append(f"and {more} more")
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        # The command line puts a message on one line: the semicolons keep the problems apart there.
        listed = ";\n".join(shown)
        super().__init__(f"{source}: {count}; correct them, or leave such claims out with --skip-bad:\n{listed}")
        self.problems = tuple(problems)


@dataclass(frozen=True)
class Dataset:
    """Labelled claims and the opinions they are about."""

    name: str
    claims: tuple[GoldClaim, ...]
    opinions: dict[str, Opinion]
    understood: tuple[str, ...] = ()
    """What was made of the file, a line each, for a person to check before anything is spent on it."""
    problems: tuple[Problem, ...] = ()
    """What was left out, and why."""

    def by_opinion(self) -> dict[str, list[GoldClaim]]:
        """The claims grouped by opinion id, in the order of the file."""
        grouped: dict[str, list[GoldClaim]] = {}
        for claim in self.claims:
            grouped.setdefault(claim.opinion_id, []).append(claim)
        return grouped


def check_problems(path: Path, claims: Sequence[GoldClaim], problems: Sequence[Problem], *, skip_bad: bool) -> None:
    """Refuse what is not to be used.

    Args:
        path: the data set.
        claims: its good claims.
        problems: what is wrong with the others.
        skip_bad: whether the good claims will do.

    Raises:
        DatasetError: there are problems and they are not to be skipped.
        InputError: there is no good claim.
    """
    if problems and not (skip_bad and claims):
        raise DatasetError(str(path), problems)
    if not claims:
        raise InputError(f"{path}: holds no claims")
