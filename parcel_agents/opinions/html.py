"""HTML: the official New York form, the forms of free law's collections, and plain pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from lxml import etree
from lxml import html as lxml_html

from parcel_agents.errors import OpinionError
from parcel_agents.opinions.blocks import BlockWriter, Document
from parcel_agents.opinions.describe import describe_text, stated_fields
from parcel_agents.opinions.fastcase import fastcase_fields, fastcase_html, is_fastcase
from parcel_agents.opinions.headings import separate_head
from parcel_agents.opinions.markup import (
    field_of,
    is_front,
    is_typed,
    lines,
    opinion_author,
    opinion_kind,
    role,
    stated_author,
)
from parcel_agents.opinions.openings import is_author_line
from parcel_agents.opinions.page_marks import without_parallel_pages
from parcel_agents.opinions.plain import read_plain
from parcel_agents.opinions.words import vocabulary

_BLOCKS = frozenset(
    "p div table tr td th blockquote h1 h2 h3 h4 h5 h6 li ul ol dl dt dd pre center hr section article aside main body"
    " author opinion footnote footnotes attorneys judges parties docketnumber court decisiondate otherdate citation"
    " summary syllabus headnotes history disposition correction corrections seealso casebody".split()
)
_SKIPPED = frozenset("script style head img noscript template svg bracketnum".split())
_MARKS = frozenset("page-number footnotemark sup a span".split())
_PAGE_CLASSES = frozenset(("star-pagination", "page-label", "page-number"))
_SYMBOL = re.compile(r"^\s*\[?(?:FN)?([\d*†‡]{1,4})\]?\s*$")
_LINKED_SYMBOL = re.compile(r"^\s*[\[(]?(?:FN|n)?\.?([\d*†‡]{1,4})[\])]?\.?\s*$")
_AFTER_WORD = re.compile(r"(?:[^\W\d_]{3}|[.,;:?!)\]\"”’'])$")
# Better a footnote cut short than another judge's opinion taken for its end.
_SEPARATE = re.compile(r"[^;\n]{0,120}\b(?:dissent|concur)\w*[^\n]{0,80}$", re.IGNORECASE)
_DELIVERED = re.compile(r"\bdelivered the opinion of the court\b", re.IGNORECASE)
_RULE = re.compile(r"\s*[-–—_*]{4,}\s*$")
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
    if is_fastcase(source):
        document = read_html(fastcase_html(source))
        return replace(document, fields={**document.fields, **fastcase_fields(source)})
    source = _simplified(source)
    if not source.strip():
        return Document(())
    try:
        # Without huge_tree the text below the 256th level is lost.
        root = lxml_html.document_fromstring(source, parser=lxml_html.HTMLParser(huge_tree=True))
    except etree.ParserError:  # nothing but comments
        return Document(())
    page = _Page(BlockWriter(words=vocabulary(source)), is_typed=is_typed(source))
    writer = page.writer
    title = root.findtext(".//title")
    if title and title.strip():
        writer.write(title)
        writer.end_block(heading=True)
    body = root.find("body")
    body = root if body is None else body
    text = _text(body)
    if sum(len(_text(element)) for element in body.iter("pre")) * 2 > len(text):
        plain = read_plain(text)
        return replace(plain, blocks=[*writer.blocks, *plain.blocks], fields=describe_text(text))
    page.read(body)
    blocks = without_parallel_pages(writer.blocks, page.first_page)
    return Document(blocks, fields=stated_fields(page.stated))


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


@dataclass(frozen=True)
class _State:
    """What the text outside an element is, to be taken up again where the element ends."""

    note: str | None
    matter: bool


@dataclass
class _Page:
    """Writes the text of a page in document order."""

    writer: BlockWriter
    is_typed: bool
    """True for the known collections; elsewhere a class such as `summary` may hold anything."""
    stated: dict[str, list[str]] = field(default_factory=dict)
    """What elements of a typed form say of the case, by field."""
    first_page: str | None = None
    _anchors: set[str] = field(default_factory=set)
    """Names that footnote calls link to or bear."""
    _outer: list[_State] = field(default_factory=list)

    def read(self, body: lxml_html.HtmlElement) -> None:
        """Write the body's text, without recursion, since pages may nest without end."""
        steps = etree.iterwalk(body, events=("start", "end", "comment", "pi"))
        for event, element in steps:
            if event == "start":
                self._outer.append(_State(self.writer.note, self.writer.matter))
                if element.tag in _SKIPPED or self._is_mark(element):
                    steps.skip_subtree()
                    continue
                if len(self._outer) > _MAX_DEPTH:
                    raise OpinionError(f"tags are nested more than {_MAX_DEPTH:,} deep; save the page as plain text")
                self._open(element)
            elif event == "end":
                if element.tag in _BLOCKS:
                    self.writer.end_block()
                state = self._outer.pop()
                self.writer.note, self.writer.matter = state.note, state.matter
            if event != "start" and element is not body:
                self.writer.write(element.tail or "")
        self.writer.end_block()

    def _open(self, element: lxml_html.HtmlElement) -> None:
        """What an element's beginning means for the text behind it."""
        writer = self.writer
        if element.tag == "br":
            writer.line_break()
        if element.tag in _BLOCKS:
            writer.end_block()
            if self._ends_loose_note(element):
                writer.note = None
                self._outer = [replace(state, note=None) for state in self._outer]
        what = role(element)
        writer.matter |= self.is_typed and is_front(what) and what != "prelims"
        if what == "opinion" and (kind := opinion_kind(element)):
            writer.begin(kind, opinion_author(element))
        elif element.tag == "p" and _is_within_prelims(element):
            words = lines(element)
            writer.matter = not is_author_line(words)
            if _DELIVERED.search(words):
                writer.matter = False
                writer.begin("majority", stated_author(words))
        if self.is_typed and (stated := field_of(what)) and not _within_opinion(element):
            self.stated.setdefault(stated, []).append(lines(element))
        self.first_page = self.first_page or element.get("data-firstpage") or element.get("firstpage")
        if what == "footnote" and (label := _note_label(element)):
            writer.begin_note(label)
        writer.write(element.text or "")

    def _ends_loose_note(self, element: lxml_html.HtmlElement) -> bool:
        """True where a footnote that no element encloses cannot go on: at a rule, a heading, another opinion."""
        if self.writer.note is None or _enclosing_note(element) is not None:
            return False
        if element.tag in {"hr", "h1", "h2", "h3"} or role(element) == "opinion":
            return True
        if element.tag != "p":
            return False
        words = _text(element).strip()
        return (
            bool(_RULE.match(words) or _SEPARATE.match(words))
            or is_author_line(words)
            or separate_head(words) is not None
        )

    def _is_mark(self, element: lxml_html.HtmlElement) -> bool:
        """Record page marks and footnote calls, whose words are no part of the text."""
        if element.tag not in _MARKS:
            return False
        classes = _classes(element)
        if element.tag == "page-number" or classes & _PAGE_CLASSES:
            label = element.get("label") or element.get("data-label") or _text(element).strip(" *\n")
            # Reports in parallel interleave their pages; those of the first are the ones a lawyer cites.
            if (element.get("citation-index") or element.get("data-citation-index") or "1") == "1" and label:
                self.writer.mark("reporter_page", f"*{label}" if label.isdecimal() else label)
            return True
        if "bracketnum" in classes or (element.tag == "span" and "num" in classes and _is_number(element)):
            return True
        if element.tag == "a" and element.getparent().tag == "aside" and element.getprevious() is None:
            return True  # a footnote's own label
        if (link := _footnote_link(element)) is not None:
            self._note_link(element, link)
            return True
        is_anchor = element.tag == "a" and bool(classes & {"footnote", "footnotemark"})
        if not (is_anchor or element.tag in {"footnotemark", "sup"}):
            return False
        words = _text(element)
        symbol = _SYMBOL.match(words)
        # A raised number behind a word calls a note; behind a number or a unit (10², m²) it is a power.
        if symbol and (element.tag != "sup" or self._is_call(element)):
            if self.writer.note is None:
                self.writer.mark("note_call", symbol[1])
            return True
        return element.tag == "footnotemark" or (is_anchor and not words.strip())

    def _note_link(self, element: lxml_html.HtmlElement, link: lxml_html.HtmlElement) -> None:
        """Record a linked number: the call of a footnote or, where its link leads back to one, a footnote's label."""
        target = (link.get("href") or "").partition("#")[2]
        names = {target, link.get("name") or target, link.get("id") or target}
        symbol = _LINKED_SYMBOL.match(_text(link))
        label = symbol[1] if symbol else "*"
        enclosing = _enclosing_note(element)
        if enclosing is None and not self.writer.tail and names & self._anchors:
            self._begin_loose_note(element, label)
        elif self.writer.note is None and enclosing is None:
            self._anchors |= names
            self.writer.mark("note_call", label)

    def _begin_loose_note(self, element: lxml_html.HtmlElement, label: str) -> None:
        """A footnote that no element encloses: it goes on behind its first paragraph, within what holds that."""
        depth = len(self._outer) - 1
        for ancestor in element.iterancestors():
            if ancestor.tag in _BLOCKS:
                break
            depth -= 1
        depth -= 1
        self._outer[depth:] = [replace(state, note=label) for state in self._outer[depth:]]
        self.writer.begin_note(label)

    def _is_call(self, element: lxml_html.HtmlElement) -> bool:
        before = self.writer.tail.rstrip()
        linked = element.find(".//a") is not None or element.getparent().tag == "a"
        return bool(before) and (linked or _AFTER_WORD.search(before) is not None)


