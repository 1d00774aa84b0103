from __future__ import annotations

import pytest

from parcel_agents.citations.quantities import find_months, find_names, find_numbers, number_values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("held eleven rounds", [11]),
        ("twenty-three days, or forty", [23, 40]),
        ("three hundred bags", [300]),
        ("fined $1,250 for 640 pounds", [1250, 640]),
        ("3.5 grams", [3.5]),
        ("the 12th of May", [12]),
        ("in the second degree", []),
        ("one and one", [1, 1]),
        ("someone in the phone booth", []),
    ],
)
def test_numbers_are_read_as_words_and_as_digits(text: str, expected: list[float]) -> None:
    assert [quantity.value for quantity in find_numbers(text)] == expected


def test_words_and_digits_of_a_number_are_the_same_value() -> None:
    assert number_values("eleven mesh bags") == number_values("11 mesh bags") == {11}


def test_an_ordinal_vouches_for_its_number() -> None:
    assert 3 in number_values("the third request")


def test_a_month_counts_only_as_a_date() -> None:
    assert find_months("on June 11, 2024 he may have marched; in May 2020") == ["June", "May"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(noting that Officer Brill and Hathersage's partner left)", ["Officer", "Brill", "Hathersage"]),
        ("Brill spoke first. Then Marlowe", ["Marlowe"]),
        ("(holding that the Appellate Division erred)", []),
        ("(the Fourth Department disagreed)", []),
    ],
)
def test_names_are_capitalised_words_inside_a_sentence(text: str, expected: list[str]) -> None:
    assert find_names(text) == expected


def test_a_fraction_in_one_character_is_part_of_its_number() -> None:
    assert [found.value for found in find_numbers("a term of 3½ to 7 years")] == [3.5, 7]
