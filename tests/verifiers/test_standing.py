"""What the text around a sentence does to it: questions, headings, quotations, sentences that take it back."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.tasks import task

import parcel_agents
from parcel_agents.retrievers import make_retriever
from parcel_agents.types import Claim, Opinion
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.matching import closest_match

RULE = "the harbor officer may open the stern locker of a moored oyster boat"
CAPITAL = f"T{RULE[1:]}"


def differences(court: str, claim: str = f"(holding that {RULE})") -> tuple[str, ...]:
    match = closest_match(task(claim, court))
    assert match is not None
    return match.alignment.differences


def test_a_plain_sentence_has_no_difference() -> None:
    assert differences(f"The tide was high. {CAPITAL}. The lid was heavy.") == ()


@pytest.mark.parametrize(
    "court",
    [
        f"Does it matter that {RULE}?",
        f"{CAPITAL}? We think so.",
        f"The question remains. {CAPITAL}?",
    ],
)
def test_a_question_states_nothing(court: str) -> None:
    assert differences(court) != ()


@pytest.mark.parametrize("gap", [" ", " (Quist brief at 12). ", " (see Harbor Law § 12). ", "\n\n"])
@pytest.mark.parametrize(
    "following",
    [
        "We disagree.",
        "We think not.",
        "We now overrule that holding.",
        "That is not the law.",
        "That view is mistaken.",
        "This argument is without merit.",
        "Not so.",
        "No.",
        "Hardly.",
        "The argument fails.",
        "The record says otherwise.",
        "Ferris is mistaken.",
        "So the People say.",
        "Or so Ferris claims.",
        "This is the People's theory.",
        "Such a rule would be absurd.",
        "That proposition cannot be squared with Quist.",
    ],
)
def test_what_the_next_sentence_takes_back_is_not_said(gap: str, following: str) -> None:
    assert differences(f"The tide was high. {CAPITAL}.{gap}{following} The lid was heavy.") != ()


@pytest.mark.parametrize(
    "following",
    [
        "That is not to say that Wren may.",
        "It was not a new boat.",
        "The People do not contend otherwise.",
        "His remaining contentions are without merit.",
        "We also reject the claim of Ferris.",
    ],
)
def test_a_next_sentence_about_something_else_takes_nothing_back(following: str) -> None:
    assert differences(f"The tide was high. {CAPITAL}. {following}") == ()


@pytest.mark.parametrize("heading", [RULE.upper(), RULE.title(), f"A. {CAPITAL}"])
def test_a_heading_states_nothing(heading: str) -> None:
    assert differences(f"The tide was high that day in Dunmarrow, and Wren sailed.\n\n{heading}\n\nSo it went.") != ()


@pytest.mark.parametrize(
    "court",
    [
        f'The note is short. "{CAPITAL}."',
        f"Ferris wrote to Wren. “Hear me. {CAPITAL}. Do not forget it.”",
        f'Ferris answered:\n\n"I was there. {CAPITAL}. So it goes."',
        f"Ferris answered as follows:\n\n{CAPITAL}.",
        f"Was it true? '{CAPITAL}.'",
        f"The People's argument is simple. {CAPITAL}.",
    ],
)
def test_quoted_and_introduced_words_are_anothers(court: str) -> None:
    assert differences(court) != ()


def test_a_claim_with_the_introducing_words_quotes_as_the_opinion_does() -> None:
    court = f'The harbor rule tells every captain that "{RULE}" at dusk.'
    assert differences(court, f'(noting that the harbor rule tells every captain that "{RULE}" at dusk)') == ()


def test_a_mark_that_was_closed_before_quotes_nothing() -> None:
    assert differences(f'Ferris called it "a big boat" and "a wide one." {CAPITAL}.') == ()


def test_a_number_of_a_section_is_no_part_of_its_first_sentence() -> None:
    assert differences(f"The tide was high.\n\nII.\n\n{CAPITAL}.") == ()


@pytest.mark.parametrize(
    "claim",
    [
        "(holding that section 12 reaches only what an officer can see from the deck"
        " and never the inside of a closed compartment)",
        "(holding that section 12 authorizes boarding, not searching)",
        "(noting that you ask, and people get to talking, and there goes the afternoon)",
    ],
)
def test_words_of_others_in_the_bundled_opinion_are_not_the_courts(claim: str) -> None:
    opinion = Opinion.load(Path(parcel_agents.__file__).parent / "examples" / "opinions" / "people_v_marlowe.md")
    match = closest_match(Task(Claim.of(claim), opinion, make_retriever("bm25").index(opinion), ()))
    assert match is None or not match.verbatim


@pytest.mark.parametrize(
    "before", ["Consider the People's position.", "The old rule was clear.", "Suppose the following."]
)
def test_a_sentence_that_brings_up_anothers_words_or_a_case_leaves_a_doubt(before: str) -> None:
    assert differences(f"The tide was high. {before} {CAPITAL}.") != ()
