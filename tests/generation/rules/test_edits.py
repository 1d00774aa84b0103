from __future__ import annotations

from collections.abc import Sequence

import pytest

from parcel_agents.generation.rules.distractors import Cast
from parcel_agents.generation.rules.negation import Change
from parcel_agents.generation.rules.reversal import reversals
from parcel_agents.generation.rules.scope import scope_changes
from parcel_agents.generation.rules.wording import is_well_formed, put, whole_words
from parcel_agents.opinions import parse_opinion


def changed(body: str, changes: Sequence[Change]) -> list[str]:
    return [put(body, change) for change in changes]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("the order should be affirmed", "the order should be reversed"),
        ("an unlawful search took place on the boat", "a lawful search took place on the boat"),
        ("County Court denied the motion", "County Court granted the motion"),
        ("there was no evidence of a struggle", "there was evidence of a struggle"),
        ("there was evidence of a struggle", "there was no evidence of a struggle"),
        ("the officer failed to ask the owner", "the officer managed to ask the owner"),
        ("the boat was moored at the pier", "the boat was not moored at the pier"),
    ],
)
def test_an_outcome_is_turned_round(body: str, expected: str) -> None:
    assert expected in changed(body, reversals(body))


@pytest.mark.parametrize(
    "body",
    [
        "the officer denied boarding the boat",
        "a search may be lawful or unlawful",
        "if the boat was moored",
        "defendant pleaded guilty of his own will",
        "all of the boats were moored",
        "the boat may be larger than it seems",
    ],
)
def test_what_would_contradict_nothing_is_left_alone(body: str) -> None:
    assert not reversals(body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "the boat may be searched only when the owner was asked",
            "the boat may be searched regardless of whether the owner was asked",
        ),
        ("it may not be opened unless the owner agrees", "it may not be opened even if the owner agrees"),
        ("a boat must carry at least three lamps", "a boat must carry at most three lamps"),
        ("boats are generally moored at night", "boats are invariably moored at night"),
        ("an officer must ask before the boat is opened", "an officer must ask only after the boat is opened"),
        ("the officer asked before the boat was opened", "the officer asked after the boat was opened"),
        ("both the lamp and the locker were lit", "either the lamp or the locker were lit"),
    ],
)
def test_a_qualifier_is_changed(body: str, expected: str) -> None:
    assert expected in changed(body, scope_changes(body))


@pytest.mark.parametrize(
    "body",
    [
        "the locker cannot be opened by an officer",  # what cannot be need not be either
        "the police had probable cause to search, or reasonable suspicion to ask",
        "all three boats lay in the harbor",
        "the boat lay in the harbor for a week",
    ],
)
def test_without_a_qualifier_nothing_is_changed(body: str) -> None:
    assert not [one for one in changed(body, scope_changes(body)) if "suspicion to search" not in one]


CAST = Cast(
    parse_opinion(
        "# *People v Marlowe*\n\nOPINION OF THE COURT\n\n**Quist, J.**\n\n"
        "Officer Hathersage told Mr. Wren on May 4, 1999 that the boat was moored. County Court denied the motion on"
        " June 7, 2000, and the Appellate Division affirmed. CPL 440.10 is no help under CPL 330.30. The People"
        " appealed from robbery in the first degree and not robbery in the second degree. Mr. Wren fled, and Officer"
        " Hathersage saw the stern locker.\n",
        suffix=".md",
    )
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("the lamp was lit by Hathersage", "the lamp was lit by Wren"),
        ("County Court heard the owner", "the Appellate Division heard the owner"),
        ("the Appellate Division heard the owner", "County Court heard the owner"),
        ("relief lies under CPL 440.10", "relief lies under CPL 330.30"),
        ("the boat was seized on May 4, 1999", "the boat was seized on June 7, 2000"),
        ("he was tried for robbery in the first degree", "he was tried for robbery in the second degree"),
    ],
)
def test_a_name_gives_way_to_another_of_its_kind(body: str, expected: str) -> None:
    assert expected in changed(body, list(CAST.swaps(body)))


def test_what_the_opinion_says_of_both_is_not_swapped() -> None:
    assert not changed("Wren saw the stern locker", list(CAST.swaps("Wren saw the stern locker")))


def test_a_change_is_told_in_whole_words() -> None:
    change = whole_words("the boat was moored", Change(12, 12, " not"))
    assert (change.start, change.end, change.words) == (9, 12, "was not")


@pytest.mark.parametrize(
    "claim",
    [
        "(too short)",
        "(noting that the the boat was moored at the pier)",
        "(noting that the boat was “moored at the old pier)",
        "(noting that the boat ) was moored ( at the old pier)",
        "(noting that the boat , was moored at the old pier)",
        "(noting that the boat was moored at the pier but not)",
    ],
)
def test_ill_formed_claims_are_known(claim: str) -> None:
    assert not is_well_formed(claim)
