from __future__ import annotations

import pytest
from fakes.tasks import COURT, task

from parcel_agents.verifiers.checks.misattributed import misattributed_words

OURS = COURT.removeprefix("We hold that ").rstrip(".")
THEIRS = "the majority leaves the harbor officers of this State without any useful rule for moored boats"
DISSENT = f"{THEIRS[0].upper()}{THEIRS[1:]}."


def found(claim: str, court: str = COURT, dissent: str = DISSENT) -> list[str]:
    return [finding.against for finding in misattributed_words(task(claim, court, dissent=dissent))]


def test_the_dissents_sentence_given_to_the_court_is_refuted_with_its_words() -> None:
    assert found(f"(holding that {THEIRS})") == [DISSENT]


def test_the_courts_sentence_given_to_the_dissent_is_refuted_with_its_words() -> None:
    assert found(f"(dissent arguing that {OURS})") == [COURT]


@pytest.mark.parametrize("claim", [f"(holding that {OURS})", f"(Quist, J., dissenting, arguing that {THEIRS})"])
def test_a_sentence_given_to_its_own_author_is_none(claim: str) -> None:
    assert found(claim) == []


def test_what_both_say_is_rightly_given_to_either() -> None:
    assert found(f"(dissent arguing that {OURS})", dissent=f"{DISSENT} I agree that {OURS}.") == []


def test_what_the_dissent_reports_of_the_court_is_not_the_dissents() -> None:
    reported = f"The majority holds that {OURS}."
    assert found(f"(holding that {OURS})", court="The order was wrong.", dissent=reported) == []


def test_a_claim_that_does_not_say_whose_words_they_are_may_report_any_judges() -> None:
    assert found(f"(noting that {THEIRS})") == []
