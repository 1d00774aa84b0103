"""PDF: pages as a reader sees them, and every bad file as one error with its remedy."""

from __future__ import annotations

import builtins
import contextlib
import io
import math
import random
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.lib.pagesizes import letter
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from parcel_agents.errors import MissingDependencyError, OpinionError
from parcel_agents.opinions import load_opinion, pdf_file
from parcel_agents.opinions.document import read_document
from parcel_agents.opinions.line_ends import LineEnds
from parcel_agents.opinions.pdf import read_pdf
from parcel_agents.opinions.pdf_lines import rows_of
from parcel_agents.opinions.pdf_page import Glyph, Run
from parcel_agents.opinions.pdf_page import Sheet as Page
from parcel_agents.types import Opinion

LEFT, TOP, FOOT = 72, 700, 54
FILLER = "The barge lay low in the water and the lock was shut against it until the toll had been paid in full"
MORE = "Nothing in the charter of the canal lets a keeper hold a boat for the debt of another boat of the same owner"


@dataclass
class Sheet:
    """A page to draw: each text with its place and size."""

    texts: list[tuple[float, float, float, str]] = field(default_factory=list)
    rules: list[tuple[float, float, float]] = field(default_factory=list)
    y: float = TOP

    def line(self, text: str, *, x: float = LEFT, size: float = 12, gap: float = 24) -> Sheet:
        self.texts.append((x, self.y, size, text))
        self.y -= gap
        return self

    def lines(self, text: str, *, x: float = LEFT, indent: float = 36, width: int = 80, **style: float) -> Sheet:
        """A paragraph in lines, the first of them indented."""
        wrapped = textwrap.wrap(text, width, break_on_hyphens=False)
        for index, line in enumerate(wrapped):
            self.line(line, x=x + (indent if index == 0 else 0), **style)
        return self

    def at(self, x: float, y: float, text: str, size: float = 12) -> Sheet:
        self.texts.append((x, y, size, text))
        return self

    def down(self, points: float) -> Sheet:
        self.y -= points
        return self

    def called(self, text: str, label: str, rest: str) -> Sheet:
        """A line with the raised call of a footnote in it."""
        end = LEFT + stringWidth(text, "Times-Roman", 12)
        self.at(LEFT, self.y, text).at(end, self.y + 4, label, 7)
        return self.line(f" {rest}", x=end + 4)

    def note(self, label: str, text: str) -> Sheet:
        """A footnote's first line: a small raised figure, and text in close lines."""
        self.at(LEFT, self.y + 4, label, 7)
        return self.lines(text, indent=8, gap=13)


def drawn(sheets: Sequence[Sheet], *, draw: Callable[[Canvas, int], None] = lambda c, n: None, **options: Any) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=letter, pageCompression=0, invariant=1, **options)
    for number, sheet in enumerate(sheets):
        draw(canvas, number)
        for x, y, size, text in sheet.texts:
            canvas.setFont("Times-Roman", size)
            canvas.drawString(x, y, text)
        for x, y, width in sheet.rules:
            canvas.line(x, y, x + width, y)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def numbered(sheets: Sequence[Sheet], case: str = "No. 118") -> list[Sheet]:
    """The sheets with the running head and the page number of a slip opinion."""
    for number, sheet in enumerate(sheets, 1):
        if number > 1:
            sheet.at(290, 744, f"- {number} -").at(500, 744, case)
        sheet.at(290, FOOT, f"- {number} -")
    return list(sheets)


def opinion(tmp_path: Path, data: bytes) -> Opinion:
    path = tmp_path / "marlowe.pdf"
    path.write_bytes(data)
    return load_opinion(path)


def paragraphs(sheets: Sequence[Sheet]) -> list[str]:
    return [block.text for block in read_pdf(drawn(sheets)).blocks]


