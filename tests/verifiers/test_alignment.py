from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.verifiers.alignment import align, claim_body

RULE = "the officer may open the stern locker only if the owner has first been asked to produce the extinguisher"
SENTENCE = f"We hold that {RULE}."
CLAIM = f"(holding that {RULE})"


def differences(claim: str, sentence: str = SENTENCE) -> tuple[str, ...] | None:
    alignment = align(claim, sentence)
    return None if alignment is None else alignment.differences


@pytest.mark.parametrize(
    ("claim", "body"),
    [
        ("(holding that the search was lawful)", "the search was lawful"),
        ("(Quist, J., dissenting, reasoning that silence was a choice)", "silence was a choice"),
        ("(finding the proof sufficient.)", "the proof sufficient"),
        ("([o]fficers must ask first)", "officers must ask first"),
        ("(“[O]fficers must ask [the owner] first”)", "“Officers must ask [the owner] first”"),
    ],
)
def test_the_body_is_what_the_claim_says_was_said(claim: str, body: str) -> None:
    assert claim_body(claim) == body


def test_a_repeated_sentence_has_no_difference() -> None:
    assert differences(CLAIM) == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("may open", "must open"),
        ("may open", "may not open"),
        ("only if", "even if"),
        ("only if", "if"),
        ("owner", "tenant"),
        ("asked", "told"),
        ("first been asked", "been asked last"),
        ("officer", "owner"),
        ("extinguisher", "two extinguishers"),
    ],
)
def test_one_changed_word_is_a_difference(old: str, new: str) -> None:
    assert differences(CLAIM.replace(old, new, 1))


@pytest.mark.parametrize(
    "sentence",
    [
        "Defendant contends that the officer opened the stern locker of his moored oyster boat.",
        "It is not true that the officer opened the stern locker of his moored oyster boat.",
        "The dissent would say that the officer opened the stern locker of his moored oyster boat.",
        "If the officer opened the stern locker of his moored oyster boat, he left no trace.",
        "The officer opened, without cause, the stern locker of his moored oyster boat.",
    ],
)
def test_words_around_that_turn_or_hand_over_the_sentence_are_differences(sentence: str) -> None:
    claim = "(noting that the officer opened the stern locker of his moored oyster boat)"
    assert differences(claim, "There the officer opened the stern locker of his moored oyster boat.") == ()
    assert differences(claim, sentence)


def test_two_swapped_parties_are_a_difference() -> None:
    sentence = "The harbor master sold the oyster boat to the marina owner that spring."
    assert (
        differences("(noting that the harbor master sold the oyster boat to the marina owner that spring)", sentence)
        == ()
    )
    swapped = "(noting that the marina owner sold the oyster boat to the harbor master that spring)"
    assert differences(swapped, sentence) != ()


def test_another_subject_does_not_align() -> None:
    assert align("(holding that the tax on imported timber was collected twice in error)", SENTENCE) is None


def test_a_claim_of_few_words_matches_nothing() -> None:
    assert align("(holding that the officer erred)", "The officer erred.") is None


words = st.sampled_from("officer locker owner boat harbor search warrant motion evidence court berth".split())


@given(st.lists(words, min_size=8, max_size=20))
def test_any_sentence_repeats_itself(found: list[str]) -> None:
    sentence = " ".join(found)
    assert differences(f"(holding that {sentence})", sentence) == ()


@given(st.lists(words, min_size=8, max_size=14), st.data())
def test_a_negation_put_anywhere_is_a_difference(found: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(found)))
    turned = [*found[:at], data.draw(st.sampled_from(["not", "never", "without", "no"])), *found[at:]]
    assert differences(f"(holding that {' '.join(turned)})", " ".join(found))
    assert differences(f"(holding that {' '.join(found)})", " ".join(turned))


def test_a_changed_letter_of_a_quotation_is_no_difference() -> None:
    sentence = "When a vessel is moored, officers must ask the owner to produce the missing extinguisher."
    found = align("(“[O]fficers must ask the owner to produce the missing extinguisher.”)", sentence)
    assert found is not None
    assert not [word for word in found.differences if "fficers" in str(word)]
