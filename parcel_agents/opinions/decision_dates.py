"""The date of decision in the lines at the head and the foot of a document."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MONTHS = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan\.?|Feb\.?|Mar\.?|Apr\.?|Jun\.?|Jul\.?|Aug\.?|Sept?\.?|Oct\.?|Nov\.?|Dec\.?)"
)
_DATE = (
    rf"(?:(?i:{_MONTHS})\ ?\d{{1,2}},?\ \d{{4}}|\d{{1,2}}\ (?i:{_MONTHS}),?\ \d{{4}}"
    rf"|(?:the\ )?\d{{1,2}}(?:st|nd|rd|th)\ day\ of\ (?i:{_MONTHS}),?\ \d{{4}}"
    r"|(?:19|20)\d\d-\d{1,2}-\d{1,2}|\d{1,2}[-/]\d{1,2}[-/](?:\d{4}|\d\d(?!\d)))"
)
_DECIDED = r"decided(?:\ (?:and|&)\ (?:filed|entered|released))?|rendered|announced|delivered|handed\ down"
_FILED = (
    r"(?:(?:opinion|decision|order|judgment|memorandum)\ )?(?:filed|released|issued|entered|signed|published)"
    r"|dated?|date\ of\ (?:decision|judgment|opinion)|(?:opinion|decision)\ date|filing\ date|date\ filed"
)
_NOT_BEFORE = r"(?<!re)(?<!denied\ )(?<!petition\ )(?<!appeal\ )(?<!motion\ )(?<!complaint\ )(?<!mandate\ )"
_TO_DATE = r"(?:\ (?:on|this|as\ of))?\s*[:,.—–-]?\s*(?:(?i:mon|tues|wednes|thurs|fri|satur|sun)day,?\ )?"
_LABELLED = tuple(
    re.compile(rf"{_NOT_BEFORE}\b(?i:{label}){_TO_DATE}(?P<date>{_DATE})", re.VERBOSE) for label in (_DECIDED, _FILED)
)
_LABEL_ALONE = re.compile(rf"\W*(?:{_DECIDED}|{_FILED})\W*", re.VERBOSE | re.IGNORECASE)
_ALONE = re.compile(rf"[\[(\s]*(?P<date>{_DATE})[\])\s.]*(?:\[[^\[\]\d]*\])?", re.VERBOSE)
_LABEL_BEHIND = re.compile(rf"\W*(?P<date>{_DATE}),?\ (?i:{_DECIDED}|filed|opinion\ filed)\b", re.VERBOSE)
_PAGE_HEADER = re.compile(rf"\bcase:?\ .*\b(?:date\ )?filed:?\ (?P<date>{_DATE})", re.VERBOSE | re.IGNORECASE)
# Dates of other events: "Argued May 2, 2031", "Rehearing Denied", "As corrected through", "Certiorari granted".
_OTHER_EVENT = re.compile(
    r"\b(?:argued|submitted|heard|rehearing|reconsideration|certiorari|cert\.|review|corrected|amended|modified|revised"
    r"|withdrawn|mandate|petition|argument|conference|transcript|trial|hearing|effective)\b",
    re.IGNORECASE,
)
_AT_FOOT = re.compile(
    rf"\W*(?i:so\ ordered[.,:]?\ )?(?i:{_DECIDED}|dated|entered|signed|filed|done\ and\ ordered){_TO_DATE}"
    rf"(?P<date>{_DATE})",
    re.VERBOSE,
)
_EARLIER = re.compile(rf"{_DATE}|;", re.VERBOSE)
_DAY_OF = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th) day of ([A-Za-z.]+),? (\d{4})")
_SHORT = 60
_PROSE_WORDS = 3
"""Before a label in running text ("the opinion of this Court issued on ...") stand more words than this."""


def decision_date(lines: Sequence[str], foot: Sequence[str] = ()) -> str | None:
    """The date of decision as these lines write it; None where they give none, or only that of another event.

    Args:
        lines: the lines at the head of a document.
        foot: its last lines, which count where the head has no date.
    """
    found = _found_date(lines, foot)
    # "the 25th day of June, 2031"
    return _DAY_OF.sub(r"\2 \1, \3", found) if found else None


def _found_date(lines: Sequence[str], foot: Sequence[str]) -> str | None:
    filled = [line.strip() for line in lines if line.strip()]
    joined = [
        f"{line} {filled[index + 1]}" if _LABEL_ALONE.fullmatch(line) and index + 1 < len(filled) else line
        for index, line in enumerate(filled)
    ]
    headers = [found["date"] for line in joined if (found := _PAGE_HEADER.search(line))]
    joined = [line for line in joined if not _PAGE_HEADER.search(line)]
    for label in _LABELLED:
        for line in joined:
            for found in label.finditer(line):
                if _is_own(line[: found.start()]):
                    return found["date"]
    for line in joined:
        if found := _LABEL_BEHIND.match(line):
            return found["date"]
    for index, line in enumerate(joined):
        found = _ALONE.fullmatch(line)
        if found and not (index and _OTHER_EVENT.search(joined[index - 1]) and not _ends(joined[index - 1])):
            return found["date"]
    at_foot = [found["date"] for line in foot if (found := _AT_FOOT.match(line.strip()))]
    return at_foot[-1] if at_foot else headers[0] if headers else None


def has_date(line: str) -> bool:
    """True for a short line with a date, which is no part of a name."""
    return len(line) < _SHORT and re.search(_DATE, line, re.VERBOSE) is not None


def _is_own(before: str) -> bool:
    """True if what stands before a label, behind the date of another event, leaves it the decision's."""
    between = _EARLIER.split(before)[-1]
    words = re.findall(r"\b[a-z]{2,}\b", between)
    return not _OTHER_EVENT.search(between) and len(words) < _PROSE_WORDS


def _ends(line: str) -> bool:
    """True for a line that has its date already, so that the next line's is another."""
    return re.search(rf"{_DATE}\W*$", line, re.VERBOSE) is not None
