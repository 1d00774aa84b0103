from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.briefs.case_names import CaseName

SAME = [
    ("People v Marlowe", "People v. Marlowe"),
    ("Quist v. Harbor Bldg. & Constr. Dep’t", "Quist_v_Harbor_Building_Construction_Department"),  # as files are named
    ("Ferris Ass’n of W. Va. v. Comm’r of Fish.", "Ferris_Ass_n_of_Western_Virginia_v_Commissioner_of_Fisheries"),
    ("Lee v. Garrow", "An_opinion_was_released_in_case_20-1234_Jason_Lee_v_Merritt_Garrow"),  # first names
    ("O’Brien v. Town Ct. Nursing Ctr.", "O_Brien_v_Town_Court_Nursing_Center"),
    (
        "Childers v. Tidewater Mut. Auto. Ins. Co.",
        "Boyd Childers v. Tidewater Mutual Automobile Insurance Company v. A Waltham",
    ),
    ("Wren v. NLRB", "Wren v. National Labor Relations Board"),  # a party by its initials
    ("Wren v. EPA", "Wren v. Environmental Protection Agency"),  # an agency that is known by three letters
    ("State v. Denham, 2029-1234 (La. 5/1/30)", "State v. Denham"),  # docket number and date are no part of it
    ("Wren v. Quist, No. 32-1573", "Wren v. Quist"),
    ("crow-harbor-club-v-quist", "Crow Harbor Club v. Quist"),  # as files are named
    ("Abbot Lab’ys v. Quist", "Abbot Laboratories v. Quist"),
    ("Bell Rests., Inc. v. Quist", "Bell Restaurants v. Quist"),
    ("Matter of Hathersage v Quist", "Hathersage v Quist"),
    ("In re Hathersage", "Matter of Hathersage"),
    ("United States v. Marlowe", "U.S. v. Marlowe"),
    ("Sela L. LLC v. Consumer Fin. Prot. Bureau", "Sela Law LLC v. Consumer Financial Protection Bureau"),
]
OTHERS = [
    ("People v Marlowe", "People v Marlow"),
    ("Jones v. State", "Smith v. State"),
    ("Deepwater Marlin v. Lake Elsa Land & Dev., Inc.", "Frey v. Lake Elsa Land Development Inc"),  # one party agrees
    ("State v. Denham, 2029-1234 (La. 5/1/30)", "State v. Lamont"),
    ("State v. La.", "State v. Lamont"),  # two or three letters stand for nobody alone
    ("State v. Jon.", "State v. Johnson"),
    ("Wren v. ABC", "Wren v. Arden Boat Club"),
    ("In re Marlowe", "Citizens Bank v. Marlowe"),
    ("Agen Inc. v. Smith", "Agen Inc v Scully Thomas"),
    ("Matter of J.", "Matter of Jonas"),  # initials are anybody's
    ("County of Ulster v. Quist", "County of Essex v. Quist"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_of_one_case(one: str, other: str) -> None:
    assert CaseName.of(one).same_as(CaseName.of(other))
    assert CaseName.of(other).same_as(CaseName.of(one))


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_names_of_two_cases(one: str, other: str) -> None:
    assert not CaseName.of(one).same_as(CaseName.of(other))
    assert not CaseName.of(other).same_as(CaseName.of(one))


words = st.text(alphabet="abcdefghilmnorstuv", min_size=4, max_size=9)


@given(words, words)
def test_a_name_is_that_of_its_case_and_of_no_other_party(one: str, other: str) -> None:
    name = CaseName.of(f"People v {one.title()}")
    assert name.same_as(name)
    assert CaseName.of(f"{one.title()} v {other.title()}").same_as(CaseName.of(f"{one}_v_{other}"))


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_has_a_name(one: str, other: str) -> None:
    assert CaseName.of(one).same_as(CaseName.of(other)) == CaseName.of(other).same_as(CaseName.of(one))
    assert 0 <= CaseName.of(one).likeness(CaseName.of(other)) <= 1
