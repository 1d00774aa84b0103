"""The citation of a decision in the lines at its head."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_REPORTED = (
    rf"\d{{1,4}}\ (?!(?:No|Nos|Part|Parts|Decided|Argued|Filed|Section|U\.S\.C|(?:{_MONTHS})[a-z]*)\b)"
    r"(?:[A-Z][\w.'’&]*\.?\ ?){1,5}?(?:[2-9]d|\dth)?\ ?(?:\(\d\w*\)\ )?\d{1,5}(?![\w-])"
)
_NEUTRAL = (
    r"(?:19|20)\d\d(?:-[A-Z][A-Za-z.]{1,7}-\d{1,6}(?![\w])"
    r"|\ (?:NY\ ?Slip\ ?Op|N\.Y\.\ Slip\ Op\.|IL\ App\ \(\d\w+\)|WI\ App|COA|CO|IL|ME|MT|ND|NH|OK(?:\ C[IR][VR]?)?"
    r"|PA\ Super|S\.?D\.?|UT(?:\ App)?|VT|WI|WY|N\.H\.|N\.D\.|NCSC|NCCOA|DNH|BNH|Ark\.(?:\ App\.)?|Guam"
    r"|MP|VI|NM(?:SC|CA)?)"
    r"\ (?:U\ )?\d{1,6}(?:-U[A-Z]?|\(U\))?(?![\w-]))"
)
_TAX = r"T\.\ ?C\.\ (?:Memo|Summary\ Opinion|Summ\.\ Op)\.?\ (?:19|20)\d\d-\d{1,3}|\d{1,3}\ T\.\ ?C\.\ No\.\ \d{1,3}"
_ANY = rf"(?:{_NEUTRAL}|{_TAX}|{_REPORTED})"
_YEAR = r"(?:\ ?[(\[](?:[\w.\ ]+\ )?\d{4}[)\]])?"
_LINE = re.compile(
    rf"\W*(?:(?i:neutral\ )?(?i:citation(?:\ number)?)[:.]?\ |(?i:cite\ as)[:.]?\ )?(?P<cite>{_ANY})"
    rf"{_YEAR}[\])\s.*]*(?:[,;=]\s*\d+\ (?:[A-Z]|WL).*)?",
    re.VERBOSE,
)
_CITE_AS = re.compile(rf"\[?(?i:cite\ as):?\ (?P<name>[^\[\]]{{3,200}}?),\ (?P<cite>{_ANY})", re.VERBOSE)
_PUBLISHED_AT = re.compile(
    rf"\[[^\[\].]{{0,60}}\b(?:published|reported)\b[^.\[\]]{{0,60}}\bat\ (?P<cite>{_REPORTED})", re.VERBOSE
)
# A syllabus ends with the decision below: "99 Mich. 1, 88 N. W. 2d 5, reversed."
_BELOW = re.compile(r"\b(?:affirmed|reversed|vacated|remanded|dismissed|A state)\b", re.IGNORECASE)
_SLIP = re.compile(r"\d{4} NY ?Slip ?Op \d{5}(?:\(U\))?")
_REPORTER_IN_BRACKETS = re.compile(r"\[(\d{1,4} [A-Z][\w. ]{1,12} \d{1,5})\]")
_MAX_LINE = 250
_CLOSE_TOGETHER = 4


def front_citation(lines: Sequence[str]) -> str | None:
    """The citation under which these lines say the decision is cited; a reporter's rather than a number."""
    text = " ".join(" ".join(lines).split())
    if found := _PUBLISHED_AT.search(text):
        return found["cite"]
    if found := _CITE_AS.search(text):
        return found["cite"]
    cites = []
    for index, line in enumerate(_before_prose(lines)):
        line = line.strip()
        if slip := _SLIP.match(line):
            reporter = _REPORTER_IN_BRACKETS.search(line)
            cites.append((index, reporter[1] if reporter else slip.group()))
        elif len(line) <= _MAX_LINE and (found := _LINE.fullmatch(line)) and not _BELOW.search(line):
            cites.append((index, found["cite"]))
    if not cites:
        return None
    near = [cite for index, cite in cites if index - cites[0][0] < _CLOSE_TOGETHER]
    return next((cite for cite in near if not _is_slip(cite)), near[0])


def _before_prose(lines: Sequence[str]) -> Sequence[str]:
    """The lines up to the second that is a whole paragraph: a notice may come first, a syllabus cites other cases."""
    long = [index for index, line in enumerate(lines) if len(line) > _MAX_LINE]
    return lines[: long[1]] if len(long) > 1 else lines


def is_citation_line(line: str) -> bool:
    """True for a line that is nothing but citations of one decision."""
    return len(line) <= _MAX_LINE and _LINE.fullmatch(line.strip()) is not None


def cited_name(lines: Sequence[str]) -> str | None:
    """The name in a line such as `[Cite as Arden v. Brill, 2031-Ohio-4.]`"""
    found = _CITE_AS.search(" ".join(" ".join(lines).split()))
    return found["name"] if found else None


def _is_slip(cite: str) -> bool:
    return "Slip" in cite
