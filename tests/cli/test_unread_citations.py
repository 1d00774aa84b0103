"""What stands behind citations that are not read, as `brief` and `harvest` show it. All cases are made up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from parcel_agents.cli import app

OPINION = """# *People v Marlowe*
**47 NY3d 910**\x20\x20
**June 11, 2024**\x20\x20

OPINION OF THE COURT

Ferris, J.

The People bear the burden of proving that each limit was observed, and a silent record counts against them.
"""
SUPPORTED = (
    "A search is unreasonable (see People v Marlowe, 47 NY3d 910, 914 [2024] [the People bear the burden of proving"
    " that each limit was observed, and a silent record counts against them])."
)
UNREAD = "So it was found below. See ECF No. 12 at 3 (finding that the gate was dark)."
WHY = "not checked: the citation before it is in a form that is not read"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "opinions"
    made.mkdir()
    (made / "people_v_marlowe.md").write_text(OPINION)
    return made


@pytest.mark.parametrize(("text", "status"), [(SUPPORTED, 0), (f"{SUPPORTED}\n\n{UNREAD}", 1), (UNREAD, 1)])
def test_a_brief_is_not_all_supported_where_something_was_not_checked(folder: Path, text: str, status: int) -> None:
    brief = folder.parent / "brief.txt"
    brief.write_text(text)
    result = CliRunner().invoke(app, ["brief", str(brief), "--opinions", str(folder), "--json"])
    assert result.exit_code == status, result.output
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["authority_why"] for row in rows if row["status"] == "not matched"] == [WHY] * status


def test_a_reader_sees_what_was_not_checked_and_why(folder: Path) -> None:
    brief = folder.parent / "brief.txt"
    brief.write_text(f"{SUPPORTED}\n\n{UNREAD}")
    shown = CliRunner().invoke(app, ["brief", str(brief), "--opinions", str(folder)]).stdout
    assert "(finding that the gate was dark)" in shown
    assert WHY in " ".join(shown.split())


def test_harvest_lists_what_is_not_checked_with_the_reason(folder: Path) -> None:
    brief = folder.parent / "brief.txt"
    brief.write_text(f"{SUPPORTED}\n\n{UNREAD}")
    rows = [json.loads(line) for line in CliRunner().invoke(app, ["harvest", str(brief), "--json"]).stdout.splitlines()]
    assert [row["unchecked"] for row in rows] == [None, WHY.removeprefix("not checked: ")]
    assert rows[1]["authority"]["cite"] == "ECF No. 12 at 3"
    assert WHY in CliRunner().invoke(app, ["harvest", str(brief)]).stdout
