"""Words at the ends of printed lines: whether a hyphen there divides a word or belongs to it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from parcel_agents.opinions.words import vocabulary

_DIVIDED = re.compile(r"(?P<first>[^\W\d_]{1,30})-$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_SUSPENDED = re.compile(r"(?:and|or|to)\b")  # "first- or second-degree"
_MIN_SHARE = 0.03
_MIN_KNOWN = 5
"""Where fewer lines end with half a word of the document, and few end with a hyphen at all, no words are divided."""
# "well-\nknown": a hyphen behind these is rarely that of a divided word.
_PREFIXES = frozenset("well self non quasi cross half ill".split())
# These are no words of their own, though "authoriz[ing]" puts them among the words of a document.
_ENDINGS = frozenset("ing ings ed er ers es ly tion tions sion ment ments ness able ible ance ence ive ity".split())


@dataclass(frozen=True)
class LineEnds:
    """What the lines of a document tell of their hyphens."""

    words: frozenset[str]
    """Every word of the document that stands within a line, compounds with their hyphens."""
    divides: bool
    """True if the document divides words at the ends of lines."""

    @classmethod
    def of(cls, lines: Iterable[str]) -> LineEnds:
        """The evidence in the lines of a document, in order."""
        listed = list(lines)
        words = frozenset(vocabulary("\n".join(listed)))
        ended = known = kept = 0
        for line, following in pairwise(listed):
            divided, rest = _DIVIDED.search(line), _FIRST_WORD.match(following)
            if divided and rest and rest.group().islower():
                ended += 1
                known += (divided["first"] + rest.group()).lower() in words
                kept += f"{divided['first']}-{rest.group()}".lower() in words
        return cls(words, known > kept and (known >= _MIN_KNOWN or ended >= _MIN_SHARE * len(listed)))

    def joined(self, line: str, following: str) -> str:
        """The line as it goes on in the next one: with a blank, with its hyphen, or without it.

        A hyphen goes where the two halves are a word of the document, or where they may be one: small letters, no
        compound of the document, and not two words that both stand in it.
        """
        if line.endswith(("—", "–")) and not line.endswith((" —", " –")):
            return line
        if not line.endswith("-") or line.endswith((" -", "--")) or _SUSPENDED.match(following):
            return f"{line} "
        divided, rest = _DIVIDED.search(line), _FIRST_WORD.match(following)
        if not divided or not rest:
            return line  # pages 209-210, section 168-l
        return line[:-1] if self._is_one_word(divided["first"], rest.group(), line, following) else line

    def _is_one_word(self, first: str, last: str, line: str, following: str) -> bool:
        first, small = first.lower(), last.lower()
        if first + small in self.words:
            return f"{first}-{small}" not in self.words
        compound = line[: -1 - len(first)].endswith("-") or following[len(last) :].startswith("-")
        if compound or not last.islower() or first in _PREFIXES or f"{first}-{small}" in self.words:
            return False
        if len(first) > 4 and first.endswith("ly") and small not in _ENDINGS:
            return False  # "presumptively-invalid"
        return self.divides and not (first in self.words and small in self.words and small not in _ENDINGS)