def test_slip_opinion_has_the_parts_and_pages_that_a_reader_sees(tmp_path: Path) -> None:
    first = Sheet().line("Court of Appeals", gap=14).line("People v Marlowe", gap=60).line("ALDER, J.:")
    first.lines(f"{FILLER}. {MORE}, and so the order must be")
    second = Sheet().called("reversed.", "1", "Nothing more is asked.").down(40).note("1", f"{MORE}.")
    third = Sheet(y=400).line("BRIAR, Chief Judge (dissenting):").lines(f"{MORE}. {FILLER}.")
    third.down(20).lines(
        "Order reversed. Opinion by Judge Alder. Judge Cole concurs. Chief Judge Briar dissents.", gap=13
    )
    read = opinion(tmp_path, drawn(numbered([first, second, third])))
    voices = [part.voice for part in read.parts]
    assert voices == [
        "front",
        "majority (ALDER, J.)",
        "dissent (BRIAR, Chief Judge)",
        "closing",
        "majority (ALDER, J.), footnote 1",
    ]
    assert "must be reversed." in read.text
    assert "118" not in read.text
    assert [(mark.page, mark.reporter) for mark in read.pages[:3]] == [("*1", False), ("*2", False), ("*3", False)]
    assert read.page_at(read.text.index("reversed.")) == "*2"
    assert read.page_at(read.parts[-1].start) == "*2"


def test_sentence_goes_on_across_pages_and_a_new_paragraph_does_not() -> None:
    ends_within = [Sheet().lines(f"{FILLER} and"), Sheet().lines("the keeper had gone home.", indent=0)]
    assert paragraphs(numbered(ends_within)) == [f"{FILLER} and the keeper had gone home."]
    ends_whole = [Sheet().lines(f"{FILLER}."), Sheet().lines(f"{MORE}.")]
    assert paragraphs(numbered(ends_whole)) == [f"{FILLER}.", f"{MORE}."]


def test_block_quotation_is_a_paragraph_of_its_own() -> None:
    page = Sheet().lines(f"{FILLER}. The charter says so in these words, which the keeper knew:")
    page.lines(f"“{MORE}; {FILLER}.”", x=144, indent=0, width=55, gap=13)
    page.down(11).lines(f"{FILLER}, as we have held.", indent=0)
    read = paragraphs([page])
    assert [text.split()[0] for text in read] == ["The", "“Nothing", "The"]


def test_footnote_goes_on_at_the_foot_of_the_next_page() -> None:
    first = Sheet().lines(f"{FILLER}. {MORE}. {FILLER}.")
    first.at(500, first.y + 28, "1", 7)
    first.down(40).note("1", f"{MORE}, which was settled when the")
    second = Sheet().lines(f"{MORE}. {FILLER}. {MORE}.")
    second.down(60).lines(
        "charter was amended by the council of the canal and has been the rule for all keepers since.", indent=0, gap=13
    )
    blocks = read_pdf(drawn(numbered([first, second]))).blocks
    notes = [block for block in blocks if block.note]
    assert [note.note for note in notes] == ["1"]
    assert "when the charter was amended" in notes[0].text
    assert [mark.value for mark in notes[0].marks] == ["2"]
    assert "charter was amended" not in "".join(block.text for block in blocks if not block.note)


def test_call_leaves_the_text_and_is_known() -> None:
    page = Sheet().called("The toll was paid.", "1", "The lock was shut.").down(40).note("1", f"{MORE}.")
    body, note = read_pdf(drawn([page])).blocks
    assert body.text == "The toll was paid. The lock was shut."
    assert [(mark.offset, mark.value) for mark in body.marks if mark.kind == "note_call"] == [(18, "1")]
    assert (note.note, note.text) == ("1", f"{MORE}.")


def test_rule_tells_where_smaller_notes_begin() -> None:
    page = Sheet().lines(f"{FILLER}. {MORE}.")
    page.rules.append((LEFT, page.y - 10, 144))
    page.down(24).line("* Sitting by designation of the council of the canal.", size=9, gap=11)
    blocks = read_pdf(drawn([page])).blocks
    assert [(block.note, block.text) for block in blocks][-1] == (
        "*",
        "Sitting by designation of the council of the canal.",
    )


def test_running_heads_go_though_their_figures_change(tmp_path: Path) -> None:
    heads = ["Opinion of the Court", "Opinion of the Court", "Opinion of the Court", "Alder, J., dissenting"]
    bodies = [f"{FILLER}.", f"{MORE}.", f"And {FILLER.lower()}.", f"{MORE} 13 times."]
    sheets = [
        Sheet().at(LEFT, 750, f"31 Canal Reports {186 + n}").at(LEFT, 735, head).lines(body)
        for n, (head, body) in enumerate(zip(heads, bodies, strict=True))
    ]
    read = opinion(tmp_path, drawn(sheets))
    assert "Reports" not in read.text
    assert "Opinion of" not in read.text
    assert "dissenting" not in read.text
    assert "13 times" in read.text


