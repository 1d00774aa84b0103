"""The verifier `similarity` and whose words a repeated sentence reports."""

from __future__ import annotations

import asyncio

import pytest

from parcel_agents.opinions import parse_opinion
from parcel_agents.retrievers import make_retriever
from parcel_agents.types import Claim
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.similarity import SimilarityVerifier

RULE = "the harbor officer may open the stern locker of a moored oyster boat at any hour of the day"


def label(claim: str, sentence: str) -> str | None:
    opinion = parse_opinion(
        f"# People v Plover\n\nOPINION OF THE COURT\n\nAlder, J.\n\n{sentence}\n\nJudges Elm and Fir concur.",
        suffix=".md",
    )
    verifier = SimilarityVerifier(name="similarity")
    task = Task(claim=Claim.of(claim), opinion=opinion, index=make_retriever("bm25").index(opinion), hits=())
    return asyncio.run(verifier.verify(task)).label


@pytest.mark.parametrize("lead", ["We hold that", "We agree with defendant that", "It is settled that"])
def test_the_courts_own_sentence_word_for_word_is_supported(lead: str) -> None:
    assert label(f"(holding that {RULE})", f"{lead} {RULE}.") == "supported"


@pytest.mark.parametrize(
    "lead",
    [
        "Defendant contends that",
        "Supreme Court found that",
        "The Appellate Division concluded that",
        "County Court determined that",
        "The officer testified that",
        "Plover insists that",
        "The dissent would hold that",
        "According to the People,",
        "The Appellate Division affirmed, holding that",
        "We reject defendant's contention that",
    ],
)
def test_what_somebody_else_said_is_not_supported_as_the_courts(lead: str) -> None:
    assert label(f"(holding that {RULE})", f"{lead} {RULE}.") is None


def test_a_claim_that_says_whose_words_it_repeats_is_supported() -> None:
    sentence = f"The Appellate Division concluded that {RULE}."
    assert label(f"(noting that the Appellate Division concluded that {RULE})", sentence) == "supported"


def test_the_same_words_told_and_then_adopted_are_supported() -> None:
    capital = RULE[0].upper() + RULE[1:]
    text = f"The Appellate Division concluded that {RULE}. We agree. {capital}."
    assert label(f"(holding that {RULE})", text) == "supported"


def test_similarity_never_says_that_something_is_not_there() -> None:
    assert SimilarityVerifier(name="similarity").casts == {"supported"}
    assert label("(citing a phantom of the harbor that nobody has ever named)", f"We hold that {RULE}.") is None
