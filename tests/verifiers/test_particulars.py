"""Facts that a sentence may have otherwise than a claim."""

from __future__ import annotations

import pytest

from parcel_agents.verifiers.combined.particulars import conflicts, find_particulars, find_times


def found(claim: str, sentence: str, around: str = "") -> list[tuple[str, str, str]]:
    return list(
        conflicts(find_particulars(claim), find_particulars(sentence), find_particulars(f"{around} {sentence}"))
    )


@pytest.mark.parametrize(
    ("claim", "sentence", "kind"),
    [
        ("the boat was searched on April 11", "The boat was searched on August 27.", "date"),
        ("a term of six years", "He was given a term of seven years.", "number"),
        ("robbery in the third degree", "It was robbery in the second degree.", "degree"),
        ("third-degree robbery", "It was robbery in the second degree.", "degree"),
        ("under section 511", "This was done under section 509.", "section"),
        ("CPL 1.20 (15) defines it", "The word is defined (CPL 1.20 [13]).", "subdivision"),
        ("the officer asked Dunmarrow", "The officer asked Hathersage.", "name"),
    ],
)
def test_another_fact_of_the_same_kind_is_a_conflict(claim: str, sentence: str, kind: str) -> None:
    assert [one[0] for one in found(claim, sentence)] == [kind]


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("a term of six years", "He was given a term of 6 years, later seven."),  # the claim's is there
        ("a term of six years", "He was given a long term."),  # nothing stands against it
        ("a long term", "He was given a term of seven years."),  # the claim says less
        ("third-degree robbery", "It was robbery in the third degree."),
        ("CPL 1.20 (13) defines it", "The word is defined (CPL 1.20 [13])."),
    ],
)
def test_the_same_fact_or_none_is_no_conflict(claim: str, sentence: str) -> None:
    assert found(claim, sentence) == []


def test_a_fact_that_stands_near_is_no_conflict() -> None:
    assert found("a term of six years", "The second was seven years.", "The first was six years.") == []


def test_a_conflict_shows_the_words_of_both() -> None:
    assert found("robbery in the third degree", "It was second-degree robbery.") == [
        ("degree", "third degree", "second-degree")
    ]


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("some two weeks later", {"2 week"}),
        ("a six-year term", {"6 year"}),
        ("twelve calendar months and a day", {"12 month"}),
        ("2½ hours", {"2.5 hour"}),
        ("three and one-half years", {"3 year"}),
        ("released in May 2009", {"May 2009"}),
        ("released on May 4, 2009", {"May 2009"}),
        ("two second-degree counts", set()),
        ("two officers of the day watch", set()),
    ],
)
def test_spans_of_time_and_months(text: str, times: set[str]) -> None:
    assert find_times(text).keys() == times
