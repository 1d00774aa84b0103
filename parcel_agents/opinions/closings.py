"""The lines that close an opinion: who concurred, what was ordered, who appeared."""

from __future__ import annotations

import re

from parcel_agents.opinions.judges import HAS_TITLE, NAME, PARAGRAPH

_CASE = r"(?:(?:In|For|On|As to) [^:]{3,200}: ?)"
_ORDER_WORDS = (
    r"(?:(?:Order|Judgment|Appeal|Motion|Application|Conviction|Sentence)s?|Certified question|Case|Decided"
    r"|Reversed|Affirmed|Reconsideration|Rehearing|Reargument|Vacated|Remanded|So ordered)\b"
)
_VOTE = (
    r"(?i:concurs?|concurred|dissents?|dissented|joins?|joined|took no part|takes? no part|taking no part|sat out"
    r"|not participating|did not participate|participating on briefs|recused|disqualified|agrees?)\b"
)
_CONCURRED = re.compile(
    rf"{PARAGRAPH}{_CASE}?(?:{_ORDER_WORDS}[^.]{{0,250}}\. )?(?:Opinion (?:Per Curiam|by [^.]{{3,60}})\. )?"
    rf"(?:(?:Concur(?:ring)?|CONCUR(?:RING)?|DISSENT|(?:We|I) (?:concur|CONCUR)|WE CONCUR)(?::|—|–| ?-|\s*$)"
    # A scan may set a stray sign before a name.
    rf"|(?:[^\w\s]{{0,3}} ){{0,2}}(?P<judges>(?:[^\w\s,;]{{0,2}}(?:{NAME}|and|the|of|by)(?:[,;]? |,))+?)"
    rf"(?:also |specially |separately )?{_VOTE})"
)
_CASE_LINE = re.compile(rf"{_CASE}(?:{_ORDER_WORDS}|On (?:review|appeal)\b|Opinion (?:by|Per)\b|$)")
_ORDER_LINE = re.compile(
    rf"(?:{_CASE_LINE.pattern}|{_ORDER_WORDS}|On [^.]{{0,200}}\b(?:orders?|appeals?|submissions)\b)"
)
_COUNSEL_LINE = re.compile(r"[A-Z].* for (?:the )?(?:appell|petition|respond|plaintiff|defend)\w+\W*$", re.DOTALL)
_ALL = re.compile(r"\b[Aa]ll\b|\bALL\b")
_MAX_CHARS = 900
_LIST = re.compile(
    r"\b(?:filed|files|delivered|delivers) (?:a|an|the|his|her)\b|\bin which\b.{0,80}\bjoin|\btook no part\b"
    r"|;.*\bconcur"
    r"|\bconcurs?\b.*\bdissents?\b|\b(?:by|in|with) (?:an? )?(?:separate )?(?:written )?opinion\b",
    re.IGNORECASE | re.DOTALL,
)

_IN_MEMORANDUM = re.compile(r"\bin (?:a )?memorandum\b")
_PER_CURIAM = re.compile(r"\bOpinion Per Curiam\b", re.IGNORECASE)
# "Judge Gray concurs in result in an opinion", "Gray, J., concurs in the judgment in an opinion"
_CONCURS_IN_RESULT = re.compile(
    r"(?:(?:Judge|Justice) ((?:[A-Z]\. ?){0,2}[A-Z][\w'’-]+)|([A-Z][\w'’-]+), (?:Ch\. |C\. ?)?J\.,?)"
    r" concurs in (?:the )?(?:result|judgment)\b[^.;]{0,30} in (?:an?|another) "
)


def tells_who_concurred(text: str) -> bool:
    """True for a paragraph that lists who concurred, dissented or took no part."""
    if len(text) > _MAX_CHARS or not (found := _CONCURRED.match(text)):
        return False
    judges = found["judges"]
    return judges is None or bool(HAS_TITLE.search(judges) or _ALL.search(judges))


def begins_a_list(text: str) -> bool:
    """True for a line that tells who wrote and who joined, as a syllabus or the end of an opinion has it."""
    return len(text) <= _MAX_CHARS and _LIST.search(text[:300]) is not None and HAS_TITLE.search(text) is not None


def tells_the_order(text: str) -> bool:
    """True for a paragraph such as `Order affirmed.`, `Decided May 2, 2019` or one that names counsel."""
    return len(text) <= _MAX_CHARS and bool(_ORDER_LINE.match(text) or _COUNSEL_LINE.fullmatch(text))


def names_one_of_several_cases(text: str) -> bool:
    """True for a paragraph such as `In People v Doe: Order reversed.`"""
    return len(text) <= _MAX_CHARS and _CASE_LINE.match(text) is not None


def tells_memorandum(text: str) -> bool:
    """True if the closing lines say that the Court decided in a memorandum."""
    return _IN_MEMORANDUM.search(text) is not None


def tells_per_curiam(text: str) -> bool:
    """True if the closing lines say that the opinion is per curiam."""
    return _PER_CURIAM.search(text) is not None


def concurs_in_result(text: str, surname: str) -> bool:
    """True if the closing lines say that this judge's separate opinion concurs in the result alone."""
    found = {
        (titled or untitled).split(".")[-1].strip().casefold() for titled, untitled in _CONCURS_IN_RESULT.findall(text)
    }
    return surname.casefold() in found
