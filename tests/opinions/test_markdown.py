"""Markdown sources: what is a mark and goes, and what is text and stays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Opinion

PROSE = (
    "The ferry left the landing at dusk without its lamps lit, and the warden who watched it from the pier wrote"
    " down the hour and the name of the vessel."
)


def opinion(body: str, *, head: str = "# Warden v Ferry\n**99 NY3d 30**  \n\nAlder, J.\n\n") -> Opinion:
    return parse_opinion(f"{head}{body}\n\n{PROSE}\n", suffix=".md")


def first_paragraph(body: str) -> str:
    """The text of the paragraph in the Court's opinion, after the marks are gone."""
    read = opinion(body)
    majority = read.part("majority")
    return read.text[majority.start : majority.end].split("\n\n")[1]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        # years and subdivisions in square brackets are text
        (
            "a lamp is required (*Pier v Dock*, 93 NY3d 9, 12 [2019])",
            "a lamp is required (Pier v Dock, 93 NY3d 9, 12 [2019])",
        ),
        ("see Harbor Law § 40 [4] [g] and [h]", "see Harbor Law § 40 [4] [g] and [h]"),
        ('the warden "wr[ote] [it] down"', 'the warden "wr[ote] [it] down"'),
        ("lamps [1] and [2] were dark", "lamps [1] and [2] were dark"),
        # page marks between words, before a stop, and in place of a blank
        ("the lamp{**99 NY3d at 31} was dark", "the lamp was dark"),
        ("the lamp {**99 NY3d at 31}was dark", "the lamp was dark"),
        ("the lamp { **99 NY3d at 31}was dark", "the lamp was dark"),
        ("the lamp was dark{31}.", "the lamp was dark."),
        ("the lamp [*2]was dark", "the lamp was dark"),
        (r"the lamp **[\*2]** was dark", "the lamp was dark"),
        ("*the {**99 NY3d at 31}lamp* was dark", "the lamp was dark"),
        # the text browser's link numbers and calls
        ("so held ([3]see *Pier v Dock*, 93 NY3d 9)", "so held (see Pier v Dock, 93 NY3d 9)"),
        ("so held ([3]*Pier v Dock*, 93 NY3d 9)", "so held (Pier v Dock, 93 NY3d 9)"),
        ("the lamp was dark.^[4][FN1] It had been lit", "the lamp was dark. It had been lit"),
        ("the lamp was dark.[^1] It had been lit", "the lamp was dark. It had been lit"),
        # links, also with brackets within and one within another
        ("see [Pier v Dock, 93 NY3d 9 [2019]](https://x.example/a)", "see Pier v Dock, 93 NY3d 9 [2019]"),
        (
            "see [Pier v Dock (93 NY3d 9); [Quay v Mole](/case/2)](s3://x.example/a).",
            "see Pier v Dock (93 NY3d 9); Quay v Mole.",
        ),
        ("a target without words](https://x.example/a) is dropped", "a target without words is dropped"),
        ("§ 2 (b) [c] (d) stays", "§ 2 (b) [c] (d) stays"),
        # emphasis and escapes
        ("***People* v Alder** was *not* cited", "People v Alder was not cited"),
        ("a fine of \\*five\\* pence and 3 * 4 lamps", "a fine of *five* pence and 3 * 4 lamps"),
        ("2031 NY Slip Op 50001[U], *3 [2031]", "2031 NY Slip Op 50001[U], *3 [2031]"),
    ],
)
def test_marks_go_and_text_stays(source: str, text: str) -> None:
    assert first_paragraph(source) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("the ferry{**99 NY3d at 31}man rowed", "the ferryman rowed"),  # the word stands elsewhere
        ("the ves{**99 NY3d at 31}sel rowed", "the vessel rowed"),
        ("no warrant{**99 NY3d at 31}for the vessel", "no warrant for the vessel"),  # two words, each elsewhere
        ("99 NY3d{**99 NY3d at 31}at 9", "99 NY3d at 9"),
        ("Harbor{**99 NY3d at 31}Master", "Harbor Master"),
        ("page{**99 NY3d at 31}9", "page 9"),
    ],
)
def test_page_mark_within_a_word_does_not_split_it_and_one_for_a_blank_does_not_glue(source: str, text: str) -> None:
    read = opinion(f"{source}\n\nA ferryman asks no warrant for it at 99 NY3d 9.")
    assert text in read.text


