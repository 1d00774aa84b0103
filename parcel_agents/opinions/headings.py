"""The lines by which a source says whose opinion begins, and those that list who concurred.

They are recognised by their form alone; `parts` decides what they mean at their place. Names are any capitalised
words, so every form asks for a judge's title and for an end behind it that running text does not have.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from parcel_agents.types import PartForm, PartKind

_RANKS = "Acting Senior Chief Presiding Associate Circuit District Magistrate Bankruptcy United States".split()
_RANK = "(?:" + "|".join([*_RANKS, *(rank.upper() for rank in _RANKS)]) + ")"
_OFFICE = rf"(?:(?:Mr\.|MR\.|Madam) )?(?:{_RANK} )*(?:Judges?|Justices?|JUDGES?|JUSTICES?)"
_NAME = r"[A-Z][\w.'’-]*"
_INITIALS = r"(?:Ch\. ?|C\. ?|P\. ?)?JJ?\.(?: ?P\.)?"
# "A.B. Gray, White and Black, JJ.", "Chief Judge Gray", "GRAY, Circuit Judge"
_NAMES = rf"{_NAME}(?:,? (?:{_NAME}|and|de|van|von|Ch\.))*?"
_HAS_TITLE = re.compile(r"\bJJ?\.|\b(?:Judges?|Justices?|JUDGES?|JUSTICES?|Memorandum)\b")

# "Gray, J. (dissenting)." and "Chief Judge Gray (concurring in result):", also for several judges, also with
# words on the appeals in which the judge dissents. "(dissenting op at 648)" is a citation.
_SEPARATE = re.compile(
    rf"(?P<author>{_NAMES})[.,]? ?"
    r"\((?P<manner>(?![^()]*\b(?:ops?|opinion|slip|at)\b)[^()]*\b(?:dissent|concurr)ing\b[^()]*)\)"
    r"(?=[.:]|\s*$|\s+[A-Z\"“])"
)
# "Justice Gray, with whom Justice Blue joins, dissenting in part." and "WHITE, Circuit Judge, concurring:". The
# words on the manner are few; anything else ("dissenting in Doe v. Roe, wrote ...") is running text.
_MANNER_WORDS = (
    "in part parts Part Parts the judgment judgments result results and or from denial of rehearing en banc certiorari"
    " only as to with respect specially dubitante order dismissal affirmance otherwise reluctantly section sections"
    " severability grant stay opinion"
).split()
_MANNER = (
    r"(?:(?:specially|respectfully) )?(?:dissenting|concurring)"
    rf"(?:,? (?:dissenting|concurring|{'|'.join(_MANNER_WORDS)}|the Court['’]s|[IVX]+(?:[–-][A-Z\d]+)*|[A-D]))*"
)
_JOINED = r"(?:Mrs?\.|Ms\.|Jr\.|JJ?\.|[^.:()]){3,300}?"
_SEPARATE_FEDERAL = re.compile(
    rf"(?P<author>{_NAMES})(?:, (?:with whom|joined by) {_JOINED})?, (?P<manner>{_MANNER})(?:[.:](?=\s|$)|$)"
)
# The line that a court's web page puts over a separate opinion: "Dissenting opinion by Judge Gray"
_ANNOUNCED = re.compile(
    r"(?P<manner>(?:Dissent|Concurr)ing(?: in part and (?:dissent|concurr)ing in part)?) opinion by"
    r" (?P<author>[^.()]{3,60}?(?:\.[^.()]{1,40}?){0,3}\.?)$"
)
_GLUED_HEAD = re.compile(
    r"(?<=[.?!;)\]\"”’'])\s+(?P<head>OPINION OF THE COURT"
    rf"|{_ANNOUNCED.pattern}"
    r"|[A-Z][A-Z.'’-]+(?: [A-Z][A-Z.'’-]+){0,3}, (?:Ch\. )?JJ?\. \([^()]*\b(?:dissent|concurr)ing\b[^()]*\)[.:]?$)"
)

_OPINION_TITLE = re.compile(
    r"\W*(?:OPINION OF THE COURT\b"
    r"|Opinion of the Court\W*$"
    r"|(?:SUPPLEMENTAL |AMENDED )?(?:MEMORANDUM )?OPINION(?: (?:AND|&) (?:ORDER|JUDGMENT))?\W*$"
    r"|O P I N I O N\W*$"
    r"|MEMORANDUM (?:AND|&) ORDER\W*$)"
)
# "Chief Judge Gray.", "Gray, J.", "GRAY, Circuit Judge:", "Per Curiam." at the start of a paragraph.
_AUTHOR_LINE = re.compile(
    rf"(?:(?P<author>{_OFFICE} {_NAME}(?: [A-Z][\w'’-]+)?(?=[.:]|$)"
    rf"|{_NAME}(?: {_NAME}){{0,4}}, (?:Jr\., )?{_INITIALS}(?=[:\s]|$)"
    rf"|{_NAME}(?: {_NAME}){{0,4}}, (?:Jr\., )?{_OFFICE}(?=[.:]|$))"
    r"|(?P<collective>(?:Per Curiam|PER CURIAM|Memorandum|MEMORANDUM)(?=[.:]|$)))[.:]?\s*"
)
# "Justice Gray delivered the opinion of the Court", also where a source breaks the paragraph behind "delivered".
_DELIVERED = re.compile(
    rf"(?P<author>{_OFFICE} [A-Z][\w.'’-]*?(?: [A-Z][\w.'’-]*?)?|The Chief Justice|THE CHIEF JUSTICE)"
    r"\s*(?:delivered(?:\s+(?:the|an)\b\W*opinion|\W*$)|announced the judgment of)"
)

_PLURALITY = re.compile(r"announced the judgment of")
_FOR_THE_COURT = re.compile(r"(?:delivered|announced) the\W+opinion of the Court")
_IN_MEMORANDUM = re.compile(r"\bin (?:a )?memorandum\b")
_PER_CURIAM = re.compile(r"\bOpinion Per Curiam\b", re.IGNORECASE)
# "Judge Gray concurs in result in an opinion", "Gray, J., concurs in the judgment in an opinion"
_CONCURS_IN_RESULT = re.compile(
    r"(?:(?:Judge|Justice) ((?:[A-Z]\. ?){0,2}[A-Z][\w'’-]+)|([A-Z][\w'’-]+), (?:Ch\. |C\. ?)?J\.,?)"
    r" concurs in (?:the )?(?:result|judgment)\b[^.;]{0,30} in (?:an?|another) "
)

_CASE = r"(?:(?:In|For|On|As to) [^:]{3,200}: ?)"
_ORDER_WORDS = (
    r"(?:(?:Order|Judgment|Appeal|Motion|Application|Conviction|Sentence)s?|Certified question|Case|Decided"
    r"|Reversed|Affirmed|Reconsideration|Rehearing|Reargument|Vacated|Remanded|So ordered)\b"
)
_CONCURRED = re.compile(
    rf"{_CASE}?(?:{_ORDER_WORDS}[^.]{{0,250}}\. )?(?:Opinion (?:Per Curiam|by [^.]{{3,60}})\. )?"
    rf"(?:Concur(?:ring)?: "
    rf"|(?P<judges>(?:(?:{_NAME}|and|the|of)(?:[,;]? |,))+?)"
    r"(?:concurs?|dissents?|took no part|takes? no part|taking no part|not participating)\b)"
)
_CASE_LINE = re.compile(rf"{_CASE}(?:{_ORDER_WORDS}|On (?:review|appeal)\b|Opinion (?:by|Per)\b|$)")
_ORDER_LINE = re.compile(
    rf"(?:{_CASE_LINE.pattern}|{_ORDER_WORDS}|On [^.]{{0,200}}\b(?:orders?|appeals?|submissions)\b)"
)
_COUNSEL_LINE = re.compile(r"[A-Z].* for (?:the )?(?:appell|petition|respond|plaintiff|defend)\w+\W*$", re.DOTALL)
_ALL = re.compile(r"\bAll\b")
_CLOSING_MAX_CHARS = 900


@dataclass(frozen=True)
class Head:
    """The beginning of a separate opinion as its first line tells it."""

    kind: PartKind
    author: str | None
    announced: bool = False
    """True for a web page's line over the opinion; the opinion's own first line follows it."""
    form: PartForm | None = None


def separate_head(text: str) -> Head | None:
    """What a paragraph says if a separate opinion begins with it; None for any other paragraph."""
    if found := _ANNOUNCED.match(text):
        return Head(_kind(found["manner"]), tidy_author(found["author"]), announced=True, form=_form(found["manner"]))
    found = _SEPARATE.match(text) or _SEPARATE_FEDERAL.match(text)
    if found and _HAS_TITLE.search(found["author"]):
        author = tidy_author(found["author"])
        return Head(_kind(found["manner"]), None if author == "Memorandum" else author, form=_form(found["manner"]))
    return None


def split_glued_head(text: str) -> tuple[int, int] | None:
    """Where the text before a heading ends and the heading begins, if a source has run the two together."""
    if found := _GLUED_HEAD.search(text):
        return found.start(), found.start("head")
    return None


def is_opinion_title(text: str) -> bool:
    """True for a title such as OPINION OF THE COURT."""
    return _OPINION_TITLE.match(text) is not None


def delivering_author(text: str) -> str | None:
    """The author in a line such as `Justice Gray delivered the opinion of the Court.`"""
    found = _DELIVERED.match(text)
    return tidy_author(found["author"]) if found else None


def is_author_line(text: str) -> bool:
    """True for a paragraph that begins with the name of the author, `Per Curiam` or `Memorandum`."""
    return _AUTHOR_LINE.match(text) is not None


def author_of(text: str) -> str | None:
    """The author whom a paragraph's beginning names; None where it names nobody."""
    found = _AUTHOR_LINE.match(text)
    return tidy_author(found["author"]) if found and found["author"] else None


