"""Plain text: paragraphs, divided words, and the pages of slip opinions with running heads and footnotes."""

from __future__ import annotations

import textwrap

import pytest

from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Opinion

FILLER = "The barge lay low in the water and the lock was shut against it until the toll had been paid in full"


def opinion(text: str) -> Opinion:
    return parse_opinion(text, suffix=".txt")


def paragraphs(text: str) -> list[str]:
    return opinion(text).text.split("\n\n")


def set_lines(text: str, *, indent: int = 4, width: int = 60, gap: str = "\n") -> str:
    """A paragraph as a slip opinion sets it: short lines, the first one indented."""
    return gap.join(textwrap.wrap(text, width, initial_indent=" " * indent, break_on_hyphens=False))


def page(body: str, *, number: int, notes: str = "") -> str:
    head = f"Case: 31-{400 + 7}   Document: 12   Page: {number}   Date Filed: 05/02/2031\n\n\n"
    return f"{head}{body}\n{notes}\n{' ' * 28}{number}\n"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("One line\nand the next.\n\nAnother.", ["One line and the next.", "Another."]),
        (
            "    One is indented\nand goes on.\n    So is two\nwith its own.",
            ["One is indented and goes on.", "So is two with its own."],
        ),
        ("One line.\n                 II\n    The next one\ngoes on.", ["One line.", "II", "The next one goes on."]),
        ("One line\r\nand the next.\r\n\r\nAnother.", ["One line and the next.", "Another."]),
        ("One line\rand the next.\r\rAnother.", ["One line and the next.", "Another."]),
    ],
)
def test_paragraph_ends_at_an_empty_line_or_a_new_indentation(lines: str, expected: list[str]) -> None:
    assert paragraphs(f"{lines}\n\n{FILLER}.") == [*expected, f"{FILLER}."]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("no require-\nment at all", "no requirement at all"),  # a syllable's hyphen
        ("a third-\nparty claim; the third-party claim", "a third-party claim; the third-party claim"),
        ("toll-\nkeeper, the toll of the keeper", "toll-keeper, the toll of the keeper"),  # both are words of the text
        ("the tollkeeper was no toll-\nkeeper", "the tollkeeper was no tollkeeper"),
        ("a Non-\nProfit lock", "a Non-Profit lock"),
        ("the lock—\nor the barge", "the lock—or the barge"),
        ("from 1931-\n1932", "from 1931- 1932"),
    ],
)
def test_word_divided_at_the_end_of_a_line_becomes_whole(lines: str, expected: str) -> None:
    assert paragraphs(f"{lines}\n\n{FILLER}.")[0] == expected


def test_running_heads_and_page_numbers_go_and_the_sentence_goes_on() -> None:
    first, second = "The keeper closed the gate when the barge had", "not yet paid, and the court below so found."
    bodies = [f"    {FILLER}\n{first}\n", f"{second}\n{FILLER}\n", f"{FILLER}\nto the end.\n"]
    read = opinion("\f".join(page(body, number=number) for number, body in enumerate(bodies, 1)))
    assert f"{first} {second}" in read.text
    assert "Document" not in read.text
    assert "2" not in read.text


def test_running_heads_are_found_without_form_feeds() -> None:
    sentences = [f"The barge number{chr(97 + n)} came through the lock and paid the toll that was" for n in range(5)]
    text = "".join(f"{sentence}\n\n   31 Canal Reports {n}\n\n" for n, sentence in enumerate(sentences)) + "set."
    assert "Canal Reports" not in opinion(text).text


def test_line_of_prose_that_comes_back_is_no_running_head() -> None:
    text = "\n\n".join(f"{FILLER}.\n\nId. at {n}." for n in range(6))
    assert opinion(text).text.count("Id. at") == 6


def test_second_head_that_names_the_opinion_goes() -> None:
    pages = [f"{n}    LOCK v. BARGE\n\n                 Gray, J., dissenting\n\n{FILLER}" for n in range(1, 5)]
    read = opinion("Gray, J., dissenting.\n" + "\f".join(pages))
    assert read.text.count("Gray, J.") == 1
    assert [part.kind for part in read.parts] == ["dissent"]


