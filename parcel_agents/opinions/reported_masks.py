"""A sentence with its brackets and quotations blanked, so that only the writer's own grammar is left."""

from __future__ import annotations

import re

_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_QUOTATION = re.compile(r"“[^“”]*”|\"[^\"]*\"")


def mask(sentence: str) -> str:
    """The sentence at the same length: citations become spaces, quoted words become `_`.

    A bracket or quotation mark without its partner blanks nothing. Bracketed letters within a word (`[t]he`) stay.
    """
    previous = None
    while previous != sentence:
        previous = sentence
        sentence = _BRACKETS.sub(_blank_bracket, sentence)
    return _QUOTATION.sub(lambda found: "_" * len(found.group()), sentence)


def _blank_bracket(found: re.Match[str]) -> str:
    words = found.group()
    if len(words) <= 8 and words[1:-1].isalpha():
        return " " * len(words) if words[0] == "(" else "_" * len(words)
    return " " * len(words)
