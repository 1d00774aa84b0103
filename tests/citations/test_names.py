"""Case names, read backwards from their cites. All cases are made up."""

from __future__ import annotations

import pytest

from parcel_agents.citations.names import short_names
from parcel_agents.citations.read import read_citations


@pytest.mark.parametrize(
    ("text", "name"),
    [
        # Signals, prepositions and the words of the sentence are no part of a name.
        ("(see also People v Marlowe, 31 NY3d 201 [2018])", "People v Marlowe"),
        ("As we held in People v Marlowe (31 NY3d 201 [2018])", "People v Marlowe"),
        ("However, People v Marlowe (31 NY3d 201)", "People v Marlowe"),
        ("Under Quist v Ferris, 61 NY2d 501", "Quist v Ferris"),
        ("The Court disagreed. Orne v. Tarn, 349 U.S. 483", "Orne v. Tarn"),
        ("the motion was denied; Orne v. Tarn, 349 U.S. 483", "Orne v. Tarn"),
        ('the "rule" of Orne v Tarn, 61 NY2d 501', "Orne v Tarn"),
        ("(following Ohio v Tarn, 440 US 12)", "Ohio v Tarn"),
        ("both People v Wren and People v Marlowe (31 NY3d 201)", "People v Marlowe"),
        ("In People v Wren and Wren v Pell (31 F3d 201)", "Wren v Pell"),
        # Matters, relators, estates.
        ("Matter of Hathersage v Pell, 3 NY3d 4", "Matter of Hathersage v Pell"),
        ("(see Matter of Hathersage, 3 NY3d 4)", "Matter of Hathersage"),
        ("Matter of Ansel P. (Carla P.), 3 NY3d 4", "Matter of Ansel P. (Carla P.)"),
        ("Matter of Orne [Tarn], 3 NY3d 4", "Matter of Orne [Tarn]"),
        ("People ex rel. Rowe v Warden of Skerry, 3 NY3d 4", "People ex rel. Rowe v Warden of Skerry"),
        ("In In re Gorse, 387 U.S. 5", "In re Gorse"),
        ("Ex parte Quill, 71 U.S. 8", "Ex parte Quill"),
        # Abbreviations, companies, apostrophes.
        (
            "Board of Educ. of City Sch. Dist. of N.Y. v O'Gorman, 3 NY3d 4",
            "Board of Educ. of City Sch. Dist. of N.Y. v O'Gorman",
        ),
        ("Harrow Oyster Co., Inc. v Tidewater Bd., 3 NY3d 4", "Harrow Oyster Co., Inc. v Tidewater Bd."),
        ("Pell, Orr & Co. v Tarn, 3 NY3d 4", "Pell, Orr & Co. v Tarn"),
        ("Orne d/b/a Orne's Boats v Tarn, 3 NY3d 4", "Orne d/b/a Orne's Boats v Tarn"),
        ("Van Orne v De Tarn, 3 NY3d 4", "Van Orne v De Tarn"),
        ("200 Skerry St. Corp. v Tarn, 3 NY3d 4", "200 Skerry St. Corp. v Tarn"),
        ("United States v. Vane, 12 F.3d 4", "United States v. Vane"),
        ("Vane v. Louisiana, 536 U.S. 5", "Vane v. Louisiana"),
        ("Patrolmen’s Assn. v City of Orne, 3 NY3d 4", "Patrolmen’s Assn. v City of Orne"),
        # Between name and cite.
        ("Orne v. Tarn, supra, 349 U.S. 483", "Orne v. Tarn"),
        ("Orne v. Tarn, No. 11-cv-204, 2012 WL 99887", "Orne v. Tarn"),
        # A page break within a name.
        ("the rule. Pell\n\nv. White, 321 F.3d 5", "Pell v. White"),
        ("People v Marlowe\n\n2031 NY Slip Op 00123 [57 NY3d 12]", "People v Marlowe"),
        # Whatever else stands before a cite is no name.
        ("granted leave to appeal (30 NY3d 1064)", None),
        ("the Appellate Division (153 AD3d 860)", None),
        ("People v Marlowe held that leave was granted (30 NY3d 1064)", None),
        ('the "First Amendment.” 361 F.3d 5', None),
        # The short name of a case cited in full elsewhere.
        ("In Marlowe (31 NY3d 201)", "Marlowe"),
    ],
)
def test_the_name_before_a_cite(text: str, name: str | None) -> None:
    assert [one.name for one in read_citations(text) if one.kind in {"case", "slip"}][-1] == name


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("People v Marlowe", ["Marlowe"]),
        ("Quist v Ferris", ["Quist", "Ferris"]),
        ("Matter of Hathersage v Pell", ["Hathersage", "Pell"]),
        ("People ex rel. Rowe v Warden of Skerry", ["Rowe"]),
        ("Harrow Oyster Co., Inc. v Tidewater Bd.", ["Harrow Oyster", "Tidewater Bd"]),
        ("In re Gorse", ["Gorse"]),
        ("Vane v. United States", ["Vane"]),
        ("People v State", []),
    ],
)
def test_the_parties_by_which_a_case_is_called(name: str, short: list[str]) -> None:
    assert short_names(name) == short
