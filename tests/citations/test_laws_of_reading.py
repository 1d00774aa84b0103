"""What holds of the citations of any text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.citations.model import Citation
from parcel_agents.citations.read import read_citations

_PIECES = st.sampled_from(
    [
        "People v Marlowe",
        "Matter of Hathersage",
        "Quist v. Ferris",
        "Marlowe",
        ", 31 NY3d 201",
        " 61 NY2d at 503",
        ", 205",
        " n 3",
        " (440 US 12",
        " [2018]",
        " (2d Cir. 1999)",
        " [2d Dept 2021]",
        " [holding that it was]",
        " (holding “[t]he rule”)",
        " [emphasis added]",
        "; see also ",
        ", affd ",
        ", quoting ",
        " id. at 9",
        " supra",
        " CPL 330.30 (1)",
        " Penal Law §§ 10.00, 20.00",
        " NY Const, art I, § 6",
        "[",
        "]",
        "(",
        ")",
        ". ",
        "\n\n",
        " v ",
        " — US —",
        " 2011 NY Slip Op 51999[U]",
    ]
)
_TEXTS = st.one_of(st.lists(_PIECES, max_size=25).map("".join), st.text(max_size=200))


def _moved(citation: Citation, by: int) -> Citation:
    held = tuple(
        one.model_copy(update={"start": one.start + by, "end": one.end + by}) for one in citation.parentheticals
    )
    update = {"start": citation.start + by, "end": citation.end + by, "parentheticals": held}
    return citation.model_copy(update=update)


@given(_TEXTS)
def test_spans_hold_and_citations_stand_in_order(text: str) -> None:
    found = read_citations(text)
    for number, one in enumerate(found):
        assert 0 <= one.start < one.end <= len(text)
        assert text[one.start : one.end] == one.text
        assert one.authority is None or 0 <= one.authority < len(found)
        assert one.history_of is None or one.history_of < number
        assert one.within is None or one.within < number
        for held in one.parentheticals:
            assert text[held.start : held.end] == held.text
            assert text[held.start - 1] + text[held.end] in {"()", "[]"}
    places = [one.end for one in found if one.kind != "name"]
    assert places == sorted(places) or any(one.within is not None for one in found)


@given(_TEXTS)
def test_brackets_in_a_parenthetical_are_closed_in_it(text: str) -> None:
    for one in read_citations(text):
        for held in one.parentheticals:
            opening, closing = text[held.start - 1], text[held.end]
            depth = 0
            for char in held.text:
                depth += (char == opening) - (char == closing)
                assert depth >= 0


@given(_TEXTS)
def test_a_paragraph_before_moves_everything_and_changes_nothing(text: str) -> None:
    before = "This is how it went.\n\nNobody was hurt.\n\n"
    # The title of an opinion, at the very beginning, names the case: keep it from being one.
    found = read_citations("So it went.\n\n" + text)
    after = read_citations("So it went.\n\n" + before + text)
    assert after == tuple(_moved(one, len(before)) for one in found)


@given(_TEXTS)
def test_the_same_text_reads_the_same(text: str) -> None:
    assert read_citations(text) == read_citations(text)
