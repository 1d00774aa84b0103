from __future__ import annotations

import pytest

from parcel_agents.generation.rules.clauses import first_of_series, stands_alone, without_links
from parcel_agents.generation.rules.leads import court_opening
from parcel_agents.generation.rules.sentences import spoken_sentences
from parcel_agents.opinions import parse_opinion


@pytest.mark.parametrize(
    ("sentence", "bare"),
    [
        ("However, the boat was moored", "The boat was moored"),
        ("Here, too, the boat was moored", "Too, the boat was moored"),
        ("But the boat, however, was moored", "The boat was moored"),
        ("Thus the boat was moored", "The boat was moored"),
        ("In sum, the boat was moored here", "The boat was moored"),
        ("II. The boat was moored", "The boat was moored"),
        ("It is true that the boat was also moored", "The boat was moored"),
        ("Rather than ask, the officer boarded the boat", "Rather than ask, the officer boarded the boat"),
        ("Not only the boat but also the pier was searched", "Not only the boat but also the pier was searched"),
        # a comma that a citation kept outside of the quotation
        ("The boat was a “home”, and was moored", "The boat was a “home,” and was moored"),
    ],
)
def test_links_to_other_sentences_go(sentence: str, bare: str) -> None:
    assert without_links(sentence) == bare


@pytest.mark.parametrize(
    "clause",
    [
        "He boarded the boat at night",
        "This was error",
        "Such a search of a moored boat requires a warrant",
        "The officer asked in that harbor whether the boat was moored",
        "The boat was searched as discussed above",
        "The majority would search any boat without a warrant",
        "The boat, in our view, was a home",
        "The People argue that the boat was no home",
        "Marlowe contends that the boat was a home",
        "The boat was a home, and if so, it was searched",
        "The harbor master saw him before the boat was moored",
        "The same is true of a boat that is moored",
    ],
)
def test_what_points_elsewhere_does_not_stand_alone(clause: str) -> None:
    assert not stands_alone(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "The boat was moored",
        "It is settled that a boat may be a home",
        "There is no warrant in the record",
        "Defendant did not waive his right to be present",
        "When he boarded the boat, defendant had no warrant",
        "Boats such as barges may be homes",
        "Marlowe told the officer to ask him",
    ],
)
def test_a_clause_with_its_nouns_stands_alone(clause: str) -> None:
    assert stands_alone(clause)


def test_a_heading_is_no_part_of_the_sentence_below_it() -> None:
    court = "The Search of the Boat\n\nOfficers of the harbor boarded the boat of Marlowe on that morning."
    opinion = parse_opinion(f"# People v Marlowe\n\nOPINION OF THE COURT\n\nWren, J.\n\n{court}\n", suffix=".md")
    assert [one.text for one in spoken_sentences(opinion, "court", bare=True)] == [
        "Officers of the harbor boarded the boat of Marlowe on that morning"
    ]


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("The order of the Appellate Division should be affirmed", "affirming the order of the Appellate Division"),
        (
            "The order of the Appellate Division should be reversed and a new trial ordered",
            "reversing the order of the Appellate Division and ordering a new trial",
        ),
        (
            "The order of the Appellate Division should be reversed, defendant's motion to suppress granted, and the "
            "case remitted to County Court for further proceedings",
            "reversing the order of the Appellate Division, granting defendant's motion to suppress and remitting the "
            "case to County Court for further proceedings",
        ),
    ],
)
def test_an_order_is_told_by_what_the_court_did(sentence: str, claim: str) -> None:
    assert court_opening(sentence).body == claim


def test_only_the_first_sentence_of_a_series_is_taken() -> None:
    assert first_of_series("The boat was moored; nobody was aboard") == "The boat was moored"
