"""The lines that begin the Court's own opinion, and what shows that a text is a court's at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from parcel_agents.opinions.judges import INITIALS, NAME, NAMES, OFFICE, PARAGRAPH, closed, tidy_author
from parcel_agents.types import PartForm

_TITLE = re.compile(
    r"\W*(?:(?:AMENDED |REVISED |CORRECTED )?OPINION OF THE COURT\b"
    r"|Opinion of the Court\W*$"
    r"|(?:(?:AMENDED|SUPPLEMENTAL|REVISED|CORRECTED|UNPUBLISHED|PUBLISHED|FINAL|PER CURIAM|MAJORITY|LEAD) )*"
    r"(?:MEMORANDUM |JOURNAL ENTRY AND )?OPINION(?: (?:AND|&|ON|DENYING|GRANTING) [A-Z ,&]{3,80})?\W*$"
    r"|O P I N I O N\W*$|Opinion\W*$|OPINION\s*$"
    r"|MEMORANDUM (?:(?:OF )?DECISION|DISPOSITION|FINDINGS OF FACT AND OPINION|(?:AND|&) (?:ORDER|OPINION))\W*$"
    r"|FINDINGS OF FACT(?: AND CONCLUSIONS OF LAW)?\W*$"
    r"|(?:OPINION|MEMORANDUM|DECISION)(?: OF THE COURT)? BY"
    r"(?::| (?:THE COURT|(?:CHIEF |PRESIDING |PRESIDENT )?(?:JUSTICE|JUDGE)"
    rf"\b.{{3,60}}|{NAMES}, {INITIALS}\W*))\W*$"
    r"|Opinion (?:of the Court )?[Bb]y:? [^a-z].{2,60}$|OPINIONBY:.{2,60}$)"
)
_WEAK_TITLE = re.compile(
    r"\W*(?:(?:SUMMARY|FINAL|AMENDED|MEMORANDUM|JOURNAL ENTRY AND) )*"
    r"(?:ORDER|DECISION|JUDGMENT|RULING|O R D E R|D E C I S I O N|MEMORANDUM|REPORT AND RECOMMENDATION"
    r"|(?:DECISION|RULING|ORDER|JUDGMENT|OPINION)"
    r"(?:,? (?:AND|&|ON|OF|DENYING|GRANTING|ADOPTING) [A-Z ,.'’&-]{3,120}))\W*$"
)
# "Chief Judge Gray.", "Gray, J.", "GRAY, Circuit Judge:", "Per Curiam." at the start of a paragraph.
_AUTHOR = (
    r"(?!(?:Before|BEFORE|Present|PRESENT|Panel|PANEL|Opinion|OPINION|Argued|Concur|CONCUR)\b)"
    rf"(?:{OFFICE} {NAME}(?: [A-Z][\w'’.-]+){{0,2}}?(?=[.:]|$)"
    rf"|{NAME}(?: {NAME}){{0,4}}, (?:Jr\.?,? )?{INITIALS}[*†‡]*(?=[:\s—–]|$)"
    rf"|{NAME}(?: {NAME}){{0,4}}, (?:Jr\.?,? )?{OFFICE}[*†‡]*(?=[.:]|$))"
)
_AUTHOR_LINE = re.compile(
    r"(?:(?:(?:AMENDED|MEMORANDUM|OPINION|ORDER|DECISION|AND|&|Opinion) ?)+ (?=[A-Z]))?"
    rf"(?:(?P<author>{_AUTHOR})"
    r"|(?P<collective>(?:(?:BY THE COURT|By the Court|PER CURIAM|Per Curiam|Memorandum|MEMORANDUM)(?=[.:]|$))))"
    r"[.:]?\s*[—–]*"
)
# "Justice Gray delivered the opinion of the Court", also where a source breaks the paragraph behind "delivered".
_DELIVERED = re.compile(
    rf"(?P<author>{OFFICE} {NAME}(?: {NAME}){{0,3}}?|The Chief Justice|THE CHIEF JUSTICE"
    rf"|{NAME}(?: {NAME}){{0,4}}, (?:Jr\.?,? )?(?:{INITIALS}|{OFFICE})),?"
    r"\s*(?:(?i:delivered)(?:\s+(?i:the|an)\b\W*(?i:opinion|judgment of the court)|\W*$)"
    r"|(?i:announced the judgment of)"
    r"|(?i:(?:for|opinion of) the (?:court|majority))[.:]|(?i:writing for the (?:court|majority))[.:])"
)
_DELIVERED_BY = re.compile(
    rf"(?:The opinion of the [Cc]ourt was delivered by|Opinion (?:of|for) the [Cc]ourt (?:filed )?by)\s+"
    rf"(?P<author>{OFFICE} (?:[A-Z]\. ?)*[A-Z][\w'’-]+|{NAME}(?: {NAME}){{0,4}}, (?:{INITIALS}|{OFFICE}))"
)
_LISTED = re.compile(r"\bin which\b.*\bjoin|\bfiled an?\b|, and in which\b", re.DOTALL)

_PLURALITY = re.compile(r"announced the judgment of", re.IGNORECASE)
_FOR_THE_COURT = re.compile(
    r"(?:delivered|announced) the\W+opinion of the Court|the opinion of the court", re.IGNORECASE
)

_COURT_LINE = re.compile(
    r"(?:^|\b)(?:(?:UNITED STATES |U\.S\. )?(?:SUPREME|SUPERIOR|DISTRICT|CIRCUIT|BANKRUPTCY|APPELLATE|TAX|FAMILY|COUNTY"
    r"|CHANCERY|MUNICIPAL|PROBATE|COMMONWEALTH) COURT\b|COURT OF (?:APPEALS?|CLAIMS|CRIMINAL APPEALS|CIVIL APPEALS"
    r"|CHANCERY|COMMON PLEAS|SPECIAL APPEALS|INTERNATIONAL TRADE|FEDERAL CLAIMS|VETERANS)\b"
    r"|APPELLATE (?:DIVISION|TERM)\b|SUPREME JUDICIAL COURT\b"
    r"|BOARD OF (?:IMMIGRATION|VETERANS|TAX|CONTRACT) \w*APPEALS\b|COURT OF THE UNITED STATES\b)",
    re.IGNORECASE,
)
_DOCKET = re.compile(
    r"\b(?:No|Nos|Docket|Case|Index|Civil Action|Crim|Cause)\b[.:]? ?(?:No[s.:]* ?)?[\dA-Z]*\d", re.IGNORECASE
)
_AGAINST = re.compile(
    r"\bv(?:s)?\.?\s|^\s*v(?:s)?\.?\s*$|\b(?:in re|matter of|ex parte)\b", re.IGNORECASE | re.MULTILINE
)
_PANEL = re.compile(
    r"\b(?:Before|BEFORE|PRESENT|Present|Presiding|Panel)\b:?.{0,200}\b(?:J\.|JJ\.|JUDGES?|Judges?|Justices?|JUSTICES?|CJ)"
)
_SEAL = re.compile(
    r"(?:/s/|_{5,}).{0,80}\b(?:JUDGE|JUSTICE|Judge|Justice|J\.)|^\W*(?:IT IS )?SO ORDERED\W*$|^\W*(?:SO )?ORDERED\b"
    r"|\bFOR THE COURT\b|\bBY THE COURT\b|\b(?:Judgment|Order)s? (?:is )?(?:affirmed|reversed|vacated)\b",
    re.DOTALL | re.MULTILINE,
)
_HEAD_BLOCKS = 25
_TAIL_BLOCKS = 8
_SHORT = 300
_NOT_THE_COURTS = re.compile(
    r"\W*(?:SYLLABUS|Syllabus|HEADNOTES?|Headnotes?|SUMMARY|Summary|CORE TERMS|Core Terms|SYNOPSIS|Synopsis"
    r"|CASE SUMMARY|Case Summary|PROCEDURAL POSTURE|LexisNexis.{0,20}Headnotes?|West Headnotes.*"
    r"|BACKGROUND AND HOLDINGS?"
    r"|STATEMENT OF THE CASE BY THE REPORTER|ARGUMENT OF COUNSEL|POINTS OF COUNSEL)\W*$"
)


@dataclass(frozen=True)
class AuthorLine:
    """Who signs an opinion at its beginning, and where the line's own text begins."""

    name: str
    end: int


