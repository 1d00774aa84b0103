"""The exported table read back."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import docx
import pytest
from fakes.checks import Server, Slow, serving
from fakes.traces import HOSTILE

from parcel_agents.server.record import JobRecord
from parcel_agents.traces import TraceBook


def export(server: Server, record: JobRecord, kind: str) -> Any:
    answer = server.client.get(f"/jobs/{record.job.id}/export.{kind}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == f'attachment; filename="citations-{record.job.id[:8]}.{kind}"'
    return answer


def table(server: Server, record: JobRecord) -> list[dict[str, str]]:
    text = export(server, record, "csv").content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def decided(server: Server) -> JobRecord:
    record = server.checked()
    server.post(f"/jobs/{record.job.id}/claims/1/decision", kind="accepted")
    server.post(
        f"/jobs/{record.job.id}/claims/2/decision", kind="overridden", label="refuted", note="=cmd|' /C calc'!A0"
    )
    return record


def test_csv(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        first, second, third, absent = table(server, decided(server))
    assert first["claim"].startswith("(the People bear the burden")
    assert (first["machine_verdict"], first["checked"], first["decision"]) == ("Supported", "yes", "Accepted")
    assert first["cited"] == "People v Marlowe, 47 NY3d 910 (2024)"
    assert first["opinion_file"] == "people_v_marlowe.md"
    assert first["evidence"].startswith("The People bear the burden")
    assert (second["machine_verdict"], second["reader_verdict"]) == ("Not found", "Refuted")
    assert (second["decision"], second["decided_by"]) == ("Overridden: refuted", "unknown")
    # A spreadsheet must not work out what a reader or a brief has written.
    assert second["note"] == "'=cmd|' /C calc'!A0"
    assert (third["decision"], third["reader_verdict"]) == ("", "")
    assert (absent["machine_verdict"], absent["checked"], absent["evidence"]) == ("Opinion not at hand", "no", "")


def test_json(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = decided(server)
        data = export(server, record, "json").json()
    book = TraceBook.model_validate(data["book"])
    assert [trace.status for trace in book.traces] == ["supported", "not_found", "supported", "not_at_hand"]
    assert len(book.opinions) == 2
    assert book.asked.panel == "quick"
    assert [one["kind"] for one in data["decisions"]] == ["accepted", "overridden"]
    assert data["decisions"][1]["machine"] == "not_found"
    assert data["not_checked_yet"] == []
    assert str(tmp_path) not in json.dumps(data)


def test_docx(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        data = export(server, decided(server), "docx").content
    document = docx.Document(io.BytesIO(data))
    (found,) = document.tables
    rows = [[cell.text for cell in row.cells] for row in found.rows]
    assert rows[0] == ["No.", "Claim and authority", "Machine’s verdict", "Why, and evidence", "Reader’s decision"]
    assert len(rows) == 5
    assert rows[1][2] == "Supported"
    assert rows[2][2] == "Not found"
    assert rows[2][4].startswith("Overridden: refuted\n=cmd")
    assert "by unknown" in rows[2][4]
    assert rows[4][2] == "Opinion not at hand\nNOT CHECKED"
    assert "3 of 3 citations checked" in document.paragraphs[1].text


def test_what_waits_is_exported_as_not_checked(tmp_path: Path) -> None:
    with serving(tmp_path, slow=Slow()) as server:
        record = server.begin()
        server.wait(record, "checking", claims=1)
        rows = table(server, record)
        assert [row["checked"] for row in rows] == ["no"] * 4
        assert rows[0]["machine_verdict"] == "Not checked yet"
        assert len(export(server, record, "json").json()["not_checked_yet"]) == 3
        assert export(server, record, "docx").content[:2] == b"PK"


@pytest.mark.parametrize("kind", ["csv", "json", "docx"])
def test_hostile_notes_are_written(tmp_path: Path, kind: str) -> None:
    with serving(tmp_path) as server:
        record = server.checked()
        for note in (*HOSTILE, "\ufffe\uffff\x01 odd \u202e signs", "\t=1+1"):
            server.post(f"/jobs/{record.job.id}/claims/1/decision", kind="accepted", note=note)
            export(server, record, kind)


def test_without_python_docx_the_page_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as server:
        record = server.checked()
        monkeypatch.setitem(__import__("sys").modules, "docx", None)
        answer = server.client.get(f"/jobs/{record.job.id}/export.docx")
        assert (answer.status_code, "parcel-agents[docs]" in answer.text) == (501, True)


def test_every_cell_is_quoted(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = server.checked()
        server.post(f"/jobs/{record.job.id}/claims/1/decision", kind="accepted", note="x;=1+1")
        server.post(f"/jobs/{record.job.id}/claims/2/decision", kind="accepted", note="\uff1d1+1")
        text = export(server, record, "csv").content.decode("utf-8-sig")
    assert '"x;=1+1"' in text
    assert '"\'\uff1d1+1"' in text
