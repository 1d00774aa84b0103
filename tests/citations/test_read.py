"""Cases: what stands around a reporter cite. All cases are made up; only reporters and courts are real."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from parcel_agents.citations.model import Citation
from parcel_agents.citations.read import read_citations


def cite(cite: str, name: str | None = None, **fields: Any) -> dict[str, Any]:
    """What is expected of a citation; what is not given is not looked at."""
    return {"cite": cite, **({"name": name} if name else {}), **fields}


def rows(text: str, *kinds: str) -> list[Citation]:
    return [one for one in read_citations(text) if not kinds or one.kind in kinds]


def assert_rows(text: str, expected: list[dict[str, Any]]) -> None:
    found = rows(text, "case", "slip", "short")
    assert [one.cite for one in found] == [want["cite"] for want in expected]
    for one, want in zip(found, expected, strict=True):
        assert {field: getattr(one, field) for field in want} == want
        assert text[one.start : one.end] == one.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The bracket behind a cite holds its year, whatever years stand further on.
        (
            "(Quist v Ferris, 61 NY2d 501 [1984], quoting Orne v Tarn, 440 US 12, 19 [1979])",
            [cite("61 NY2d 501", "Quist v Ferris", year=1984), cite("440 US 12", "Orne v Tarn", pin="19", year=1979)],
        ),
        # No year behind it: none, and not that of the next sentence's cite.
        (
            "Quist v. Ferris, 347 U.S. 997. We differ. Orne v. Tarn, 349 U.S. 483 (1955).",
            [cite("347 U.S. 997", "Quist v. Ferris", year=None), cite("349 U.S. 483", "Orne v. Tarn", year=1955)],
        ),
        # The cite in brackets behind the name.
        ("In People v Marlowe (31 NY3d 201, 208 [2018]), we", [cite("31 NY3d 201", "People v Marlowe", pin="208")]),
        # Court and year, a department and a trial court.
        (
            "(Orne v Tarn, 140 AD2d 430, 431 [2d Dept 1988]; People v Wren, 70 Misc 3d 12 [Crim Ct, Kings County"
            " 2021])",
            [cite("140 AD2d 430", court="2d Dept", year=1988), cite("70 Misc 3d 12", court="Crim Ct, Kings County")],
        ),
        # Terms of several districts; what follows the year is no part of the court.
        (
            "(People v Wren, 70 Misc 3d 12 [App Term, 2d Dept, 9th & 10th Jud Dists 2021, Pell, J.])",
            [cite("70 Misc 3d 12", court="App Term, 2d Dept, 9th & 10th Jud Dists", year=2021)],
        ),
        # A federal court, and the line broken before it.
        ("in 412 F.3d 118\n(N.D. Ohio 2006).", [cite("412 F.3d 118", None, court="N.D. Ohio", year=2006)]),
        # No space before the year.
        ("Orne v. Tarn, 412 F.3d 118 (2d Cir.2006)", [cite("412 F.3d 118", court="2d Cir.", year=2006)]),
        # A day and a docket number belong to neither court nor name.
        (
            "See Orne v. Tarn, No. 11-cv-204, 2012 WL 99887, at *3 (S.D.N.Y. Mar. 3, 2012).",
            [cite("2012 WL 99887", "Orne v. Tarn", pin="*3", court="S.D.N.Y.", year=2012)],
        ),
        # A slip opinion behind a reporter whose page is not known.
        (
            "(People v Wren, — Misc 3d —, 2011 NY Slip Op 51999[U] [Sup Ct, Bronx County 2011])",
            [cite("2011 NY Slip Op 51999(U)", "People v Wren", court="Sup Ct, Bronx County", year=2011, kind="slip")],
        ),
        # A blank page is still a cite.
        ("West Orne v. Tarn, 597 U.S. ___ (2022)", [cite("597 U.S. ___", "West Orne v. Tarn", year=2022)]),
        # The same decision in three reporters is one authority, with the pin of the first.
        (
            "In re Hathersage, 387 U.S. 991, 993, 87 S.Ct. 1499, 1502, 18 L.Ed.2d 599 (1967)",
            [
                cite(
                    "387 U.S. 991",
                    "In re Hathersage",
                    pin="993",
                    parallel=("87 S.Ct. 1499", "18 L.Ed.2d 599"),
                    year=1967,
                )
            ],
        ),
        # Two cases of one reporter with a comma between are two.
        ("(12 NY3d 34, 13 NY3d 56 [2009])", [cite("12 NY3d 34", year=None), cite("13 NY3d 56", year=2009)]),
        # Pins: ranges, lists, notes.
        (
            "Quist v Ferris, 61 NY2d 501, 503-505, 509 n 3 [1984]; Orne v Tarn, 440 US 12, 19 nn 2, 4 [1979]",
            [cite("61 NY2d 501", pin="503-505, 509 n 3"), cite("440 US 12", pin="19 nn 2, 4", year=1979)],
        ),
        # A number that a word follows is no pin.
        ("in Quist v Ferris, 61 NY2d 501, 3 officers", [cite("61 NY2d 501", pin=None)]),
        # The separate opinion cited, in the year's bracket and in one of its own.
        (
            "People v Wren, 90 AD3d 4, 7 [1st Dept 2011, Pell, J., dissenting]; Quist v Ferris, 61 NY2d 5 [1984]"
            " [Orr, J., concurring]",
            [cite("90 AD3d 4", opinion="dissent", year=2011), cite("61 NY2d 5", opinion="concurrence", year=1984)],
        ),
    ],
)
def test_a_cite_has_what_stands_around_it(text: str, expected: list[dict[str, Any]]) -> None:
    assert_rows(text, expected)


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        ("People v Wren, 90 AD3d 4 [1st Dept 2011], affd 19 NY3d 7 [2012]", [("affd", "19 NY3d 7", 2012)]),
        (
            "(90 AD3d 4 [2d Dept 2011], affd on op below 19 NY3d 7 [2012], cert denied 568 US 9 [2012])",
            [("affd", "19 NY3d 7", 2012), ("cert denied", "568 US 9", 2012)],
        ),
        ("Orne v Tarn (64 NY2d 5 [1984], revg 98 AD2d 99 [2d Dept 1983])", [("revg", "98 AD2d 99", 1983)]),
        ("Orne v. Tarn, 12 F.3d 4 (2d Cir. 1993), rev'd, 511 U.S. 7 (1994)", [("rev'd", "511 U.S. 7", 1994)]),
        # A parenthetical may stand between.
        ("People v Wren, 90 AD3d 4 [2011] [no nexus], lv denied 18 NY3d 1 [2012]", [("lv denied", "18 NY3d 1", 2012)]),
        ("People v Wren, 90 AD3d 4 [2011]; People v Pell, 19 NY3d 7 [2012]", []),
        ("People v Wren, 90 AD3d 4 [2011]. We affirmed in People v Pell, 19 NY3d 7 [2012]", []),
    ],
)
def test_history_is_told_of_the_decision_it_belongs_to(text: str, relations: list[tuple[str, str, int]]) -> None:
    found = rows(text, "case")
    assert [(one.relation, one.cite, one.year) for one in found[0].history] == relations
    assert [one.history_of for one in found[1:]] == [0 if relations else None] * (len(found) - 1)


def test_history_bears_the_name_of_the_case_unless_it_gives_its_own() -> None:
    found = rows(
        "Orne v Tarn, 9 AD3d 4 [2004], affd sub nom. Orne v Vane, 5 NY3d 7 [2005], cert denied 547 US 1 [2006]"
    )
    assert [one.name for one in found] == ["Orne v Tarn", "Orne v Vane", "Orne v Tarn"]


@pytest.mark.parametrize(
    ("text", "signals"),
    [
        # A signal governs the string behind it, until the next one or the end of the string.
        ("(see Orne v Tarn, 1 NY3d 2; People v Wren, 3 NY3d 4; cf. People v Pell, 5 NY3d 6)", ["see", "see", "cf."]),
        ("(but see Orne v Tarn, 1 NY3d 2 [2003]) and (People v Wren, 3 NY3d 4)", ["but see", None]),
        ("Compare Orne v Tarn, 1 NY3d 2 [2003], with People v Wren, 3 NY3d 4", ["compare", "with"]),
        # Quoted words are told of one case alone.
        ("(Orne v Tarn, 1 NY3d 2, quoting Quist v Ferris, 440 US 1; People v Wren, 3 NY3d 4)", [None, "quoting", None]),
        ("See, e.g., Orne v. Tarn, 1 F.3d 2; contra Quist v. Ferris, 3 F.3d 4", ["see e.g.", "contra"]),
    ],
)
def test_signals(text: str, signals: list[str | None]) -> None:
    assert [one.signal for one in rows(text, "case")] == signals


def test_every_case_of_the_shared_inputs_holds(shared_data: Path) -> None:
    lines = (shared_data / "cases" / "citations.jsonl").read_text(encoding="utf-8").splitlines()
    checked = 0
    for case in map(json.loads, lines):
        found = rows(case["text"]) if "text" in case else []
        if "cases" in case:
            assert len(found) == case["cases"], case["id"]
            assert sum(len(one.parentheticals) for one in found) == case["parentheticals"], case["id"]
            checked += 1
        if "cites" not in case:
            continue
        by_cite = {one.cite: one for one in found}
        for want in case["cites"]:
            one = by_cite[want["cite"]]
            explanatory = one.explanatory.text if one.explanatory else None
            for field, value in want.items():
                assert (explanatory if field == "parenthetical" else getattr(one, field)) == value, (case["id"], field)
            checked += 1
    assert checked >= 15
