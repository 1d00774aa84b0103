"""Fastcase's XML: fields in elements, the text as escaped HTML with the page breaks of all reporters in brackets."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from parcel_agents.opinions.characters import clean
from parcel_agents.opinions.markup import stated_author

_CASE = re.compile(r"\s*(?:<\?xml[^>]*\?>)?\s*<Case>.*<CaseHtml>", re.DOTALL)
_CITATION = re.compile(
    r"<Citation>\s*<Volume>(.*?)</Volume>\s*<Reporter>(.*?)</Reporter>\s*<Page>(.*?)</Page>", re.DOTALL
)
_PAGE = re.compile(r"\[(?P<volume>\d+) (?P<reporter>[A-Z][\w.'’ ]{0,20}?) (?P<page>\d+)\]")
_PARAGRAPH_END = r"(?:\s|&nbsp;|&#160;|</?(?:strong|b|center|small)>)*"
_ENDED = re.compile(r"(?:[.?!:;”\"’)\]]|>)\s*$")
_FIELDS = (("name", "ShortName"), ("court", "CourtName"), ("date", "DecisionDate"))


def is_fastcase(source: str) -> bool:
    """True for the XML of one case."""
    return _CASE.match(source[:200_000]) is not None


def fastcase_fields(source: str) -> dict[str, str]:
    """What the elements of a case say of it; of several citations the first, which is the official one."""
    fields = {field: value for field, tag in _FIELDS if (value := _element(source, tag))}
    if citations := _citations(source):
        fields["citation"] = citations[0]
    if court := fields.get("court"):
        fields["court"] = court.removesuffix(".")
    if author := stated_author(_element(source, "Author")):
        fields["author"] = author
    return fields


def fastcase_html(source: str) -> str:
    """The head and text of a case as HTML, with the page breaks of its first reporter as elements."""
    head = f'<section class="head-matter">{_element(source, "HeaderHtml", tags=True)}</section>'
    text = _element(source, "CaseHtml", tags=True)
    return head + _with_pages(text, _citations(source))


def _citations(source: str) -> list[str]:
    return [" ".join(_unescaped(piece) for piece in found) for found in _CITATION.findall(source)]


def _with_pages(text: str, citations: Sequence[str]) -> str:
    """The text with its page breaks, which split paragraphs, as marks within them; other reporters' go."""
    # Digits alone distinguish no reporter from a citation in brackets, so only the case's own count.
    own = {_plain(citation.rpartition(" ")[0]): index for index, citation in enumerate(citations)}

    def of(found: re.Match[str]) -> int | None:
        return own.get(_plain(f"{found['volume']} {found['reporter']}"))

    used = {index for found in _PAGE.finditer(text) if (index := of(found)) is not None}
    kept = min(used, default=None)
    pieces, position = [], 0
    for found in _PAGE.finditer(text):
        index = of(found)
        if index is None:
            continue
        start, end = _alone(text, found, position)
        pieces.append(text[position:start] + " " * (start < found.start()))
        if index == kept:
            label = f"{citations[index].rpartition(' ')[0]} at {found['page']}"
            pieces.append(f'<page-number label="{html.escape(label)}"></page-number>')
        position = end
    return "".join([*pieces, text[position:]])


def _alone(text: str, found: re.Match[str], lowest: int) -> tuple[int, int]:
    """The stretch to take out: the mark or, where it splits a sentence, also the paragraphs' border."""
    lowest = max(lowest, found.start() - 200)
    before = re.search(
        rf"(?P<text>[^>\s])\s*</p>{_PARAGRAPH_END}<p>{_PARAGRAPH_END}$", text[lowest : found.start()], re.I
    )
    after = re.match(
        rf"{_PARAGRAPH_END}</p>{_PARAGRAPH_END}<p>{_PARAGRAPH_END}", text[found.end() : found.end() + 200], re.I
    )
    if before and after and not _ENDED.search(before["text"]):
        return lowest + before.end("text"), found.end() + after.end()
    return found.start(), found.end()


def _element(source: str, tag: str, *, tags: bool = False) -> str:
    found = re.search(rf"<{tag}>(.*?)</{tag}>", source, re.DOTALL)
    if not found:
        return ""
    # Entities within the escaped HTML are escaped once more; as HTML they are read once less.
    return clean(html.unescape(found[1])) if tags else _unescaped(found[1])


def _unescaped(text: str) -> str:
    return " ".join(clean(html.unescape(html.unescape(text))).split())


def _plain(text: str) -> str:
    return re.sub(r"[\W_]", "", text).replace("Hawaii", "Haw").casefold()
