"""A study of hard claims as one page that a person reads in ten minutes: no script, no style sheet, no network."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined

from parcel_agents.eval.hard.adjudication import FIGURES, Adjudicated
from parcel_agents.eval.hard.cards import cards
from parcel_agents.eval.hard.findings import findings
from parcel_agents.eval.hard.picture import failure_picture
from parcel_agents.eval.hard.study import Study
from parcel_agents.eval.hard.tables import study_tables
from parcel_agents.eval.report.page import facts
from parcel_agents.eval.report.table_formats import heading, interval, plain
from parcel_agents.eval.report.tables import Table

FIRST = ("table7", "hard-by-kind")
"""Tables that stand before the picture."""


def hard_page(study: Study, adjudicated: Adjudicated | None = None) -> str:
    """The page. Everything in it but our own SVG is escaped, the claims and the opinions above all."""
    source = files("parcel_agents.eval.hard").joinpath("templates", "hard.html").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    tables = study_tables(study)
    return environment.from_string(source).render(
        title=f"Hard claims of {study.board.title}",
        facts=facts(study.board.metas),
        notes=study.notes,
        stopped=study.stopped,
        findings=findings(study),
        first=[_table(table) for table in tables if table.key in FIRST],
        picture=failure_picture(study),
        tables=[_table(table) for table in tables if table.key not in FIRST],
        cards=cards(study),
        verifiers=len(study.failures.names),
        adjudicated=adjudicated,
        changes=_changes(adjudicated),
    )


def _changes(adjudicated: Adjudicated | None) -> list[dict[str, Any]]:
    changes = adjudicated.changes if adjudicated else ()
    return [
        {"verifier": one.verifier, "cells": [f"{one.before[key]:.3f} → {one.after[key]:.3f}" for key in FIGURES]}
        for one in changes
    ]


def _table(table: Table) -> dict[str, Any]:
    forms = [column.form for column in table.columns]
    return {
        "id": table.key,
        "title": heading(table),
        "first": table.first,
        "columns": [f"{column.title}, {column.group}" if column.group else column.title for column in table.columns],
        "rows": [{"name": row.name, "cells": _cells(row.cells, forms)} for row in table.rows],
        "notes": [note for note in table.notes if note],
    }


def _cells(cells: Sequence[Any], forms: Sequence[Any]) -> list[dict[str, str]]:
    return [
        {"text": plain(cell, form), "interval": interval(cell, form).replace("-", "–")}
        for cell, form in zip(cells, forms, strict=True)
    ]
