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
        ("(dissent arguing that silence was a choice)", "silence was a choice"),
        ("(Quist, J., dissenting, would hold that silence was a choice)", "silence was a choice"),
        ("(noting, in dissent, that silence was a choice)", "silence was a choice"),
        ("(the Court explained further that silence was a choice)", "silence was a choice"),
        ("(correctly observing that silence was a choice)", "silence was a choice"),
        ("(holding, inter alia, that silence was a choice)", "silence was a choice"),
        # These say something of what follows that the sentence does not.
        ("(would hold that silence was a choice)", "would hold that silence was a choice"),
        ("(doubtfully holding that silence was a choice)", "doubtfully holding that silence was a choice"),
        ("(noting, in dicta, that silence was a choice)", "in dicta, that silence was a choice"),
        ("(rejecting that silence was a choice)", "rejecting that silence was a choice"),
        ("(affirming the denial of the motion)", "affirming the denial of the motion"),
        ("(defendant arguing that silence was a choice)", "defendant arguing that silence was a choice"),
        # Only the brackets around the whole are the claim's.
        ("(robbery is a felony (Harbor Law § 12))", "robbery is a felony (Harbor Law § 12)"),
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


BODY = "the harbor officer asked the owner to open the stern locker"


def test_what_a_sentence_cites_is_none_of_its_words() -> None:
    cited = "(see People v Hathersage, 12 NY3d 3, 5 [2009, Quist, J., dissenting])"
    assert differences(f"(noting that {BODY})", f"There {BODY} {cited}.") == ()
    assert differences(f"(noting that {BODY})", f"There {BODY} (or so it was alleged).") != ()


def test_what_a_claim_cites_must_stand_in_the_sentence() -> None:
    sentence = f"There {BODY} (see Harbor Law § 12)."
    assert differences(f"(noting that {BODY} (see Harbor Law § 12))", sentence) == ()
    assert differences(f"(noting that {BODY} (see Harbor Law § 13))", sentence) != ()


@pytest.mark.parametrize("behind", ["and he sailed for the States", "and they were allegations", "and the claim stood"])
def test_a_word_with_the_stem_of_a_verb_of_saying_hands_nothing_over(behind: str) -> None:
    assert differences(f"(noting that {BODY})", f"There {BODY}, {behind}.") == ()


def test_few_words_are_enough_where_all_are_the_same() -> None:
    assert differences("(holding that the locker search was lawful)", "The locker search was lawful.") == ()
    assert differences("(holding that the locker search was lawful)", "The wide locker search was lawful.") is None


@pytest.mark.parametrize(("old", "new"), [("cannot", "can"), ("cannot", "need not"), ("can't", "can")])
def test_cannot_is_two_words(old: str, new: str) -> None:
    body = f"the harbor officer {old} ask the owner to open the stern locker"
    assert differences(f"(noting that {body})", f"There {body}.") == ()
    assert differences(f"(noting that {body.replace(old, new)})", f"There {body}.") != ()
