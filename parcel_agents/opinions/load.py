"""From a file to an `Opinion`: the reader by file ending, then parts, pages and passages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from parcel_agents.errors import OpinionError
from parcel_agents.opinions.blocks import Block, with_text
from parcel_agents.opinions.characters import clean
from parcel_agents.opinions.describe import describe
from parcel_agents.opinions.disposition import find_court_below, find_disposition
from parcel_agents.opinions.document import MAX_BYTES, READERS, Document, read_document, read_text
from parcel_agents.opinions.notes import find_notes, mark_footnotes
from parcel_agents.opinions.page_marks import find_pages, with_paragraph_marks
from parcel_agents.opinions.parts import find_parts, opinion_start, separate_glued_heads
from parcel_agents.opinions.passages import cut_passages
from parcel_agents.types import Opinion, Part

__all__ = ["MAX_BYTES", "READERS", "load_opinion", "parse_opinion"]

MIN_WORDS = 15
"""Fewer words than this in the opinions' own parts are no prose that a claim could be checked against."""

_WORD = re.compile(r"[^\W\d_]{2,}")


def load_opinion(path: Path) -> Opinion:
    """The opinion in a file; the reader is chosen by the file's ending.

    Raises:
        OpinionError: the file is missing, empty, binary, too large, of an unknown kind or holds no prose.
    """
    return _opinion(read_document(path), clean(path.name), str(path))


def parse_opinion(text: str, *, suffix: str = ".txt", source: str | None = None, where: str = "opinion") -> Opinion:
    """The opinion in a string.

    Args:
        text: what a file would hold.
        suffix: the ending such a file would have, which chooses the reader.
        source: name to keep in `Opinion.source`.
        where: how errors name the text.

    Raises:
        OpinionError: the ending is unknown, or there is no prose.
    """
    return _opinion(read_text(text, suffix, where), source, where)


def _opinion(document: Document, source: str | None, where: str) -> Opinion:
    blocks = _ordered(with_paragraph_marks(with_text(separate_glued_heads(mark_footnotes(document.blocks)))))
    notes = find_notes(blocks)
    described = {**describe(blocks, opinion_start(blocks)), **document.fields}
    structure = find_parts(blocks, notes, court_author=described.get("author"), kind=document.kind)
    parts = structure.parts
    whole = "\n\n".join(block.text for block in blocks)
    _require_prose(whole, parts, where)
    return Opinion(
        id="",
        text=whole,
        source=source,
        disposition=find_disposition(whole, parts),
        court_below=find_court_below(whole, parts),
        parts=parts,
        passages=cut_passages(whole, parts),
        pages=find_pages(blocks, notes, described.get("citation")),
        name=described.get("name"),
        citation=described.get("citation"),
        court=described.get("court"),
        date=described.get("date"),
        doubts=document.doubts + structure.doubts,
    ).identified()


def _ordered(blocks: Sequence[Block]) -> list[Block]:
    """Notes last, whatever the source's order, so that the opinions' own text stays in one piece.

    Lines about the case that interrupt it, as they stood at the foot of a printed page, go behind it too.
    """
    body = [block for block in blocks if block.note is None]
    head = list(takewhile(lambda block: block.matter, body))
    rest = sorted(body[len(head) :], key=lambda block: block.matter)
    return head + rest + [block for block in blocks if block.note is not None]


def _require_prose(text: str, parts: Sequence[Part], where: str) -> None:
    words = sum(
        len(_WORD.findall(text[part.start : part.end])) for part in parts if part.kind not in {"front", "closing"}
    )
    if words < MIN_WORDS:
        raise OpinionError(f"{where}: no opinion in it ({words} words of prose); is this the right file?")
