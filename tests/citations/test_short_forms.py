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
