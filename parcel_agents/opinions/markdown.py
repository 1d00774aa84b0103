"""Markdown and the text dumps of court pages: numbered links, emphasis."""

from __future__ import annotations

import re

from parcel_agents.opinions.blocks import MARKS, Block, BlockWriter

_REFERENCES = re.compile(r"^\W*References\W*\n(?=\W*(?:Visible links:\s*)?(?:\[\d+\]|\d+\.)[ \t]+\S+:)", re.MULTILINE)
_REFERENCE_NUMBER = re.compile(r"(?:^|(?<=\s))(?:\[(\d+)\]|(\d+)\.)[ \t]")
# [text](target), where the text may hold square brackets, as a year does: [People v A, 1 NY3d 2 [2003]](https://...)
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\((?:https?:|mailto:|#|/|\.)[^()\s]*\)")
_LINK_NUMBER = re.compile(r"(?<!\w)\[(\d{1,4})\](?= ?Footnote |https?:|[A-Za-z“‘*]|[\"'][A-Za-z]|\[FN|\[\*\d|\{\*\*)")
# Footnotes that a dump has run together in one paragraph.
_NOTE_LINE = re.compile(r"\s+(?=Footnote [\d*†‡]{1,4} ?:)")
_MAX_LINK_GAP = 10
_EMPHASIS = re.compile(r"(?<![\w\\])(\*{1,3})(?=[^\s*:])((?:[^*]|\\\*)+?)(?<=[^\s\\])\1(?!\*)")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!])")


def read_markdown(source: str) -> list[Block]:
    """The blocks of a Markdown source."""
    source = re.sub("[\ue000\ue001]", "", source)
    source, *references = _REFERENCES.split(source, maxsplit=1)
    source = _LINK.sub(r"\1", source)
    source = _drop_link_numbers(source, _listed("".join(references)))
    source = _NOTE_LINE.sub("\n\n", source)
    writer = BlockWriter()
    for paragraph in re.split(r"\n[ \t]*\n", source):
        _write_paragraph(writer, paragraph)
    return writer.blocks


def _listed(references: str) -> set[int]:
    return {int(bracketed or plain) for bracketed, plain in _REFERENCE_NUMBER.findall(references)}


def _drop_link_numbers(source: str, listed: set[int]) -> str:
    """Take out the numbers that a text browser puts before links and lists at the end as references.

    A year or a subdivision stands in square brackets too. A link's number is glued to what follows, and is in
    the list of references or, since lists have holes, next in the rising order of numbers.
    """
    last = 0

    def drop(match: re.Match[str]) -> str:
        nonlocal last
        number = int(match[1])
        if number not in listed and not last < number <= last + _MAX_LINK_GAP:
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
    # Page marks hold asterisks too, and emphasis may span them: they step aside meanwhile.
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
