from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.generation.duplicates import find_duplicates
from parcel_agents.generation.model import LABEL_OF, Candidate, Strategy

CLAIM = "(holding that a cook on watch may waive a search of the galley stove before dawn)"


def claim(words: str, strategy: Strategy | None = None) -> Candidate:
    label = LABEL_OF[strategy] if strategy else "supported"
    return Candidate(opinion_id="marlowe", claim=words, label=label, strategy=strategy, made_by="test")


def rules(*candidates: Candidate) -> dict[int, str]:
    return {place: dropped.rule for place, dropped in find_duplicates(candidates)}


@pytest.mark.parametrize(
    "again",
    [
        CLAIM,
        CLAIM.upper(),
        CLAIM.replace("cook on watch", "cook, on watch,"),
        CLAIM.replace("before dawn", "before the dawn"),
    ],
)
def test_the_first_of_two_claims_that_say_the_same_stays(again: str) -> None:
    assert rules(claim(CLAIM), claim(again)) == {1: "near-duplicate"}


def test_claims_that_differ_stay() -> None:
    assert rules(claim(CLAIM), claim("(holding that a mate off watch may not sell an anchor chain at noon)")) == {}


def test_a_false_claim_may_be_as_near_to_a_true_one_as_it_likes() -> None:
    assert rules(claim(CLAIM), claim(CLAIM.replace("may waive", "may not waive"), "logic_reversal")) == {}


def test_the_same_words_with_two_labels_go_wherever_they_stand() -> None:
    twins = claim(CLAIM), claim(CLAIM.replace("(holding", "( Holding"), "logic_reversal")
    assert rules(*twins, claim(CLAIM)) == {0: "two labels", 1: "two labels", 2: "two labels"}


def test_the_same_words_with_one_label_stand_once_whatever_their_kind() -> None:
    assert rules(claim(CLAIM, "logic_reversal"), claim(CLAIM, "scope_contradiction")) == {1: "near-duplicate"}


def test_nothing_has_no_duplicates() -> None:
    assert rules() == {}


@given(st.lists(st.sampled_from("abcd"), max_size=12))
def test_what_stays_has_no_duplicates(words: list[str]) -> None:
    pool = [claim(f"(holding that {word * 3} {word * 4} {word * 5} was here)") for word in words]
    dropped = rules(*pool)
    stays = [one for place, one in enumerate(pool) if place not in dropped]
    assert len(stays) == len(set(words))
    assert rules(*stays) == {}
