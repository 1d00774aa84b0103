"""HTML sources: the official New York form, the form of CourtListener, plain and broken pages."""

from __future__ import annotations

import pytest

from parcel_agents.errors import OpinionError
from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Opinion

PROSE = "The keeper of the mill let the water rise above the mark that the county had cut into the stone of the wall."


def opinion(body: str) -> Opinion:
    return parse_opinion(body, suffix=".html")


def parts(read: Opinion) -> list[tuple[str, str | None, str | None]]:
    return [(part.kind, part.author, part.footnote) for part in read.parts]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        # inline elements leave no blank, block elements end the paragraph
        ("<p>the <i>mill</i>er's <b>wall</b></p>", "the miller's wall"),
        ("<p>see <span class='citation'><a href='/x'>9 Mill 2d 4</a></span>, 7</p>", "see 9 Mill 2d 4, 7"),
        ("<p>one</p>two<div>three</div>", "one\n\ntwo\n\nthree"),
        ("one<br>two<br><br>three", "one\ntwo\n\nthree"),
        # what page-making programs do: each tag on a line of its own
        (
            "<p>\n see\n <em>\n  e.g.\n </em>\n , the wall (\n <em>\n  per curiam\n </em>\n )\n</p>",
            "see e.g., the wall (per curiam)",
        ),
        ("<p>\n the wall\n <em>\n  rose\n </em>\n . . . and fell\n</p>", "the wall rose . . . and fell"),
        # marks
        ("<p>the <page-number label='8'>*8</page-number>wall</p>", "the wall"),
        ("<p>the <span class='star-pagination' label='8'>*8</span> wall</p>", "the wall"),
        ("<p>the wall<footnotemark>2</footnotemark> rose</p>", "the wall rose"),
        ("<p>the wall<a class='footnote' href='#fn2'>2</a> rose</p>", "the wall rose"),
        ("<p>the wall.<sup>2</sup> It rose</p>", "the wall. It rose"),
        (
            "<p>a field of 10<sup>2</sup> m<sup>2</sup> and the 4<sup>th</sup> wall</p>",
            "a field of 102 m2 and the 4th wall",
        ),
        ("<p>the wall<font color='#f00'>{**99 NY3d at 8}</font> rose [*3]high</p>", "the wall rose high"),
        # characters
        ("<p>&#167; 9 &amp; &#151; &#147;wall&#148;&nbsp;stood</p>", "§ 9 & — “wall” stood"),
        ("<p>wall</p><script>var x</script><style>p {}</style><!-- c --><p>stood</p>", "wall\n\nstood"),
        ("<p>the wall<p>stood<p>high", "the wall\n\nstood\n\nhigh"),
        (
            "<author>Justice ALDERdelivered the opinion of the Court.</author>",
            "Justice ALDER delivered the opinion of the Court.",
        ),
    ],
)
def test_text_is_what_a_reader_of_the_page_reads(markup: str, text: str) -> None:
    read = opinion(f"<html><body>{markup}<p>{PROSE}</p></body></html>")
    assert read.text == f"{text}\n\n{PROSE}"


def test_official_form_has_front_majority_concurrence_and_closing() -> None:
    read = opinion(
        "<html><head><title>Mill v Keeper (2031 NY Slip Op 00009)</title></head><body>"
        "<table><tr><td><b>Mill v Keeper</b></td></tr><tr><td>2031 NY Slip Op 00009 [99 NY3d 7]</td></tr>"
        "<tr><td>May 2, 2031</td></tr><tr><td>Alder, J.</td></tr><tr><td>Court of Appeals</td></tr></table>"
        "<br><font color='ff0000'>[*1]</font><p>Argued April 3, 2031"
        "<div align=center><font>{**99 NY3d at 7}</font> OPINION OF THE COURT</div>Alder, J."
        f"<p>{PROSE}<a href='#1FN' name='1CASE'><sup>[FN1]</sup></a></p>"
        "<p><Opinion category='concurring'></p><p><conopnjd>Concurring opinion by Chief Judge Birch<p></p>"
        f"<p>Chief Judge Birch (concurring).<p>{PROSE}</p>"
        "<p>Judges Alder and Cedar concur, Chief Judge Birch in a concurring opinion.</p><p>Order affirmed.</p>"
        "<p>Footnotes</p><p><a name='1FN'><b>Footnote 1:</b></a> The mark is of iron.</p></body></html>"
    )
    assert parts(read) == [
        ("front", None, None),
        ("majority", "Alder, J.", None),
        ("concurrence", "Chief Judge Birch", None),
        ("closing", None, None),
        ("majority", "Alder, J.", "1"),
    ]
    assert (read.name, read.citation, read.date) == ("Mill v Keeper", "99 NY3d 7", "May 2, 2031")
    assert read.page_at(read.text.index("The keeper")) == "99 NY3d at 7"


