"""What became of the appeal, and what the court below had done, in fictional opinions."""

from __future__ import annotations

import pytest

from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Opinion

PROSE = "The orchard stood on the north side of the road and no fence had been set between it and the parish land."
LIST = "Judges Elm and Fir concur."


def opinion(*paragraphs: str, front: str = "") -> Opinion:
    head = f"# Orchard v Parish\n\n{front}\n\nOPINION OF THE COURT\n\nAlder, J.\n\n{PROSE}"
    return parse_opinion("\n\n".join([head, *paragraphs]), suffix=".md")


@pytest.mark.parametrize(
    ("closing", "words"),
    [
        ("Order affirmed.", ("affirmed",)),
        ("Order reversed, etc.", ("reversed",)),
        ("Order reversed and indictment dismissed.", ("reversed", "dismissed")),
        ("Order modified by vacating the fine and, as so modified, affirmed.", ("modified", "affirmed")),
        ("Judgment reversed and case remitted to County Court.", ("reversed", "remitted")),
        ("Appeal dismissed upon the ground that the order reversed nothing.", ("dismissed",)),
        ("In each case: Order affirmed.", ("affirmed",)),
        (
            "On defendant's appeal, order, insofar as appealed from, affirmed, and Parish's appeal dismissed, etc.",
            ("affirmed", "dismissed"),
        ),
        (
            "On review of submissions pursuant to section 500.11 of the Rules (22 NYCRR 500.11), order affirmed.",
            ("affirmed",),
        ),
    ],
)
def test_the_order_in_the_closing_lines_is_the_disposition(closing: str, words: tuple[str, ...]) -> None:
    read = opinion("Accordingly, the order should be reversed.", LIST, closing)
    assert read.disposition is not None
    assert read.disposition.words == words
    assert read.text[read.disposition.start : read.disposition.end] in closing


def test_several_appeals_give_the_words_of_all() -> None:
    read = opinion("In Orchard v Parish: Order affirmed.", LIST, "In Mill v Parish: Order reversed.", LIST)
    assert read.disposition is not None
    assert read.disposition.words == ("affirmed", "reversed")


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Accordingly, the order of the Appellate Division should be reversed.", ("reversed",)),
        ("The judgment of the district court is AFFIRMED.", ("affirmed",)),
        ("We therefore vacate the judgment and remand for a new trial.", ("vacated", "remitted")),
        ("AFFIRMED.", ("affirmed",)),
    ],
)
def test_without_closing_lines_the_courts_own_decree_counts(sentence: str, words: tuple[str, ...]) -> None:
    read = opinion(f"{PROSE} {sentence}")
    assert read.disposition is not None
    assert read.disposition.words == words


def test_orders_of_several_appeals_count_together_where_no_line_lists_the_judges() -> None:
    read = opinion("In Orchard v Parish: Order affirmed.", "In Orchard v Glebe: Order reversed.")
    assert read.disposition is not None
    assert read.disposition.words == ("affirmed", "reversed")


def test_the_lines_before_the_opinion_are_the_last_resort() -> None:
    read = opinion(front="Orchard v Parish, 61 AD4th 902, reversed.")
    assert read.disposition is None
    read = opinion(front="Orchard v Parish, 61 AD3d 902, reversed.")
    assert read.disposition is not None
    assert read.disposition.words == ("reversed",)
    assert read.court_below is not None
    assert read.court_below.name == "Appellate Division"


def test_no_line_that_decides_is_no_disposition() -> None:
    read = opinion(PROSE)
    assert (read.disposition, read.court_below) == (None, None)


@pytest.mark.parametrize(
    ("told", "did"),
    [
        ("The Appellate Division affirmed (61 AD4th 902 [4th Dept 2030]).", ("affirmed",)),
        ("A divided Appellate Division reversed, holding that the order dismissed nothing.", ("reversed",)),
        ("The Appellate Division agreed that no fence stood and dismissed the indictment.", ("dismissed",)),
        ("The Appellate Division should have affirmed.", ()),
        ("We note that another panel of that court affirmed.", ()),
    ],
)
def test_court_below_is_the_one_whose_order_is_decided_upon(told: str, did: tuple[str, ...]) -> None:
    read = opinion(
        told, "Accordingly, the order of the Appellate Division should be affirmed.", LIST, "Order affirmed."
    )
    assert read.court_below is not None
    assert (read.court_below.name, read.court_below.did) == ("Appellate Division", did)


def test_federal_captions_name_the_court_below() -> None:
    read = opinion(front="ON WRIT OF CERTIORARI TO THE United States Court of Appeals for the Fifth Circuit")
    assert read.court_below is not None
    assert read.court_below.name == "United States Court of Appeals for the Fifth Circuit"


def test_both_survive_json() -> None:
    read = opinion("Accordingly, the order of the Appellate Division should be reversed.", LIST, "Order reversed.")
    assert Opinion.model_validate_json(read.model_dump_json()) == read