def slip_opinion() -> list[Sheet]:
    """Six pages as the Supreme Court prints them; the voices change with the second line of the running head."""
    heads = [
        "Syllabus",
        "Opinion of the Court",
        "Opinion of the Court",
        "FERRER, J., dissenting",
        "HALE, J., dissenting",
    ]
    pages = [
        Sheet().at(LEFT, 750, "(Slip Opinion)").at(400, 750, "1").at(280, 730, "Syllabus"),
        *(
            Sheet()
            .at(LEFT, 750, f"Cite as: 555 U. S. ____ (2009) {n}" if n % 2 else f"{n} ARDEN v. BRILL")
            .at(280, 730, head)
            for n, head in enumerate(heads[1:], 2)
        ),
    ]
    syllabus, court, more, dissent, other = pages
    syllabus.lines(f"Held: {FILLER}. Pp. 2-3.", size=9, gap=11)
    syllabus.lines(f"1. {MORE}. Pp. 2-3.", size=9, gap=11).lines(f"2. {FILLER}. P. 3.", size=9, gap=11)
    court.line("JUSTICE ARDEN delivered the opinion of the Court.*", x=108).lines(f"{FILLER}. {MORE}. {FILLER}.")
    court.down(20).line("———————", size=9, gap=12).line("*Together with No. 7, Brill v. Arden.", x=80, size=9, gap=11)
    more.lines(f"{MORE}. {FILLER}.").called("The toll was paid.", "1", "The lock was shut.")
    more.line("———————", size=9, gap=12).at(80, more.y + 3, "1", 6).line(f"{MORE}.", x=86, size=9, gap=11)
    for page, name in ((dissent, "FERRER"), (other, "HALE")):
        page.line("SUPREME COURT OF THE UNITED STATES", x=180, gap=40)
        page.line(f"JUSTICE {name}, dissenting.", x=108).lines(f"{MORE}. {FILLER}.")
    return pages


def test_slip_opinion_of_the_supreme_court_keeps_no_running_head_and_ties_its_notes(tmp_path: Path) -> None:
    read = opinion(tmp_path, drawn(slip_opinion()))
    assert not re.search(r"Cite as|Slip Opinion|ARDEN v\.|Syllabus|Opinion of the|, J\., diss|————", read.text)
    assert [mark.page for mark in read.pages if mark.offset < read.parts[-1].start][:5] == [
        "*1",
        "*2",
        "*3",
        "*4",
        "*5",
    ]
    notes = [(part.kind, part.footnote) for part in read.parts if part.footnote]
    assert notes == [("majority", "*"), ("majority", "1")]
    assert [part.kind for part in read.parts if part.footnote is None] == ["front", "majority", "dissent", "dissent"]


def test_syllabus_in_small_type_is_paragraphs_and_no_note(tmp_path: Path) -> None:
    blocks = read_pdf(drawn(slip_opinion())).blocks
    assert [block.text.split()[0] for block in blocks[:3]] == ["Held:", "1.", "2."]
    assert not any(block.note for block in blocks[:3])


def test_stamp_of_the_filing_system_goes_even_from_a_short_file(tmp_path: Path) -> None:
    stamp = "Case 1:24-cv-00063-QRS Document 49-1 Filed 02/02/25 Page {} of 2 PageID #: 1234"
    pages = [Sheet().at(60, 775, stamp.format(n), 9).lines(f"{text}.") for n, text in ((1, FILLER), (2, MORE))]
    assert paragraphs(pages) == [f"{FILLER}.", f"{MORE}."]


def test_words_across_or_behind_every_page_go() -> None:
    def proof(canvas: Canvas, number: int) -> None:
        canvas.setFont("Times-Roman", 40)
        canvas.drawString(100, 560, "Page Proof Pending Publication")
        canvas.saveState()
        canvas.rotate(45)
        canvas.drawString(300, 100, "DRAFT")
        canvas.restoreState()

    texts = [f"{FILLER}.", f"{MORE}.", f"And {FILLER.lower()}."]
    data = drawn([Sheet(y=600).lines(text) for text in texts], draw=proof)
    assert [block.text for block in read_pdf(data).blocks] == texts


