"""Structure that a file states: static.case.law, Harvard's XML, public.resource.org, Fastcase."""

from __future__ import annotations

import html

import pytest

from parcel_agents.opinions import parse_opinion
from parcel_agents.opinions.markup import stated_author
from parcel_agents.types import Opinion

PROSE = (
    "The keeper of the harbor let the gate stand open all night although the county had told him to close it at dusk."
)
OTHER = "I would hold that the keeper owed the county nothing once the lamp at the end of the pier had been put out."
CASE = f"""<section class="casebody" data-case-id="1" data-firstpage="40" data-lastpage="60">
<section class="head-matter">
<h4 class="parties" id="b1">ADA ARDEN, Plaintiff, v. BEN BRILL, Defendant</h4>
<p class="docketnumber">No. 4711</p>
<p class="court">Supreme Court of Ohio.</p>
<p class="decisiondate">Argued March 1, 2031<br> Decided May 2, 2031</p>
<p class="syllabus">A keeper who leaves a gate open answers to the county.</p>
<p class="headnotes">Gates are to be closed at dusk by whoever keeps them.</p>
<p class="attorneys">Ada Ferrer, for the plaintiff.</p></section>
<article class="opinion" data-type="majority"><p class="author" id="b4">HALE, <em>C.J.</em></p>
<p id="b5"><a id="p41" href="#p41" data-label="41" data-citation-index="1" class="page-label">*41</a>{PROSE}
<a class="footnotemark" href="#footnote_1_1" id="ref_footnote_1_1">1</a>
<a class="page-label" data-citation-index="2" data-label="900">**900</a> It was <a class="bracketnum">[3]</a>dark.</p>
<aside data-label="1" class="footnote" id="footnote_1_1"><a href="#ref_footnote_1_1">1</a>
<p>The lamp was out.</p></aside></article>
<article class="opinion" data-type="dissent"><p class="author">Quist, <em>J.</em>,</p><p>{OTHER}</p></article>
<article class="opinion" data-type="concurring-in-part-and-dissenting-in-part"><p>{OTHER}</p></article>
</section>"""


def parts(read: Opinion) -> list[tuple[str, str | None, str | None]]:
    return [(part.kind, part.author, part.footnote) for part in read.parts]


def text_of(read: Opinion, kind: str) -> str:
    return "\n".join(read.text[part.start : part.end].strip() for part in read.parts if part.kind == kind)


def test_page_of_static_case_law_is_read_as_it_is_typed() -> None:
    read = parse_opinion(CASE, suffix=".html")
    assert parts(read) == [
        ("front", None, None),
        ("majority", "HALE, C.J.", None),
        ("dissent", "Quist, J.", None),
        ("mixed", None, None),
        ("majority", "HALE, C.J.", "1"),
    ]
    assert (read.name, read.court, read.date) == ("Ada Arden v. Ben Brill", "Supreme Court of Ohio", "May 2, 2031")
    assert "answers to the county" in text_of(read, "front")
    assert "whoever keeps them" in text_of(read, "front")
    assert text_of(read, "majority").endswith("It was dark.\nThe lamp was out.")
    assert [mark.page for mark in read.pages][:1] == ["*41"]


def test_article_typed_as_dissent_is_one_whatever_its_first_line_says() -> None:
    read = parse_opinion(CASE.replace("Quist, <em>J.</em>,", "MR. JUSTICE QUIST."), suffix=".html")
    assert ("dissent", "MR. JUSTICE QUIST", None) in parts(read)


def test_majority_by_default_of_a_program_yields_to_a_line_that_dissents() -> None:
    read = parse_opinion(
        f"<article class='opinion' data-type='majority'><p>QUIST, J., dissenting.</p><p>{OTHER}</p></article>",
        suffix=".html",
    )
    assert parts(read) == [("dissent", "QUIST, J.", None)]


@pytest.mark.parametrize(
    ("stated", "kind"),
    [("unanimous", "majority"), ("concurrence", "concurrence"), ("rehearing", "majority"), ("unprocessed", "unknown")],
)
def test_type_of_an_opinion_element_is_its_voice(stated: str, kind: str) -> None:
    read = parse_opinion(
        f'<casebody><parties>Arden v. Brill</parties><opinion type="{stated}"><p>{PROSE}</p></opinion></casebody>',
        suffix=".xml",
    )
    assert [part.kind for part in read.parts] == ["front", kind]


