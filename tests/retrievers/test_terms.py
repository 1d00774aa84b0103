from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from parcel_agents.retrievers.bm25 import TermScores
from parcel_agents.retrievers.features import split_clauses
from parcel_agents.retrievers.terms import missing_words, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The defendants' motions were denied", ["defend", "motion", "deni"]),
        ("CPL 710.20 (1) and Penal Law § 265.02-a", ["cpl", "710.20", "1", "penal", "law", "265.02-a"]),
        ("a fine of $1,250", ["fine", "1,250"]),
        ("not without", ["not", "without"]),
        ("of the and", []),
        ("", []),
    ],
)
def test_terms_are_stems_and_whole_numbers(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_missing_words_are_shown_as_the_claim_writes_them() -> None:
    assert missing_words("(noting that Inspectors weighed the oysters)", "The inspector counted oysters") == [
        "noting",
        "weighed",
    ]


def test_a_claim_is_split_into_clauses_that_say_something() -> None:
    claim = "(reversing the order because the officer never asked the owner, who stood nearby)"
    # The first clause and the last have fewer than three telling words.
    assert split_clauses(claim) == ["the officer never asked the owner"]
    assert split_clauses("(so it was)") == ["(so it was)"]


@given(st.lists(st.sampled_from("boat locker owner harbor".split()), max_size=8))
def test_kept_term_scores_add_up_to_the_librarys_score(query: list[str]) -> None:
    texts = [["boat", "boat", "owner"], ["locker"], ["harbor", "boat", "locker", "owner", "owner"], []]
    kept = TermScores(texts)
    expected = BM25Okapi([text or [""] for text in texts]).get_scores(query)
    assert np.allclose(kept.scores(query), expected)
    assert np.allclose(kept.scores(query), expected)
