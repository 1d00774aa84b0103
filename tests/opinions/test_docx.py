"""DOCX: what a Word file says with all its changes accepted, and every bad file as one error with its remedy."""

from __future__ import annotations

import builtins
import contextlib
import io
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from hypothesis import given, settings
from hypothesis import strategies as st

from parcel_agents.errors import MissingDependencyError, OpinionError
from parcel_agents.opinions import docx as reader
from parcel_agents.opinions import load_opinion
from parcel_agents.opinions.blocks import Block
from parcel_agents.opinions.document import read_document

FILLER = "The barge lay low in the water and the lock was shut against it until the toll had been paid in full."
MORE = "Nothing in the charter of the canal lets a keeper hold a boat for the debt of another boat of the same owner."
CALL = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="{}"/></w:r>'


def paragraph(inner: str, properties: str = "") -> Any:
    return parse_xml(f"<w:p {nsdecls('w')}><w:pPr>{properties}</w:pPr>{inner}</w:p>")


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def add(document: Any, inner: str, properties: str = "") -> None:
    document.element.body.insert(len(document.element.body) - 1, paragraph(inner, properties))


def with_notes(document: Any, kind: str, notes: list[str]) -> None:
    rule = f'<w:{kind} w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:{kind}>'
    mark = f"<w:r><w:{kind}Ref/></w:r>"
    body = "".join(
        f'<w:{kind} w:id="{number}"><w:p>{mark}{run(" " + text)}</w:p></w:{kind}>'
        for number, text in enumerate(notes, 1)
    )
    blob = f"<w:{kind}s {nsdecls('w')}>{rule}{body}</w:{kind}s>".encode()
    name, content = PackURI(f"/word/{kind}s.xml"), f"application/vnd.openxmlformats-officedocument.{kind}s+xml"
    part = Part(name, content, blob, document.part.package)
    document.part.relate_to(part, getattr(RELATIONSHIP_TYPE, f"{kind.upper()}S"))


def saved(document: Any) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def read(build: Callable[[Any], None]) -> list[Block]:
    document = docx.Document()
    build(document)
    return list(reader.read_docx(saved(document)).blocks)


def texts(build: Callable[[Any], None]) -> list[str]:
    return [block.text for block in read(build)]


def test_opinion_with_notes_has_its_parts(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("People v Marlowe", 0)
    add(document, run("ALDER, J.:"))
    add(document, run(FILLER) + CALL.format(1) + run(f" {MORE}"))
    add(document, run("BRIAR, J. (dissenting):"))
    add(document, run(MORE) + CALL.format(2))
    with_notes(document, "footnote", ["The toll was a penny.", "It was two pence."])
    path = tmp_path / "marlowe.docx"
    document.save(str(path))
    opinion = load_opinion(path)
    assert opinion.name == "People v Marlowe"
    assert [part.voice for part in opinion.parts] == [
        "front",
        "majority (ALDER, J.)",
        "dissent (BRIAR, J.)",
        "majority (ALDER, J.), footnote 1",
        "dissent (BRIAR, J.), footnote 2",
    ]
    assert f"{FILLER} {MORE}" in opinion.text
    assert read_document(path).paragraphs[-1] == "It was two pence."


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (
            run("The keeper ") + f"<w:del>{run('never ').replace('w:t', 'w:delText')}</w:del>" + run("left."),
            "The keeper left.",
        ),
        (run("The keeper ") + f"<w:ins>{run('never ')}</w:ins>" + run("left."), "The keeper never left."),
        (f"<w:moveFrom>{run('gone ')}</w:moveFrom><w:moveTo>{run('here ')}</w:moveTo>" + run("it is"), "here it is"),
        (f'<w:hyperlink w:anchor="a">{run("40 Canal 2d 206")}</w:hyperlink>' + run(" holds"), "40 Canal 2d 206 holds"),
        (run("seen") + run(" hidden", "<w:vanish/>"), "seen"),
        (run("well") + "<w:r><w:noBreakHyphen/></w:r>" + run("known"), "well-known"),
        (run("soft") + "<w:r><w:softHyphen/></w:r>" + run("ly"), "softly"),
        ("<w:r><w:instrText>PAGEREF x</w:instrText></w:r>" + run("page 7"), "page 7"),
        (run("one") + "<w:r><w:tab/></w:r>" + run("two") + "<w:r><w:br/></w:r>" + run("three"), "one two\nthree"),
        (f"<w:sdt><w:sdtContent>{run('in a control')}</w:sdtContent></w:sdt>", "in a control"),
    ],
)
def test_text_is_what_the_final_document_shows(inner: str, expected: str) -> None:
    assert texts(lambda document: add(document, inner)) == [expected]


def test_paragraph_whose_end_is_deleted_goes_on() -> None:
    def build(document: Any) -> None:
        add(document, run("The lock "), "<w:rPr><w:del/></w:rPr>")
        add(document, run("was shut."))

    assert texts(build) == ["The lock was shut."]