def test_headnotes_within_an_opinion_element_are_not_the_courts() -> None:
    read = parse_opinion(
        f"<opinion type='majority'><author>HALE, J.</author><headnotes>{OTHER}</headnotes><p>{PROSE}</p></opinion>",
        suffix=".xml",
    )
    assert OTHER not in text_of(read, "majority")


@pytest.mark.parametrize(
    ("text", "author"),
    [
        ("HALE, Circuit Judge:", "HALE, Circuit Judge"),
        ("Mr. Justice HALEdelivered the opinion of the Court.", "Mr. Justice HALE"),
        ("Justice Quist, with whom Justice Rowley joins, dissenting.", "Justice Quist"),
        ("Mr. Justice Hale,", "Mr. Justice Hale"),
        ("QUIST, J. (concurring).", "QUIST, J."),
        ("Opinion of the Court by HALE, J.", "HALE, J."),
        ("Hale", "Hale"),
        ("JUSTICE HALE delivered the judgment of the court, with opinion.", "JUSTICE HALE"),
        ("Mr. Justice HALE, after stating the facts as above, delivered the opinion of the court.", "Mr. Justice HALE"),
        ("PER CURIAM.", None),
        ("HALE,", None),
        ("Present: HALE, QUIST and ROWLEY, JJ.", None),
        ("", None),
    ],
)
def test_author_is_the_judge_without_the_rest_of_the_line(text: str, author: str | None) -> None:
    assert stated_author(text) == author


def test_page_of_public_resource_has_its_counsel_in_front_and_no_paragraph_numbers() -> None:
    read = parse_opinion(
        "<p class='case_cite'>99 F.3d 143</p><p class='parties'>Ada ARDEN, Plaintiff-Appellee,<br>v.<br>Ben BRILL,"
        " Keeper, Defendant-Appellant.</p><p class='docket'>No. 4711</p>"
        "<p class='court'>United States Court of Appeals, Second Circuit.</p>"
        "<p class='date'>Heard: March 1, 2031.</p><p class='date'>Decided: May 2, 2031.</p>"
        "<div class='prelims'><p class='indent'>Ada Ferrer, Dunham, for the appellant.</p>"
        "<p class='indent'>ADA HALE, Circuit Judge.</p></div>"
        f"<div class='num' id='p1'><span class='num'>1</span><p class='indent'>{PROSE}</p></div>",
        suffix=".html",
    )
    assert (read.name, read.citation, read.date) == ("Ada Arden v. Ben Brill", "99 F.3d 143", "May 2, 2031")
    assert parts(read) == [("front", None, None), ("majority", "ADA HALE, Circuit Judge", None)]
    assert text_of(read, "majority") == f"ADA HALE, Circuit Judge.\n\n{PROSE}"


@pytest.mark.parametrize(
    ("call", "label"),
    [
        ("<sup><a href='#fr1' name='fn1'>1</a></sup>", "<a href='#fn1' name='fr1'>1.</a>"),
        ("<a href='#it.1' id='ref.1'>[1]</a>", "<a href='#ref.1' id='it.1'>[1]</a>"),
        ("<sup><a href='#fr1' name='fn1'>1</a></sup>", "<sup><a href='#fr1' name='fn1'>1</a></sup>"),
    ],
)
def test_linked_numbers_are_calls_and_the_notes_they_link_to(call: str, label: str) -> None:
    read = parse_opinion(
        f"<p>HALE, J.</p><p>{PROSE}{call} It fell.</p><p>{label} The lamp was out.</p><p>It was old.</p>"
        "<p>--------</p>",
        suffix=".html",
    )
    note = next(part for part in read.parts if part.footnote == "1")
    assert read.text[note.start : note.end] == "The lamp was out.\n\nIt was old."
    assert f"{PROSE} It fell." in read.text


def test_class_of_a_page_of_any_other_site_says_nothing() -> None:
    read = parse_opinion(f"<div class='summary'><p>HALE, J.</p><p>{PROSE}</p><p>It fell.</p></div>", suffix=".html")
    assert parts(read) == [("majority", "HALE, J.", None)]


