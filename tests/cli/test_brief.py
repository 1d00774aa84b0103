from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from parcel_agents.cli import app

OPINION = """# *People v Marlowe*
**47 NY3d 910**\x20\x20
**June 11, 2024**\x20\x20

Fictional; no such case exists.

OPINION OF THE COURT

Ferris, J.

The People bear the burden of proving that each limit was observed, and a silent record counts against them. A harbor
officer may open a locker only after the owner has been asked for the missing extinguisher and has failed to show it.
"""

BRIEF = """BRIEF FOR APPELLANT (fictional)

A search of a moored vessel is unreasonable where nobody asked the owner (see People v Marlowe, 47 NY3d 910, 914 [2024]
[the People bear the burden of proving that each limit was observed, and a silent record counts against them]). The
same opinion is often misquoted (see People v Marlowe, 47 NY3d 910, 915 [2024] ["every vessel in a public harbor carries
its owner's consent to a search of all closed compartments"]). Other authority agrees (People v Dunmarrow, 46 NY3d 118,
125 [2019] [holding that a locker is no less private than a trunk]), and so does a case whose cite is wrong (People v
Marlowe, 49 NY3d 300 [2024] [holding that the owner must be asked first]).
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    brief = tmp_path / "brief.txt"
    brief.write_text(BRIEF)
    folder = tmp_path / "opinions"
    folder.mkdir()
    (folder / "people_v_marlowe.md").write_text(OPINION)
    return brief, folder


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["brief", *(str(argument) for argument in arguments)])


def rows_of(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_existence_and_support_are_two_things(files: tuple[Path, Path]) -> None:
    brief, folder = files
    result = invoke(brief, "--opinions", folder, "--json")
    assert result.exit_code == 1, result.output
    repeated, misquoted, absent, wrong_cite = rows_of(result)
    assert (repeated["status"], repeated["file"]) == ("supported", "people_v_marlowe.md")
    assert repeated["verdict"]["evidence"][0]["text"].startswith("The People bear the burden")
    assert repeated["authority"] == {"name": "People v Marlowe", "cite": "47 NY3d 910", "year": 2024, "court": None}
    assert misquoted["status"] == "not found"
    assert [quoted["status"] for quoted in misquoted["quotations"]] == ["absent"]
    assert "do not stand in the opinion" in misquoted["verdict"]["votes"][0]["reason"]
    # What is not at hand has no verdict, and is not among what is not supported.
    assert (absent["status"], absent["verdict"], absent["authority_status"]) == ("not at hand", None, "not_at_hand")
    assert (wrong_cite["status"], wrong_cite["verdict"]) == ("not matched", None)
    assert wrong_cite["candidates"] == ["people_v_marlowe.md"]
    assert "1 of 3 decisions cited are at hand; 4 explanatory parentheticals" in result.stderr


def test_a_reader_sees_cite_file_and_reason(files: tuple[Path, Path]) -> None:
    brief, folder = files
    result = invoke(brief, "--opinions", folder)
    lines = result.stdout
    assert "SUPPORTED        (the People bear the burden" in lines
    assert "cited: see People v Marlowe, 47 NY3d 910, 914 (2024)" in lines
    assert "opinion: people_v_marlowe.md (by cite)" in lines
    assert "does not stand in the opinion" in lines
    assert "NOT AT HAND" in lines
    assert "opinion: the file of this name is not 49 NY3d 300; nearest: people_v_marlowe.md" in lines


@pytest.mark.parametrize(
    ("brief", "message"),
    [("none.txt", "none.txt"), ("nothing.txt", "cites no decision")],
)
def test_bad_briefs_are_refused(files: tuple[Path, Path], brief: str, message: str) -> None:
    (files[0].parent / "nothing.txt").write_text("The appellant asks this Court to reverse the order below. " * 20)
    result = invoke(files[0].parent / brief, "--opinions", files[1])
    assert (result.exit_code, message in result.stderr) == (2, True)


def test_a_brief_without_a_claim_does_not_pass_for_one_that_was_checked(files: tuple[Path, Path]) -> None:
    (files[0].parent / "bare.txt").write_text("The rule is settled (People v Marlowe, 47 NY3d 910, 914 [2024]).")
    result = invoke(files[0].parent / "bare.txt", "--opinions", files[1])
    assert (result.exit_code, result.stdout) == (1, "")


def test_a_missing_folder_is_refused(files: tuple[Path, Path]) -> None:
    result = invoke(files[0], "--opinions", files[1] / "none")
    assert (result.exit_code, "is no folder" in result.stderr) == (2, True)


def test_a_cite_under_a_second_name_is_not_matched(files: tuple[Path, Path]) -> None:
    brief, folder = files
    brief.write_text(
        f"{BRIEF}\nIt was said elsewhere, too (see People v Quist, 47 NY3d 910, 914 [2024] [holding that a locker is "
        "no less private than a trunk]).\n"
    )
    *_, misnamed = rows_of(invoke(brief, "--opinions", folder, "--json"))
    assert (misnamed["status"], misnamed["verdict"]) == ("not matched", None)
    assert misnamed["authority_why"] == "the file with this cite is named People v Marlowe"


ELSEWHERE = """# *People v Dunmarrow*
**46 NY3d 118**\x20\x20
**May 7, 2019**\x20\x20

