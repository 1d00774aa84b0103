"""References back and what they refer to. All cases are made up."""

from __future__ import annotations

import pytest

from parcel_agents.citations.read import read_citations

FULL = "See People v Marlowe, 31 NY3d 201, 208 (2018). "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # (kind, cite, number of the authority)
        (FULL + "We agree (Marlowe, 31 NY3d at 210).", [("short", "31 NY3d at 210", 0)]),
        (FULL + "We agree (31 NY3d at 210).", [("short", "31 NY3d at 210", 0)]),
        (FULL + "The Court, 31 N. Y. 3d, at 210, agreed.", [("short", "31 N. Y. 3d, at 210", 0)]),
        (FULL + "We agree (id. at 210).", [("id", "id.", 0)]),
        (FULL + "Ibid. So it is.", [("id", "Ibid.", 0)]),
        (FULL + "We agree (Marlowe, supra, at 210).", [("supra", "Marlowe", 0)]),
        (FULL + "In People v Marlowe (supra) we", [("supra", "People v Marlowe", 0)]),
        (FULL + "Nothing in Marlowe says so.", [("name", "Marlowe", 0)]),
        (FULL + "Marlowe's rule stands.", [("name", "Marlowe", 0)]),
        # Before the full citation a name is nothing, and a longer one is another's.
        ("Nothing in Marlowe says so. " + FULL, []),
        (FULL + "Nothing in Marlowe Street says so, nor in Marlowes.", []),
        # A person of that name.
        (FULL + "Detective Marlowe testified. Then Marlowe left.", []),
        (FULL + "It was Anna Marlowe.", []),
        # The page tells two cases of one volume apart.
        (FULL + "People v Wren, 31 NY3d 400 (2018). So 31 NY3d at 210 has it.", [("short", "31 NY3d at 210", 0)]),
        # `id.` is the case cited, not the one quoted or the one in its parenthetical.
        (FULL[:-2] + " [2018], quoting Orne v Tarn, 440 US 12 [1979]). See id. at 3.", [("id", "id.", 0)]),
        (FULL[:-2] + " (following Orne v Tarn, 440 US 12 [1979])). See id. at 3.", [("id", "id.", 0)]),
        # A decision cited in full again is the same authority.
        (FULL + "Again People v Marlowe, 31 NY3d 201 [2018].", [("case", "31 NY3d 201", 0)]),
        # A decision of the same name by another court of the State is another one.
        (FULL + "So Marlowe, 150 AD3d at 12, had it.", [("short", "150 AD3d at 12", None)]),
        # A decision cited in full only later.
        ("We agree (Marlowe, 31 NY3d at 210). " + FULL, [("case", "31 NY3d 201", 1)]),
    ],
)
def test_what_a_reference_back_refers_to(text: str, expected: list[tuple[str, str, int | None]]) -> None:
    found = [one for one in read_citations(text) if one.cite not in {"440 US 12", "31 NY3d 400"}]
    assert [(one.kind, one.cite, one.authority) for one in found[1:]] == expected


def test_a_reference_back_bears_the_name_of_its_case() -> None:
    found = read_citations(FULL + "We agree (31 NY3d at 210, 212; id. at 215).")
    assert [(one.name, one.pin) for one in found] == [
        ("People v Marlowe", "208"),
        ("People v Marlowe", "210, 212"),
        ("People v Marlowe", "215"),
    ]


def test_a_case_called_by_its_second_party_is_so_called_where_a_short_form_shows_it() -> None:
    text = "Quist v Ferris, 61 NY2d 501 [1984]. Under Ferris (Ferris, 61 NY2d at 503), and under Ferris alone"
    assert [one.kind for one in read_citations(text)] == ["case", "name", "short", "name"]


def test_a_citation_within_a_parenthetical_says_in_whose() -> None:
    found = read_citations(
        "People v Wren, 3 NY3d 4 [2004] [following Orne v Tarn (440 US 12 [1979])]; Pell v Orr, 5 NY3d 6"
    )
    assert [one.within for one in found] == [None, 0, None]


FIRST = "Dunham v. Ferrer, 513 U.S. 200, 205 (1995), was followed in "
SECOND = "Rowley v. Dunham, 103 F.3d 30, 33 (2d Cir. 1996). "
SAME_PARTY = "Dunham v. Hale, 103 F.3d 190, 193 (2d Cir. 1996). "


@pytest.mark.parametrize(
    ("text", "authority", "doubt"),
    [
        # The party that tells a case goes before the other party, where the page lies in that case.
        (FIRST + SECOND + "Dunham, supra, at 206", 0, None),
        (FIRST + SECOND + "Dunham, supra", 0, None),
        (FIRST + SECOND + "Dunham, supra, at 33", 1, None),
        (FIRST + SECOND + "Rowley, supra, at 33", 1, None),
        # Two cases of one party: the page decides where one of them begins clearly nearer, else it is said.
        (FIRST + SAME_PARTY.replace("190, 193", "20, 23") + "Dunham, supra, at 206", 0, None),
        (FIRST + SAME_PARTY + "Dunham, supra, at 195", 1, None),
        (
            FIRST + SAME_PARTY + "Dunham, supra, at 206",
            None,
            "it may be Dunham v. Ferrer, 513 U.S. 200 or Dunham v. Hale, 103 F.3d 190",
        ),
        (FIRST + SECOND + "Dunham, supra, at 900", None, "its page 900 lies outside of"),
        (FIRST + SECOND + "Dunham, supra, ¶ 12", None, "its page ¶ 12 lies outside of"),
        # A paragraph or star page is one of a cite by number.
        ("Dunham v. Hale, 2031-Ohio-12, ¶ 3. Dunham, supra, at ¶ 12", 0, None),
        # Blanks: which of two slip opinions of a volume is told by the name.
        (
            "Hale v. Quist, 604 U. S. ___ (2031); Ferrer v. Orr, 604 U. S. ___ (2031). Ferrer, 604 U. S., at ___",
            1,
            None,
        ),
    ],
)
def test_a_reference_back_is_resolved_by_party_and_page(text: str, authority: int | None, doubt: str | None) -> None:
    last = read_citations(f"{text} (explaining that the gate was dark)")[-1]
    assert last.authority == authority
    assert (last.doubt or "").startswith(doubt or "")
    assert (last.doubt is None) == (doubt is None)
