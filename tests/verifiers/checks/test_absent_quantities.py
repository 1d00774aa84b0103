from __future__ import annotations

import pytest
from fakes.tasks import task

from parcel_agents.verifiers.checks.quantities import absent_quantities


def found(claim: str, court: str) -> list[str]:
    return [one.words for one in absent_quantities(task(claim, court))]


def test_a_term_that_the_opinion_has_not_although_it_has_the_number() -> None:
    assert found("(noting a six-year term)", "The six officers saw it. He was given seven years.") == ["six-year"]


@pytest.mark.parametrize(
    "court",
    [
        "He was given six years. The six officers saw it.",
        "He was given seven years, or six with good conduct.",  # six of what it counts
        "For theft it is seven years; for robbery it is six.",
        "He was given six to seven years.",
        "The six officers saw it.",  # the opinion counts no years
        "He was given seven years.",  # no six at all: a finding of another check
    ],
)
def test_a_number_that_may_count_years_vouches_for_the_claim(court: str) -> None:
    assert found("(noting a six-year term)", court) == []
