from __future__ import annotations

import re

import pytest

from parcel_agents.citations.authorities import Authority, find_authorities, names_authority, without_citations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(citing People v Dunmarrow for the rule)", [("case", "Dunmarrow")]),
        ("(citing Harrow Oyster Co. v Tidewater Board)", [("case", "Harrow Oyster Co")]),
        ("(under Vane v People, no warrant)", [("case", "Vane")]),
        ("(Matter of Ansel P. is distinguished)", [("case", "Ansel P")]),
        # Two cases joined by "and" are two authorities, and "People" begins the second.
        ("(People v Roe and People v Doe agree)", [("case", "Roe"), ("case", "Doe")]),
        ("(following Ohio v Tarn)", [("case", "Tarn")]),
        ("(People ex rel. Rowe v Warden of Skerry)", [("case", "Rowe")]),
        ("(citing People v Marlowe. Another matter)", [("case", "Marlowe")]),
        ("(In re Lark controls)", [("case", "Lark")]),
        ("(applying CPL 710.20 (1))", [("statute", "710.20")]),
        ("(reading Harbor Law § 12 narrowly)", [("statute", "12")]),
        ("(a violation of 42 USC § 1983)", [("statute", "1983")]),
        ("(section 265.02-a was amended)", [("statute", "265.02-a")]),
        ("(the officer may open the locker)", []),
        ("(the People bear the burden)", []),
    ],
)
def test_authorities_are_found_by_what_tells_them_apart(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(found.kind, found.key) for found in find_authorities(text)] == expected


def test_a_reporter_cite_is_an_authority_of_its_own() -> None:
    found = find_authorities("(citing People v Rowan, 34 NY3d 269, 274 [2019])")
    assert [(a.kind, a.key) for a in found] == [("case", "Rowan"), ("cite", "34 NY3d 269")]


@pytest.mark.parametrize(
    ("kind", "key", "text", "expected"),
    [
        ("case", "Dunmarrow", "as Dunmarrow teaches (92 NY3d 118)", True),
        ("case", "De Lacey", "see People v DeLacey", True),
        ("case", "Sun", "decided on a Sunday", False),
        ("cite", "34 NY3d 269", "34 N.Y.3d 269", True),
        ("cite", "34 NY3d 269", "34 NY3d 270", False),
        ("cite", "34 NY3d 269", "134 NY3d 269", False),
        ("cite", "34 NY3d 269", "34 NY3d 2690", False),
        ("cite", "400 F. Supp. 2d 12", "400 F Supp 2d 12", True),
        ("statute", "30.3", "CPL 30.30", False),
        ("statute", "12", "Harbor Law § 12 (2)", True),
        ("statute", "12", "Harbor Law § 12.5", False),
    ],
)
def test_an_authority_is_named_by_whole_words_and_numbers(kind: str, key: str, text: str, expected: bool) -> None:
    assert names_authority(text, Authority(kind, key, key)) is expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("(citing People v Rowan, 34 NY3d 269, 274 [2019] for 11 bags)", ["11"]),
        ("(Roe v Poe, 639 F2d 931, 934 (2d Cir 1981), and 12 days)", ["12"]),
        ("(under CPL 380.30 and section 14, within 20 days)", ["20"]),
        ("(on March 3, 2021 held 640 pounds)", ["3", "2021", "640"]),
    ],
)
def test_the_numbers_of_citations_are_taken_out(text: str, left: list[str]) -> None:
    assert re.findall(r"\d+", without_citations(text)) == left
