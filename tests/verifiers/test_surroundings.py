"""What stands around a repeated stretch: only what lets the sentence say it by itself is let through."""

from __future__ import annotations

import pytest

from parcel_agents.verifiers.alignment import align

BODY = "the harbor officer opened the stern locker of the moored oyster boat"


def differences(sentence: str) -> tuple[str, ...]:
    found = align(f"(holding that {BODY})", sentence)
    assert found is not None
    return found.differences


@pytest.mark.parametrize(
    "before",
    [
        "",
        "There",
        "Thus,",
        "In sum,",
        "In this case,",
        "In 2024,",
        "We hold that",
        "We now hold that",
        "Accordingly, we conclude that",
        "We therefore reiterate that",
        "We agree with defendant that",
        "We have long held that",
        "It is well settled that",
        "It is undisputed that",
        "The tide was high at noon;",
        "The tide was high at noon, and",
        "II.\n\n",
    ],
)
def test_the_writers_own_openings_are_let_through(before: str) -> None:
    assert differences(f"{before} {BODY}.".strip()) == ()


@pytest.mark.parametrize(
    "before",
    [
        "It is doubtful that",
        "It is unclear that",
        "It used to be the law that",
        "It was once settled that",
        "It is clear to Ferris that",
        "We hesitate to conclude that",
        "We are asked to hold that",
        "We once held that",
        "We assume that",
        "We note the argument that",
        "The court was wrong that",
        "The record is devoid of proof that",
        "The jury was asked to find that",
        "The jury heard that",
        "A detective swore that",
        "The indictment charged that",
        "The complaint recites that",
        "Other courts have held that",
        "The trial court thus held that",
        "The idea that",
        "Suppose",
        "Imagine that",
        "Allegedly,",
        "Perhaps",
        "When",
        "Where",
        "Because",
        "In Quist's account,",
        "As that court put it,",
        "As Wren tells it,",
        "In theory,",
        "In Ohio,",
        "Under the old statute,",
        "Per Ferris,",
        "Ferris:",
        "The plan was this;",
        "In other states the law differs, and",
        "If the tide was high, and",
        "It is doubtful that the tide was high, and",
        "Wren gave his version, and",
        "The man who said that",
    ],
)
def test_any_other_opening_is_a_difference(before: str) -> None:
    assert differences(f"{before} {BODY}.") != ()


@pytest.mark.parametrize("behind", ["", " (see Harbor Law § 12)", ", and Wren fled", "; the lid was heavy"])
def test_an_end_or_another_clause_is_let_through(behind: str) -> None:
    assert differences(f"The{BODY.removeprefix('the')}{behind}.") == ()


@pytest.mark.parametrize(
    "behind",
    [
        " is absurd",
        " makes little sense",
        " was the story Wren told",
        ", Ferris says",
        ", or so we are told",
        ", supposedly",
        ": that is the claim",
        "; so Ferris swore",
        " in Ferris's telling",
        " as Ferris claims",
        " in part",
        " with leave of the owner",
        " when asked to",
        ", when asked",
        ", a view we reject",
        "—a fiction",
    ],
)
def test_whatever_goes_on_in_the_same_clause_is_a_difference(behind: str) -> None:
    assert differences(f"The{BODY.removeprefix('the')}{behind}.") != ()


def test_an_opening_that_the_claim_repeats_is_no_difference() -> None:
    sentence = f"When Wren called, {BODY}."
    assert differences(sentence) != ()
    found = align(f"(holding that when Wren called, {BODY})", sentence)
    assert found is not None
    assert found.differences == ()
