"""Citation-like things in forms that are not read, so that nothing said behind them is passed over in silence."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from parcel_agents.citations.saying import PARTICIPLES

_RECORD = re.compile(
    r"(?:(?:ECF|Dkt\.?|D\.E\.|Doc\.|Docket\sEntry|Rec\.\sDoc\.)\s(?:Nos?\.\s)?\d+(?:-\d+)*"
    r"|(?:Compl|Decl|Aff|Dep|Tr|Hr['’]g\sTr)\.\s(?:at\s|¶¶?\s?)?\d[\d:]*|JA\s?\d+)"
    r"(?:,?\s(?:at\s|¶¶?\s?|pp?\.\s)\s?\d[\d–-]*)?"
)
"""A place in the record of the case itself."""
# Where a claim may begin: a verb in -ing, or quoted words; a defined term (`“the Gate”`) is none.
_SAYS = re.compile(rf"(?:[a-z]+ly,?\s)?(?:{'|'.join(sorted(PARTICIPLES, key=len, reverse=True))})\b")
_MAY_SAY = re.compile(r"(?:[a-z]+ly,?\s)?[a-z]+ing\b|[\"“‘]\W*(?:[^\s\"”]+\s+){3}")
_LIKE = re.compile(
    r"""
    (?:
        \b(?:Nos?|Dkt|Doc|ECF|Case|Docket|Index|App|Tr|Ex|Compl|Decl|Rev|Reg|Op)\.?\s?[\w:-]*\d
        | \bWL\b | _{2,} | ¶ | § | \bsupra\b | \b[Ii]d\. | \bdiscussion\sabove\b | \bslip\sop
        | \bat\s(?:pp?\.\s)?\*?\d | \*\d | \bnote\s\d | \b[A-Z]{1,4}\s?\d{2,}
        | \d{1,4}\s[A-Z][\w.]*(?:\s[\w.]+){0,3}\s\d | [\[(][^()\[\]]*(?:1[6-9]|20)\d\d[)\]]
        | \b\d+:\d+-\w+-\d+
    )
    [^;]{0,60}\Z
    """,
    re.VERBOSE,
)
_WINDOW = 160
_BORDER = re.compile(r"\n\s*\n|;\s|(?<=[a-z]{3})\.[\"”]?\s+(?=[A-Z(])")
_MANY_WORDS = 14


@dataclass(frozen=True)
class Unread:
    """A bracket that says something, and what stands before it."""

    start: int
    end: int
    opening: int
    closing: int
    cite: str
    """The words that look like a citation; empty if none do."""


def find_records(text: str) -> Iterator[tuple[int, int]]:
    """Places in the record: `ECF No. 12 at 3`. What follows them as `id.` is no decision."""
    for match in _RECORD.finditer(text):
        before = text[match.start() - 1 : match.start()]
        if not (before.isalnum() or before == "."):
            yield match.start(), match.end()


def find_unread(text: str, closed_by: Mapping[int, int], read: set[int], floors: list[int]) -> Iterator[Unread]:
    """The brackets that say something and belong to no citation that was read.

    Args:
        text: the text.
        closed_by: for each opening bracket the one that closes it.
        read: where the parentheticals begin that are known already.
        floors: where the citations that were read end, in order; no unread one begins before.
    """
    for opening, closing in sorted(closed_by.items()):
        if opening + 1 in read or not _MAY_SAY.match(text, opening + 1, closing):
            continue
        low = max(0, opening - _WINDOW)
        for border in _BORDER.finditer(text, low, opening):
            low = border.end()
        like = _LIKE.search(text, low, opening)
        if like is None and not _SAYS.match(text, opening + 1, closing):
            continue
        place = bisect_right(floors, opening)
        floor = max(low, floors[place - 1]) if place else low
        words = list(re.finditer(r"\S+", text[floor:opening]))[-_MANY_WORDS:]
        if like is None or not words:
            # The span is that of the bracket's own sign: no citation is without one.
            yield Unread(opening, opening + 1, opening, closing, " ".join(text[low:opening].split()) if like else "")
        else:
            start, end = floor + words[0].start(), floor + words[-1].end()
            yield Unread(start, end, opening, closing, " ".join(text[start:end].split()))
