"""Words that a line's end or a page mark has divided: what belongs together is told from the rest of the text."""

from __future__ import annotations

import re
from collections.abc import Collection

# What stands at a division is no evidence of a word: "defen-" at a line's end, "defen{**99 NY3d at 7}dant".
_DIVIDED = re.compile(r"\b\w{1,30}-[^\S\n]*\n\s*\w*|\b\w{1,30}(?:\{[^{}]{1,60}\}|\[\\?\*\d{1,4}\])\w{1,30}")
_WORD = re.compile(r"\w+(?:-\w+)*")


def vocabulary(source: str) -> set[str]:
    """Every word of a source in small letters, compounds with their hyphens; divided words are left out."""
    return {word.lower() for word in _WORD.findall(_DIVIDED.sub(" ", source))}


def belong_together(first: str, last: str, words: Collection[str]) -> bool:
    """True if two pieces of text that nothing separates are one word.

    Args:
        first: the letters and digits before the division.
        last: those behind it.
        words: the vocabulary of the text.
    """
    if (first + last).lower() in words:
        return True
    if first[-1].isdigit() != last[0].isdigit() or (last[0].isupper() and not first.isupper()):
        return False
    return not (first.lower() in words and last.lower() in words)