def test_number_of_a_paragraph_in_the_margin_leads_it() -> None:
    page = Sheet().lines(f"{FILLER}. {MORE}.")
    page.at(24, page.y, "¶ 2", 10).lines(f"{MORE}. {FILLER}.")
    assert paragraphs([page])[1].startswith("¶ 2 Nothing in the charter")


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("Before Quist, Hale and Rowley, Circuit Judges.", None),
        ("No. 06-278. Argued March 19, 2007. Decided June 25, 2007", None),
        (None, "Background"),
    ],
)
def test_centred_line_is_a_block_of_its_own(above: str | None, below: str | None) -> None:
    page = Sheet()
    for text in (above, None, below, None):
        if text:
            page.line(text, x=272 - stringWidth(text, "Times-Roman", 12) / 2)
        else:
            page.lines(f"{FILLER}. {MORE}.")
    read = paragraphs([page])
    assert [text for text in (above, below) if text] == [text for text in read if not text.startswith("The barge")]


def test_heading_that_fills_its_line_goes_on_in_the_next() -> None:
    page = Sheet().line("JUSTICE HALE, with whom JUSTICE QUIST and JUSTICE ROWLEY join as to", x=108)
    page.line("Parts I and II, dissenting.").lines(f"{FILLER}. {MORE}.")
    head, text = paragraphs([page])
    assert head.endswith("join as to Parts I and II, dissenting.")
    assert text.startswith("The barge")


@pytest.mark.parametrize("apart", [True, False])
def test_line_numbers_of_pleading_paper_go(apart: bool) -> None:
    page = Sheet()
    text = textwrap.wrap(f"{FILLER}. {MORE}. {FILLER}, and {MORE}. {FILLER}. {MORE}.", 60)
    for number, line in enumerate(text, 1):
        if apart:
            page.at(48 - 6 * (number > 9), page.y, str(number)).line(line)
        else:
            page.line(f"{number}  {line}")
    assert " ".join(paragraphs([page])) == " ".join(text)


def set_in_type(text: str, *, gaps: dict[str, float] | None = None, size: float = 10.0) -> str:
    """The line that glyphs make, each half its size wide; `gaps` moves the glyph behind some characters away.

    A blank takes no room of its own: `_` is one that the file has, for which the gap leaves room or does not.
    """
    x, blank, glyphs = 72.0, math.inf, []
    for char in text:
        if char in (gaps or {}):
            blank = x if char == "_" else blank
            x += size * (gaps or {})[char]
        else:
            glyphs.append(Glyph(char, x, x + size / 2, blank))
            x, blank = x + size / 2, math.inf
    return rows_of(Page(1, 612, 792, [Run(700, size, glyphs)]))[0].text


@pytest.mark.parametrize(
    ("text", "gaps", "expected"),
    [
        ("the|lock", {"|": 0.25}, "the lock"),  # no blank in the file
        ("the_lock", {"_": 0.12}, "the lock"),  # a narrow one in a crowded line
        ("the_c_ity", {"_": 0.0}, "thecity"),  # without room
        ("l-o-c-k|t-o-l-l", {"-": 0.3, "|": 0.9}, "lock toll"),  # letters spaced out
        ("k+e+r+n+e+d", {"+": 0.08}, "kerned"),
        ("the|lo-ck", {"|": 0.3, "-": -0.05}, "the lock"),
        ("’+”|he|said", {"+": 0.15, "|": 0.3}, "’” he said"),  # nested quotation marks stand apart
    ],
)
def test_blanks_are_where_there_is_room_for_them(text: str, gaps: dict[str, float], expected: str) -> None:
    assert set_in_type(text, gaps=gaps) == expected


def file_of(text: str, *objects: str) -> bytes:
    """A PDF of one page that shows a string in font 4, to which the objects from 4 on belong."""
    stream = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET"
    listed = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 4 0 R>>>>"
        f"/Contents {4 + len(objects)} 0 R>>",
        *objects,
        f"<</Length {len(stream)}>>stream\n{stream}\nendstream",
    ]
    body = "".join(f"{number} 0 obj\n{item}\nendobj\n" for number, item in enumerate(listed, 1))
    return f"%PDF-1.4\n{body}trailer<</Root 1 0 R/Size {len(listed) + 1}>>\n%%EOF".encode("latin-1")


