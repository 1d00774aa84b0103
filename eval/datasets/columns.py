"""Which column of a table holds what: told by the columns' names and by what stands in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from parcel_agents.errors import InputError
from parcel_agents.eval.datasets.labels import label_of, strategy_of
from parcel_agents.eval.datasets.names import NAMELESS, Role, name_rank
from parcel_agents.eval.datasets.opinions import OPINIONS, find_opinion
from parcel_agents.eval.datasets.profiles import (
    SHORT,
    Profile,
    has_own_numbers,
    is_claim,
    is_decision,
    is_evidence,
    is_id,
    is_label,
    is_strategy,
    is_usage_type,
)
from parcel_agents.eval.datasets.table import Table

ROLES: tuple[Role, ...] = get_args(Role)
NO_COLUMN = "-"
"""What a role is mapped to if no column has it."""


@dataclass(frozen=True)
class Columns:
    """The column of each role that has one."""

    by_role: Mapping[Role, str]
    mapped: frozenset[Role]
    """The roles whose column the user chose."""

    def get(self, role: Role) -> str | None:
        """The column with this role, None if there is none."""
        return self.by_role.get(role)


def parse_mapping(settings: Iterable[str]) -> dict[str, str]:
    """The mapping in settings such as `label=gold`.

    Raises:
        InputError: a setting is no KEY=COLUMN, or a key comes twice.
    """
    mapping: dict[str, str] = {}
    for setting in settings:
        key, equals, column = setting.partition("=")
        if not (key.strip() and equals and column.strip()):
            raise InputError(f"{setting!r} is no KEY=COLUMN, such as label=gold; keys: {', '.join(ROLES)}")
        if key.strip() in mapping:
            raise InputError(f"--map names {key.strip()!r} twice")
        mapping[key.strip()] = column.strip()
    return mapping


def recognise(table: Table, mapping: Mapping[str, str]) -> Columns:
    """The columns of a table.

    Args:
        table: the table.
        mapping: columns that the user chose, by role; `-` for a role that no column has.

    Raises:
        InputError: the mapping names an unknown role or column, a column that is needed is not there, or two
            columns fit equally well; the message says how to choose.
    """
    return _Recogniser(table, _checked(table, mapping)).columns()


class _Recogniser:
    def __init__(self, table: Table, mapping: Mapping[Role, str | None]) -> None:
        self._table = table
        self._mapping = mapping
        self._taken: dict[Role, str] = {role: column for role, column in mapping.items() if column is not None}
        self._profiles = [
            Profile(name, tuple(row.cells[name] for row in table.rows if name in row.cells)) for name in table.columns
        ]

    def columns(self) -> Columns:
        self._refuse_own_numbers()
        self._find("label", is_label, label_of)
        self._find("strategy", is_strategy, strategy_of)
        self._find("usage_type", is_usage_type)
        self._find("evidence", is_evidence)
        self._find("decision", is_decision)
        self._find("claim", is_claim)
        self._find("id", is_id, first=True)
        if "decision" in self._taken:
            self._find("opinion_id", self._goes_with_texts, first=True)
        else:
            self._find("opinion_id", self._names_files)
        self._require()
        return Columns(dict(self._taken), frozenset(self._mapping))

    def _find(
        self,
        role: Role,
        fits: Callable[[Profile, int], bool],
        normal: Callable[[str], object] = str,
        *,
        first: bool = False,
    ) -> None:
        """Give the role to the best named of the columns that fit.

        Args:
            role: the role.
            fits: whether a column with such a rank of its name can have it.
            normal: what makes cells the same to this role.
            first: whether any of several columns will do.
        """
        if role in self._mapping:
            return
        ranked = [
            (name_rank(role, each.name), each) for each in self._profiles if each.name not in self._taken.values()
        ]
        good = [(rank, each) for rank, each in ranked if each.cells and fits(each, rank)]
        best = [each for rank, each in good if rank == min(rank for rank, _ in good)]
        if len(best) > 1 and not first and not self._agree(best, normal):
            names = " and ".join(repr(each.name) for each in best)
            options = " or ".join(f"--map {_option(role, each.name)}" for each in best)
            raise InputError(
                f"{self._table.path}: {names} look equally like the column for {role!r}; choose with {options}"
            )
        if best:
            self._taken[role] = best[0].name

    def _agree(self, profiles: Sequence[Profile], normal: Callable[[str], object]) -> bool:
        """True if the columns say the same in every row, as a number and a word for one label do."""
        names = [each.name for each in profiles]
        return all(
            len({None if (cell := row.cells.get(name)) is None else normal(cell) for name in names}) == 1
            for row in self._table.rows
        )

    def _goes_with_texts(self, profile: Profile, rank: int) -> bool:
        """True if the column is named like an id of decisions, and each id goes with one text."""
        texts: dict[str, str | None] = {}
        column = self._taken["decision"]
        pairs = ((row.cells.get(profile.name), row.cells.get(column)) for row in self._table.rows)
        return (rank < NAMELESS and profile.chars <= SHORT) and all(
            id is not None and texts.setdefault(id, text) == text for id, text in pairs if text is not None
        )

    def _names_files(self, profile: Profile, rank: int) -> bool:
        if profile.chars > SHORT:
            return False
        folder = self._table.path.parent / OPINIONS
        ids = {cell.strip() for cell in profile.cells}
        return sum(find_opinion(folder, id) is not None for id in ids) * 2 >= len(ids)

    def _require(self) -> None:
        missing: Role | None = None
        if "label" not in self._taken and "label" not in self._mapping:
            missing, what = "label", "labels (1, -1, 0, or words such as supported, refuted, not found)"
        elif "claim" not in self._taken:
            missing, what = "claim", "claims (a sentence in each row)"
        elif "decision" not in self._taken and "opinion_id" not in self._taken:
            missing = "decision"
            what = f"decisions' texts, nor one that names files in {self._table.path.parent / OPINIONS}"
        if missing is None:
            return
        named = [each for each in self._profiles if name_rank(missing, each.name) < NAMELESS and each.cells]
        seen = "".join(f"; {each.name!r} is named like one, but holds {each.sample}" for each in named[:2])
        unlabelled = ", or label=- if there are none" if missing == "label" else ""
        raise InputError(
            f"{self._table.path}: has no column of {what}{seen}; name it with --map {missing}=COLUMN{unlabelled}; "
            f"columns: {_listed(self._table.columns)}"
        )

    def _refuse_own_numbers(self) -> None:
        """Refuse a chosen column of labels that means something else by its numbers, even if bad rows are skipped."""
        for each in self._profiles:
            if each.name == self._mapping.get("label") and has_own_numbers(each):
                raise InputError(
                    f"{self._table.path}: {each.name!r} holds {each.sample}: its numbers are not the paper's 1, -1 "
                    "and 0; write words (supported, refuted, not_found) in their place"
                )


def _checked(table: Table, mapping: Mapping[str, str]) -> dict[Role, str | None]:
    """The mapping with the table's own spelling of its columns."""
    checked: dict[Role, str | None] = {}
    for key, column in mapping.items():
        role = next((role for role in ROLES if role == key), None)
        if role is None:
            raise InputError(f"--map: unknown key {key!r}; known: {', '.join(ROLES)}")
        alike = [name for name in table.columns if name.lower() == column.lower()]
        if column in table.columns:
            checked[role] = column
        elif column == NO_COLUMN:
            checked[role] = None
        elif len(alike) == 1:
            checked[role] = alike[0]
        else:
            raise InputError(f"{table.path}: has no column {column!r} for {key!r}; columns: {_listed(table.columns)}")
    return checked


def _option(role: Role, column: str) -> str:
    option = f"{role}={column}"
    return f"'{option}'" if re.search(r"[^\w.=-]", option) else option


def _listed(columns: Sequence[str]) -> str:
    more = f" and {len(columns) - 30} more" if len(columns) > 30 else ""
    return ", ".join(repr(name[:40]) for name in columns[:30]) + more
