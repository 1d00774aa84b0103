"""`parcel-agents bench files` and the comparison behind it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from parcel_agents.cli import app
from parcel_agents.eval.described import agrees

PROSE = (
    "The keeper of the harbor let the gate stand open all night although the county had told him to close it at dusk."
)
TEXT = f"ADA ARDEN,\nPlaintiff,\nv.\nBEN BRILL,\nDefendant.\n\nFiled: May 2, 2031\n\nHALE, J.\n\n{PROSE}\n"


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["bench", "files", *map(str, arguments)])


def folder(path: Path, **wrong: Any) -> Path:
    (path / "harbor.txt").write_text(TEXT, encoding="utf-8")
    row = {
        "file": "harbor.txt",
        "kind": "txt",
        "name": "Arden v. Brill",
        "citation": None,
        "court": None,
        "date": "2031-05-02",
        "author": "Hale",
        "parts": ["majority"],
    }
    (path / "expected.jsonl").write_text(json.dumps(row | wrong) + "\n", encoding="utf-8")
    return path


def test_it_prints_the_share_right_by_field_and_kind(tmp_path: Path) -> None:
    row = json.loads(invoke(folder(tmp_path), "--json").stdout)
    assert (row["files"], row["all"], row["date"]) == (1, "6/6 (100.0%)", "1/1 (100.0%)")
    assert row["by_kind"] == {"txt": "6/6 (100.0%)"}


def test_it_lists_what_differs(tmp_path: Path) -> None:
    result = invoke(folder(tmp_path, court="Supreme Court of Ohio"), "--list")
    assert result.exit_code == 0
    assert "harbor.txt: court: expected 'Supreme Court of Ohio', found None" in result.stdout


def test_file_that_cannot_be_read_is_wrong_in_every_field(tmp_path: Path) -> None:
    row = json.loads(invoke(folder(tmp_path, file="none.txt"), "--json").stdout)
    assert row["all"] == "0/6 (0.0%)"


@pytest.mark.parametrize(("text", "reason"), [(None, "has no expected.jsonl"), ("{", "line 1"), ("{}", "'file'")])
def test_folder_without_a_table_is_bad_input(tmp_path: Path, text: str | None, reason: str) -> None:
    if text is not None:
        (tmp_path / "expected.jsonl").write_text(text, encoding="utf-8")
    result = invoke(tmp_path)
    assert result.exit_code == 2
    assert reason in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("field", "found", "wanted", "same"),
    [
        ("name", "ADA ARDEN v. Ben K. Brill", "Arden v Brill", True),
        ("name", "State of Ohio v. Arden", "State v. Arden", True),
        ("name", "Arden v. Brill", "Brill v. Arden", False),
        ("name", "In the Interest of A. B.", "In re A.B.", True),
        ("name", "In re Arden", "Arden v. Brill", False),
        ("name", None, "Arden v. Brill", False),
        ("name", "Arden v. Brill", None, False),
        ("citation", "99 So. 2d 4", "99 So.2d 4", True),
        ("citation", "99 So. 2d 4", "99 So. 2d 5", False),
        ("court", "United States Supreme Court", "Supreme Court of the United States", True),
        ("court", "Ohio Supreme Court", "Supreme Court of Ohio", True),
        (
            "court",
            "Court of Appeals of Ohio, Second Appellate District, Dunham County",
            "Court of Appeals of Ohio",
            True,
        ),
        ("court", "Court of Appeals", "Court of Appeals of Ohio", False),
        ("court", "Superior Court of Ohio", "Supreme Court of Ohio", False),
        ("date", "Sept. 2, 2031", "2031-09-02", True),
        ("date", "May 2, 2031", "May 3, 2031", False),
        ("author", "HALE, C.J.", "Hale", True),
        ("author", "QUIST, J.", ["Hale", "Quist"], True),
        ("author", "QUIST, J.", "Hale", False),
        ("parts", ["dissent", "majority"], ["majority", "dissent"], True),
        ("parts", ["majority"], ["majority", "dissent"], False),
    ],
)
def test_fields_compare_as_a_lawyer_would(field: str, found: Any, wanted: Any, same: bool) -> None:
    assert agrees(field, found, wanted) is same
