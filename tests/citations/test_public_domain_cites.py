"""Cites by year and number, by docket number, and with blanks. All cases are made up; only the forms are real."""

from __future__ import annotations

import pytest

from parcel_agents.citations.model import Citation
from parcel_agents.citations.read import read_citations

SAID = " (holding that the gate was dark)"


def only(text: str) -> Citation:
    """The one decision that a text cites."""
    (found,) = [one for one in read_citations(text) if one.history_of is None]
    return found


# Cite, pin as written, and what is read: pin, court, year, parallel cites.
NUMBERED_BY_YEAR = [
    ("2031-Ohio-1234", ", ¶ 12", "¶ 12", None, 2031, ()),
    ("2031 Ohio 1234", ", at ¶ 12", "¶ 12", None, 2031, ()),
    ("2031-Ohio-1234", ", ¶ 12 (8th Dist.)", "¶ 12", "8th Dist.", 2031, ()),
    ("150 Ohio St.3d 1", ", 2031-Ohio-999, 80 N.E.3d 1, ¶ 12", "¶ 12", None, 2031, ("2031-Ohio-999", "80 N.E.3d 1")),
    ("2031-NMSC-015", ", ¶ 2, 460 P.3d 1", "¶ 2", "N.M.", 2031, ("460 P.3d 1",)),
    ("1998-NMCA-018", ", ¶¶ 2-3", "¶¶ 2-3", "N.M. Ct. App.", 1998, ()),
    ("2031-NCSC-10", ", ¶ 5", "¶ 5", "N.C.", 2031, ()),
    ("2031-NCCOA-10", ", ¶ 5", "¶ 5", "N.C. Ct. App.", 2031, ()),
    ("2031 IL App (1st) 191234", ", ¶ 5", "¶ 5", "Ill. App. Ct.", 2031, ()),
    ("2031 IL App (2d) 191234-U", ", ¶ 5", "¶ 5", "Ill. App. Ct.", 2031, ()),
    ("2031 IL 115527", ", ¶¶ 5, 7", "¶¶ 5, 7", "Ill.", 2031, ()),
    ("2031 WI 5", ", ¶7, 389 Wis. 2d 1, 937 N.W.2d 1", "¶7", "Wis.", 2031, ("389 Wis. 2d 1", "937 N.W.2d 1")),
    ("2031 WI App 12", ", ¶ 7", "¶ 7", "Wis. Ct. App.", 2031, ()),
    ("2031 ND 3", ", ¶ 7", "¶ 7", "N.D.", 2031, ()),
    ("2031 ND App 3", ", ¶ 7", "¶ 7", "N.D. Ct. App.", 2031, ()),
    ("2031 S.D. 4", ", ¶ 7, 922 N.W.2d 1", "¶ 7", "S.D.", 2031, ("922 N.W.2d 1",)),
    ("2031 SD 4", ", ¶ 7", "¶ 7", "S.D.", 2031, ()),
    ("2031 MT 5", ", ¶ 7, 359 Mont. 1", "¶ 7", "Mont.", 2031, ("359 Mont. 1",)),
    ("2031 OK 3", ", ¶ 7", "¶ 7", "Okla.", 2031, ()),
    ("2031 OK CIV APP 3", ", ¶ 7", "¶ 7", "Okla. Civ. App.", 2031, ()),
    ("2031 OK CR 3", ", ¶ 7", "¶ 7", "Okla. Crim. App.", 2031, ()),
    ("2031 UT 1", ", ¶ 7", "¶ 7", "Utah", 2031, ()),
    ("2031 UT App 1", ", ¶ 7", "¶ 7", "Utah Ct. App.", 2031, ()),
    ("2031 VT 5", ", ¶ 7", "¶ 7", "Vt.", 2031, ()),
    ("2031 WY 3", ", ¶ 7", "¶ 7", "Wyo.", 2031, ()),
    ("2031 WY 3", ", ¶ 7 (Wyo. 2031)", "¶ 7", "Wyo.", 2031, ()),
    ("2031 ME 4", ", ¶ 7", "¶ 7", "Me.", 2031, ()),
    ("2031 CO 12", ", ¶ 7", "¶ 7", "Colo.", 2031, ()),
    ("2031 CO 47M", ", ¶ 7", "¶ 7", "Colo.", 2031, ()),
    ("2031 COA 3", ", ¶ 7", "¶ 7", "Colo. App.", 2031, ()),
    ("2031 Ark. 5", ", at 7", "7", "Ark.", 2031, ()),
    ("2031 Ark. App. 5", ", at 7, 425 S.W.3d 1", "7", "Ark. Ct. App.", 2031, ("425 S.W.3d 1",)),
    ("2031 Guam 12", " ¶ 5", "¶ 5", "Guam", 2031, ()),
    ("2031 MP 3", " ¶ 5", "¶ 5", "N. Mar. I.", 2031, ()),
    ("2031 TSPR 5", "", None, "P.R.", 2031, ()),
    ("2031 PA Super 12", "", None, "Pa. Super. Ct.", 2031, ()),
    ("2031 N.H. 12", ", ¶ 5", "¶ 5", "N.H.", 2031, ()),
    ("2031 VI 3", ", ¶ 4", "¶ 4", "V.I.", 2031, ()),
    ("2031 VI Super 70U", ", ¶ 4", "¶ 4", "V.I. Super. Ct.", 2031, ()),
    ("2031 Tex. Bus. 28", ", ¶ 4", "¶ 4", "Tex. Bus. Ct.", 2031, ()),
    ("T.C. Memo. 2031-26", ", at *12", "*12", "T.C.", 2031, ()),
    ("T.C. Memo 2031-26", ", 119 T.C.M. (CCH) 100", None, "T.C.", 2031, ("119 T.C.M. (CCH) 100",)),
    ("T. C. Memo. 2031-26", ", slip op. at 12", "12", "T.C.", 2031, ()),
    ("T.C. Summary Opinion 2031-5", "", None, "T.C.", 2031, ()),
    ("T.C. Summ. Op. 2031-5", "", None, "T.C.", 2031, ()),
    ("2031 U.S. Dist. LEXIS 12345", ", at *3", "*3", None, 2031, ()),
    ("2031 WL 12345", ", at *3 (1st Cir. Mar. 2, 2030)", "*3", "1st Cir.", 2030, ()),
    # A reporter of the same name that counts volumes states no year.
    ("150 Ohio St.3d 1", ", 7", "7", None, None, ()),
    ("8 Navajo Rptr. 1", ", 7", "7", None, None, ()),
    ("150 T.C. 1", ", 7 (2031)", "7", None, 2031, ()),
    ("150 T.C. No. 5", ", slip op. at 7 (2031)", "7", None, 2031, ()),
    ("35 B.T.A. 1", ", 7 (1936)", "7", None, 1936, ()),
]