def court_form(text: str) -> PartForm | None:
    """How the Court speaks, where a paragraph's beginning says so: `Memorandum.`, `Per Curiam.`"""
    if found := _DELIVERED.match(text):
        return "plurality" if _PLURALITY.search(text) and not _FOR_THE_COURT.search(text) else None
    found = _AUTHOR_LINE.match(text)
    collective = found["collective"] if found else None
    return None if collective is None else "memorandum" if collective.lower() == "memorandum" else "per_curiam"


def form_in_closing(text: str, author: str | None) -> PartForm | None:
    """How an opinion speaks as the closing lines have it: `order affirmed, in a memorandum`, `concurs in result`.

    Args:
        text: the closing lines.
        author: whose opinion is asked about; None for the Court's own where nobody signed it.
    """
    if author is None:
        return "memorandum" if _IN_MEMORANDUM.search(text) else "per_curiam" if _PER_CURIAM.search(text) else None
    return "in_result" if author.casefold() in _surnames(_CONCURS_IN_RESULT.findall(text)) else None


def is_heading_line(line: str) -> bool:
    """True if a whole line names an author or begins a separate opinion, so that a paragraph ends with it."""
    if line.endswith((".", ":")) and _SEPARATE_FEDERAL.fullmatch(line):
        return True
    return is_opinion_title(line) or _AUTHOR_LINE.fullmatch(line) is not None


