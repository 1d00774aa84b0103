"""Plain text, as courts' slip opinions give it: indented paragraphs, running heads, line breaks in sentences."""

from __future__ import annotations

import re
from collections import Counter

from parcel_agents.opinions.blocks import Block, BlockWriter

_MIN_REPEATS = 4
"""A line with a number that comes back this often, its numbers aside, is a running head and not prose."""


def read_plain(source: str) -> list[Block]:
    """The blocks of a text: paragraphs end at an empty line or where a line is indented anew."""
    lines = source.replace("\f", "\n").split("\n")
    heads = _running_heads(lines)
    writer = BlockWriter()
    margin: int | None = None
    for line in lines:
        text = line.strip()
        if not text:
            writer.end_block()
            margin = None
            continue
        if _shape(text) in heads:
            continue
        indent = len(line) - len(line.lstrip())
        if margin is not None and indent >= margin + 3:
            writer.end_block()
        margin = indent
        # A word divided at the line's end stays joined; whether its hyphen belongs to it cannot be told here.
        writer.write(text if re.search(r"[a-z]-$", text) else text + " ")
    writer.end_block()
    return writer.blocks


def _shape(text: str) -> str:
    return re.sub(r"\d+", "0", text)


def _running_heads(lines: list[str]) -> set[str]:
    shapes = Counter(_shape(line.strip()) for line in lines if re.search(r"\d", line))
    return {shape for shape, count in shapes.items() if count >= _MIN_REPEATS and len(shape) < 100 and re.search("[A-Za-z]", shape)}