def is_opinion_title(text: str) -> bool:
    """True for a title such as OPINION OF THE COURT."""
    return len(text) <= 200 and _TITLE.match(text) is not None


def is_list_title(text: str) -> bool:
    """True for `Opinion by Judge Gray`, which may head the opinion or belong to a list at the head of the document."""
    return re.match(r"\W*Opinion (?:of the Court )?[Bb]y", text) is not None


def is_weak_title(text: str) -> bool:
    """True for a title that may also stand over a section or the end of an opinion, such as ORDER or DECISION."""
    return len(text) <= 200 and _WEAK_TITLE.match(text) is not None


def is_others_title(text: str) -> bool:
    """True for a title over what is not the Court's: SYLLABUS, Headnotes, Core Terms."""
    return _NOT_THE_COURTS.match(text) is not None


def delivering_author(text: str) -> str | None:
    """The author in a line such as `Justice Gray delivered the opinion of the Court.`"""
    line = _plain(text)
    found = _DELIVERED.match(line) or _DELIVERED_BY.match(line)
    return tidy_author(found["author"]) if found else None


def lists_opinions(text: str) -> bool:
    """True for a line of a syllabus that tells who delivered what and who joined."""
    return _LISTED.search(text[:600]) is not None


def is_author_line(text: str, *, whole: bool = False) -> bool:
    """True for a paragraph that begins with the name of the author, `Per Curiam` or `Memorandum`.

    Args:
        text: the paragraph.
        whole: True if nothing else may stand in it.
    """
    found = _AUTHOR_LINE.match(_plain(text))
    return found is not None and (not whole or not _plain(text)[found.end() :].strip())


