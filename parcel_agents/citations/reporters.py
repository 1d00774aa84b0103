"""Reporter cites: volume, reporter and page, by the tables of reporters that eyecite uses (reporters-db)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

TokenKind = Literal["case", "slip", "short", "article", "statute", "rule", "placeholder"]

# The shortest stretch from a number over a capital to the next number; the tables say whether it is a reporter.
_CANDIDATE = re.compile(
    r"(?<![\w.$/§-])(?P<volume>\d{1,4}|[—–]|[_-]{1,6}|\?{2,4})\s+(?P<reporter>[A-Z][A-Za-z0-9.,'’&()\s-]{0,58}?)"
    r",?\s+(?P<at>at\s+(?:pp?\.\s*)?)?(?P<page>\*{0,2}\d{1,3}(?:,\d{3})+|\*{0,2}\d{1,9}|[—–]+|_{1,6}|-{2,6}"
    r"|\?{2,4})(?!\w|\.\d|[-‐]\d*[a-z])"
    r"(?P<status>\s?[(\[][AU][)\]])?"
)
_YEAR_FIRST = re.compile(
    r"(?<![\w.-])(?P<volume>[12]\d{3})-(?P<reporter>Ohio|NMSC|NMCA|NCSC|NCCOA)-(?P<page>\d{1,5})\b"
)
_NOISE = re.compile(r"[.,\s'’]")
# A periodical, old reporter or dictionary that no table lists is told by the year that follows its page.
_YEAR_BEHIND = re.compile(
    r"(?:,?\s(?:and\s|at\s)?[\d*–-]+(?:\snn?\s[\d, –-]*\d)?)*\s[\[(](?:[A-Z0-9][^\[\]()]{0,60}[\s,])?(?:1[6-9]"
    r"|20)\d\d[\])]"
)
_SENTENCE = re.compile(
    r"[a-z]{3,}\.\s|[,;]\s(?:at|and|the|in)\s|\b(?:Law|Act|Code|Rules?|Const|No\.?|Nos\.|Stat\.)\Z|\bat\Z"
)
_REVIEW = re.compile(r"\b(?:L|LQ|St|Legal) ?(?:Rev|J|Q|Forum|Stud)\b|\b[A-Z]*LJ\b|\bLaw (?:Review|Journal)\b")
_DATABASES = re.compile(r"\bLEXIS\b|\bLexis\b|\bWL\b|Slip Op\b")
_STATES = (
    "Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Hawaii Idaho Illinois"
    " Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi"
    " Missouri Montana"
    " Nebraska Nevada Ohio Oklahoma Oregon Pennsylvania Tennessee Texas Utah Vermont Virginia Washington"
    " Wisconsin Wyoming"
    " Miscellaneous Pacific"
).split()
# Old reporters are called by their editor's surname, which stands between numbers elsewhere too.
_SURNAME = re.compile(r"[A-Z][a-z]{3,}$")
_CLOSED_OFF = re.compile(r"\s*(?:[\[(,;)\]]|\.(?!\d)|$)")
_MAX_EDITOR_VOLUME = 120
_NOT_LISTED: dict[str, TokenKind] = {
    **dict.fromkeys("EngRep CarK Car&K Best&Sm CoRep ParkerCrimRep FlaLWkly NYCrimR I&NDec".split(), "case"),
    **dict.fromkeys("USStat Stat".split(), "statute"),
    **dict.fromkeys("ALR ALR2d ALR3d ALR4th ALR5th ALR6th ALRFed ALRFed2d AmJur AmJur2d".split(), "article"),
    "FedReg": "rule",
}


@dataclass(frozen=True)
class Cite:
    """A reporter cite in a text; `key` names the reporter without dots and spaces."""

    start: int
    end: int
    kind: TokenKind
    volume: str
    key: str
    page: str
    text: str
    """The cite with single spaces."""


def find_reporter_cites(text: str) -> Iterator[Cite]:
    """The reporter cites of a text, in order. One whose volume or page is left blank is a `placeholder`."""
    position = 0
    while match := _CANDIDATE.search(text, position):
        cite = _read(text, match)
        if cite is None:
            # The page of what is no cite may be the volume of one.
            position = match.start("page")
        else:
            yield cite
            position = cite.end


def find_year_first_cites(text: str) -> Iterator[Cite]:
    """Cites of the form `2004-Ohio-1234`."""
    for match in _YEAR_FIRST.finditer(text):
        yield Cite(match.start(), match.end(), "slip", match[1], match[2], match[3], match.group())


def _read(text: str, match: re.Match[str]) -> Cite | None:
    reporter = match["reporter"]
    key = _NOISE.sub("", reporter)
    kind = _tables().get(key)
    if kind is None:
        kind = _unlisted(text, match)
    if kind is None or "\n\n" in match.group():
        return None
    volume, page = match["volume"], match["page"].replace(",", "")
    if _is_surname(key) and (
        not volume.isdigit() or int(volume) > _MAX_EDITOR_VOLUME or not _CLOSED_OFF.match(text, match.end())
    ):
        return None
    if not volume.isdigit() or not page.strip("*").isdigit():
        if kind not in {"case", "slip"} or match["at"]:
            return None
        kind = "placeholder"
    elif match["at"]:
        kind = "short"
    if kind == "short" and match["status"]:
        return None
    whole = re.sub(r"\s+", " ", match.group())
    whole = re.sub(r" ?[(\[]([AU])[)\]]$", r"(\1)", whole)
    return Cite(match.start(), match.end(), kind, volume, key, page, whole)


def _unlisted(text: str, match: re.Match[str]) -> TokenKind | None:
    """What a reporter that no table lists can be, by its words or by the year behind it."""
    reporter = match["reporter"]
    if _DATABASES.search(reporter):
        return "slip"
    if _REVIEW.search(reporter):
        return "article"
    if (
        match["at"]
        or _SENTENCE.search(reporter)
        or len(match["volume"]) > 3
        or not _YEAR_BEHIND.match(text, match.end())
    ):
        return None
    return "article"


@lru_cache(maxsize=4096)
def _is_surname(key: str) -> bool:
    return _SURNAME.match(key) is not None and not any(state.startswith(key) for state in _STATES)


@lru_cache(maxsize=1)
def _tables() -> dict[str, TokenKind]:
    """What each reporter, by its letters and digits alone, reports."""
    from reporters_db import EDITIONS, JOURNALS, VARIATIONS_ONLY  # type: ignore[import-untyped]

    kinds: dict[str, TokenKind] = {}
    for name, sources in JOURNALS.items():
        for spelling in [name, *(variation for source in sources for variation in source.get("variations", []))]:
            kinds[_NOISE.sub("", spelling)] = "article"
    for name in [*EDITIONS, *VARIATIONS_ONLY]:
        key = _NOISE.sub("", name)
        kinds[key] = "slip" if _DATABASES.search(name) or key == "NYSlipOp" else "case"
    kinds.update(_NOT_LISTED)
    for no_reporter in ("May", "March", "Dec", "Ct", "Section", "Am"):
        kinds.pop(no_reporter, None)
    return kinds
