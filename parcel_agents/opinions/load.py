"""From a file to an `Opinion`: the reader by file ending, then parts, pages and passages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path

from parcel_agents.errors import OpinionError
from parcel_agents.opinions.blocks import Block, with_text
from parcel_agents.opinions.characters import clean, decode
from parcel_agents.opinions.describe import describe
from parcel_agents.opinions.html import read_html
from parcel_agents.opinions.markdown import read_markdown
from parcel_agents.opinions.notes import find_notes, mark_footnotes
from parcel_agents.opinions.page_marks import find_pages
from parcel_agents.opinions.parts import find_parts, opinion_start, separate_glued_heads
from parcel_agents.opinions.passages import cut_passages
from parcel_agents.opinions.plain import read_plain
from parcel_agents.opinions.records import Record, html_suffix, read_record
from parcel_agents.types import Opinion, Part, content_hash

MAX_BYTES = 10_000_000
"""A file larger than this is no single opinion; the longest of the Supreme Court are well under a tenth of it."""
MIN_WORDS = 15
"""Fewer words than this in the opinions' own parts are no prose that a claim could be checked against."""

READERS: dict[str, Callable[[str], list[Block]]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".txt": read_plain,
    ".html": read_html,
    ".htm": read_html,
    ".xhtml": read_html,
    ".xml": read_html,
}
_WORD = re.compile(r"[^\W\d_]{2,}")


def load_opinion(path: Path) -> Opinion:
    """The opinion in a file; the reader is chosen by the file's ending.

    Raises:
        OpinionError: the file is missing, empty, binary, too large, of an unknown kind or holds no prose.
    """
    return parse_opinion(
        decode(_read(path), str(path)), suffix=path.suffix.lower(), source=clean(path.name), where=str(path)
    )


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
    record = read_record(text, where) if suffix == ".json" else Record(text, html_suffix(text, suffix), {}, None)
    reader = READERS.get(record.suffix)
    if reader is None:
        known = ", ".join([*READERS, ".json"])
        raise OpinionError(f"{where}: cannot read files ending in {suffix!r}; known: {known}")
    try:
        read = reader(clean(record.text))
    except OpinionError as error:
        raise OpinionError(f"{where}: {error}") from error
    blocks = _ordered(with_text(separate_glued_heads(mark_footnotes(read))))
    notes = find_notes(blocks)
    described = {**describe(blocks[: opinion_start(blocks)]), **record.fields}
    parts = find_parts(blocks, notes, court_author=described.pop("author", None), kind=record.kind)
    whole = "\n\n".join(block.text for block in blocks)
    _require_prose(whole, parts, where)
    return Opinion(
        id=content_hash(whole),
        text=whole,
        source=source,
        parts=parts,
        passages=cut_passages(whole, parts),
        pages=find_pages(blocks, notes, described.get("citation")),
        **described,
    )


def _read(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise OpinionError(f"{path}: is a folder; give the file of one opinion")
        size = path.stat().st_size
        if not path.is_file():
            raise OpinionError(f"{path}: is no regular file; save the opinion to a file and give that")
        if size > MAX_BYTES:
            raise OpinionError(
                f"{path}: {size:,} bytes is too large for one opinion (limit {MAX_BYTES:,}); split the file"
            )
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise OpinionError(f"{path}: cannot be read ({reason}); check the path and its permissions") from error


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