def test_table_cells_are_paragraphs_and_deleted_rows_are_out() -> None:
    def build(document: Any) -> None:
        table = document.add_table(2, 2)
        for index, text in enumerate(["a keeper", "a boat", "gone", "gone too"]):
            table.cell(index // 2, index % 2).text = text
        table.rows[1]._tr.get_or_add_trPr().append(parse_xml(f"<w:del {nsdecls('w')}/>"))

    assert texts(build) == ["a keeper", "a boat"]


def test_text_box_is_read_once() -> None:
    box = f"<w:txbxContent><w:p>{run('in the box')}</w:p></w:txbxContent>"
    names = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    inner = (
        f'<mc:AlternateContent {names}><mc:Choice Requires="wps">{box}</mc:Choice>'
        f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
    )
    assert texts(lambda document: add(document, run("outside") + f"<w:r>{inner}</w:r>")) == ["outside", "in the box"]


def test_pages_are_those_that_word_has_set() -> None:
    def build(document: Any) -> None:
        add(document, run("one ") + "<w:r><w:lastRenderedPageBreak/></w:r>" + run("two"))
        add(document, '<w:r><w:br w:type="page"/></w:r>')
        add(document, "<w:r><w:lastRenderedPageBreak/></w:r>" + run("three"))

    marks = [(block.text, mark.offset, mark.value) for block in read(build) for mark in block.marks]
    assert marks == [("one two", 0, "1"), ("one two", 4, "2"), ("three", 0, "3")]


def test_breaks_set_by_hand_are_pages_where_word_tells_no_others() -> None:
    def build(document: Any) -> None:
        add(document, run("one") + '<w:r><w:br w:type="page"/></w:r>')
        add(document, run("two"), "<w:pageBreakBefore/>")

    assert [mark.value for block in read(build) for mark in block.marks] == ["1", "2", "3"]


def test_endnotes_and_marks_of_the_authors_choice_are_known() -> None:
    def build(document: Any) -> None:
        own = '<w:r><w:footnoteReference w:customMarkFollows="1" w:id="1"/><w:t>†</w:t></w:r>'
        add(document, run("The keeper") + own + run(" left.") + '<w:r><w:endnoteReference w:id="1"/></w:r>')
        with_notes(document, "footnote", ["By designation."])
        with_notes(document, "endnote", ["At noon."])

    blocks = read(build)
    assert [(block.note, block.text) for block in blocks] == [
        (None, "The keeper left."),
        ("†", "By designation."),
        ("i", "At noon."),
    ]
    assert [(mark.kind, mark.offset, mark.value) for mark in blocks[0].marks] == [
        ("note_call", 10, "†"),
        ("note_call", 16, "i"),
    ]


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in files.items():
            package.writestr(name, data)
    return out.getvalue()


def whole() -> bytes:
    document = docx.Document()
    add(document, run(FILLER))
    return saved(document)


WHOLE = whole()


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.docx", b"\xd0\xcf\x11\xe0" + bytes(600), "is an old Word file or protected by a password; save it as"),
        ("a.doc", b"\xd0\xcf\x11\xe0" + bytes(600), r"is an old Word file; save it as \.docx"),
        ("a.docx", FILLER.encode(), "is no Word file despite its ending"),
        ("a.docx", WHOLE[: len(WHOLE) // 2], "is cut off or broken; get the file again"),
        ("a.docx", zipped({"mill.txt": b"x"}), "is no Word file despite its ending"),
        ("a.docx", zipped({"word/document.xml": b"x"}), "is a broken Word file"),
        ("a.docx", zipped({"word/document.xml": b" " * 31_000_000}), "unpacks to 31,000,000 bytes"),
        (
            "a.docx",
            zipped({f"word/media/{n}.png": bytes(26_000_000) for n in range(4)} | {"word/document.xml": b""}),
            "104,000,000",
        ),
    ],
)
def test_bad_file_gives_one_error_that_names_it(tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(OpinionError, match=reason) as caught:
        load_opinion(path)
    assert name in str(caught.value)


def test_missing_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "docx":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingDependencyError, match=r"pip install 'parcel-agents\[docs\]'"):
        reader.read_docx(WHOLE)


@settings(max_examples=60)
@given(seed=st.integers(0, 10_000))
def test_files_that_are_damaged_give_text_or_an_opinion_error(seed: int) -> None:
    rng = random.Random(seed)
    with zipfile.ZipFile(io.BytesIO(WHOLE)) as package:
        files = {name: package.read(name) for name in package.namelist()}
    name = rng.choice(["word/document.xml", "[Content_Types].xml", "_rels/.rels", "word/_rels/document.xml.rels"])
    text = bytearray(files[name])
    for _ in range(rng.randrange(1, 5)):
        start = rng.randrange(len(text))
        if rng.random() < 0.5:
            del text[start : start + rng.choice((1, 5, 60))]
        else:
            text[start : start + 1] = rng.randbytes(1)
    data = zipped({**files, name: bytes(text)})
    if rng.random() < 0.3:
        data = data[: rng.randrange(len(data))]
    with contextlib.suppress(OpinionError):
        reader.read_docx(data)
