"""Markdown and the text dumps of court pages: numbered links, emphasis."""

from __future__ import annotations

import re

from parcel_agents.opinions.blocks import MARKS, BlockWriter, Document
from parcel_agents.opinions.words import vocabulary

_REFERENCES = re.compile(
    r"^[^\w\n]*References\W*(?:\Z|\n(?=\W*(?:Visible links:\s*)?(?:\[\d+\]|\d+\.)[ \t]+\S+:))", re.MULTILINE
)
_LIST_PARAGRAPH = re.compile(r"://|links:\s*$")
_REFERENCE_NUMBER = re.compile(r"(?:^|(?<=\s))(?:\[(\d+)\]|(\d+)\.)[ \t]")
_LINK_TOKEN = re.compile(r"\[|\](?P<target>\((?:[a-z][a-z0-9+.-]*:|#|/|\.\.?/)[^()\s]*\))?")
# A link's number is glued to the words of the link, which a year or a subdivision in square brackets is not.
_LINK_NUMBER = re.compile(
    r"(?<!\w)\[(?P<plain>\d{1,4})\](?= ?Footnote |https?:|[A-Za-z“‘*]|[\"'][A-Za-z]|\[FN|\[\*\d|\{ ?\*\*)"
    r"|(?<=[\w;])\[(?P<inner>\d{1,3})\](?=[A-Z,]| [A-Z])"
)
# Footnotes that a dump has run together in one paragraph.
_NOTE_LINE = re.compile(r"(?<=[.?!)\]\"”’'*])\s+(?=Footnote [\d*†‡]{1,4} ?[:.])")
_MAX_LINK_GAP = 10
_MAX_INNER_GAP = 3
_EMPHASIS = re.compile(r"(?<![\w\\])(\*{1,3})(?=[^\s*:])((?:[^*]|\\\*)+?)(?<=[^\s\\])\1(?!\*)")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!])")


def read_markdown(source: str) -> Document:
    """The blocks of a Markdown source."""
    source, references = _without_references(source)
    writer = BlockWriter(words=vocabulary(source))
    source = _own_notes(_drop_links(source))
    source = _drop_link_numbers(source, _listed(references))
    source = _NOTE_LINE.sub("\n\n", source)
    for paragraph in re.split(r"\n[ \t]*\n", source):
        _write_paragraph(writer, paragraph)
    return Document(writer.blocks)


def _without_references(source: str) -> tuple[str, str]:
    """The text and, apart from it, the list of links; a paragraph behind the list is text again."""
    text, *rest = _REFERENCES.split(source, maxsplit=1)
    paragraphs = re.split(r"\n\s*\n", "".join(rest))
    behind = [paragraph for paragraph in paragraphs if not _LIST_PARAGRAPH.search(paragraph)]
    return "\n\n".join([text, *behind]), "".join(rest)


def _drop_links(source: str) -> str:
    """The source with links reduced to their words, which may hold brackets and, in damaged dumps, other links."""
    kept = list(source)
    opened: list[int] = []
    for token in _LINK_TOKEN.finditer(source):
        if token.group() == "[":
            opened.append(token.start())
            continue
        opener = opened.pop() if opened else None
        if token["target"]:
            kept[token.start() : token.end()] = [""] * len(token.group())
            if opener is not None:
                kept[opener] = ""
    return "".join(kept)


def _own_notes(source: str) -> str:
    """The source with Markdown's own footnotes, `[^1]` and `[^1]: text`, in the form of the Official Reports."""
    source = re.sub(r"^\[\^(\d{1,4})\]:[ \t]*", r"\n\nFootnote \1: ", source, flags=re.MULTILINE)
    return re.sub(r"\[\^(\d{1,4})\]", r"[FN\1]", source)


def _listed(references: str) -> set[int]:
    return {int(bracketed or plain) for bracketed, plain in _REFERENCE_NUMBER.findall(references)}


def _drop_link_numbers(source: str, listed: set[int]) -> str:
    """Take out the numbers that a text browser puts before links and lists at the end as references.

    A number counts as one if it is in the list or, since lists have holes, next in the rising order of numbers.
    Before a footnote or a capital letter no other number can stand; within a word it must be both.
    """
    last = 0

    def drop(match: re.Match[str]) -> str:
        nonlocal last
        number = int(match["plain"] or match["inner"])
        following = source[match.end() : match.end() + 12].lstrip(" *“‘")
        if match["inner"]:
            if not (number in listed and last < number <= last + _MAX_INNER_GAP):
                return match.group()
            last = number
            return "" if following[:1] == "," else " "
        certain = following.startswith("Footnote") or (len(match["plain"]) < 4 and following[:1].isupper())
        if not certain and number not in listed and not last < number <= last + _MAX_LINK_GAP:
            return match.group()
        last = number
        return ""

    return _LINK_NUMBER.sub(drop, source)


def _write_paragraph(writer: BlockWriter, paragraph: str) -> None:
    heading = re.match(r"\s*#{1,6}[ \t]+([^\n]*)", paragraph)
    if heading:
        writer.write(_plain(heading[1]))
        writer.end_block(heading=True)
        paragraph = paragraph[heading.end() :]
    for line in _plain(paragraph).split("\n"):
        writer.write(line.lstrip("> \t") + " ")
        if line.endswith("  "):
            writer.line_break()
    writer.end_block()


def _plain(text: str) -> str:
    """The text without emphasis marks and escapes; nested emphasis goes from the outside in."""
    # Page marks hold asterisks too, and emphasis may span them: they step aside meanwhile, as characters of the
    # private use area, of which a cleaned source has none.
    marks: list[str] = []

    def hide(match: re.Match[str]) -> str:
        marks.append(match.group())
        return f"\ue000{len(marks) - 1}\ue001"

    text = MARKS.sub(hide, text)
    previous = None
    while previous != text:
        previous = text
        text = _EMPHASIS.sub(r"\2", text)
    text = _ESCAPE.sub(r"\1", text)
    return re.sub("\ue000(\\d+)\ue001", lambda match: marks[int(match[1])], text)
