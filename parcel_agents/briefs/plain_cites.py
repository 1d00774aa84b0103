"""Cites as they are compared: are two of them one, and can they belong to one decision?"""

from __future__ import annotations

import re
from functools import lru_cache

_PLAIN = re.compile(r"(?P<volume>\d+)(?P<reporter>[a-z].*?[a-z)])(?P<page>\d+|[_—–?]+|-{2,})(?P<suffix>-?[a-z]{0,2})\Z")
_BY_YEAR = re.compile(r"(?P<reporter>tc[a-z]*)(?P<volume>\d{4})-(?P<page>\d+)\Z")
_DATED = re.compile(r"(?P<docket>[\d-]+)\((?P<court>la\w*)(?P<date>\d+/\d+/\d+)\)\Z")
_BLANK = re.compile(r"[_—–?]|--")
_YEAR = re.compile(r"(?:19[5-9]|20[0-9])\d\Z")
_FAMILIES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("supreme court of the united states", re.compile(r"us|sct|led(?:2d)?|uslw")),
    ("circuits", re.compile(r"f(?:2d|3d|4th|appx)")),
    ("district courts", re.compile(r"fsupp(?:2d|3d)?|frd|br")),
    ("tax court", re.compile(r"tc(?:memo|no|summaryopinion|summop|m\(cch\))?|bta")),
    ("ny court of appeals", re.compile(r"ny(?:2d|3d)?")),
    ("ny appellate division", re.compile(r"ad(?:2d|3d)?")),
    ("ny other courts", re.compile(r"misc(?:2d|3d)?")),
)
"""Reporters that hold the decisions of one kind of court and of no other."""


def plain_cite(cite: str) -> str:
    """A cite without spaces, periods and case, so that `387 U. S. 136` and `387 US 136` are one.

    `2031-Ohio-12` is `2031 Ohio 12`.
    """
    plain = re.sub(r"[\s.,'’]+", "", cite).lower()
    return re.sub(r"(?<=\d)[-–](?=[a-z]{2})|(?<=[a-z])[-–](?=\d)", "", plain)


def is_blank(cite: str) -> bool:
    """True for a cite whose volume or page is left blank: it may be any decision of its volume."""
    return _BLANK.search(plain_cite(cite)) is not None


@lru_cache(maxsize=4096)
def stated_year(plain: str) -> int | None:
    """The year of decision that a plain cite states: in a reporter numbered by year, or beside a docket number."""
    if dated := _DATED.match(plain):
        year = int(dated["date"].rsplit("/", 1)[1])
        return year if year > 99 else 1900 + year if year >= 90 else 2000 + year
    if by_year := _BY_YEAR.match(plain):
        return int(by_year["volume"])
    match = _PLAIN.match(plain)
    if match and _YEAR.match(match["volume"]) and match["reporter"] in _numbered_by_year():
        return int(match["volume"])
    return None


def differ(one: str, other: str, *, reporter_alone: bool = False) -> bool:
    """True if two plain cites are known to be of two decisions, not only cites in two reporters of one.

    Args:
        one: a plain cite.
        other: another one.
        reporter_alone: True where only two cites in one reporter count, since the second is not certain to be of the
            decision itself.
    """
    if one == other:
        return False
    mine, its = _parsed(one), _parsed(other)
    if mine is None or its is None:
        return False
    if mine[1] == its[1]:
        if mine[0] != its[0]:
            return True
        return not (_BLANK.search(mine[2]) or _BLANK.search(its[2])) and mine[2] != its[2]
    if reporter_alone:
        return False
    years = stated_year(one), stated_year(other)
    if None not in years and years[0] != years[1]:
        return True
    states = _state(mine[1]), _state(its[1])
    families = _family(mine[1]), _family(its[1])
    return (None not in states and states[0] != states[1]) or (None not in families and families[0] != families[1])


def is_paged_apart(plain: str) -> bool:
    """True if a file's page marks may be those of another reporter, as with decisions of the Supreme Court."""
    parsed = _parsed(plain)
    return parsed is not None and _family(parsed[1]) == _FAMILIES[0][0]


def first_page(plain: str) -> int | None:
    """The page on which the decision begins; None where the number is none of a page."""
    match = _PLAIN.match(plain)
    if match is None or not match["page"].isdigit() or stated_year(plain) is not None:
        return None
    return int(match["page"])


@lru_cache(maxsize=4096)
def _parsed(plain: str) -> tuple[str, str, str] | None:
    """Volume, reporter and page."""
    if dated := _DATED.match(plain):
        return dated["docket"], dated["court"], dated["date"]
    match = _BY_YEAR.match(plain) or _PLAIN.match(plain)
    return (match["volume"], match["reporter"], match["page"]) if match else None


def _family(reporter: str) -> str | None:
    return next((name for name, pattern in _FAMILIES if pattern.fullmatch(reporter)), None)


@lru_cache(maxsize=1)
def _numbered_by_year() -> frozenset[str]:
    from parcel_agents.citations.reporters import numbered_by_year

    return frozenset(key.lower() for key in numbered_by_year()) | {"wl"}


@lru_cache(maxsize=1024)
def _state(reporter: str) -> str | None:
    """The State whose decisions alone a reporter holds, by its first entry in the tables; None for any other one."""
    return _states().get(reporter)


@lru_cache(maxsize=1)
def _states() -> dict[str, str]:
    from reporters_db import REPORTERS  # type: ignore[import-untyped]

    states: dict[str, str] = {}
    for sources in REPORTERS.values():
        if len(sources) != 1 or sources[0]["cite_type"] not in {"state", "neutral"}:
            continue
        source = sources[0]
        found = re.match(r"us:(?:c\d+:)?([a-z]{2})\b", next(iter(source["mlz_jurisdiction"]), ""))
        if found:
            for name in (*source["editions"], *source["variations"]):
                states[plain_cite(name)] = found[1]
    return states
