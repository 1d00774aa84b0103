"""Statutes, rules and constitutions of New York and the United States."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from parcel_agents.citations.model import CitationKind

# "(1) (a) (ii)" or, inside parentheses, "[1] [a] [ii]"; also "(1)-(3)" and "(former [2])".
_SUBDIVISIONS = (
    r"(?:\s?[\[(](?:former\s)?"
    r"(?:\d{1,3}(?:-?[a-z])?(?:[-–]\d{1,3})?|[a-zA-Z]{1,2}(?:-\d)?|[ivx]{1,5}|[IVX]{1,5})[\])]"
    r"(?:[-–,]?(?=\s?[\[(](?:\d{1,3}|[a-z]{1,2}|[ivx]{1,5})[\])]))?)*"
)
_NUMBER = r"\d[\d.:]*(?<![.:])(?:[-–](?:[a-z]{1,3}|[A-Z]{1,2}|\d[\d.]*(?<!\.))(?:-\d+)?)*[a-zA-Z]{0,2}(?!\w)"
_SECTION = rf"(?P<section>{_NUMBER}){_SUBDIVISIONS}"
_MARK = (
    r"(?:§§?\s?|[Ss]ections?\s|[Ss]ecs?\.\s|[Aa]rt(?:icle|s)?\.?\s|ch(?:apter)?\.?\s"
    r"|[Tt]it(?:le|s)?\.?\s|[Rr]ules?\s|[Rr]\.\s)"
)
_TITLE = r"(?:Parks, )?(?:[A-Z][A-Za-z'’&-]{0,30}\s(?:(?:and|of|&|the)\s)?){1,6}"

_NEW_YORK = re.compile(
    r"\b(?P<code>CPLR|CPL|EPTL|SCPA|FCA|SORA|RPAPL|RPL|VTL|UCC|RPTL|BCL|DRL|HRL|GBL|GML|MHL|PHL|Penal Code"
    r"|Code Crim(?:inal)? Pro(?:c|cedure)?|Family Ct(?:\.|ourt)? Act"
    rf"|(?:{_TITLE})(?:Law|Act|Code))\s?(?:{_MARK})?{_SECTION}"
)
_LAW_WITHOUT_MARK = re.compile(r"(?:Law|Act|Code)\s\d")
_UNITED_STATES = re.compile(
    r"\b(?P<code>\d{1,2}\s(?:U\.?\s?S\.?\s?C\.?(?:\s?A\.?|\s?S\.?)?|United States Code))"
    rf"(?:,?\s(?:Annotated|Appendix|Appx))?,?\s{{0,2}}(?:{_MARK})?{_SECTION}"
)
_REGULATION = re.compile(
    r"\b(?P<code>\d{1,3}\s(?:NYCRR|N\.Y\.C\.R\.R\.|CFR|C\.\s?F\.\s?R\.|RCNY))\s?"
    rf"(?:§§?\s?|[Pp]art\s|[Ss]ubpart\s|[Ss]ections?\s)?{_SECTION}"
)
_PROCEDURE = r"P(?:\.|roc(?:\.|edure)?)?"
_FEDERAL_RULE = re.compile(
    r"\b(?P<code>Fed(?:\.|eral)?\s?R(?:\.|ules?)?\s?(?:of\s)?"
    rf"(?:(?:Civ(?:\.|il)?|Crim(?:\.|inal)?|App(?:\.|ellate)?|Bankr(?:\.|uptcy)?)\s?{_PROCEDURE}|Evid(?:\.|ence)?)"
    r"|FRCP|FRE|FRAP|Rules?\sof\s(?:the\s)?(?:Ct\.?|Court)\sof\sAppeals|Rules?\sof\sProf(?:\.|essional)\sConduct"
    r"|S(?:up)?\.?\s?Ct\.?\sR(?:\.|ule)|Local\s(?:Civ(?:\.|il)\s)?R(?:\.|ule)|D\.?C\.?\sCir\.\sR(?:\.|ule)"
    r"|\d{1,2}(?:st|d|nd|rd|th)\sCir\.\sR\.)"
    rf",?\s?(?:\([^)]{{1,30}}\)\s)?(?:[Rr]ules?\s|§§?\s?)?{_SECTION}"
)
_SESSION = re.compile(
    r"\bL\.?\s(?P<code>(?:1[6-9]|20)\d\d,?\sch\.?)\s(?P<section>\d{1,4})(?:,?\s(?:§§?|part|tit)\s?[\w-]+)*"
)
_ORDINAL = r"(?:First|Second|Fourth|Fifth|Sixth|Eighth|Ninth|Tenth|Thirteenth|Fourteenth|\d{1,2}(?:st|d|nd|rd|th))"
_AMENDMENT = r"[Aa]m(?:en)?d(?:ment|t)?s?"
_CONSTITUTION = re.compile(
    r"\b(?P<code>(?:N\.?\s?Y\.?|U\.?\s?S\.?|NYS|New York(?: State)?|United States|Federal|State)\s?"
    r"Const(?:itution)?\b\.?),?\s"
    rf"(?P<section>(?:(?:[Aa]rt(?:icle)?|{_AMENDMENT})\.?\s(?:[IVXL]+|\d{{1,2}})|{_ORDINAL}\s{_AMENDMENT})\.?"
    r"(?:,?\s(?:§§?\s?\d+(?:-[a-z])?|[Ss]ections?\s\d+|cl\.?\s\d+|[Pp]ara?\.?\s\d+))*(?:\s[\[(]\w{1,3}[\])])*)"
)
_BARE = re.compile(rf"(?:§§?\s?|\b[Ss]ections?\s){_SECTION}")
_MORE = re.compile(
    r"(?:,\s(?:and\s)?|\sand\s|,?\s?&\s|\sor\s)(?!\d{1,4}\s[A-Z])(?:§§?\s?)?"
    rf"(?P<section>{_NUMBER}){_SUBDIVISIONS}(?!\s[A-Z][\w.]*\s?\d)"
)
_ENDS_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:-[a-z])?")
# Words before a law's name that belong to the sentence; of "the Marine Act and Executive Law" the last is meant.
_LEAD = re.compile(
    r"(?:(?:See|In|Under|The|And|Of|But|As|For|By|To|With|While|Although|Because|Both|New York(?: State)?|Former"
    r"|Accordingly|Pursuant|Since|Unlike|When|Where|Thus|However|Here|If|This|That|Those|Following|Violating|Proposed"
    r"|Preserving|Amending|Interpreting)\s(?:the\s)?)+(?=[A-Z])"
    r"|.*\b(?:Law|Act|Code|DLRA|CPL|SORA)\s(?:and|of the|of)\s(?=[A-Z])"
)


@dataclass(frozen=True)
class Provision:
    """A provision of a law; `code` and `section` tell it apart, whatever its subdivision."""

    start: int
    end: int
    kind: CitationKind
    code: str
    section: str
    subdivision: str | None
    text: str
    bare: bool = False
    """True if the law is not named: "section 70.06"."""


def find_provisions(text: str) -> Iterator[Provision]:
    """The provisions that a text cites, kind by kind; they may overlap where one kind's words are within another's."""
    for pattern, kind in _KINDS:
        for match in pattern.finditer(text):
            start, code = match.start(), match["code"]
            if kind == "statute" and pattern is _NEW_YORK:
                lead = _LEAD.match(code)
                if lead:
                    start, code = start + lead.end(), code[lead.end() :]
                if code in _NOT_A_LAW or _LAW_WITHOUT_MARK.search(match.group()):
                    continue
            yield _provision(text, start, match, kind, code)
            yield from _further(text, match, kind, code, text[match.start() : start])


def find_bare_sections(text: str) -> Iterator[Provision]:
    """Sections whose law is not named where they stand."""
    for match in _BARE.finditer(text):
        yield _provision(text, match.start(), match, "statute", "", bare=True)


def _further(text: str, match: re.Match[str], kind: CitationKind, code: str, lead: str) -> Iterator[Provision]:
    """The sections behind the first: `Penal Law §§ 120.05, 120.10 (1)`."""
    if kind == "constitution" or not _ENDS_NUMBER.match(match["section"]):
        return
    end, several = match.end(), "§§" in match.group()
    while more := _MORE.match(text, end):
        if not several and "." not in more["section"]:
            return
        start = more.start("section")
        law = " ".join(match.group()[: match.start("section") - match.start()].split()).removeprefix(lead)
        yield _provision(text, start, more, kind, code, law=f"{law} ")
        end = more.end()


def _provision(
    text: str, start: int, match: re.Match[str], kind: CitationKind, code: str, *, law: str = "", bare: bool = False
) -> Provision:
    behind = " ".join(text[match.end("section") : match.end()].split()).lstrip(", ")
    return Provision(
        start=start,
        end=match.end(),
        kind=kind,
        code=re.sub(r"[\s.]", "", code),
        section=re.sub(r"[\s.,]+", " ", match["section"]) if kind == "constitution" else match["section"],
        subdivision=behind or None,
        text=(law + " ".join(text[start : match.end()].split())).replace("§§", "§"),
        bare=bare,
    )


_NOT_A_LAW = frozenset({"Law", "Act", "Code", "The Act", "The Code", "The Law"})
_KINDS: tuple[tuple[re.Pattern[str], CitationKind], ...] = (
    (_CONSTITUTION, "constitution"),
    (_UNITED_STATES, "statute"),
    (_REGULATION, "rule"),
    (_FEDERAL_RULE, "rule"),
    (_NEW_YORK, "statute"),
    (_SESSION, "statute"),
)
