"""HTML: the official New York form, CourtListener's, and plain pages."""

from __future__ import annotations

import re
from dataclasses import replace

from lxml import etree
from lxml import html as lxml_html

from parcel_agents.errors import OpinionError
from parcel_agents.opinions.blocks import BlockWriter, Document
from parcel_agents.opinions.plain import read_plain
from parcel_agents.opinions.words import vocabulary
from parcel_agents.types import PartKind

_BLOCKS = frozenset(
    "p div table tr td th blockquote h1 h2 h3 h4 h5 h6 li ul ol dl dt dd pre center hr section article main body"
    " author opinion footnote footnotes attorneys judges parties docketnumber court decisiondate otherdate citation"
    " summary".split()
)
_MATTER = frozenset("attorneys parties docketnumber decisiondate otherdate".split())
_SKIPPED = frozenset("script style head img noscript template svg".split())
_MARKS = frozenset("page-number footnotemark sup a span".split())
_PAGE_CLASSES = frozenset(("star-pagination", "page-label"))
_OPINION_KINDS: dict[str, PartKind] = {
    "majority": "majority",
    "lead": "majority",
    "plurality": "plurality",
    "unanimous": "majority",
    "concurrence": "concurrence",
    "concurring": "concurrence",
    "concurring-in-part-and-dissenting-in-part": "mixed",
    "dissent": "dissent",
    "dissenting": "dissent",
}
_SYMBOL = re.compile(r"^\s*\[?(?:FN)?([\d*†‡]{1,4})\]?\s*$")
_AFTER_WORD = re.compile(r"(?:[^\W\d_]{3}|[.,;:?!)\]\"”’'])$")
# Page-making programs put each tag on a line of its own, which sets blanks before a comma and behind a bracket.
_INLINE = "(?:em|i|b|strong|span|a|u|cite|font|extracted-citation)"
# Emphasis says nothing here, and where it is never closed, tags nest ever deeper until the parser loses text.
_EMPHASIS = re.compile(r"</?(?:em|i|b|strong|u|font|big|small|cite|extracted-citation)(?:\s[^<>]*)?>", re.IGNORECASE)
_MAX_DEPTH = 2000
"""Below the 2,048th level the parser drops text without a word."""
_BLANKS_BEFORE_STOP = re.compile(rf"(?<!\s)\s+((?:</{_INLINE}>\s*)+)(?=[,;:)\]]|\.(?!\s*\.))")
_BLANKS_BEHIND_BRACKET = re.compile(rf"(?<=[(\[])\s+((?:<{_INLINE}\b[^<>]*>\s*)+)")
# A fault of one large collection: "Justice GRAYdelivered the opinion of the Court."
_LOST_SPACE = re.compile(r"(?<=[A-Za-z])(?=delivered the (?:opinion|judgment) of )")


def read_html(source: str) -> Document:
    """The blocks of an HTML source; the title of the page, if it has one, comes first as a heading.

    Raises:
        OpinionError: tags are nested so deeply that text would be lost.
    """
    source = _simplified(source)
    if not source.strip():
        return Document(())
    try:
        # Without huge_tree the text below the 256th level is lost.
        root = lxml_html.document_fromstring(source, parser=lxml_html.HTMLParser(huge_tree=True))
    except etree.ParserError:  # nothing but comments
        return Document(())
    writer = BlockWriter(words=vocabulary(source))
    title = root.findtext(".//title")
    if title and title.strip():
        writer.write(title)
        writer.end_block(heading=True)
    body = root.find("body")
    body = root if body is None else body
    text = _text(body)
    if sum(len(_text(element)) for element in body.iter("pre")) * 2 > len(text):
        plain = read_plain(text)
        return replace(plain, blocks=[*writer.blocks, *plain.blocks])
    _walk(body, writer)
    writer.end_block()
    return Document(writer.blocks)