def test_double_spaced_lines_make_one_paragraph() -> None:
    text = set_lines(f"{FILLER}, as {FILLER}.", gap="\n\n") + "\n\n" + set_lines(f"{FILLER}; {FILLER}.", gap="\n\n")
    assert paragraphs(text) == [f"{FILLER}, as {FILLER}.", f"{FILLER}; {FILLER}."]


def test_paragraphs_of_one_line_each_are_not_taken_for_double_spacing() -> None:
    text = "\n\n".join(f"Lock {n} was shut." for n in range(20))
    assert len(paragraphs(text)) == 20


@pytest.mark.parametrize(
    "label", ["        1\n          The toll", "      1 The toll", "1 The toll", "——————\n   1 The toll"]
)
def test_note_at_the_foot_of_the_page_is_a_footnote_and_its_call_is_taken_out(label: str) -> None:
    body = f"    {FILLER}.1 The keeper\n"
    note = f"\n\n{label} was a shilling.\n"
    text = page(body, number=1, notes=note) + "\f" + page("went home.\n", number=2) + "\f" + page(FILLER, number=3)
    read = opinion(text)
    assert f"{FILLER}. The keeper went home." in read.text
    note_part = read.parts[-1]
    assert (note_part.footnote, read.text[note_part.start : note_part.end]) == ("1", "The toll was a shilling.")


def test_note_that_goes_on_below_the_next_page_stays_whole() -> None:
    first = page(
        f"    {FILLER}.1 The keeper\nwent to the\n",
        number=1,
        notes="\n   1\n     The toll was a shilling\nin the year of\n",
    )
    second = page(f"lock. {FILLER}\nand so on.\n", number=2, notes="\nthe flood.\n   2\n     It rose.\n")
    read = opinion(first + "\f" + second + "\f" + page(FILLER, number=3))
    assert "went to the lock." in read.text
    notes = [read.text[part.start : part.end].strip() for part in read.parts if part.footnote]
    assert notes == ["The toll was a shilling in the year of the flood.", "It rose."]


@pytest.mark.parametrize("call", ["so held.1 It", "so held.” 1 It", "a toll1 is due", "the toll 1 is due"])
def test_call_of_a_note_is_found_behind_a_stop_or_a_word(call: str) -> None:
    text = page(f"    {FILLER}; {call} {FILLER}.\n", number=1, notes="\n   1\n     It rose.\n") + "\f"
    read = opinion(text + page(FILLER, number=2) + "\f" + page(FILLER, number=3))
    body = read.parts[0]
    assert "1" not in read.text[body.start : body.end]


@pytest.mark.parametrize("number", ["Part 1 of the rule", "see No. 1 here", "25 U. S. 1, 9"])
def test_number_that_calls_no_note_stays(number: str) -> None:
    text = page(f"    {FILLER}; {number}. {FILLER}.1\n", number=1, notes="\n   1\n     It rose.\n") + "\f"
    read = opinion(text + page(FILLER, number=2) + "\f" + page(FILLER, number=3))
    assert number in read.text


def test_separate_opinions_within_one_text_are_parts_with_their_captions() -> None:
    caption = "SUPREME COURT OF THE UNITED STATES\n          No. 31-7\n\n        LOCK v. BARGE\n\n"
    more = f"{FILLER}\n\f" * 4 + f"{FILLER}.\n"
    read = opinion(
        f"{caption}   JUSTICE ALDER delivered the opinion of the Court.\n   {more}   It is so ordered.\n\f"
        f"{caption}   JUSTICE BIRCH, with whom JUSTICE CEDAR joins, con-\ncurring in part.\n   {more}\f"
        f"{caption}   JUSTICE GRAY, dissenting.\n   {more}"
    )
    assert [(part.kind, part.author) for part in read.parts] == [
        ("front", None),
        ("majority", "JUSTICE ALDER"),
        ("concurrence", "JUSTICE BIRCH"),
        ("dissent", "JUSTICE GRAY"),
    ]
    majority = read.part("majority")
    assert read.text[majority.start : majority.end].strip().endswith("It is so ordered.")


def test_page_of_html_in_a_text_file_is_read_as_html() -> None:
    assert opinion(f"<!DOCTYPE html><p>{FILLER} &amp; more</p>").text == f"{FILLER} & more"
