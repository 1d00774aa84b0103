"""Passages: whole sentences of one part, none lost, none longer than may be."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parcel_agents.opinions.passages import MAX_WORDS, cut_passages, sentences
from parcel_agents.types import Part, Passage, Span


def part(start: int, end: int, id: str = "majority") -> Part:
    return Part(id=id, kind="majority", start=start, end=end)


def cut(text: str) -> tuple[Passage, ...]:
    return cut_passages(text, (part(0, len(text)),))


@pytest.mark.parametrize(
    "text",
    [
        "The keeper asked Mr. Alder. He said nothing.",
        "See Mill v. Keeper, 9 F.3d 4, 7 (1931). It is not so here.",
        "The court agreed (id. at 3.). It then adjourned.",
        "Alder, J., wrote for us. Birch, J., did not.",
        'He said that "the wall . . . was low." It was not.',
        "Section 4 (a) of the Act of Mar. 3, 1931, c. 7, applies. It was repealed.",
    ],
)
def test_sentence_does_not_end_at_an_abbreviation(text: str) -> None:
    assert len(sentences(text, Span(start=0, end=len(text)))) == 2


def test_heading_joins_the_paragraph_behind_it() -> None:
    assert [passage.text for passage in cut("II.\n\nThe wall was low.")] == ["II.\n\nThe wall was low."]


def test_paragraphs_of_their_own_are_passages_of_their_own() -> None:
    first, second = "The wall by the mill was low and it was old.", "The road by the orchard was wide and it was new."
    assert [passage.text for passage in cut(f"{first}\n\n{second}")] == [first, second]


def test_passages_are_numbered_through_all_parts() -> None:
    text = "The wall was low.\n\nThe road was wide."
    border = text.index("The road")
    passages = cut_passages(text, (part(0, border), part(border, len(text), "dissent-1")))
    assert [(passage.id, passage.part) for passage in passages] == [("p1", "majority"), ("p2", "dissent-1")]


def test_sentence_longer_than_a_passage_is_divided_at_a_semicolon() -> None:
    text = " ".join(["wall"] * 70) + "; " + " ".join(["road"] * 90) + "."
    passages = cut(text)
    assert [len(passage.text.split()) for passage in passages] == [70, 90]
    assert passages[0].text.endswith(";")


def test_sentence_without_stops_is_divided_all_the_same() -> None:
    assert [len(passage.text.split()) for passage in cut("wall " * 300)] == [MAX_WORDS, MAX_WORDS, 60]


@pytest.mark.parametrize("text", ["", " \n\n ", "\n"])
def test_part_without_text_has_no_passage(text: str) -> None:
    assert cut(text) == ()


PIECES = st.lists(
    st.sampled_from(
        [
            "The wall was low. ",
            "I. ",
            "See id. at 3. ",
            "\n\n",
            "\n",
            ". . . ",
            "“It fell.” ",
            "(see Mill v Keeper, 99 NY3d 4 [2031]). ",
            "a; " * 60,
            "wall " * 130,
            "§ 9 (b) ",
            "x",
            "No. 3 ",
            "! ",
            "J. ",
            " ",
        ]
    ),
    max_size=25,
)


@given(PIECES, st.lists(st.integers(0, 4000), max_size=4))
@settings(max_examples=150, deadline=None)
def test_every_character_of_every_part_is_in_one_passage_of_that_part(pieces: list[str], borders: list[int]) -> None:
    text = "".join(pieces)
    cuts = sorted({0, len(text), *(border % (len(text) + 1) for border in borders)})
    parts = tuple(part(start, end, f"part-{start}") for start, end in pairwise(cuts))
    passages = cut_passages(text, parts)
    by_id = {part.id: part for part in parts}
    position = 0
    for passage in passages:
        assert not text[position : passage.start].strip()  # only white space between passages
        assert passage.text == text[passage.start : passage.end] == passage.text.strip() != ""
        assert len(passage.text.split()) <= MAX_WORDS
        assert by_id[passage.part].start <= passage.start <= passage.end <= by_id[passage.part].end
        position = passage.end
    assert not text[position:].strip()
