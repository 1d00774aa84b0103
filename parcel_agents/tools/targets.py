"""What a query for a citation asks for: cases, reporter cites, sections of laws."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from parcel_agents.citations.authorities import find_authorities

_STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois"
    "|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri"
    "|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma"
    "|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington"
    "|West Virginia|Wisconsin|Wyoming"
)
COMMON_PARTY = re.compile(
    r"(?:The )?(?:(?:People|State|Commonwealth|United States|City of New York)\b(?: of .*)?|U\.? ?S\.?|Doe|Roe"
    rf"|{_STATES})$"
)
"""Parties that stand in too many names to find a case by."""

_MATTER = re.compile(
    r"^(?:The )?(?:Matter of |In re |Ex parte )?"
    r"(?:(?:People|State|United States|Commonwealth)(?: of [\w ]+?)? ex rel\.? )?"
)
_CITE = re.compile(r"(?<![\w.])(?P<volume>\d{1,4}) (?P<reporter>[A-Z][\w.' ]{0,25}?) (?P<page>\d{1,6})(?![\w.]*\w)")
# "42 USC 1983" looks like a reporter's cite.
_CODES = frozenset({"usc", "usca", "nycrr", "cfr"})
_SECTION = re.compile(r"(?<![\w.$])\d{1,5}(?:[.:]\d+)*(?:-[a-zA-Z0-9]{1,3})?(?![\w%])")
_DISTINCTIVE = re.compile(r"\d+\.\d\d|\d-[a-zA-Z]")
"""A section that is told from other numbers by its form."""

_LAW_NAME = (
    r"(?P<law>(?:[A-Z][\w&.'’-]*,?\s(?:(?:and|of|the)\s)?){0,6}"
    r"(?:Laws?|Code|Act|Rules?|Const(?:itution)?\b\.?|U\.S\.C\.A?\.?|C\.F\.R\.)"
    r"|(?:\d+\s)?(?!(?:NY|US|AD|NE|SE|SW|WL|F|A|P)\b)[A-Z]{2,6})"
)
# "CPL former 530.60", "NY Const, art I, § 12"
_LAW = re.compile(rf"{_LAW_NAME},?\s(?:former\s)?(?:[Aa]rt(?:icle|\.)?\s[IVXLCivxlc\d]+,?\s)?$")
# "section 30.30 (1) of the Criminal Procedure Law"
_LAW_BEHIND = re.compile(rf"(?:\s?[\[(][\w-]{{1,5}}[\])])*,? of (?:the )?{_LAW_NAME}\b")
_MARK = re.compile(
    r"(?:§§?|\b(?:[Ss]ections?|[Ss]ecs?\.|[Aa]rt(?:icles?|s?\.)|[Rr]ules?|[Pp]arts?|[Cc]h(?:apter|\.)))\s?$"
)
# One section before another in a list: "CPL 30.20 (1) and 30.30", "§§ 9, 12".
_LISTED = re.compile(
    r"\d[\w.:-]*(?:\s?[\[(][\w-]{1,5}[\])])*(?:,\s(?:and\s|or\s)?|;\s|\s(?:and|or|to|through|&)\s|[-–])$"
)
_MOST_LISTED = 8
_SUBDIVISION = re.compile(r"[\[(][\w-]{1,5}[\])]")
_SAME_LAW = {
    "newyorkconstitution": "nyconst",
    "newyorkstateconstitution": "nyconst",
    "stateconstitution": "nyconst",
    "unitedstatesconstitution": "usconst",
    "federalconstitution": "usconst",
    "criminalprocedurelaw": "cpl",
    "civilpracticelawandrules": "cplr",
    "unitedstatescode": "usc",
    "usca": "usc",
    "familycourtact": "fca",
    "surrogatescourtprocedureact": "scpa",
    "estatespowersandtrustslaw": "eptl",
    "vehicleandtrafficlaw": "vtl",
    "realpropertyactionsandproceedingslaw": "rpapl",
    "uniformcommercialcode": "ucc",
    "codeoffederalregulations": "cfr",
}


@dataclass(frozen=True)
class Target:
    """One thing that a query asks for."""

    kind: Literal["case", "cite", "statute", "words"]
    text: str
    """What is sought, as the query has it."""
    key: str
    """The party, cite or section that is looked for."""
    other: str | None = None
    """The other party of a case, or the law of a section; None where the query does not give it."""


@dataclass(frozen=True)
class SectionContext:
    """What stands before a number and makes it a section."""

    law: str | None
    marked: bool
    """True if a mark such as `§` or `section` stands before it, or before the list it is in."""


def read_targets(query: str) -> list[Target]:
    """The cases, cites and sections in a query; where there are none, its words."""
    # Models write "people v rowan" and "cpl 30.30", too.
    for written in (query, re.sub(r" Vs?\.? ", " v ", query.title()), query.upper()):
        cites = [m for m in _CITE.finditer(written) if squeeze(m["reporter"]) not in _CODES]
        rest = written
        for cite in reversed(cites):
            rest = rest[: cite.start()] + ";" + rest[cite.end() :]
        targets = [_case(found.text) for found in find_authorities(rest) if found.kind == "case"]
        targets += [Target("cite", m.group(), m.group()) for m in cites] + _sections(rest)
        if targets:
            break
    else:
        targets = [Target("words", query, _MATTER.sub("", query))]
    unique: dict[tuple[str, str], Target] = {}
    for target in targets:
        unique.setdefault((target.kind, target.key), target)
    return list(unique.values())


def section_context(text: str, start: int, end: int) -> SectionContext:
    """The law beside a number and the mark in front of it, over other sections of the same list."""
    behind = _LAW_BEHIND.match(re.sub(r"\s+", " ", text[end : end + 100]))
    left = re.sub(r"\s+", " ", text[max(0, start - 200) : start])
    marked = False
    for _ in range(_MOST_LISTED):
        if mark := _MARK.search(left):
            marked, left = True, left[: mark.start()]
        if marked and behind:
            return SectionContext(behind["law"], True)
        if law := _LAW.search(left):
            return SectionContext(law["law"], True)
        if not (listed := _LISTED.search(left)):
            break
        left = left[: listed.start()]
    return SectionContext(None, marked)


def is_distinctive(section: str) -> bool:
    """True for a section that is no plain number, such as `30.30` or `259-i`."""
    return _DISTINCTIVE.search(section) is not None


def same_law(one: str, other: str) -> bool:
    """True if two names stand for one law: `Criminal Procedure Law` and `CPL`, `42 USC` and `U.S.C.`."""
    titles = [re.findall(r"\d+", law) for law in (one, other)]
    if all(titles) and titles[0] != titles[1]:
        return False
    names = [re.sub(r"\d", "", squeeze(law)) for law in (one, other)]
    names = [next((short for long, short in _SAME_LAW.items() if name.endswith(long)), name) for name in names]
    return names[0].endswith(names[1]) or names[1].endswith(names[0])


def squeeze(text: str) -> str:
    """The letters and digits of a text, in lower case."""
    return re.sub(r"[\W_]+", "", text).lower()


def _case(text: str) -> Target:
    first, _, second = _MATTER.sub("", text).partition(" v ")
    if second and COMMON_PARTY.match(first):
        return Target("case", text, second, first)
    return Target("case", text, first, second or None)


def _sections(query: str) -> list[Target]:
    found = []
    for match in _SECTION.finditer(query):
        context = section_context(query, match.start(), match.end())
        alone = squeeze(_SUBDIVISION.sub("", query)) == squeeze(match.group())
        if context.law or context.marked or (alone and is_distinctive(match.group())):
            text = f"{context.law} {match.group()}" if context.law else match.group()
            found.append(Target("statute", text, match.group(), context.law))
    # Of one section the query's own words say most: "NY Const, art I, § 12 (2)".
    return [replace(found[0], text=query.strip(" ;,"))] if len(found) == 1 else found
