"""A report as one page of HTML that needs nothing beside it: no script, no style sheet, no network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import groupby
from typing import Any

from jinja2 import Environment, StrictUndefined

from parcel_agents.eval.report.figures import Picture
from parcel_agents.eval.report.table_formats import heading, interval, plain
from parcel_agents.eval.report.tables import Table
from parcel_agents.store import RunMeta


@dataclass(frozen=True)
class Section:
    """Runs on the same claims, as the page shows them."""

    title: str
    facts: tuple[tuple[str, str], ...]
    """What was run, as names and values."""
    notes: tuple[str, ...]
    tables: Sequence[Table]
    pictures: Sequence[Picture]
    findings: tuple[str, ...] = field(default=())
    """Sentences on how independent the votes are."""


def report_page(title: str, sections: Sequence[Section]) -> str:
    """The page. Everything in it but our own SVG is escaped, names of verifiers and data sets above all."""
    source = files("parcel_agents.eval.report").joinpath("templates", "report.html").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    shown = [_section(place, section) for place, section in enumerate(sections, 1)]
    return environment.from_string(source).render(title=title, sections=shown)


def facts(metas: Sequence[tuple[str, RunMeta]]) -> tuple[tuple[str, str], ...]:
    """What was run: data set, panel, policy, versions, when; by run where several differ in it."""
    by_run = [(name, _facts(meta)) for name, meta in metas]
    found: list[tuple[str, str]] = []
    for key in by_run[0][1]:
        if len({described[key] for _, described in by_run}) == 1:
            found.append((key, by_run[0][1][key]))
        else:
            found += [(f"{key} ({name})", described[key]) for name, described in by_run]
    return tuple((name, value) for name, value in found if value)


def _facts(meta: RunMeta) -> dict[str, str]:
    return {
        "data set": f"{meta.dataset.name} ({meta.dataset.source}, {meta.dataset.hash})",
        "panel": f"{meta.panel.name}: {'; then '.join(', '.join(tier) for tier in meta.panel.tiers)}",
        "policy": meta.panel.policy,
        "retrieval": f"{meta.settings.retriever}, {meta.settings.top_k} passages",
        "versions": ", ".join(f"{package} {version}" for package, version in meta.versions.items()),
        "begun": meta.created,
    }


def _section(number: int, section: Section) -> dict[str, Any]:
    # Ids are unique in a page: every section has the same tables and pictures.
    before = "" if number == 1 else f"s{number}-"
    pictures = [
        {
            "id": f"{before}{picture.key}",
            "title": picture.title,
            "caption": picture.caption,
            "svg": _renamed(picture, before),
        }
        for picture in section.pictures
    ]
    return {
        "title": section.title,
        "facts": section.facts,
        "notes": section.notes,
        "tables": [_table(f"{before}{table.key}", table) for table in section.tables],
        "pictures": pictures,
        "findings": section.findings,
    }


def _renamed(picture: Picture, before: str) -> str:
    svg = picture.svg
    for opening in ('id="', 'href="#', "url(#"):
        svg = svg.replace(f"{opening}{picture.key}-", f"{opening}{before}{picture.key}-")
    return svg


def _table(id: str, table: Table) -> dict[str, Any]:
    forms = [column.form for column in table.columns]
    grouped = [(group, len(list(inside))) for group, inside in groupby(table.columns, key=lambda column: column.group)]
    return {
        "id": id,
        "title": heading(table),
        "first": table.first,
        "groups": [{"title": title, "width": width} for title, width in grouped] if any(t for t, _ in grouped) else [],
        "starts": [sum(width for _, width in grouped[:place]) for place in range(1, len(grouped))],
        "columns": [column.title for column in table.columns],
        "bodies": [
            {
                "section": name,
                "rows": [
                    {
                        "name": row.name,
                        "cells": [
                            {"text": plain(cell, form), "interval": interval(cell, form).replace("-", "–")}
                            for cell, form in zip(row.cells, forms, strict=True)
                        ],
                    }
                    for row in rows
                ],
            }
            for name, rows in groupby(table.rows, key=lambda row: row.section)
        ],
        "notes": table.notes,
    }
