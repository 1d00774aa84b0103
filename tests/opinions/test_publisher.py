"""Exports of the commercial databases: the publisher's own words are never an opinion's."""

from __future__ import annotations

import pytest

from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Opinion

PROSE = (
    "The keeper of the harbor let the gate stand open all night although the county had told him to close it at dusk."
)
OTHER = "I would hold that the keeper owed the county nothing once the lamp at the end of the pier had been put out."
NOTE = "A keeper who leaves a gate open answers to the county for every boat that the tide takes away."

LEXIS = f"""Arden v. Brill

Supreme Court of Michigan

May 2, 2031, Decided

999 Mich. 12 *; 888 N.W.2d 34 **

Core Terms

gate, harbor, keeper

Case Summary

Overview

{NOTE}

LexisNexis® Headnotes

HN1[⬆] {NOTE}

Counsel: Ada Ferrer for the plaintiff.

Opinion by: HALE

Opinion

HN1[⬆] {PROSE} [**35] It was dark.

Concur by: ROWLEY

Concur

{OTHER}

Dissent by: QUIST (In Part)

Dissent

{OTHER}

End of Document
"""
WESTLAW = f"""Arden v. Brill
999 Mich. 12
Supreme Court of Michigan.
May 2, 2031

Synopsis
{NOTE}

West Headnotes (1)

[1] Harbors
{NOTE}

Attorneys and Law Firms

Ada Ferrer, for plaintiff.

Opinion

HALE, Chief Justice.

{PROSE} It was dark.

QUIST, Justice (dissenting).

{OTHER}

All Citations

999 Mich. 12
"""


def parts(read: Opinion) -> list[tuple[str, str | None]]:
    return [(part.kind, part.author) for part in read.parts]


def as_html(text: str) -> str:
    return "<html><body>" + "".join(f"<p>{line}</p>" for line in text.split("\n") if line) + "</body></html>"


@pytest.mark.parametrize(("text", "suffix"), [(LEXIS, ".txt"), (as_html(LEXIS), ".html")])
def test_export_with_authors_over_the_opinions_is_cut_there(text: str, suffix: str) -> None:
    read = parse_opinion(text, suffix=suffix)
    assert parts(read) == [
        ("front", None),
        ("majority", "HALE"),
        ("concurrence", "ROWLEY"),
        ("mixed", "QUIST"),
        ("closing", None),
    ]
    assert (read.name, read.court, read.date) == ("Arden v. Brill", "Supreme Court of Michigan", "May 2, 2031")


@pytest.mark.parametrize(("text", "suffix"), [(WESTLAW, ".txt"), (as_html(WESTLAW), ".html")])
def test_export_with_a_title_over_the_opinion_is_cut_there_and_at_headings(text: str, suffix: str) -> None:
    read = parse_opinion(text, suffix=suffix)
    assert [kind for kind, _ in parts(read)] == ["front", "majority", "dissent", "closing"]


@pytest.mark.parametrize("text", [LEXIS, WESTLAW])
def test_summary_and_headnotes_are_front_and_their_marks_leave_the_courts_words(text: str) -> None:
    read = parse_opinion(text)
    majority = read.part("majority")
    words = read.text[majority.start : majority.end]
    assert f"{PROSE} It was dark." in words
    assert NOTE not in words
    assert "HN1" not in words


def test_court_that_has_a_syllabus_is_no_export() -> None:
    read = parse_opinion(f"Syllabus\n\n{NOTE}\n\nOPINION OF THE COURT\n\n{PROSE}\n\nHN1 Road was closed.")
    assert "HN1 Road" in read.text
    assert [kind for kind, _ in parts(read)] == ["front", "majority"]
