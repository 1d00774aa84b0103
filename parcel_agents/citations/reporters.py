"""Reporter cites: volume, reporter and page, by the tables of reporters that eyecite uses (reporters-db)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

TokenKind = Literal["case", "slip", "short", "article", "statute", "rule", "placeholder", "docket", "unread"]

# The shortest stretch from a number over a capital to the next number; the tables say whether it is a reporter.
_CANDIDATE = re.compile(
    r"(?<![\w.$/§-])(?P<volume>\d{1,4}|[—–]|[_-]{1,9}|\?{2,4})\s+(?P<reporter>[A-Z][A-Za-z0-9.,'’&()\s-]{0,58}?)"
    r",?\s+(?P<at>at\s+(?:pp?\.\s*)?)?(?P<page>\*{0,2}\d{1,3}(?:,\d{3})+|\*{0,2}\d{1,9}|[—–]+|_{1,9}|-{2,6}"
    r"|\?{2,4})(?P<suffix>-?[A-Z]{1,2}(?![\w-]))?(?!\w|\.\d|[-‐]\d*[a-z])"
    r"(?P<status>\s?[(\[][AU][)\]])?"
)
_YEAR_FIRST = re.compile(
    r"(?P<volume>[12][09]\d\d)(?<![\w.-]\d\d\d\d)\s?-\s?(?P<reporter>[A-Za-z]{2,8})\s?-\s?(?P<page>\d{1,6})\b"
)
_A_YEAR = re.compile(r"(?:19[5-9]|20[0-9])\d\Z")
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
    **dict.fromkeys("Guam MP TSPR VI DNH NCSC NCCOA NCBC".split(), "case"),
}
# Numbered by year like those that reporters-db calls neutral, which lists these otherwise or not at all.
_NUMBERED_BY_YEAR = frozenset("Guam MP TSPR VI DNH NCSC NCCOA NCBC".split())
# How the reporters begin whose cites end with the year; most texts have none of them.
_TAX_COURT = ("T.C", "T. C", "TC ", "RIA TM")
# As a citation abbreviates them; Ohio numbers the decisions of all its courts in one series.
_COURTS: dict[str, str] = {
    "AZ": "Ariz.",
    "Ark": "Ark.",
    "ArkApp": "Ark. Ct. App.",
    "CO": "Colo.",
    "COA": "Colo. App.",
    "DNH": "D.N.H.",
    "Guam": "Guam",
    "IL": "Ill.",
    "ILApp": "Ill. App. Ct.",
    "IlApp": "Ill. App. Ct.",
    "ME": "Me.",
    "Me": "Me.",
    "MP": "N. Mar. I.",
    "MSPB": "M.S.P.B.",
    "MT": "Mont.",
    "NCCOA": "N.C. Ct. App.",
    "NCSC": "N.C.",
    "ND": "N.D.",
    "NDApp": "N.D. Ct. App.",
    "NDAPP": "N.D. Ct. App.",
    "NH": "N.H.",
    "NMCA": "N.M. Ct. App.",
    "NMSC": "N.M.",
    "OK": "Okla.",
    "OKCIVAPP": "Okla. Civ. App.",
    "OKCR": "Okla. Crim. App.",
    "PASuper": "Pa. Super. Ct.",
    "PaSuper": "Pa. Super. Ct.",
    "SD": "S.D.",
    "TCMemo": "T.C.",
    "TCMemorandum": "T.C.",
    "TCSummOp": "T.C.",
    "TCSummaryOp": "T.C.",
    "TCSummaryOpinion": "T.C.",
    "TSPR": "P.R.",
    "TexBus": "Tex. Bus. Ct.",
    "TexBusCt": "Tex. Bus. Ct.",
    "UT": "Utah",
    "UTApp": "Utah Ct. App.",
    "UtahApp": "Utah Ct. App.",
    "VI": "V.I.",
    "VISuper": "V.I. Super. Ct.",
    "VT": "Vt.",
    "WI": "Wis.",
    "WIApp": "Wis. Ct. App.",
    "WY": "Wyo.",
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
    year: int | None = None
    """The year of decision, where the cite itself states it: `2031 ND 4`."""
    court: str | None = None
    """The court, where the cite itself names it."""
    pin: str | None = None
    """The page, where it stands within the cite."""


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
    """Cites of the form `2031-Ohio-1234`, of every reporter that numbers its decisions by year."""
    for match in _YEAR_FIRST.finditer(text):
        key = match["reporter"]
        if key in numbered_by_year():
            year = int(match["volume"])
            cite = re.sub(r"\s", "", match.group())
            yield Cite(
                match.start(), match.end(), "slip", match["volume"], key, match["page"], cite, year, court_of(key)
            )


def find_year_last_cites(text: str) -> Iterator[Cite]:
    """Cites of the form `T.C. Memo. 2031-26`: the reporter, the year and the number in it."""
    if not any(sign in text for sign in _TAX_COURT):
        return
    pattern = _year_last()
    for match in pattern.finditer(text):
        whole = " ".join(match.group().split())
        key = _NOISE.sub("", match["reporter"])
        year = int(match["volume"])
        yield Cite(match.start(), match.end(), "slip", match["volume"], key, match["page"], whole, year, court_of(key))


def court_of(key: str) -> str | None:
    """The court whose decisions a reporter numbers by year, as a citation abbreviates it; None if it is not one."""
    return _COURTS.get(key.replace("(", " (").partition(" ")[0])


def _read(text: str, match: re.Match[str]) -> Cite | None:
    reporter = match["reporter"]
    key = _NOISE.sub("", reporter)
    kind = _tables().get(key)
    if kind is None:
        kind = _unlisted(text, match)
    if kind is None or "\n\n" in match.group():
        return None
    volume, page = match["volume"], match["page"].replace(",", "")
    year = _year_of(volume, key, kind)
    if match["suffix"] and year is None:
        return None
    if (
        _is_surname(key)
        and year is None
        and (not volume.isdigit() or int(volume) > _MAX_EDITOR_VOLUME or not _CLOSED_OFF.match(text, match.end()))
    ):
        return None
    if not volume.isdigit() or not page.strip("*").isdigit():
        if kind not in {"case", "slip"}:
            return None
        if match["at"] and not volume.isdigit():
            return None
        kind = "short" if match["at"] else "placeholder"
    elif match["at"]:
        kind = "short"
    if kind == "short" and match["status"]:
        return None
    whole = re.sub(r"\s+", " ", match.group())
    whole = re.sub(r" ?[(\[]([AU])[)\]]$", r"(\1)", whole)
    court = court_of(key) if year is not None else None
    return Cite(match.start(), match.end(), kind, volume, key, page, whole, year, court)


def _year_of(volume: str, key: str, kind: TokenKind) -> int | None:
    """The year of decision where the volume is one: in reporters numbered by year, and in databases."""
    if not _A_YEAR.match(volume) or not (kind == "slip" or key in numbered_by_year()):
        return None
    return int(volume)


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


@lru_cache(maxsize=1)
def numbered_by_year() -> frozenset[str]:
    """The reporters, by their letters and digits, whose volumes are years; others may reach volume 2031, too."""
    from reporters_db import REPORTERS

    neutral = [source for sources in REPORTERS.values() for source in sources if source["cite_type"] == "neutral"]
    names = [name for source in neutral for name in (*source["editions"], *source["variations"])]
    return frozenset(_NOISE.sub("", name) for name in names) | _NUMBERED_BY_YEAR


@lru_cache(maxsize=1)
def _year_last() -> re.Pattern[str]:
    """The reporters whose cites end with year and number, as the tables' patterns say."""
    from reporters_db import REPORTERS

    names = [
        name
        for sources in REPORTERS.values()
        for source in sources
        if any("$full_cite_year_page" in one.get("regexes", ()) for one in source["editions"].values())
        for name in (*source["editions"], *source["variations"])
    ]
    # Bluebook and court rules abbreviate these further than the tables do.
    names += ["T.C. Memorandum", "T.C. Summ. Op.", "T.C. Summary Op.", "T.C.M. (RIA)"]
    spelled = sorted({re.sub(r"[.\s]", "", name) for name in names}, key=len, reverse=True)
    spaced = "|".join(r"\.?\s?".join(map(re.escape, name)) for name in spelled)
    return re.compile(
        rf"(?<![\w.])(?P<reporter>(?:{spaced})\.?)(?:\s\((?:CCH|RIA|P-H)\))?(?:\sNo\.)?\s"
        r"(?P<volume>(?:19|20)\d\d)-(?P<page>\d{1,4})(?![\w-])"
    )
