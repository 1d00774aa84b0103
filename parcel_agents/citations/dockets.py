"""Decisions cited by their docket number: Louisiana's and Mississippi's public-domain cites, slip opinions, orders.

A docket number alone is no citation. It is one where court and date follow it in a bracket, or where the number itself
is a State's public-domain cite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from parcel_agents.citations.reporters import Cite

_PAGE = r"\*?\d{1,4}(?:\s?[-–]\s?\*?\d{1,4})?(?:\s?n\.?\s?\d+)?"
_DATED_NUMBER = re.compile(
    rf"""
    (?<![\w.-])(?:Nos?\.\s)?
    (?P<number>(?:\d{{4}}|\d{{2}})-(?:[A-Z]{{1,3}}-)?\d{{1,5}})
    (?:,?\s(?:c/w|and|&)\s[\d-]{{4,12}})*
    (?:,?\spp?\.\s(?P<pin>{_PAGE}))?
    \s?\((?P<court>La\.(?:\s?App\.(?:\s?\d(?:st|nd|rd|d|th)?\sCir\.)?)?)
    \s?(?P<day>\d{{1,2}}/\d{{1,2}}/(?P<year>\d{{4}}|\d{{2}}))\)
    """,
    re.VERBOSE,
)
"""Louisiana: `2031-1234 (La. 5/1/32)`; a court of appeal's number, too, stands before a bracket with its date."""
_NUMBER_OF_COURT = re.compile(
    r"(?<![\w.-])(?:Nos?\.\s)?(?P<number>(?:\d{4}|\d{2})-[A-Z]{2,3}-\d{4,5}-(?P<court>SCT|COA))(?![\w-])"
)
"""Mississippi: `2031-CA-01234-SCT`. The year is that of filing."""
_MISSISSIPPI = {"SCT": "Miss.", "COA": "Miss. Ct. App."}

_FEDERAL = r"\d{1,2}:\d{2}-[A-Za-z]{2,4}-\d{2,6}(?:-[A-Z]{1,5}\d?)*|\d{2}-(?:cv|cr|mc|md|CV|CR)-\d{2,6}(?:-[A-Z]{1,5})*"
_DIVISION = (
    r"\d{2}\s(?:Civ|Cr|Crim|CV|CIV|cv|MC|MD|MDL)\.?\s\d{2,5}|(?:C|CV|CR|SACV|EDCV)[\s-]\d{2}-\d{2,6}(?:\s[A-Z]{2,4})?"
)
_NUMBERED = r"[A-Z]{0,4}-?\d[\w:.-]*\w|\d"
_JUDGES = r"(?:\s\((?:[A-Z]{1,4}(?:/[A-Z]{1,4})?)\))*"
_PREFIX = (
    r"(?:(?:Case|Cause|Docket|Index|Misc\.|Bankr\.|Bankruptcy|Adversary|Adv\.|Proc(?:eeding|\.)|Crim(?:inal|\.)|Civ(?:il|\.)"
    r"|A(?:ction|\.)|C\.\s?A\.|App\.|Appeal)\s?){0,4}(?:Nos?\.|No)\s?"
)
_ENTRY = (
    r"(?:,?\s(?:slip\sop(?:inion|n)?\.?|(?:Dkt|ECF|Doc|Docket|D\.\s?E|Rec\.\sDoc|R\.\sDoc)\.?(?:\sEntry)?(?:\sNos?\.)?\s\d[\d-]*"
    r"|(?:Mem(?:orandum|\.)\s)?(?:Op(?:inion|\.)|Order)|Tr\.|unpublished))*"
)
_COURT_AND_YEAR = r"\s*[(\[][^()\[\]]{0,90}\b(?:1[89]|20)\d\d\b[^()\[\]]{0,40}[)\]]"
_DOCKET = re.compile(
    rf"""
    (?<![\w.-])
    (?P<number>
        (?:{_PREFIX}(?:{_FEDERAL}|{_DIVISION}|{_NUMBERED})|(?:{_FEDERAL}|{_DIVISION}))
        (?:(?:,\s(?:and\s|&\s)?|\s(?:and|&)\s)(?:{_FEDERAL}|\d{{2}}-\d{{2,5}}))*
        {_JUDGES}
    )
    (?P<entry>{_ENTRY})
    (?:,?\s(?:at\s|¶¶?\s?)(?:pp?\.\s)?(?P<pin>{_PAGE}))?
    (?={_COURT_AND_YEAR})
    """,
    re.VERBOSE,
)

# Where a docket number may stand; the whole pattern is tried around these places alone.
_TRIGGER = re.compile(r"Nos?\.?\s|\d:\d\d-|\d\d-(?:cv|cr|mc|md|CV|CR)-|\d\d\s(?:Ci?v|Cr|C[IV]|M[CD])|C[VR]?[\s-]\d\d-")
_BEFORE, _BEHIND = 45, 320
"""Characters around a trigger that belong to a docket cite with its bracket."""


def find_docket_cites(text: str) -> Iterator[Cite]:
    """Decisions that are cited by docket number, in no particular order; they may overlap."""
    if "La." in text:
        yield from _louisiana(text)
    if "-SCT" in text or "-COA" in text:
        yield from _mississippi(text)
    done = 0
    for trigger in _TRIGGER.finditer(text):
        low = max(done, trigger.start() - _BEFORE)
        match = _DOCKET.search(text, low, trigger.end() + _BEHIND) if low <= trigger.start() else None
        if match is None or match.start() > trigger.end():
            continue
        done = match.end()
        if not _NUMBER_OF_COURT.search(match["number"]):
            whole = " ".join(f"{match['number']}{match['entry']}".split())
            yield Cite(match.start(), match.end(), "docket", match["number"], "docket", "", whole, pin=match["pin"])


def _louisiana(text: str) -> Iterator[Cite]:
    for match in _DATED_NUMBER.finditer(text):
        year = int(match["year"])
        whole = f"{match['number']} ({' '.join(match['court'].split())} {match['day']})"
        yield Cite(
            match.start(),
            match.end(),
            "slip",
            match["number"],
            match["court"].replace(" ", ""),
            match["day"],
            whole,
            year=year if year > 99 else _full_year(year),
            court=" ".join(match["court"].split()),
            pin=match["pin"],
        )


def _mississippi(text: str) -> Iterator[Cite]:
    for match in _NUMBER_OF_COURT.finditer(text):
        court = _MISSISSIPPI[match["court"]]
        number = match["number"]
        yield Cite(match.start(), match.end(), "slip", number, match["court"], "", number, court=court)


def _full_year(short: int) -> int:
    """Louisiana has cited by docket number since 1994."""
    return 1900 + short if short >= 90 else 2000 + short