TO_F = "/CIDInit /ProcSet findresource begin begincmap 2 beginbfchar <01> <0066> <02> <0066> endbfchar endcmap end"


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ("/fi/fl", "The filed briefs reflect the scow of office"),
        ("/g1/g2", "The fled briefs refect the scow of offce"),  # names that say nothing
    ],
)
def test_ligature_that_the_table_calls_f_is_told_by_the_name_of_its_glyph(differences: str, expected: str) -> None:
    widths = " ".join(["556 556", *["0"] * 29, "250", *["500"] * 90])
    font = (
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/FirstChar 1/LastChar 122/ToUnicode 5 0 R"
        f"/Widths[{widths}]/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[1{differences}]>>>>"
    )
    font = font.replace(" ".join(["500"] * 90), " ".join("333" if chr(33 + n) == "f" else "500" for n in range(90)))
    table = f"<</Length {len(TO_F)}>>stream\n{TO_F}\nendstream"
    data = file_of(r"The \001led briefs re\002ect the scow of of\001ce", font, table)
    assert [block.text for block in read_pdf(data).blocks] == [expected]


def test_marks_of_the_windows_code_page_that_were_read_as_those_of_the_macintosh_are_read_again() -> None:
    lines = [f"ìThe keeperís toll,î it was said, is in ß {n} of the charter" for n in range(9)]
    page = Sheet()
    for line in lines:
        page.line(line)
    assert "“The keeper’s toll,” it was said, is in § 4" in " ".join(paragraphs([page]))
    assert "El niño, così fan tutte" in " ".join(paragraphs([Sheet().lines(f"El niño, così fan tutte. {FILLER}.")]))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["no require-", "ment, a requirement"], "no requirement, a requirement"),  # the word is in the document
        (["a well-", "known rule"], "a well-known rule"),
        (["a third-", "party claim; the third-party claim"], "a third-party claim; the third-party claim"),
        (["pages 209-", "210 of it"], "pages 209-210 of it"),
        (["section 168-", "l of it"], "section 168-l of it"),
        (["first- and second-", "degree arson"], "first- and second-degree arson"),
        (["the second-", "or third-degree"], "the second- or third-degree"),
        (["the lock—", "or the barge"], "the lock—or the barge"),
        (["the lock —", "or the barge"], "the lock — or the barge"),
        (["a Non-", "Profit lock"], "a Non-Profit lock"),
    ],
)
def test_hyphen_at_a_line_end_is_decided_by_the_document(lines: list[str], expected: str) -> None:
    ends = LineEnds.of(lines)
    assert "".join(map(ends.joined, lines, [*lines[1:], "."])).strip() == expected


def test_word_of_no_evidence_is_joined_only_where_the_document_divides_words() -> None:
    divided = ["the require-", "ment of the keep-", "er and the keeper"]
    assert LineEnds.of(divided).joined("the require-", "ment") == "the require"
    assert LineEnds.of(["a law-", "abiding keeper", *["of the lock"] * 80]).joined("a law-", "abiding") == "a law-"


@pytest.mark.parametrize("gap", [60, 12])
def test_text_in_two_columns_is_read_one_after_the_other(gap: int) -> None:
    page = Sheet()
    left, right = textwrap.wrap(f"{FILLER}. {MORE}. " * 4, 45), textwrap.wrap(f"{MORE}. {FILLER}. " * 4, 45)
    second_column = LEFT + max(stringWidth(line, "Times-Roman", 10) for line in left) + gap
    for first, second in zip(left, right, strict=False):
        page.at(LEFT, page.y, first, 10).line(second, x=second_column, size=10, gap=12)
    text = " ".join(paragraphs([page]))
    assert text.index(left[-2]) < text.index(right[0])


def test_page_that_is_turned_reads_like_any_other() -> None:
    def turn(canvas: Canvas, number: int) -> None:
        canvas.setPageRotation(90)
        canvas.translate(612, 0)
        canvas.rotate(90)

    assert [block.text for block in read_pdf(drawn([Sheet(y=500).lines(f"{FILLER}.")], draw=turn)).blocks] == [
        f"{FILLER}."
    ]


def picture(canvas: Canvas, number: int) -> None:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    if number == 1:
        canvas.drawImage(ImageReader(Image.new("L", (8, 8))), 0, 0, 600, 700)


