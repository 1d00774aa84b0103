"""The commands `cite` and `harvest` on opinions, briefs and other texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from parcel_agents.cli import cite, harvest

app = typer.Typer()
app.command("cite")(cite.cite)
app.command("harvest")(harvest.harvest)

OPINION = """# People v Pell

**2031 NY Slip Op 00123 [57 NY3d 12]**

OPINION OF THE COURT

Orne, J.

The stop was lawful. A search needs cause (see *People v Marlowe*, 31 NY3d 201, 208 [2018] [holding that a search of a
locker needs a warrant]). None was needed here, since the door stood open and the officer saw all of it.

Tarn, J. (dissenting). I disagree, for the door was shut (*but see Quist v Ferris*, 61 NY2d 501 [1984] ["an open door
invites"]), and nobody saw anything before the officer had opened it with her own hand.
"""
BRIEF = """BRIEF FOR THE APPELLANT

The stop was unlawful. See Orne v. Tarn, 12 F.3d 4, 6 (2d Cir. 1993) (holding that a stop needs cause). Nothing more
need be said of it, and the judgment should be reversed for that reason and for no other.
"""


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments))


def read(*arguments: str) -> list[dict[str, Any]]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def written(folder: Path, name: str, text: str) -> str:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_cite_prints_a_row_per_citation_with_its_part(tmp_path: Path) -> None:
    rows = read("cite", written(tmp_path, "pell.md", OPINION))
    assert [row["cite"] for row in rows] == ["2031 NY Slip Op 00123", "31 NY3d 201", "61 NY2d 501"]
    own, first, second = rows
    assert (own["name"], own["parallel"]) == ("People v Pell", ["57 NY3d 12"])
    assert (first["name"], first["pin"], first["year"], first["signal"]) == ("People v Marlowe", "208", 2018, "see")
    assert first["parenthetical"] == "holding that a search of a\nlocker needs a warrant".replace("\n", " ")
    assert [row["part"] for row in rows] == ["front", "majority", "dissent"]
    assert second["voice"] == "dissent (Tarn, J.)"
    assert {"start", "end", "text", "kind", "court", "history", "schema_version"} <= set(first)


def test_harvest_prints_claims_with_authority_signal_and_voice(tmp_path: Path) -> None:
    rows = read("harvest", written(tmp_path, "pell.md", OPINION))
    assert [(row["claim"], row["authority"]["cite"], row["signal"], row["part"]) for row in rows] == [
        ("(holding that a search of a locker needs a warrant)", "31 NY3d 201", "see", "majority"),
        ('("an open door invites")', "61 NY2d 501", "but see", "dissent"),
    ]


def test_a_brief_speaks_with_no_court_s_voice(tmp_path: Path) -> None:
    (row,) = read("cite", written(tmp_path, "brief.txt", BRIEF))
    assert (row["cite"], row["court"], row["part"], row["voice"]) == ("12 F.3d 4", "2d Cir.", None, None)
    (claim,) = read("harvest", written(tmp_path, "brief.txt", BRIEF))
    assert claim["claim"] == "(holding that a stop needs cause)"


def test_a_text_that_is_no_opinion_is_read_all_the_same(tmp_path: Path) -> None:
    (row,) = read("cite", written(tmp_path, "note.txt", "Orne v. Tarn, 12 F.3d 4 (1993)"))
    assert (row["name"], row["part"]) == ("Orne v. Tarn", None)


def test_several_files_are_harvested_in_order(tmp_path: Path) -> None:
    files = [written(tmp_path, "brief.txt", BRIEF), written(tmp_path, "pell.md", OPINION)]
    assert [row["file"] for row in read("harvest", *files)] == [files[0], files[1], files[1]]


def test_without_json_a_line_per_row(tmp_path: Path) -> None:
    file = written(tmp_path, "pell.md", OPINION)
    assert "People v Marlowe, 31 NY3d 201, 208 [2018] (holding that a search" in run("cite", file).stdout
    assert "but see Quist v Ferris, 61 NY2d 501 [1984]: (" in run("harvest", file).stdout


@pytest.mark.parametrize("command", ["cite", "harvest"])
def test_what_cannot_be_read_is_an_error(command: str, tmp_path: Path) -> None:
    result = run(command, str(tmp_path / "missing.md"))
    assert result.exit_code == 2
    assert "missing.md" in result.stderr
