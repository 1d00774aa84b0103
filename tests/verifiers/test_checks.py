from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Claim, Opinion, Vote
from parcel_agents.verifiers import Task
from parcel_agents.verifiers.checks import ChecksVerifier

TEXT = """OPINION OF THE COURT

Ferris, J.

On March 3, 2021 Officer Brill opened a locker that held 11 bags of oysters. We follow People v Dunmarrow
(2 NY3d 118, 125 [2009]) and read Harbor Law § 12 as it stands. The third request was refused.

Quist, J. (dissenting). The statute is silent and I would not add to it, since the Legislature knew how to speak.

Judges Abara and Lund concur.
"""


def opinion() -> Opinion:
    return parse_opinion(TEXT, suffix=".md")


def vote(claim: str, on: Opinion | None = None) -> Vote:
    read = on or opinion()
    task = Task(Claim.of(claim), read, None, ())  # type: ignore[arg-type]
    return asyncio.run(ChecksVerifier("checks").verify(task))


@pytest.mark.parametrize(
    ("claim", "label", "words"),
    [
        ("(citing People v Hathersage for the rule of the open deck)", "not_found", "Hathersage"),
        ("(citing 4 NY3d 77 for the rule of the open deck)", "not_found", "4 NY3d 77"),
        ("(applying Harbor Law § 31 to lockers)", "not_found", "31"),
        ("(noting that the locker held 640 pounds of oysters)", "not_found", "640"),
        ("(noting that the search took place on May 3, 2021)", "not_found", "May"),
        ("(noting that Officer Tarn opened the locker)", "not_found", "Tarn"),
        ("(Abara, J., dissenting, finding the statute silent)", "refuted", "not Abara"),
        ("(Quist, J., concurring, finding the statute silent)", "not_found", "no concurrence"),
    ],
)
def test_a_defect_is_named_with_its_words(claim: str, label: str, words: str) -> None:
    given = vote(claim)
    assert given.label == label
    assert words in given.reason


@pytest.mark.parametrize(
    "claim",
    [
        "(holding that a locker may not be opened)",
        "(following People v Dunmarrow, 2 NY3d 118, and Harbor Law § 12)",
        "(noting that eleven bags were found in March 2021 by Officer Brill)",
        "(noting three requests for two reasons)",
        "(Quist, J., dissenting, finding the statute silent)",
        "(dissent finding the statute silent)",
        "(noting what the Fourth Department and the County Court had held)",
    ],
)
def test_finding_nothing_is_an_abstention_and_never_support(claim: str) -> None:
    given = vote(claim)
    assert (given.outcome, given.label) == ("ok", None)


def test_each_of_several_authors_may_be_named() -> None:
    joint = parse_opinion(TEXT.replace("Quist, J. (dissenting)", "Quist and Abara, JJ. (dissenting)"), suffix=".md")
    assert vote("(Abara, J., dissenting, finding the statute silent)", joint).label is None
    assert vote("(Lund, J., dissenting, finding the statute silent)", joint).label == "refuted"


def test_the_checks_read_the_whole_opinion() -> None:
    read = opinion()
    assert set(vote("(holding that a locker may not be opened)", read).read) == {p.id for p in read.passages}


def test_the_bundled_phantom_citation_and_missing_detail_are_caught(example_opinion: Path) -> None:
    read = Opinion.load(example_opinion)
    assert vote("(citing People v Hathersage, 94 NY3d 77, for a point)", read).label == "not_found"
    assert vote("(noting that the eleven mesh bags held roughly 640 pounds)", read).label == "not_found"