def test_scanned_page_with_a_stamp_on_it_is_a_scan(tmp_path: Path) -> None:
    stamp = "Case 1:24-cv-00063-QRS Document 49-1 Filed 02/02/25 Page {} of 2"
    pages = [Sheet().at(60, 775, stamp.format(n), 9) for n in (1, 2)]
    pages[0].lines(f"{FILLER}.")
    with pytest.raises(OpinionError, match="page 2 is a picture without text"):
        opinion(tmp_path, drawn(pages, draw=picture))


def encrypted(data: bytes, user: str, algorithm: str = "RC4-128") -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt(user, "owner", algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


WHOLE = drawn([Sheet().lines(f"{FILLER}. {MORE}."), Sheet().lines(f"{MORE}. {FILLER}.")])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (encrypted(WHOLE, "secret"), "encrypted and needs a password; save it without one"),
        (encrypted(WHOLE, "secret", "AES-256"), "encrypted and needs a password"),
        (drawn([Sheet(), Sheet()]), "has 2 pages but no text: it is a scan; run OCR first"),
        (drawn([Sheet().lines(f"{FILLER}."), Sheet()], draw=picture), "page 2 is a picture without text; run OCR"),
        (WHOLE[: len(WHOLE) // 2], "is cut off: the end of the PDF is missing; get the file again"),
        (b"<html><body>Please log in</body></html>", "is no PDF despite its ending .it begins like a web page"),
        (b"", "is no PDF despite its ending"),
        (b"%PDF-1.7\n" + b"nothing " * 30 + b"\n%%EOF", "is a broken PDF|without pages"),
    ],
)
def test_bad_file_gives_one_error_that_names_it(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(OpinionError, match=reason) as caught:
        opinion(tmp_path, data)
    assert "marlowe.pdf" in str(caught.value)


def test_file_with_an_owners_password_alone_is_read(tmp_path: Path) -> None:
    assert FILLER in opinion(tmp_path, encrypted(WHOLE, "", "AES-256")).text


@pytest.mark.parametrize(
    ("limit", "value", "reason"),
    [
        ("MAX_PAGES", 1, "has 2 pages, too many"),
        ("MAX_CHARS", 99, "99 characters"),
        ("MAX_PAGE_CHARS", 9, "page 1 is too"),
    ],
)
def test_limits_hold(monkeypatch: pytest.MonkeyPatch, limit: str, value: int, reason: str) -> None:
    monkeypatch.setattr(pdf_file, limit, value)
    with pytest.raises(OpinionError, match=reason):
        read_pdf(WHOLE)


def test_missing_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.split(".")[0] == "pypdfium2":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingDependencyError, match=r"pip install 'parcel-agents\[docs\]'"):
        read_pdf(WHOLE)


def test_pdf_named_otherwise_is_named(tmp_path: Path) -> None:
    path = tmp_path / "marlowe.txt"
    path.write_bytes(WHOLE)
    with pytest.raises(OpinionError, match=r"is a PDF; name it \.pdf"):
        load_opinion(path)


def test_brief_is_read_as_paragraphs(tmp_path: Path) -> None:
    path = tmp_path / "brief.pdf"
    path.write_bytes(drawn([Sheet().line("TO THE COUNCIL", gap=50).lines(f"{FILLER}.")]))
    assert read_document(path).paragraphs == ["TO THE COUNCIL", f"{FILLER}."]


@settings(max_examples=120)
@given(seed=st.integers(0, 10_000), cuts=st.integers(1, 12))
def test_bytes_that_are_damaged_give_text_or_an_opinion_error(seed: int, cuts: int) -> None:
    rng = random.Random(seed)
    data = bytearray(WHOLE)
    for _ in range(cuts):
        start = rng.randrange(8, len(data) - 8)
        length = rng.choice((1, 1, 2, 8, 40))
        match rng.randrange(3):
            case 0:
                data[start : start + length] = rng.randbytes(length)
            case 1:
                del data[start : start + length]
            case _:
                data[start:start] = data[rng.randrange(len(data)) :][:length]
    with contextlib.suppress(OpinionError):
        read_pdf(bytes(data))


@settings(max_examples=50)
@given(st.binary(max_size=300))
def test_any_bytes_give_text_or_an_opinion_error(noise: bytes) -> None:
    with contextlib.suppress(OpinionError):
        read_pdf(b"%PDF-1.7\n" + noise + b"\n%%EOF")
