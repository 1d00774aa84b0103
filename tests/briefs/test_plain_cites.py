"""Cites as they are compared. Only reporters are real."""

from __future__ import annotations

import pytest

from parcel_agents.briefs.plain_cites import differ, first_page, is_blank, plain_cite, stated_year


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("987 U. S. 136", "987 US 136"),
        ("2031-Ohio-12", "2031 Ohio 12"),
        ("2031 S.D. 4", "2031 SD 4"),
        ("12 F. App'x 3", "12 F. App’x 3"),
    ],
)
def test_spellings_of_one_cite(one: str, other: str) -> None:
    assert plain_cite(one) == plain_cite(other)


@pytest.mark.parametrize(
    ("one", "other", "different"),
    [
        ("2033-Ohio-1234", "2031-Ohio-777", True),
        ("2033-Ohio-1234", "2033-Ohio-777", True),
        ("2031 IL App (1st) 191234", "2029 IL App (2d) 130555", True),
        ("2031 ND 5", "2031 SD 5", True),
        ("T.C. Memo. 2031-26", "T.C. Memo. 2030-26", True),
        ("604 U.S. 12", "103 F.3d 30", True),
        ("61 AD3d 902", "47 NY3d 910", True),
        ("603 U. S. ___", "604 U.S. 12", True),
        # Two reporters of one decision, and a page that is not known yet.
        ("2031 WI 5", "389 Wis. 2d 1", False),
        ("2029-1234 (La. 5/1/30)", "300 So. 3d 1", False),
        ("4 NY3d 77", "2031 NY Slip Op 04711", False),
        ("604 U. S. ___", "604 U.S. 12", False),
        ("604 U.S. 12", "145 S. Ct. 9", False),
    ],
)
def test_cites_of_two_decisions(one: str, other: str, different: bool) -> None:
    assert differ(plain_cite(one), plain_cite(other)) is different
    assert differ(plain_cite(other), plain_cite(one)) is different


@pytest.mark.parametrize(
    ("cite", "year", "page", "blank"),
    [
        ("2031-NMSC-015", 2031, None, False),
        ("T.C. Memo. 2031-26", 2031, None, False),
        ("98-123 (La. 5/1/99)", 1999, None, False),
        ("2029-1234 (La. 5/1/30)", 2030, None, False),
        ("150 Ohio St.3d 7", None, 7, False),
        ("604 U. S. ___", None, None, True),
        ("--- F.4th ---", None, None, True),
    ],
)
def test_what_a_cite_states(cite: str, year: int | None, page: int | None, blank: bool) -> None:
    plain = plain_cite(cite)
    assert (stated_year(plain), first_page(plain), is_blank(cite)) == (year, page, blank)
