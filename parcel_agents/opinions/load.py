"""From a file to an `Opinion`: decoding, the reader by file ending, the describing fields at the head."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from parcel_agents.errors import OpinionError
from parcel_agents.opinions.blocks import Block, mark_footnotes, starts, with_text
from parcel_agents.opinions.html import read_html
from parcel_agents.opinions.markdown import read_markdown
from parcel_agents.opinions.parts import find_parts
from parcel_agents.opinions.passages import cut_passages
from parcel_agents.opinions.plain import read_plain
from parcel_agents.types import Opinion, PageMark, Part, content_hash

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
# Fields of CourtListener's API and of files in its image, in the order of preference.
_JSON_HTML = ("html_with_citations", "html", "html_lawbox", "html_columbia", "xml_harvard")
_JSON_TEXT = ("text", "plain_text", "opinion", "decision")

_CITATION = re.compile(r"\b\d{1,4} [A-Z][\w.]*(?: ?[\w.]+){0,3}? \d{1,5}\b|\b\d{4} NY Slip Op \d{5}(?:\(U\))?")
_REPORTER = re.compile(r"\d{1,4} (?:NY(?! Slip)|AD|Misc|US|F|S ?Ct|U\.S\.|F\.)[\w. ]{0,12} \d{1,5}")
_DATE = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r" \d{1,2}, \d{4}\b"
)
_COURT = re.compile(
    r"(?:(?:United States )?(?:Supreme Court|Court of Appeals|District Court)\b[^\n]{0,80}"
    r"|Appellate (?:Division|Term)[^\n]{0,60}|[A-Z]\w+ Court(?: of [A-Z][\w ]+)?)$"
)
_JUDGE_LINE = re.compile(r"(?:[A-Z][\w.'’-]*,? ){1,4}(?:Ch\. |C\. ?)?J\.(?: ?P\.)?|Per Curiam")
_FRONT_BLOCKS = 12


def load_opinion(path: Path) -> Opinion:
    """The opinion in a file; the reader is chosen by the file's ending.

    Raises:
        OpinionError: the file is missing, empty, binary, too large, of an unknown kind or holds no prose.
    """
    if path.is_dir():
        raise OpinionError(f"{path}: is a folder; give the file of one opinion")
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise OpinionError(
                f"{path}: {size:,} bytes is too large for one opinion (limit {MAX_BYTES:,}); split the file"
            )
        data = path.read_bytes()
    except OSError as error:
        raise OpinionError(f"{path}: cannot be read ({error.strerror or error})") from error
    return parse_opinion(_decode(data, path), suffix=path.suffix.lower(), source=path.name, where=str(path))


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
    fields: dict[str, str] = {}
    if suffix == ".json":
        text, suffix, fields = _from_json(text, where)
    reader = READERS.get(suffix)
    if reader is None:
        known = ", ".join([*READERS, ".json"])
        raise OpinionError(f"{where}: cannot read files ending in {suffix!r}; known: {known}")
    blocks = with_text(mark_footnotes(reader(text)))
    # Notes stand last, whatever the source's order, so that the opinions' own text stays in one piece.
    blocks = [b for b in blocks if b.note is None] + [b for b in blocks if b.note is not None]
    head = _head(blocks)
    parts = find_parts(blocks, court_author=fields.pop("author", None) or head.pop("author", None))
    whole = "\n\n".join(block.text for block in blocks)
    words = sum(
        len(re.findall(r"[A-Za-z]{2,}", whole[part.start : part.end]))
        for part in parts
        if part.kind not in {"front", "closing"}
    )
    if words < MIN_WORDS:
        raise OpinionError(f"{where}: no opinion in it ({words} words of prose); is this the right file?")
    return Opinion(
        id=content_hash(whole),
        text=whole,
        source=source,
        parts=parts,
        passages=cut_passages(whole, parts),
        pages=_pages(blocks, parts, fields.get("citation") or head.get("citation")),
        **{**head, **fields},
    )


def _decode(data: bytes, path: Path) -> str:
    if not data.strip():
        raise OpinionError(f"{path}: the file is empty")
    if b"\x00" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise OpinionError(f"{path}: is a binary file; give the opinion as .md, .txt, .html or .json")
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        # Older court pages are in the Windows code page, in which all but five bytes mean something.
        text = data.decode("cp1252", errors="replace")
    control = sum(1 for char in text[:20_000] if ord(char) < 32 and char not in "\t\n\r\f")
    if control > 20:
        raise OpinionError(f"{path}: is a binary file; give the opinion as .md, .txt, .html or .json")
    return text


def _from_json(text: str, where: str) -> tuple[str, str, dict[str, str]]:
    try:
        data: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise OpinionError(f"{where}: line {error.lineno}: is not JSON ({error.msg})") from error
    if not isinstance(data, dict):
        raise OpinionError(f"{where}: holds no JSON object with a field 'text' or 'html'")
    fields = {}
    for field, keys in {
        "name": ("name", "case_name"),
        "citation": ("citation",),
        "court": ("court",),
        "date": ("date", "date_filed"),
        "author": ("author", "author_str"),
    }.items():
        value = next((data[key] for key in keys if isinstance(data.get(key), str) and data[key].strip()), None)
        if value:
            fields[field] = value.strip()
    for keys, suffix in ((_JSON_HTML, ".html"), (_JSON_TEXT, ".txt")):
        for key in keys:
            if isinstance(data.get(key), str) and data[key].strip():
                return data[key], suffix, fields
    raise OpinionError(f"{where}: has no text in a field 'text' or 'html'; its fields are {sorted(data)}")


def _head(blocks: list[Block]) -> dict[str, str]:
    """Name, citation, date, court and author from the lines at the top, where they are there."""
    head: dict[str, str] = {}
    lines = [line.strip() for block in blocks[:_FRONT_BLOCKS] for line in block.text.split("\n")]
    if blocks and blocks[0].heading:
        head["name"] = re.sub(r"\s*\([^()]*\)\s*$", "", blocks[0].text)
        lines = lines[1:]
    for line in lines:
        if len(line) > 90:
            continue
        if "citation" not in head and _CITATION.search(line):
            found = _REPORTER.search(line) or _CITATION.search(line)
            if found and len(line) < 60:
                head["citation"] = found.group()
        if "date" not in head and _DATE.fullmatch(line):
            head["date"] = line
        if "court" not in head and _COURT.fullmatch(line):
            head["court"] = line
        if "author" not in head and _JUDGE_LINE.fullmatch(line):
            head["author"] = line
    return head


def _pages(blocks: list[Block], parts: tuple[Part, ...], citation: str | None) -> tuple[PageMark, ...]:
    """Where pages begin. Each footnote begins with the page on which it is called, as it does in print."""
    pages: list[PageMark] = []
    calls: list[tuple[str, int]] = []
    for block, start in zip(blocks, starts(blocks), strict=True):
        for mark in block.marks:
            if mark.kind == "note_call":
                calls.append((mark.value, start + mark.offset))
            else:
                reporter = mark.kind == "reporter_page"
                page = _full_page(mark.value, citation) if reporter else f"*{mark.value}"
                pages.append(PageMark(offset=start + mark.offset, page=page, reporter=reporter))
    pages.sort(key=lambda page: page.offset)
    body_pages = list(pages)
    position = 0
    for part in parts:
        if part.footnote is None:
            continue
        call = next((i for i in range(position, len(calls)) if calls[i][0] == part.footnote), None)
        if call is None:
            continue
        position = call + 1
        for reporter in (False, True):
            before = [p for p in body_pages if p.reporter is reporter and p.offset <= calls[call][1]]
            if before:
                pages.append(PageMark(offset=part.start, page=before[-1].page, reporter=reporter))
    return tuple(sorted(pages, key=lambda page: page.offset))


def _full_page(mark: str, citation: str | None) -> str:
    """A reporter's page as it is cited; a mark that is a bare number takes volume and reporter of the citation."""
    number = mark.lstrip("*")
    if not number.isdigit():
        return mark
    volume = re.fullmatch(r"(\d+ .*\S) \d+", citation or "")
    return f"{volume[1]} at {number}" if volume and "Slip Op" not in volume[1] else f"*{number}"
