"""The table of a job as a file: for a spreadsheet, as data with all traces, and as a Word document."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from parcel_agents.errors import MissingDependencyError
from parcel_agents.server.record import JobRecord
from parcel_agents.server.table import Row, rows_of
from parcel_agents.server.words import progress_of
from parcel_agents.traces.building import make_book, traced
from parcel_agents.traces.model import Trace
from parcel_agents.traces.text_marks import harmless
from parcel_agents.types import Opinion

EXPORT_SCHEMA_VERSION = 1
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"""A cell that begins with one of these would be worked out by a spreadsheet."""
_NOT_IN_XML = re.compile("[\ufffe\uffff]")
_WORD_HEADS = ("No.", "Claim and authority", "Machine’s verdict", "Why, and evidence", "Reader’s decision")
_WIDTHS = (1.0, 7.0, 3.2, 9.5, 5.0)
"""Of the columns, in centimetres."""


@dataclass(frozen=True)
class Export:
    """A kind of file."""

    media_type: str
    write: Callable[[JobRecord], bytes]


def as_csv(record: JobRecord) -> bytes:
    """The table for a spreadsheet, in UTF-8 with the mark by which spreadsheets know that."""
    out = io.StringIO()
    # Quoted throughout: a spreadsheet that splits at semicolons, too, would begin a cell in the middle of a text.
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow(Row.columns())
    for row in _rows(record):
        writer.writerow([_no_formula(harmless(value)) for value in row.values()])
    return out.getvalue().encode("utf-8-sig", "replace")


def as_json(record: JobRecord) -> bytes:
    """The book of traces, and the decisions beside it."""
    traces = record.traces()
    done = {trace.number for trace in traces}
    job = record.job
    book = make_book(
        f"Check of {job.brief.name}",
        "brief",
        tuple(traces),
        _opinions(record, traces),
        asked=job.asked,
        notes=job.notes,
    )
    data = {
        "schema_version": EXPORT_SCHEMA_VERSION,
        "job": {"id": job.id, "created": job.created, "state": job.state, "progress": progress_of(record).words},
        "book": book.model_dump(mode="json"),
        "not_checked_yet": [one.model_dump(mode="json") for one in record.claims.claims if one.number not in done],
        "decisions": [decision.model_dump(mode="json") for decision in record.decisions()],
    }
    return json.dumps(data, ensure_ascii=False, indent=1).encode("utf-8", "replace")


def as_docx(record: JobRecord) -> bytes:
    """The table as a Word document, on its side.

    Raises:
        MissingDependencyError: python-docx is not installed.
    """
    try:
        import docx
        from docx.enum.section import WD_ORIENT
        from docx.shared import Cm, Pt
    except ImportError as error:
        raise MissingDependencyError(
            "writing DOCX needs python-docx; install it with: pip install 'parcel-agents[docs]'"
        ) from error
    document = docx.Document()
    page = document.sections[0]
    page.orientation = WD_ORIENT.LANDSCAPE
    page.page_width, page.page_height = Cm(29.7), Cm(21.0)
    page.left_margin = page.right_margin = page.top_margin = page.bottom_margin = Cm(2)
    document.styles["Normal"].font.size = Pt(9)
    document.add_heading(_plain(f"Check of {record.job.brief.name}"), 1)
    document.add_paragraph(_plain(f"{progress_of(record).words}. A claim that was not checked may be true or false."))
    for note in record.job.notes:
        document.add_paragraph(_plain(note))
    table = document.add_table(rows=1, cols=len(_WORD_HEADS))
    table.style = "Table Grid"
    table.autofit = False
    for cell, head in zip(table.rows[0].cells, _WORD_HEADS, strict=True):
        cell.paragraphs[0].add_run(head).bold = True
    for row in _rows(record):
        made = table.add_row().cells
        for cell, value in zip(made, _cells(row), strict=True):
            cell.text = _plain(value)
    for column, width in zip(table.columns, _WIDTHS, strict=True):
        for cell in column.cells:
            cell.width = Cm(width)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


EXPORTS: Mapping[str, Export] = {
    "csv": Export("text/csv; charset=utf-8", as_csv),
    "json": Export("application/json", as_json),
    "docx": Export("application/vnd.openxmlformats-officedocument.wordprocessingml.document", as_docx),
}


def _rows(record: JobRecord) -> list[Row]:
    traces = record.traces()
    return rows_of(record, traces, {id: traced(one) for id, one in _opinions(record, traces).items()})


def _opinions(record: JobRecord, traces: list[Trace]) -> dict[str, Opinion]:
    wanted = dict.fromkeys(trace.opinion_id for trace in traces if trace.opinion_id is not None)
    return {id: record.opinion(id) for id in wanted}


def _cells(row: Row) -> tuple[str, ...]:
    checked = "" if row.checked == "yes" else "\nNOT CHECKED"
    evidence = f"\n“{row.evidence}”\n{row.evidence_cite or row.evidence_voice}" if row.evidence else ""
    decided = f"{row.decision}\n{row.note}\n{row.decided_at}, by {row.decided_by}" if row.decision else ""
    return (
        row.number,
        f"{row.claim}\n{row.cited}",
        f"{row.machine_verdict}{checked}",
        f"{row.why}{evidence}",
        "\n".join(line for line in decided.splitlines() if line),
    )


def _no_formula(value: str) -> str:
    return f"'{value}" if value.startswith(_FORMULA) else value


def _plain(value: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", harmless(value))