def test_numbers_are_links_only_where_they_rise_or_are_listed() -> None:
    # 3 and 4 rise; 87 jumps and is in no list, so it is text.
    assert first_paragraph("[3]see one; [4]see two; [87]see three") == "see one; see two; [87]see three"
    listed = opinion("[87]see three\n\nReferences\n\n[87] https://x.example/a")
    assert "[87]" not in listed.text


def test_text_behind_the_list_of_references_is_kept() -> None:
    read = opinion("It was dark.\n\nReferences\n\n[1] https://x.example/a\n\nHidden links:\n[2] https://x.example/b")
    assert read.text.endswith(f"It was dark.\n\n{PROSE}")


@pytest.mark.parametrize(
    "tail",
    [
        "References",
        "References\n\n[1] https://x.example/a\n[2] https://x.example/b",
        "**References**\n\n1. https://x.example/a",
    ],
)
def test_list_of_references_is_no_text(tail: str) -> None:
    read = parse_opinion(f"# A v B\n\n{PROSE}\n\n{tail}", suffix=".md")
    assert read.text.endswith("vessel.")


def test_a_sentence_that_begins_with_references_is_text() -> None:
    assert "References to the lamp are struck." in opinion("References to the lamp are struck.").text


@pytest.mark.parametrize(
    "notes",
    [
        "Footnotes\n\n[7]Footnote 1: The lamp was brass.\n\n[8]Footnote 2: It was sold.",
        "**Footnotes**\n\n[7] Footnote 1: The lamp was brass.\n\n[8]Footnote 2 :It was sold.",
        "Footnotes\n\n[7]Footnote 1: The lamp was brass. [8]Footnote 2: It was sold.",
        "Footnotes\n\nFootnote 1. The lamp was brass. Footnote 2. It was sold.",
        "[^1]: The lamp was brass.\n[^2]: It was sold.",
    ],
)
def test_footnotes_are_parts_of_their_own(notes: str) -> None:
    read = parse_opinion(f"# A v B\n\nAlder, J.\n\n{PROSE}[FN1] And so.[FN2]\n\n{notes}", suffix=".md")
    found = [(part.footnote, read.text[part.start : part.end].strip()) for part in read.parts if part.footnote]
    assert found == [("1", "The lamp was brass."), ("2", "It was sold.")]


def test_head_of_the_file_describes_the_opinion() -> None:
    head = (
        "# *Warden v Ferry*\n**2031 NY Slip Op 00017 [99 NY3d 30]**  \n**May 2, 2031**  \n**Alder, J.**  \n\n"
        "**Court of Appeals**\n\nOPINION OF THE COURT\n\n"
    )
    read = opinion("The lamp was dark.", head=head)
    assert (read.name, read.citation, read.court, read.date) == (
        "Warden v Ferry",
        "99 NY3d 30",
        "Court of Appeals",
        "May 2, 2031",
    )
    assert read.part("majority").author == "Alder, J."


def test_numbers_in_the_text_are_no_citation() -> None:
    read = opinion("In 2031 No. 22 of the lamps was dark. 903 F. 3d 1000, affirmed.", head="Alder, J.\n\n")
    assert read.citation is None


@pytest.mark.parametrize(("offset_of", "page"), [("dark", None), ("brass", "99 NY3d at 31"), ("sold", "99 NY3d at 32")])
def test_page_of_a_place_is_that_of_the_mark_before_it(offset_of: str, page: str | None) -> None:
    read = opinion("It was dark. {**99 NY3d at 31}It was brass. {32}It was sold.")
    assert read.page_at(read.text.index(offset_of)) == page


WORDS = st.lists(st.sampled_from("the lamp was not lit when a ferry of Warden left".split()), min_size=20, max_size=40)
MARK = st.sampled_from(["{**99 NY3d at 31}", "{31}", "[*2]", "^[3][FN1]", "[FN2]"])


@given(WORDS, st.lists(st.tuples(st.integers(0, 39), MARK, st.booleans()), max_size=6))
@settings(max_examples=80, deadline=None)
def test_marks_at_word_borders_leave_the_text_unchanged(words: list[str], marks: list[tuple[int, str, bool]]) -> None:
    marked = list(words)
    for place, mark, before in marks:
        place %= len(marked)
        marked[place] = mark + marked[place] if before else marked[place] + mark
    plain = opinion(" ".join(words) + ".")
    with_marks = opinion(" ".join(marked) + ".")
    assert with_marks.text == plain.text
    assert [part.start for part in with_marks.parts] == [part.start for part in plain.parts]