Fictional; no such case exists.

OPINION OF THE COURT

Ferris, J.

We hold that a locker is no less private than a trunk. The officer who opens it without asking its owner searches it.
"""


@pytest.fixture
def config(files: tuple[Path, Path]) -> Path:
    """A configuration beside a second folder of opinions."""
    home = files[0].parent / "firm"
    (home / "library").mkdir(parents=True)
    (home / "library" / "dunmarrow.md").write_text(ELSEWHERE)
    # The source has the opinion of the wrong cite's name too, which a person has to sort out.
    (home / "library" / "marlowe.md").write_text(OPINION.replace("47 NY3d 910", "49 NY3d 300"))
    (home / "mine.toml").write_text(
        "[settings]\nsources = ['gone', 'firm']\n[source.firm]\nkind = 'folder'\nfolder = 'library'\n"
        "[source.gone]\nkind = 'folder'\nfolder = 'none'\n"
    )
    return home / "mine.toml"


def test_a_source_gives_the_opinion_that_is_not_in_the_folder(files: tuple[Path, Path], config: Path) -> None:
    brief, folder = files
    result = invoke(brief, "--opinions", folder, "--config", config, "--json")
    repeated, _, found, wrong_cite = rows_of(result)
    assert (found["status"], found["authority_status"]) == ("supported", "at_hand")
    assert (found["file"], found["authority_why"]) == ("firm/dunmarrow.md", "by cite, from the source firm")
    assert repeated["authority_why"] == "by cite"
    assert (wrong_cite["status"], wrong_cite["candidates"]) == ("not matched", ["people_v_marlowe.md"])
    assert "2 of 3 decisions cited are at hand" in result.stderr
    shown = invoke(brief, "--opinions", folder, "--config", config).stdout
    assert "opinion: firm/dunmarrow.md (by cite, from the source firm)" in shown


def test_a_source_that_fails_leaves_the_claim_unchecked_and_says_why(files: tuple[Path, Path], config: Path) -> None:
    brief, folder = files
    (config.parent / "library" / "dunmarrow.md").unlink()
    result = invoke(brief, "--opinions", folder, "--config", config, "--json")
    assert result.exit_code == 1, result.output
    absent = rows_of(result)[2]
    assert (absent["status"], absent["verdict"]) == ("not at hand", None)
    assert absent["authority_why"] == (
        "no file has its cite or name; the source gone could not be asked (InputError: its folder is not there); "
        "the source firm has none"
    )


def test_an_unknown_source_is_refused(files: tuple[Path, Path], config: Path) -> None:
    config.write_text("[settings]\nsources = ['frim']\n[source.firm]\nkind = 'folder'\nfolder = 'library'\n")
    result = invoke(files[0], "--opinions", files[1], "--config", config)
    assert (result.exit_code, "known: firm" in result.stderr) == (2, True)