def _is_within_prelims(element: lxml_html.HtmlElement) -> bool:
    parent = element.getparent()
    return parent is not None and role(parent) == "prelims"


def _within_opinion(element: lxml_html.HtmlElement) -> bool:
    return any(role(ancestor) == "opinion" for ancestor in element.iterancestors())


def _is_number(element: lxml_html.HtmlElement) -> bool:
    """True for the number that one collection prints beside each paragraph."""
    return "num" in _classes(element.getparent()) and _text(element).strip().isdigit()


def _note_label(element: lxml_html.HtmlElement) -> str | None:
    """The label of the footnote that this element holds."""
    number = re.search(r"\d+$", element.get("id") or "")
    stated = element.get("label") or element.get("data-label") or (number.group() if number else None)
    return stated.strip(" .[]()") or stated if stated else None


def _enclosing_note(element: lxml_html.HtmlElement) -> lxml_html.HtmlElement | None:
    return next((outer for outer in (element, *element.iterancestors()) if role(outer) == "footnote"), None)


def _footnote_link(element: lxml_html.HtmlElement) -> lxml_html.HtmlElement | None:
    """The link within this page, if the element is nothing but a footnote's number linked so."""
    link = element
    if element.tag == "sup":
        inner = list(element)
        link = inner[0] if len(inner) == 1 and not (element.text or "").strip() else element
    if link.tag != "a" or not (link.get("href") or "").startswith("#"):
        return None
    return link if _LINKED_SYMBOL.match(_text(element)) else None


def _classes(element: lxml_html.HtmlElement) -> set[str]:
    return set((element.get("class") or "").split())
