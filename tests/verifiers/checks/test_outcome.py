from __future__ import annotations

import pytest
from fakes.tasks import task

from parcel_agents.verifiers.checks.outcome import other_outcome


def found(claim: str, closing: str) -> list[tuple[str, str]]:
    return [(one.words, one.against) for one in other_outcome(task(claim, closing=closing))]


@pytest.mark.parametrize(
    ("claim", "closing", "words"),
    [
        ("(reversing a larceny conviction because the locker was searched)", "Order affirmed.", "reversing"),
        ("(vacating the convictions for want of proof)", "Order affirmed.", "vacating"),
        ("(reversing the harbor board's § 12 sanctions for want of proof)", "Order affirmed.", "reversing"),
        ("(affirming because the owner had been asked)", "Order reversed and a new trial ordered.", "affirming"),
        ("(Court affirmed the denial of the motion to suppress)", "Order reversed, etc.", "affirmed"),
    ],
)
def test_another_outcome_than_the_orders_is_refuted(claim: str, closing: str, words: str) -> None:
    assert found(claim, closing) == [(words, closing)]


@pytest.mark.parametrize(
    ("claim", "closing"),
    [
        ("(affirming a larceny conviction)", "Order affirmed."),
        ("(vacating the conviction)", "Order reversed and a new trial ordered."),
        # A modified order stands in part and falls in part.
        ("(affirming the larceny conviction)", "Order modified and, as so modified, affirmed."),
        ("(reversing a larceny conviction)", "Order modified and, as so modified, affirmed."),
        # Not the order, but a rule, a part of the trial, or a principle.
        ("(reaffirming that lockers are private)", "Order reversed."),
        ("(affirming that lockers are private)", "Order reversed."),
        ("(affirming the trial court's view of lockers)", "Order reversed."),
        ("(reversing the burden of proof)", "Order affirmed."),
        ("(reversing course on the search of lockers)", "Order affirmed."),
        ("(vacating its earlier award)", "Order affirmed."),
        ("(reversing the trial court's suppression of the locker)", "Order affirmed."),
        ("(reversing the sanctions)", "Order modified and, as so modified, affirmed."),
        # Another court's order.
        ("(affirmed by the Appellate Division, the conviction fell here)", "Order reversed."),
        # A separate opinion's own vote, and what is only dismissed as academic.
        ("(dissent voting to reverse the conviction)", "Order affirmed."),
        ("(dismissing as academic the contention about the locker)", "Order affirmed."),
        # Each appeal has its own outcome.
        ("(affirming on defendant's appeal)", "On defendant's appeal, order, insofar as appealed from, affirmed, and"
         " People's appeal dismissed."),
    ],
)  # fmt: skip
def test_room_for_the_claim_is_no_finding(claim: str, closing: str) -> None:
    assert found(claim, closing) == []
