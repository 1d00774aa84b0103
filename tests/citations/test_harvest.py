"""Explanatory parentheticals as claims. All cases are made up."""

from __future__ import annotations

import pytest

from parcel_agents.citations.harvest import Harvested, harvest
from parcel_agents.citations.read import read_citations


def claims(text: str) -> list[Harvested]:
    return list(harvest(read_citations(text)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # (claim, cite, name, signal)
        (
            "(see People v Marlowe, 31 NY3d 201 [2018] [holding that\nit was])",
            [("(holding that it was)", "31 NY3d 201", "People v Marlowe", "see")],
        ),
        # A contrary signal goes with the claim.
        (
            "But see Orne v. Tarn, 12 F.3d 4 (2d Cir. 1993) (“no stop”)",
            [("(“no stop”)", "12 F.3d 4", "Orne v. Tarn", "but see")],
        ),
        # A reference back counts for the decision it refers to.
        (
            "People v Marlowe, 31 NY3d 201 [2018]. So too (id. at 204 [finding a stop]); Marlowe, 31 NY3d at 205"
            " [a stop]",
            [
                ("(finding a stop)", "31 NY3d 201", "People v Marlowe", None),
                ("(a stop)", "31 NY3d 201", "People v Marlowe", None),
            ],
        ),
        # One to nothing known keeps its own words.
        ("Wren, 3 NY3d at 6 [finding a stop]", [("(finding a stop)", "3 NY3d at 6", "Wren", None)]),
        # To affirm is to decide; to deny leave is not, and the words tell of the decision before.
        (
            "People v Wren, 9 AD3d 4 [2004], affd 5 NY3d 7 [2005] [finding a stop]",
            [("(finding a stop)", "5 NY3d 7", "People v Wren", None)],
        ),
        (
            "People v Wren, 9 AD3d 4 [2004], lv denied 5 NY3d 7 [2005] [finding a stop]",
            [("(finding a stop)", "9 AD3d 4", "People v Wren", None)],
        ),
        # Nothing that explains no decision.
        ("People v Wren, 9 AD3d 4 [2004] [emphasis added]; Penal Law § 10.00 [1] [defining terms]", []),
        ("Pell, On Stops, 79 Yale L.J. 12 (1993) (arguing for stops)", []),
    ],
)
def test_claims_and_their_authorities(text: str, expected: list[tuple[str, str, str, str | None]]) -> None:
    assert [(one.claim, one.cite, one.name, one.signal) for one in claims(text)] == expected


def test_an_id_depends_on_the_claim_and_not_on_its_place() -> None:
    text = "People v Marlowe, 31 NY3d 201 [2018] [holding so]"
    (here,), (there,) = claims(text), claims(f"It went on. {text}.")
    assert here.id == there.id
    assert here.start != there.start
    assert claims(text.replace("so]", "not so]"))[0].id != here.id


def test_a_claim_about_a_separate_opinion_says_so() -> None:
    (found,) = claims("People v Wren, 9 NY3d 4 [2004] [Pell, J., dissenting] [finding no stop]")
    assert found.opinion == "dissent"