@pytest.mark.parametrize(("cite", "behind", "pin", "court", "year", "parallel"), NUMBERED_BY_YEAR)
def test_a_cite_numbered_by_year_tells_year_and_court(
    cite: str, behind: str, pin: str | None, court: str | None, year: int | None, parallel: tuple[str, ...]
) -> None:
    found = only(f"See Hale v. Rowley, {cite}{behind}{SAID}.")
    assert (found.name, found.cite, found.pin) == ("Hale v. Rowley", cite, pin)
    assert (found.court, found.year, found.parallel) == (court, year, parallel)
    assert [one.kind for one in found.parentheticals] == ["explanatory"]


# What stands behind the name, and what is read: kind, cite, pin, court, year, docket, parallel cites.
BY_DOCKET = [
    ("2031-1234 (La. 5/1/32), 300 So. 3d 1, 5", "slip", "2031-1234 (La. 5/1/32)", "5", "La.", 2032, ("300 So. 3d 1",)),
    (
        "31-123, p. 5 (La. App. 5 Cir. 12/11/31), 285 So. 3d 1",
        "slip",
        "31-123 (La. App. 5 Cir. 12/11/31)",
        "5",
        "La. App. 5 Cir.",
        2031,
        ("285 So. 3d 1",),
    ),
    ("98-123 (La. 5/1/99)", "slip", "98-123 (La. 5/1/99)", None, "La.", 1999, ()),
    ("2030-CA-01234-SCT (¶ 5) (Miss. 2031)", "slip", "2030-CA-01234-SCT", "¶ 5", "Miss.", 2031, ()),
    ("No. 2030-CA-01234-SCT, ¶ 5 (Miss. 2031)", "slip", "2030-CA-01234-SCT", "¶ 5", "Miss.", 2031, ()),
    (
        "2030-CA-01234-COA (¶5), 55 So. 3d 1 (Miss. Ct. App. 2031)",
        "slip",
        "2030-CA-01234-COA",
        "¶5",
        "Miss. Ct. App.",
        2031,
        ("55 So. 3d 1",),
    ),
    ("2030-CA-01234-SCT", "slip", "2030-CA-01234-SCT", None, "Miss.", None, ()),
    (
        "Case No. 2:29-cv-00123-ABC, Dkt. 45, at 7 (C.D. Cal. Mar. 3, 2030)",
        "docket",
        "Case No. 2:29-cv-00123-ABC, Dkt. 45",
        "7",
        "C.D. Cal.",
        2030,
        (),
    ),
    (
        "No. 29-cv-00123 (ABC), ECF No. 45 at 7 (C.D. Cal. Mar. 3, 2030)",
        "docket",
        "No. 29-cv-00123 (ABC), ECF No. 45",
        "7",
        "C.D. Cal.",
        2030,
        (),
    ),
    ("No. 32-1573, slip op. at 3 (1st Cir. 2034)", "docket", "No. 32-1573, slip op.", "3", "1st Cir.", 2034, ()),
    ("2:29-cv-00123, at 7 (D. Me. 2030)", "docket", "2:29-cv-00123", "7", "D. Me.", 2030, ()),
    ("29 Civ. 1234 (ABC) (S.D.N.Y. 2030)", "docket", "29 Civ. 1234 (ABC)", None, "S.D.N.Y.", 2030, ()),
    ("___ F.4th ___, No. 32-123, slip op. at 5 (9th Cir. 2034)", "case", "___ F.4th ___", "5", "9th Cir.", 2034, ()),
]


