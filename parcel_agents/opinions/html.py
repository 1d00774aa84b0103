"""HTML: the official New York form, CourtListener's, and plain pages."""

from __future__ import annotations

import re

from lxml import etree
from lxml import html as lxml_html

from parcel_agents.opinions.blocks import Block, BlockWriter
from parcel_agents.opinions.plain import read_plain
from parcel_agents.types import PartKind

_BLOCKS = frozenset(
    "p div table tr td th blockquote h1 h2 h3 h4 h5 h6 li ul ol pre center hr section article body author opinion"
    " footnote footnotes attorneys judges parties docketnumber court decisiondate otherdate citation summary".split()
)
_SKIPPED = frozenset("script style head img noscript template svg".split())
_OPINION_KINDS: dict[str, PartKind] = {
    "majority": "majority",
    "lead": "majority",
    "plurality": "majority",
    "unanimous": "majority",
    "concurrence": "concurrence",
    "concurring": "concurrence",
    "concurring-in-part-and-dissenting-in-part": "mixed",
    "dissent": "dissent",
    "dissenting": "dissent",
}
_SYMBOL = re.compile(r"^\s*\[?([\d*†‡]{1,4})\]?\s*$")


def read_html(source: str) -> list[Block]:
    """The blocks of an HTML source; the title of the page, if it has one, comes first as a heading."""
    # lxml refuses a string that declares an encoding; the text is decoded already.
    source = re.sub(r"^\s*<\?xml[^>]*\?>", "", source)
    try:
        root = lxml_html.document_fromstring(source)
    except etree.ParserError:  # an empty document
        return []
    writer = BlockWriter()
    title = root.findtext(".//title")
    if title and title.strip():
        writer.write(title)
        writer.end_block(heading=True)
    body = root.find("body")
    body = root if body is None else body
    pre = "".join(str(element.text_content()) for element in body.iter("pre"))
    if len(pre) * 2 > len(str(body.text_content())):
        return writer.blocks + read_plain(str(body.text_content()))
    _walk(body, writer)
    writer.end_block()
    return writer.blocks


def _walk(element: lxml_html.HtmlElement, writer: BlockWriter) -> None:
    """Write an element's text in document order. Recursion follows the page's nesting, which lxml bounds."""
    if not isinstance(element.tag, str) or element.tag in _SKIPPED:
        return
    if _is_mark(element, writer):
        return
    block = element.tag in _BLOCKS
    if element.tag == "br":
        writer.line_break()
    if block:
        writer.end_block()
    if element.tag == "opinion" and (kind := _kind(element)):
        writer.begin(kind)
    outer_note = writer.note
    if label := _note_label(element):
        writer.begin_note(label)
    writer.write(element.text or "")
    for child in element:
        _walk(child, writer)
        writer.write(child.tail or "")
    if block:
        writer.end_block()
    writer.note = outer_note


def _kind(element: lxml_html.HtmlElement) -> PartKind | None:
    named = element.get("type") or element.get("category") or ""
    return _OPINION_KINDS.get(named.strip().lower())


def _note_label(element: lxml_html.HtmlElement) -> str | None:
    """The footnote's label if this element holds a whole footnote (CourtListener's two forms)."""
    if element.tag == "footnote" or (element.tag == "div" and "footnote" in _classes(element)):
        return element.get("label")
    return None


def _is_mark(element: lxml_html.HtmlElement, writer: BlockWriter) -> bool:
    """Record page marks and footnote calls, whose words are no part of the text."""
    classes = _classes(element)
    words = str(element.text_content())
    if element.tag == "page-number" or classes & {"star-pagination", "page-label"}:
        label = element.get("label") or element.get("data-label") or words.strip(" *\n")
        # Reports in parallel interleave their pages; those of the first are the ones a lawyer cites.
        if (element.get("citation-index") or element.get("data-citation-index") or "1") == "1" and label:
            writer.mark("reporter_page", f"*{label}")
        return True
    is_anchor = element.tag == "a" and "footnote" in classes
    if element.tag in {"footnotemark", "sup"} or is_anchor:
        if symbol := _SYMBOL.match(words):
            if writer.note is None:
                writer.mark("note_call", symbol[1])
            return True
        return element.tag == "footnotemark" or (is_anchor and not words.strip())
    return False


def _classes(element: lxml_html.HtmlElement) -> set[str]:
    return set((element.get("class") or "").split())