@pytest.mark.parametrize(
    "note",
    [
        "<footnote label='1'><p>It was <i>oak</i>.</p><blockquote>And old.</blockquote></footnote>",
        "<div class='footnotes'><div class='footnote' id='fn1' label='1'><a class='footnote' href='#fn1_ref'>1</a>"
        "<p>It was oak.</p><p>And old.</p></div></div>",
        "<div class='footnote' id='fn1'><a class='footnote' href='#r'>1</a><p>It was oak.</p>And old.</div>",
    ],
)
def test_footnote_in_either_form_is_a_part_of_the_opinion_that_calls_it(note: str) -> None:
    read = opinion(
        f"<opinion type='majority'><author>Alder, Justice.</author><p>{PROSE}</p></opinion><opinion type='dissent'>"
        f"<author>Birch, Justice, dissenting.</author><p>{PROSE}<footnotemark>1</footnotemark></p>{note}</opinion>"
    )
    assert parts(read) == [
        ("majority", "Alder, Justice", None),
        ("dissent", "Birch, Justice", None),
        ("dissent", "Birch, Justice", "1"),
    ]
    note_part = read.parts[-1]
    assert read.text[note_part.start : note_part.end] == "It was oak.\n\nAnd old."


def test_text_behind_a_footnote_element_is_no_footnote() -> None:
    note = "<footnote label='1'><p>Oak.</p></footnote>"
    read = opinion(f"<p>{PROSE}<footnotemark>1</footnotemark></p>{note}<p>It fell.</p>")
    assert read.text == f"{PROSE}\n\nIt fell.\n\nOak."


@pytest.mark.parametrize(
    ("markup", "kind", "author"),
    [
        (
            "<opinion type='majority'><author>Justice Alder</author><p>delivered the opinion of the Court.</p>",
            "majority",
            "Justice Alder",
        ),
        (
            "<opinion type='majority'><author>Mr. Justice Alder</author><p>delivered the opinion.</p>",
            "majority",
            "Mr. Justice Alder",
        ),
        ("<opinion type='majority'><author>ALDER,</author><p>Circuit Judge:</p>", "majority", "ALDER, Circuit Judge"),
        ("<opinion type='majority'><author>PER CURIAM:</author>", "majority", None),
        (
            "<opinion type='majority'><p>Opinion filed by Judge ALDER.</p><author>ALDER, Circuit Judge:</author>",
            "majority",
            "ALDER, Circuit Judge",
        ),
        (
            "<opinion type='dissent'><author>Alder, Circuit Judge, dissenting:</author>",
            "dissent",
            "Alder, Circuit Judge",
        ),
        ("<opinion type='concurring-in-part-and-dissenting-in-part'><author>ALDER, J.</author>", "mixed", "ALDER, J."),
        ("<opinion><p>ALDER, Circuit Judge.</p>", "majority", "ALDER, Circuit Judge"),
        ("<opinion type='combined'><p>The wall fell.</p>", "unknown", None),
    ],
)
def test_kind_and_author_are_those_of_markup_and_first_lines(markup: str, kind: str, author: str | None) -> None:
    read = opinion(f"{markup}<p>{PROSE}</p></opinion>")
    assert (read.parts[0].kind, read.parts[0].author) == (kind, author)


def test_counsel_at_the_foot_of_a_page_goes_to_the_closing() -> None:
    read = opinion(
        f"<opinion type='majority'><author>ALDER, Justice.</author><p>{PROSE}</p>"
        "<decisiondate>Decided May 2, 2031.</decisiondate><attorneys>Ada Cedar, for appellant.</attorneys>"
        "<p>It fell.</p><judges>All the Justices concur.</judges></opinion>"
    )
    closing = read.part("closing")
    lines = ["All the Justices concur.", "Decided May 2, 2031.", "Ada Cedar, for appellant."]
    assert read.text[closing.start :].split("\n\n") == lines


def test_pages_of_parallel_reports_are_left_out() -> None:
    read = opinion(
        f"<p>{PROSE} <page-number citation-index='1' label='8'>*8</page-number>It fell. "
        "<page-number citation-index='2' label='604'>*604</page-number>It rose.</p>"
    )
    assert [mark.page for mark in read.pages] == ["*8"]


def test_citations_set_outside_the_preformatted_text_stay_in_their_sentence() -> None:
    read = opinion(
        "<pre>                 OPINION\n\nALDER, Circuit Judge:\n\n   The wall fell. See </pre>"
        f"<span class='citation'>9 Mill 2d\n4</span><pre>, 7. It was not\nrebuilt.\n   {PROSE}</pre>"
    )
    assert f"The wall fell. See 9 Mill 2d 4, 7. It was not rebuilt.\n\n{PROSE}" in read.text
    assert read.part("majority").author == "ALDER, Circuit Judge"


def test_emphasis_that_is_never_closed_loses_no_text() -> None:
    words = [f"wall{number}" for number in range(3000)]
    read = opinion("".join(f"<p><b><i>{word} " for word in words))
    assert read.text.split() == words


def test_page_nested_beyond_what_can_be_read_is_refused_with_the_remedy() -> None:
    with pytest.raises(OpinionError, match=r"mill\.html: tags are nested .* plain text"):
        parse_opinion("<div>" * 5000 + PROSE, suffix=".html", where="mill.html")


@pytest.mark.parametrize("markup", ["", "<!-- nothing -->", "<script>var wall = 1</script>", "<p class='x>", "<" * 50])
def test_page_without_prose_is_refused(markup: str) -> None:
    with pytest.raises(OpinionError, match="no opinion in it"):
        opinion(markup)