def _simplified(source: str) -> str:
    """The source without emphasis and without blanks that only a program for making pages has put there."""
    # lxml refuses a string that declares an encoding; the text is decoded already.
    source = re.sub(r"^\s*<\?xml[^>]*\?>", "", source)
    source = _BLANKS_BEFORE_STOP.sub(lambda match: "".join(match[1].split()), source)
    source = _BLANKS_BEHIND_BRACKET.sub(lambda match: match[1].rstrip(), source)
    source = _EMPHASIS.sub("", source)
    return _LOST_SPACE.sub(" ", source)


def _text(element: lxml_html.HtmlElement) -> str:
    return str(element.text_content())


def _walk(body: lxml_html.HtmlElement, writer: BlockWriter) -> None:
    """Write the body's text in document order, without recursion, since pages may nest without end."""
    outer: list[tuple[str | None, bool]] = []
    steps = etree.iterwalk(body, events=("start", "end", "comment", "pi"))
    for event, element in steps:
        if event == "start":
            if element.tag in _SKIPPED or _is_mark(element, writer):
                steps.skip_subtree()
                outer.append((writer.note, writer.matter))
                continue
            outer.append((writer.note, writer.matter))
            if len(outer) > _MAX_DEPTH:
                raise OpinionError(f"tags are nested more than {_MAX_DEPTH:,} deep; save the page as plain text")
            _open(element, writer)
        elif event == "end":
            if element.tag in _BLOCKS:
                writer.end_block()
            writer.note, writer.matter = outer.pop()
        if event != "start" and element is not body:
            writer.write(element.tail or "")


def _open(element: lxml_html.HtmlElement, writer: BlockWriter) -> None:
    """What an element's beginning means for the text behind it."""
    if element.tag == "br":
        writer.line_break()
    if element.tag in _BLOCKS:
        writer.end_block()
    writer.matter |= element.tag in _MATTER
    if element.tag == "opinion" and (kind := _kind(element)):
        writer.begin(kind)
    if label := _note_label(element):
        writer.begin_note(label)
    writer.write(element.text or "")


def _kind(element: lxml_html.HtmlElement) -> PartKind | None:
    named = element.get("type") or element.get("category") or ""
    return _OPINION_KINDS.get(named.strip().lower())


def _note_label(element: lxml_html.HtmlElement) -> str | None:
    """The footnote's label if this element holds a whole footnote (CourtListener's two forms)."""
    if element.tag == "footnote" or (element.tag == "div" and "footnote" in _classes(element)):
        number = re.search(r"\d+$", element.get("id") or "")
        return element.get("label") or (number.group() if number else None)
    return None


def _is_mark(element: lxml_html.HtmlElement, writer: BlockWriter) -> bool:
    """Record page marks and footnote calls, whose words are no part of the text."""
    if element.tag not in _MARKS:
        return False
    classes = _classes(element)
    if element.tag == "page-number" or classes & _PAGE_CLASSES:
        label = element.get("label") or element.get("data-label") or _text(element).strip(" *\n")
        # Reports in parallel interleave their pages; those of the first are the ones a lawyer cites.
        if (element.get("citation-index") or element.get("data-citation-index") or "1") == "1" and label:
            writer.mark("reporter_page", f"*{label}")
        return True
    is_anchor = element.tag == "a" and "footnote" in classes
    if not (is_anchor or element.tag in {"footnotemark", "sup"}):
        return False
    words = _text(element)
    symbol = _SYMBOL.match(words)
    # A raised number behind a word calls a note; behind a number or a unit (10², m²) it is a power.
    if symbol and (element.tag != "sup" or _is_call(element, writer)):
        if writer.note is None:
            writer.mark("note_call", symbol[1])
        return True
    return element.tag == "footnotemark" or (is_anchor and not words.strip())


def _is_call(element: lxml_html.HtmlElement, writer: BlockWriter) -> bool:
    before = writer.tail.rstrip()
    linked = element.find(".//a") is not None or element.getparent().tag == "a"
    return bool(before) and (linked or _AFTER_WORD.search(before) is not None)


def _classes(element: lxml_html.HtmlElement) -> set[str]:
    return set((element.get("class") or "").split())
