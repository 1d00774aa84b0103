from __future__ import annotations

from pathlib import Path

import pytest

from parcel_agents.briefs.shelf import Authority, Shelf
from parcel_agents.briefs.shelved import plain_cite
from parcel_agents.errors import InputError

BODY = "The harbor officer boarded the boat at its berth and asked nobody for the missing extinguisher that day. " * 4


def ny(name: str, cite: str, year: int) -> str:
    return f"# *{name}*\n**{cite}**  \n**June 11, {year}**  \n\nOPINION OF THE COURT\n\nFerris, J.\n\n{BODY}\n"


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    files = {
        "marlowe.md": ny("People v Marlowe", "7 NY3d 210", 2024),
        "hathersage_2019.md": ny("People v Hathersage", "4 NY3d 77", 2019),
        "hathersage_2021.md": ny("People v Hathersage", "5 NY3d 12", 2021),
        "Quist_v_Harbor_Bldg_Dept.txt": BODY,
        "Wren_v_State.html": f"<p>{BODY}<span class='star-pagination'>*212</span> {BODY}</p>",
        "Wren_v_State_summary.txt": BODY,
        "Ferris_v_Quist.txt": BODY,
        "Ferris_v_Quist.html": f"<opinion><author>LUND, Circuit Judge:</author><p>{BODY}</p></opinion>",
        "Oyster_Bank_v_Abara_In_re_Abara.html": f"<p>{BODY}<span class='star-pagination'>*508</span> {BODY}</p>",
        "Orlo_v_Great_Tidal_Ferry_Works_Inc.html": (
            f"<p>The Dunmarrow Bell claims were settled. {BODY}<span class='star-pagination'>*612</span> {BODY}</p>"
        ),
        "notes.csv": "not an opinion",
        "empty.txt": "",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return Shelf.read(tmp_path)


def test_what_cannot_be_read_is_said_and_other_files_are_passed_over(shelf: Shelf) -> None:
    assert len(shelf.files) == 9
    summary, fault = shelf.unreadable
    assert "empty.txt" in fault
    assert summary == "Wren_v_State_summary.txt: by its name and its text a summary, no opinion"


@pytest.mark.parametrize(
    ("authority", "file", "why"),
    [
        (Authority("7 N.Y.3d 210", "People v. Marlowe", 2024), "marlowe.md", "by cite"),
        (Authority("99 AD3d 1", "People v Marlowe", 2024, ("7 NY3d 210",)), "marlowe.md", "by cite"),
        (Authority("7 NY3d 210", None, None), "marlowe.md", "by cite"),
        # Two of one name: cite or year tell them apart.
        (Authority("5 NY3d 12", "People v Hathersage", None), "hathersage_2021.md", "by cite"),
        (Authority("2019 NY Slip Op 04711", "People v Hathersage", 2019), "hathersage_2019.md", "by name and year"),
        (
            Authority("88 F.3d 1", "Quist v. Harbor Building Department", 2001),
            "Quist_v_Harbor_Bldg_Dept.txt",
            "by name",
        ),
        # The file's pages begin where the cite does; the other file of this name has no pages.
        (Authority("61 So. 3d 210", "Wren v. State", 1999), "Wren_v_State.html", "pages begin where the cite says"),
        # Of two files of one name the one in which a court speaks.
        (Authority("9 F.4th 30", "Ferris v. Quist", 2021), "Ferris_v_Quist.html", "by name"),
        # The proceeding's name, and a name of which one party is in the text alone: only with the right pages.
        (
            Authority("37 F.2d 505", "In re Abara", 1991),
            "Oyster_Bank_v_Abara_In_re_Abara.html",
            "where its pages begin",
        ),
        (
            Authority("37 F.2d 505", "Matter of Abara", 1991),
            "Oyster_Bank_v_Abara_In_re_Abara.html",
            "where its pages begin",
        ),
        (
            Authority("57 F.3d 610", "Dunmarrow Bell v. Great Tidal Ferry Works, Inc.", 2017),
            "Orlo_v_Great_Tidal_Ferry_Works_Inc.html",
            "where its pages begin",
        ),
    ],
)
def test_an_authority_at_hand(shelf: Shelf, authority: Authority, file: str, why: str) -> None:
    match = shelf.match(authority)
    assert match.shelved is not None, match
    assert (match.status, match.shelved.file) == ("at_hand", file)
    assert why in match.why


@pytest.mark.parametrize(
    ("authority", "status", "why", "candidates"),
    [
        # Name and cite disagree: never guess which of them is right.
        (Authority("7 NY3d 210", "People v Quist", 2024), "not_matched", "is named People v Marlowe", ("marlowe.md",)),
        (Authority("9 NY3d 300", "People v Marlowe", 2024), "not_matched", "is not 9 NY3d 300", ("marlowe.md",)),
        (Authority("61 AD3d 902", "People v Marlowe", 2022), "not_matched", "is of 2024, not 2022", ("marlowe.md",)),
        (Authority("61 AD3d 902", "People v Hathersage", None), "not_matched", "several files have this name", None),
        (Authority("3 NY3d 5", "People v Dunmarrow", 2018), "not_at_hand", "no file has its cite or name", None),
        (
            Authority("3 F.3d 5", "Quist v. Harbor Tax Comm’n", 2018),
            "not_at_hand",
            "no file",
            ("Quist_v_Harbor_Bldg_Dept.txt",),
        ),
        (Authority("3 NY3d 5", None, None), "not_at_hand", "no file has its cite or name", ()),
        # Another proceeding of the same debtor, another party, another common name: nothing is guessed.
        (Authority("37 F.2d 940", "In re Abara", 1991), "not_at_hand", "no file", None),
        (Authority("37 F.2d 505", "In re Wren", 1991), "not_at_hand", "no file", None),
        (Authority("57 F.3d 610", "Lund v. Great Tidal Ferry Works, Inc.", 2017), "not_at_hand", "no file", None),
        (Authority("57 F.3d 88", "Dunmarrow Bell v. Great Tidal Ferry Works", 2017), "not_at_hand", "no file", None),
    ],
)
def test_an_authority_that_is_not_matched(
    shelf: Shelf, authority: Authority, status: str, why: str, candidates: tuple[str, ...] | None
) -> None:
    match = shelf.match(authority)
    assert (match.status, match.shelved) == (status, None)
    assert why in match.why
    assert candidates is None or match.candidates == candidates


def test_a_folder_is_needed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder"):
        Shelf.read(tmp_path / "none")
    (tmp_path / "notes.csv").write_text("x")
    with pytest.raises(InputError, match="holds no opinion"):
        Shelf.read(tmp_path)


def test_cites_are_compared_without_spaces_and_periods() -> None:
    assert plain_cite("387 U. S. 136") == plain_cite("387 US 136")
