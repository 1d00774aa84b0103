"""Which bracket closes which: round and square ones, each of its own kind."""

from __future__ import annotations

import re

_SIGNS = re.compile(r"[()\[\]]|\n\s*\n")
# A paragraph that ends with a sentence leaves nothing open, whatever its brackets say.
_ENDED = re.compile(r"[.?!][\"”’')\]]*\s*\Z")
_LOOK_BACK = 8


def match_brackets(text: str) -> dict[int, int]:
    """For each opening bracket that is closed, by its offset, the offset of the bracket that closes it.

    Round and square brackets are matched apart, so that one which is left open does no harm to the other kind. A
    bracket that was never closed takes none of a later paragraph's, unless its paragraph breaks off in a sentence.
    """
    closed_by: dict[int, int] = {}
    round_, square = list[int](), list[int]()
    for sign in _SIGNS.finditer(text):
        char = text[sign.start()]
        if char == "(":
            round_.append(sign.start())
        elif char == "[":
            square.append(sign.start())
        elif char == "\n":
            if _ENDED.search(text, max(0, sign.start() - _LOOK_BACK), sign.start()):
                round_.clear()
                square.clear()
        else:
            opened = round_ if char == ")" else square
            if opened:
                closed_by[opened.pop()] = sign.start()
    return closed_by
