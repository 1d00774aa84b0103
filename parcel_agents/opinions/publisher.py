"""Exports of the commercial databases: what the publisher wrote before an opinion, and where the opinions begin.

Both name their sections by lines of fixed words. Summaries, headnotes and the like stand before the line `Opinion`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from parcel_agents.opinions.blocks import Block, BlockWriter, Document
from parcel_agents.opinions.markup import stated_author
from parcel_agents.opinions.words import vocabulary
from parcel_agents.types import PartKind

_BY = re.compile(
    r"(?P<what>Opinion|Dissent|Concur)(?:s|ring|ing|rence)?\ by:?\ (?P<author>[^:]{2,80}?)"
    r"(?P<part>\ \(?In\ Part\)?)?(?:\ (?:Opinion|Dissent|Concur))?\s*$",
    re.IGNORECASE | re.VERBOSE,
)
_TITLE = re.compile(r"\W*(?P<what>Opinion|Dissent|Concur)\W*$", re.IGNORECASE)
_STRONG = re.compile(
    r"\W*(?:Core Terms|LexisNexis\W*(?:\(R\)\W*)?Headnotes|West Headnotes\b.*|Attorneys and Law Firms|Case Summary"
    r"|(?:Opinion|Dissent|Concur) by: .*)\W*",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"\W*(?:Synopsis|Headnotes(?:/Syllabus)?|Syllabus|Procedural Posture|Outcome|Overview|Counsel:.*|Judges:.*"
    r"|Disposition:.*|Prior History:.*|Subsequent History:.*|End of Document|All Citations|Reporter"
    r"|West Codenotes|Opinion)\W*",
    re.IGNORECASE,
)
_END = re.compile(r"\W*(?:End of Document|All Citations)\W*", re.IGNORECASE)
# "HN1[⬆] The rule is" sets the number of a headnote into the Court's sentence, "[**7]" a page of another report.
_HEADNOTE_MARK = re.compile(r"\bHN\d{1,3}(?:\[[^\]\w]{0,4}\]|(?=\s+[A-Z]))\s?|\[\*{2,4}\d{1,5}\]\s?")
_KINDS: dict[str, PartKind] = {"opinion": "majority", "dissent": "dissent", "concur": "concurrence"}
_WRAPPED_WIDTH = 110
_BETWEEN = 4
"""The line `Opinion` follows `Opinion by` after at most so many others."""


def is_export(text: str) -> bool:
    """True for a text with the section titles of a publisher's export."""
    return _is_export(text.split("\n"))


def read_export(text: str) -> Document:
    """The blocks of an export saved as plain text: paragraphs of one line each or, if lines are wrapped, of several."""
    writer = BlockWriter(words=vocabulary(text))
    wrapped = max((len(line) for line in text.split("\n")), default=0) <= _WRAPPED_WIDTH
    for paragraph in re.split(r"\n\s*\n", text):
        lines = paragraph.split("\n")
        titled = any(_STRONG.fullmatch(line) or _WEAK.fullmatch(line) for line in lines)
        for line in lines if titled or not wrapped else [paragraph]:
            writer.write(line)
            writer.end_block()
    return Document(writer.blocks)


def without_headnote_marks(text: str) -> str:
    """The text without the marks that only a publisher's export has; any other text as it is."""
    return _HEADNOTE_MARK.sub("", text) if is_export(text) else text


def with_publisher_parts(document: Document) -> Document:
    """The document with kind and author at the beginnings that an export states; any other document as it is."""
    if any(block.kind for block in document.blocks) or not _is_export([block.text for block in document.blocks]):
        return document
    blocks = list(document.blocks)
    by: re.Match[str] | None = None
    since = 0
    ended = False
    for index, block in enumerate(blocks):
        ended = ended or _END.fullmatch(block.text) is not None
        if ended:
            blocks[index] = replace(block, matter=True)
            continue
        if block.note is not None:
            continue
        if found := _BY.match(block.text):
            by, since = found, index
            if re.search(r"(?:Opinion|Dissent|Concur)\s*$", block.text, re.IGNORECASE) or not _title_follows(
                blocks, index
            ):
                blocks[index] = _begun(block, found["what"], found)
                by = None
        elif title := _TITLE.match(block.text):
            fits = by is not None and index - since <= _BETWEEN
            blocks[index] = _begun(block, title["what"], by if fits else None)
            by = None
    if not any(block.kind == "majority" for block in blocks) and not any(block.kind for block in blocks):
        return document
    return replace(document, blocks=blocks)


def _begun(block: Block, what: str, by: re.Match[str] | None) -> Block:
    kind = _KINDS[what.lower()]
    if by is not None and by["part"] and kind != "majority":
        kind = "mixed" if kind == "dissent" else kind
    return replace(block, kind=kind, author=stated_author(by["author"]) if by else None)


def _title_follows(blocks: Sequence[Block], index: int) -> bool:
    return any(_TITLE.match(block.text) for block in blocks[index + 1 : index + 1 + _BETWEEN])


def _is_export(lines: Sequence[str]) -> bool:
    """True where at least two sections have a publisher's words for titles, one of which no court uses."""
    strong = {line.strip().casefold() for line in lines if len(line) < 200 and _STRONG.fullmatch(line)}
    weak = {line.strip().casefold() for line in lines if len(line) < 400 and _WEAK.fullmatch(line)}
    return bool(strong) and len(strong | weak) > 1