@pytest.mark.parametrize("heading", ["QUIST, J. (dissenting).", "Opinion of Quist, J., in dissent", "QUIST, J."])
def test_footnote_that_nothing_encloses_ends_where_another_opinion_begins(heading: str) -> None:
    read = parse_opinion(
        f"<p>HALE, J.</p><p>{PROSE}<sup><a href='#fr1' name='fn1'>1</a></sup></p>"
        f"<p><a href='#fn1' name='fr1'>1.</a> The lamp was out.</p><p>{heading}</p><p>{OTHER}</p>",
        suffix=".html",
    )
    note = next(part for part in read.parts if part.footnote == "1")
    assert read.text[note.start : note.end] == "The lamp was out."


@pytest.mark.parametrize(
    ("labels", "first_page", "kept"),
    [
        ([443, 438, 444, 439, 445, 440], "436", ["*438", "*439", "*440"]),
        ([443, 438, 444, 439, 445, 440], None, ["*443", "*444", "*445"]),
        ([443, 444, 438, 445, 446, 447, 439, 448, 449], "436", ["*438", "*439"]),
        ([441, 541, 442, 443, 542, 444, 543], "539", ["*541", "*542", "*543"]),
        ([438, 443, 439, 444, 440, 445], None, ["*438", "*439", "*440"]),
        ([5, 6, 60, 7, 8], "4", ["*5", "*6", "*7", "*8"]),
        ([5, 6, 7, 8], "4", ["*5", "*6", "*7", "*8"]),
        ([5, 6, 2, 7, 8], "4", ["*5", "*6", "*7", "*8"]),  # a number that was misread
    ],
)
def test_pages_of_two_reporters_are_never_mixed(labels: list[int], first_page: str | None, kept: list[str]) -> None:
    marks = "".join(f"<p><a class='page-label' data-label='{label}'>*{label}</a>{PROSE}</p>" for label in labels)
    stated = f" data-firstpage='{first_page}'" if first_page else ""
    read = parse_opinion(f"<section class='casebody'{stated}>{marks}</section>", suffix=".html")
    assert [mark.page for mark in read.pages] == kept


def test_bare_page_before_the_cited_ones_is_of_another_reporter() -> None:
    marks = f"<p><page-number label='12'>*12</page-number>{PROSE}</p>"
    read = parse_opinion(
        f"<citation>99 Mill 2d 400</citation><opinion type='majority'>{marks}</opinion>", suffix=".xml"
    )
    assert (read.citation, [mark.page for mark in read.pages]) == ("99 Mill 2d 400", ["*12"])


def test_case_of_fastcase_is_read_with_its_fields_and_the_pages_of_its_first_reporter() -> None:
    head = "<center><b><p>99 Mill 2d 40<br>88 N.W.2d 5</p><p>Ada ARDEN,<br>v.<br>Ben BRILL.</p></b></center>"
    body = (
        "<p>Ada Ferrer, for the plaintiff.</p><p>HALE, C.J.</p><p>[99 Mill 2d 41]</p><p>The keeper of the harbor"
        "</p><p>[88 N.W.2d 6]</p><p>left the gate open, and the county lost four boats and a barge to the tide.</p>"
        f"<p>QUIST, J. (dissenting).</p><p>{OTHER} [Arden v. Rowley, 9 Mill 2d 4].</p>"
    )
    read = parse_opinion(
        "<Case><ShortName>Arden v. Brill</ShortName><Jurisdiction><CourtName>Supreme Court of Ohio.</CourtName>"
        "</Jurisdiction><Citations><Citation><Volume>99</Volume><Reporter>Mill 2d</Reporter><Page>40</Page></Citation>"
        "<Citation><Volume>88</Volume><Reporter>N.W.2d</Reporter><Page>5</Page></Citation></Citations>"
        "<DecisionDate>2031-05-02</DecisionDate><Author>HALE, C.J.</Author>"
        f"<HeaderHtml>{html.escape(head)}</HeaderHtml><CaseHtml>{html.escape(body)}</CaseHtml></Case>",
        suffix=".xml",
    )
    assert (read.name, read.citation, read.court) == ("Arden v. Brill", "99 Mill 2d 40", "Supreme Court of Ohio")
    assert read.date == "2031-05-02"
    assert parts(read) == [
        ("front", None, None),
        ("majority", "HALE, C.J.", None),
        ("dissent", "QUIST, J.", None),
    ]
    assert "The keeper of the harbor left the gate open" in read.text
    assert [mark.page for mark in read.pages] == ["99 Mill 2d at 41"]
