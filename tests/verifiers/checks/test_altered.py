from __future__ import annotations

import pytest
from fakes.tasks import COURT, task
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.verifiers.checks.altered import altered_words
from parcel_agents.verifiers.matching import closest_match

RULE = COURT.removeprefix("We hold that ").rstrip(".")


def claimed(body: str) -> str:
    return f"(holding that {body})"


@pytest.mark.parametrize(
    ("sentence", "old", "new", "says"),
    [
        (RULE, "may not open", "may open", "may not open"),  # a negation taken away
        (RULE, "has been asked", "has not been asked", "owner has been asked"),  # and one put in
        (RULE, "before", "after", "before"),
        ("the harbor officers must ask the owner of a moored boat first", "must", "may", "must ask"),
        ("the harbor officer cannot enter the cabin of a moored boat", "cannot", "need not", "cannot"),
        ("the search of the moored oyster boat was lawful in every respect", "lawful", "unlawful", "lawful"),
        ("the motion to suppress the oysters in the stern locker was denied", "denied", "granted", "denied"),
        ("the harbor officer found seven bags of oysters in the stern locker", "seven", "eight", "seven bags"),
        ("he was charged with theft of oysters in the second degree at the harbor", "second", "third", "second degree"),
        ("all of the owners of moored boats were asked to open their lockers", "all", "none", "All"),
        ("the locker was opened by Hathersage while Wren held the oyster boat", "Hathersage", "Wren", "Hathersage"),
        (
            "the rule on harbor lockers came from the Supreme Court in spring",
            "Supreme Court",
            "Legislature",
            "Supreme",
        ),
    ],
)
def test_one_word_that_matters_is_refuted_with_both_words(sentence: str, old: str, new: str, says: str) -> None:
    # The name that is put in stands elsewhere in the opinion.
    court = f"{sentence[0].upper()}{sentence[1:]}. Later that day Wren sailed on."
    assert list(altered_words(task(claimed(sentence), court))) == []
    (finding,) = altered_words(task(claimed(sentence.replace(old, new)), court))
    assert finding.label == "refuted"
    assert says in finding.against
    assert finding.against in court
    assert finding.words in sentence.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("stern locker", "stern chest"),  # another word, but not a contrary one
        ("may not open", "must not open"),  # what may not be done must not be done
        ("may not open the stern locker", "may open the bow locker"),  # of another locker that may be true
        ("may not open the stern locker of a moored boat before", "may open the stern locker of a moored boat after"),
    ],
)
def test_other_differences_or_more_than_one_leave_a_doubt(old: str, new: str) -> None:
    assert list(altered_words(task(claimed(RULE.replace(old, new))))) == []


def test_words_that_the_claim_leaves_out_besides_change_nothing() -> None:
    (finding,) = altered_words(task(claimed(RULE.replace("a moored boat before", "a boat after"))))
    assert "before" in finding.against


def test_a_sentence_that_says_what_the_claim_says_clears_it() -> None:
    claim = claimed(RULE.replace("may not open", "may open"))
    other = f"Where the boat is adrift, things differ: {RULE.replace('may not open', 'may open')}."
    assert list(altered_words(task(claim)))
    assert list(altered_words(task(claim, f"{COURT} {other.split(': ')[1].capitalize()}"))) == []


@pytest.mark.parametrize(("all_of", "some_of"), [("all", "some"), ("every one", "some one"), ("always", "sometimes")])
def test_a_claim_that_says_less_than_the_sentence_is_not_refuted(all_of: str, some_of: str) -> None:
    sentence = f"{all_of} of the owners of moored boats were asked to open their lockers"
    court = f"{sentence[0].upper()}{sentence[1:]}."
    assert list(altered_words(task(claimed(sentence.replace(all_of, some_of)), court))) == []


def test_words_around_the_sentence_that_turn_it_leave_a_doubt() -> None:
    claim = claimed(RULE.replace("may not open", "may open"))
    assert list(altered_words(task(claim, f"It is not true that {RULE}."))) == []


def test_two_names_of_one_person_are_no_difference() -> None:
    sentence = "the stern locker of the oyster boat was opened by Hathersage"
    court = f"The captain was Dunmarrow Hathersage. {sentence.capitalize()[:-10]}Hathersage."
    assert list(altered_words(task(claimed(sentence.replace("Hathersage", "Dunmarrow")), court))) == []


nouns = st.sampled_from("officer locker owner boat harbor search warrant motion evidence court berth".split())


@given(st.lists(nouns, min_size=6, max_size=12), st.integers(4, 900), st.integers(1, 50), st.data())
def test_a_changed_number_is_found_and_never_supported(
    found: list[str], number: int, more: int, data: st.DataObject
) -> None:
    at = data.draw(st.integers(1, len(found) - 1))
    sentence, changed = (" ".join([*found[:at], str(n), *found[at:]]) for n in (number, number + more))
    court = f"The {sentence}."
    whole = task(claimed(sentence), court)
    assert list(altered_words(whole)) == []
    match = closest_match(whole)
    assert match is not None
    assert match.verbatim
    edited = task(claimed(changed), court)
    assert [finding.label for finding in altered_words(edited)] == ["refuted"]
    match = closest_match(edited)
    assert match is None or not match.verbatim
