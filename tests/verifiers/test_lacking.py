from __future__ import annotations

from parcel_agents.verifiers.lacking import lacking, shortfall

TEXT = (
    "The government's inspector opened the stern locker without suffcient cause, and the governmental report says so."
)


def test_words_that_stand_nowhere_are_named_and_kindred_ones_with_their_kin() -> None:
    found = lacking("(holding that the inspection of the stern locker needed a warrant)", TEXT)
    assert found.words == ("needed", "warrant")
    assert found.kindred == (("inspection", "inspector"),)
    assert found.told() == "does not use the words: needed, warrant; has “inspector” for “inspection”"


def test_how_a_claim_cites_is_no_word_that_the_opinion_lacks() -> None:
    assert lacking("(citing the report for what the inspector opened)", TEXT).words == ()


def test_a_word_that_a_scan_spoiled_is_there() -> None:
    assert lacking("(finding sufficient cause in the report)", TEXT).words == ()


def test_words_that_are_all_there_stand_apart() -> None:
    assert shortfall("(noting that the report opened the locker)", TEXT) == "has the claim's words, but not together"


def test_a_word_that_is_no_spoiled_form_of_another_is_lacking() -> None:
    assert lacking("(finding that the master filed a claim)", "The master fled with a claim.").words == ("filed",)