def names_only_author(text: str) -> AuthorLine | None:
    """The judge whom a paragraph's beginning names, None where it names nobody or the Court as a whole."""
    found = _AUTHOR_LINE.match(text)
    return AuthorLine(tidy_author(found["author"]), found.end()) if found and found["author"] else None


def author_of(text: str) -> str | None:
    """The author whom a paragraph's beginning names; None where it names nobody."""
    if titled := re.match(
        r"\W*(?:OPINION|MEMORANDUM|Opinion)(?: OF THE COURT| of the Court)? ?(?:BY|[Bb]y):? (?P<author>.{3,60})$", text
    ):
        return None if re.match(r"(?i:the court)\b", titled["author"]) else tidy_author(titled["author"].rstrip(": "))
    found = names_only_author(_plain(text))
    return found.name if found else None


def court_form(text: str) -> PartForm | None:
    """How the Court speaks, where a paragraph's beginning says so: `Memorandum.`, `Per Curiam.`"""
    found = _AUTHOR_LINE.match(_plain(text))
    collective = found["collective"] if found else None
    return None if collective is None else "memorandum" if collective.lower() == "memorandum" else "per_curiam"


def is_plurality(text: str) -> bool:
    """True for a line such as `Justice Gray announced the judgment of the Court and delivered an opinion.`"""
    return _DELIVERED.match(_plain(text)) is not None and bool(
        _PLURALITY.search(text) and not _FOR_THE_COURT.search(text)
    )


def shows_a_court(head: Sequence[str], tail: Sequence[str]) -> bool:
    """True if the first or last paragraphs show that a court speaks: its name with a caption, a panel, a decree.

    Args:
        head: the first paragraphs of the text.
        tail: the last ones.
    """
    lines = [text for text in head[:_HEAD_BLOCKS] if len(text) <= _SHORT]
    court = any(_COURT_LINE.search(text) for text in lines)
    caption = any(_AGAINST.search(text) or _DOCKET.search(text) for text in lines)
    panel = any(_PANEL.search(text) for text in lines)
    sealed = any(_SEAL.search(text) for text in tail[-_TAIL_BLOCKS:] if len(text) <= 3 * _SHORT)
    return (court and caption) or panel or (caption and sealed) or (court and sealed)


def _plain(text: str) -> str:
    return closed(re.sub(rf"^{PARAGRAPH}", "", text, count=1))