@pytest.mark.parametrize(("behind", "kind", "cite", "pin", "court", "year", "parallel"), BY_DOCKET)
def test_a_cite_by_docket_number_is_no_part_of_the_name(
    behind: str,
    kind: str,
    cite: str,
    pin: str | None,
    court: str | None,
    year: int | None,
    parallel: tuple[str, ...],
) -> None:
    found = only(f"See State v. Denham, {behind}{SAID}.")
    assert (found.name, found.kind, found.cite) == ("State v. Denham", kind, cite)
    assert (found.pin, found.court, found.year, found.parallel) == (pin, court, year, parallel)
    assert [one.kind for one in found.parentheticals] == ["explanatory"]


@pytest.mark.parametrize(
    ("text", "docket"),
    [
        ("Hale v. Rowley, No. 32-1573, 2034 WL 12345, at *3 (1st Cir. 2034)", "No. 32-1573"),
        ("State v. Arden, 10th Dist. Franklin No. 29AP-123, 2030-Ohio-4321, ¶ 12", "No. 29AP-123"),
        ("Hale v. Rowley, No. 32-1573 (1st Cir. 2034)", "No. 32-1573"),
        ("Hale v. Rowley, 12 F.3d 4", None),
    ],
)
def test_the_docket_number_is_kept_apart(text: str, docket: str | None) -> None:
    found = only(text)
    assert found.name in {"Hale v. Rowley", "State v. Arden"}
    assert found.docket == docket


@pytest.mark.parametrize(
    "text",
    [
        # A number without court and date is no citation.
        "The complaint in Case No. 19-123 was filed late.",
        "The gate (No. 7) was dark (see above).",
        "From 2019-1234 to 2019-1250 the gates were dark.",
    ],
)
def test_a_number_alone_is_no_citation(text: str) -> None:
    assert read_citations(text) == ()


@pytest.mark.parametrize(
    ("text", "pin", "year"),
    [
        ("604 U. S. ___, ___ (2035) (slip op., at 4)", "4", 2035),
        ("604 U. S. ___, ___–___ (2035) (per curiam) (slip op., at 4–5)", "4–5", 2035),
        ("604 U.S. ____ (2035)", None, 2035),
        ("604 U.S. ___, slip op. at 4 (2035)", "4", 2035),
        ("604 U. S. —, — (2035) (slip op. at 4, 7)", "4, 7", 2035),
    ],
)
def test_a_slip_opinion_with_blanks_has_its_pin_and_its_claim(text: str, pin: str | None, year: int) -> None:
    found = only(f"See Ferrer v. Hale, {text}{SAID}.")
    assert (found.kind, found.name, found.pin, found.year) == ("case", "Ferrer v. Hale", pin, year)
    assert [one.text for one in found.parentheticals if one.kind == "explanatory"] == [SAID.strip(" ()")]
