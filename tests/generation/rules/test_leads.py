from __future__ import annotations

import pytest

from parcel_agents.generation.rules.leads import court_opening, separate_opening, usage_of


@pytest.mark.parametrize(
    ("sentence", "lead", "body"),
    [
        ("We hold that the boat was a home", "holding that", "the boat was a home"),
        ("We therefore conclude that a warrant was needed", "concluding that", "a warrant was needed"),
        ("We agree with defendant that he was not asked", "agreeing with defendant that", "he was not asked"),
        ("We reject the theory of the People", "rejecting", "the theory of the People"),
        ("We reverse the order and remit to County Court", "reversing", "the order and remitting to County Court"),
        ("We need not decide whether he was asked", "finding it unnecessary to decide", "whether he was asked"),
        ("We do not reach the claim of the owner", "declining to reach", "the claim of the owner"),
        ("The boat, we hold, was a home", "holding that", "The boat was a home"),
        (
            "We have long held that a boat may be a home",
            "noting that",
            "the Court has long held that a boat may be a home",
        ),
    ],
)
def test_the_courts_first_person_becomes_a_participle(sentence: str, lead: str, body: str) -> None:
    opening = court_opening(sentence)
    assert (opening.lead, opening.body) == (lead, body)


def test_a_pronoun_behind_a_verb_of_saying_is_no_conjunction() -> None:
    assert court_opening("We think that would be a fair way of doing it").lead is None


def test_a_judge_who_would_reverse_votes_to_reverse() -> None:
    opening = separate_opening("I would reverse the order of County Court")
    assert (opening.lead, opening.body) == ("voting to reverse", "the order of County Court")


@pytest.mark.parametrize(
    ("sentence", "usage"),
    [
        ("The order of County Court should be reversed", "holding"),
        ("Defendant pleaded guilty to robbery", "procedural"),
        ("County Court denied the motion", "procedural"),
        ("The search of the boat by the officers was unlawful", "application"),
        ("A moored boat is a home if somebody sleeps in it", "reasoning"),
        ("Marlowe slept in the boat and was seen by two fishermen", "background"),
        ("The harbor master walked along the pier", "background"),
    ],
)
def test_the_usage_is_told_by_the_sentence(sentence: str, usage: str) -> None:
    assert usage_of(sentence) == usage