def tells_who_concurred(text: str) -> bool:
    """True for a paragraph that lists who concurred, dissented or took no part."""
    if len(text) > _CLOSING_MAX_CHARS or not (found := _CONCURRED.match(text)):
        return False
    judges = found["judges"]
    return judges is None or bool(_HAS_TITLE.search(judges) or _ALL.search(judges))


def tells_the_order(text: str) -> bool:
    """True for a paragraph such as `Order affirmed.`, `Decided May 2, 2019` or one that names counsel."""
    return len(text) <= _CLOSING_MAX_CHARS and bool(_ORDER_LINE.match(text) or _COUNSEL_LINE.fullmatch(text))


def names_one_of_several_cases(text: str) -> bool:
    """True for a paragraph such as `In People v Doe: Order reversed.`"""
    return len(text) <= _CLOSING_MAX_CHARS and _CASE_LINE.match(text) is not None


def tidy_author(author: str) -> str:
    """The name without the full stop of its line, which stays where it belongs to `J.`."""
    author = author.strip().rstrip(",")
    return author if re.search(r"\bJ+\.(?: ?P\.)?$", author) else author.rstrip(".")


def _kind(manner: str) -> PartKind:
    manner = manner.lower()
    dissents, concurs = "dissent" in manner, "concurr" in manner
    if dissents and (concurs or "in part" in manner):
        return "mixed"
    return "dissent" if dissents else "concurrence"


def _form(manner: str) -> PartForm | None:
    manner = manner.lower()
    if "dissent" not in manner and re.search(r"\bin (?:the )?(?:result|judgments?)\b", manner):
        return "in_result"
    return "in_part" if re.search(r"\bin parts?\b", manner) else None


def _surnames(found: list[tuple[str, str]]) -> set[str]:
    return {(titled or untitled).split(".")[-1].strip().casefold() for titled, untitled in found}
