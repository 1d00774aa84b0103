"""From a table to a data set: claims with the decisions that stand in a column, or in files beside the table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from parcel_agents.eval.datasets.columns import NO_COLUMN, ROLES, Columns, recognise
from parcel_agents.eval.datasets.labels import label_of, strategy_of
from parcel_agents.eval.datasets.model import Dataset, Problem, check_problems
from parcel_agents.eval.datasets.names import Role
from parcel_agents.eval.datasets.opinions import OPINIONS, OpinionShelf, load_from
from parcel_agents.eval.datasets.table import Row, Table
from parcel_agents.opinions import parse_opinion
from parcel_agents.opinions.characters import clean
from parcel_agents.opinions.records import html_suffix
from parcel_agents.types import LABELS, GoldClaim, Label, Opinion, content_hash

_MARKDOWN = re.compile(r"^#{1,3} \S|^\*\*\S[^*\n]*\*\*\s*$|\{\*\*\d|\]\(https?://", re.MULTILINE)
_MARKDOWN_LINES = 5
"""Markdown whose line ends were lost on the way is one long heading; it reads better as plain text."""


def load_table(table: Table, mapping: Mapping[str, str], *, skip_bad: bool) -> Dataset:
    """The claims of a table with their decisions.

    Args:
        table: the table.
        mapping: columns that the user chose, by role.
        skip_bad: whether to leave out claims that cannot be used.

    Raises:
        InputError: columns are missing or ambiguous, or some claim cannot be used and is not to be skipped.
    """
    columns = recognise(table, mapping)
    reader = _Reader(table, columns)
    for row in table.rows:
        reader.read(row)
    problems = [*table.problems, *reader.problems, *reader.shelf.problems()]
    check_problems(table.path, reader.claims, problems, skip_bad=skip_bad)
    return Dataset(
        name=table.path.stem,
        claims=tuple(reader.claims),
        opinions=reader.shelf.opinions,
        understood=_understood(table, columns, reader),
        problems=tuple(problems),
    )


class _Unusable(Exception):  # noqa: N818 - it says what is wrong with a row, and never leaves this file
    pass


class _Reader:
    """Makes claims of rows, and keeps what is wrong with the others."""

    def __init__(self, table: Table, columns: Columns) -> None:
        self.claims: list[GoldClaim] = []
        self.labels: Counter[str] = Counter()
        """How often each spelling of a label was met."""
        self.problems: list[Problem] = []
        self.shelf = OpinionShelf()
        self._columns = columns
        self._folder = table.path.parent / OPINIONS
        self._seen: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        """Ids of decisions by their text."""
        self._texts: dict[str, str] = {}
        """The text that came with an id of a decision."""

    def read(self, row: Row) -> None:
        """Add the claim in a row, or what is wrong with it."""
        try:
            claim = self._claim(row)
        except _Unusable as fault:
            self.problems.append(Problem(row.where, str(fault)))
            return
        self._seen[claim.id] = row.where
        if self.shelf.has(claim.opinion_id, row.where, lambda: self._opinion(row, claim.opinion_id)):
            self.claims.append(claim)
            self.labels[self._cell(row, "label") or ""] += 1

    def _claim(self, row: Row) -> GoldClaim:
        text = self._cell(row, "claim")
        if text is None:
            raise _Unusable("the claim is empty")
        label = self._label(row)
        opinion_id = self._opinion_id(row)
        given = self._cell(row, "id")
        id = given or content_hash(f"{opinion_id}\n{text}")
        if id in self._seen:
            what = f"the id {id!r}" if given else "the same claim about the same decision"
            raise _Unusable(f"{what} stands already at {self._seen[id]}")
        return GoldClaim(
            id=id,
            opinion_id=opinion_id,
            claim=text,
            label=label,
            strategy=strategy_of(self._cell(row, "strategy")),
            usage_type=self._cell(row, "usage_type"),
            evidence=self._cell(row, "evidence"),
        )

    def _cell(self, row: Row, role: Role) -> str | None:
        column = self._columns.get(role)
        return row.cells[column].strip() if column is not None and column in row.cells else None

    def _label(self, row: Row) -> Label | None:
        if self._columns.get("label") is None:
            return None
        written = self._cell(row, "label")
        if written is None:
            raise _Unusable("has no label")
        label = label_of(written)
        if label is None:
            raise _Unusable(f"unknown label {written[:40]!r}; known: 1, -1, 0, supported, refuted, not found")
        return label

    def _opinion_id(self, row: Row) -> str:
        given = self._cell(row, "opinion_id")
        if given is None and self._columns.get("opinion_id") is not None:
            raise _Unusable("names no decision")
        if self._columns.get("decision") is None:
            return given or ""
        text = self._decision(row)
        if given is not None:
            if self._texts.setdefault(given, text) != text:
                raise _Unusable(f"the decision {given!r} had another text before")
            return given
        if text not in self._ids:
            # Line ends and invisible characters depend on the kind of file, and must not change the id.
            self._ids[text] = content_hash(clean(text).strip())
        return self._ids[text]

    def _decision(self, row: Row) -> str:
        text = row.cells.get(self._columns.get("decision") or "")
        if text is None:
            raise _Unusable("has no text of a decision")
        return text

    def _opinion(self, row: Row, opinion_id: str) -> Opinion:
        if self._columns.get("decision") is None:
            return load_from(self._folder, opinion_id)
        text = self._decision(row)
        return parse_opinion(text, suffix=guess_suffix(text), where=f"the decision {opinion_id!r}")


def guess_suffix(text: str) -> str:
    """The ending that a file with this text would have: .html, .md or .txt."""
    if text.count("\n") >= _MARKDOWN_LINES and _MARKDOWN.search(text):
        return ".md"
    return html_suffix(text, ".txt")


def _understood(table: Table, columns: Columns, reader: _Reader) -> tuple[str, ...]:
    details = {"label": _labels(reader.labels), "strategy": _strategies(reader.claims)}
    absent = {
        "opinion_id": "made from the text of the decision",
        "decision": f"files in {OPINIONS}/ beside {table.path.name}",
        "id": "made from the decision and the claim",
    }
    lines = [f"{table.path.name}: {len(reader.claims)} claims about {len(reader.shelf.opinions)} decisions"]
    for role in ROLES:
        column = columns.get(role)
        told = " (as told)" if role in columns.mapped else ""
        detail = f": {details[role]}" if details.get(role) else ""
        lines.append(
            f"  {role}: {absent.get(role, 'none')}" if column is None else f"  {role}: {column!r}{told}{detail}"
        )
    unused = [name for name in table.columns if name not in columns.by_role.values()]
    if unused:
        lines.append(f"  not used: {', '.join(map(repr, unused))}")
    lines.append(f"  to choose otherwise: --map KEY=COLUMN, or --map KEY={NO_COLUMN} for none")
    return tuple(lines)


def _labels(labels: Counter[str]) -> str:
    """Such as `1 -> supported (849), -1 -> refuted (1698)`, in the order of the labels here."""
    meant = {written: label for written in labels if (label := label_of(written))}
    return ", ".join(
        f"{written} -> {label.replace('_', ' ')} ({labels[written]})"
        for label in LABELS
        for written in labels
        if meant.get(written) == label
    )


def _strategies(claims: list[GoldClaim]) -> str:
    counts = Counter(claim.strategy for claim in claims)
    words = [f"{name} ({count})" for name, count in sorted(counts.items(), key=lambda item: str(item[0])) if name]
    adversarial = sum(claim.strategy is None and claim.label in ("refuted", "not_found") for claim in claims)
    return ", ".join(words) + (f"; refuted or not found without one: {adversarial}" if adversarial else "")
