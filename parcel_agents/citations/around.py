"""What stands behind a cite: pages and notes, and the bracket with court and year."""

from __future__ import annotations

import re
from dataclasses import dataclass

from parcel_agents.citations.model import OpinionKind

_PAGE = r"(?:¶¶?\s?|\*{1,2})?\d{1,6}[a-z]?(?:\s?[-–—]\s?\*{0,2}\d{1,6}[a-z]?)?(?![\w$%]|\.\d)"
_NOTE = (
    r"(?:(?:nn?|fns?|notes?|footnotes?)\.?\s?(?:\d{1,3}|\*{1,3}|†)(?:(?:\s?[-–]\s?|,\s(?:and\s)?"
    r"|\sand\s)\d{1,3}(?!\w))*"
    r"|nn?(?=\s?[\[(]))"
)
_ONE = rf"(?:{_PAGE}(?:,?\s(?:and\s|&\s)?{_NOTE})?|{_NOTE})"
_PIN = re.compile(
    r",?\s+(?:slip\sop(?:inion|n)?\.?,?\s+)?(?:at\s+(?:pp?\.\s?)?)?"
    rf"(?P<pin>{_ONE}(?:(?:,?\s+(?:and|&)\s+|,\s+){_ONE})*(?:\s(?:et seq\.|passim))?)"
)
# A pin in a bracket of its own: "(slip op., at 4)", "(¶ 5)".
_BRACKETED_PIN = re.compile(
    rf"(?:slip\sop(?:inion|n)?\.?,?\s+(?:at\s+)?(?:pp?\.\s?)?|at\s+|(?=¶))"
    rf"(?P<pin>{_ONE}(?:(?:,?\s+(?:and|&)\s+|,\s+){_ONE})*|[_—–-]+)"
)
# A page that is not known yet: "604 US ___, ___-___ (2031)".
_BLANK_PIN = re.compile(r",\s+(?:at\s+)?(?:_{2,}|[—–]|-{2,4})(?:\s?[–—-]\s?_{2,})?(?=\s*[(\[,;])")
# A number that is no page: "34 NY3d 269, 3 days later".
_GOES_ON = re.compile(r"\s+(?!and\b|or\b|n{1,2}\b|quoting\b|citing\b|cert\b|lv\b|with\b|passim\b)[a-z]")

_LONGEST = 1_200
"""Characters of a bracket with court and year; a claim may follow them in it."""
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_DOCKET = r"(?:(?:Index|Ind|Docket|Dkt|Case|File|Civ|Slip Op)\.?\s)?Nos?\.\s?[^,;\[\]()]{1,40}"
_YEAR = re.compile(
    r"(?:(?P<court>[^;\[\]\"“”]{2,110}?)(?:[,\s]+|(?<=\.)))?"
    rf"(?:{_DOCKET},\s)?(?:{_MONTH}(?:[/–-]{_MONTH})?\s+(?:\d{{1,2}},?\s+)?)?"
    r"(?P<year>1[6-9]\d\d|20\d\d)(?:[-–/]\d{2,4})?"
    r"(?P<rest>\s*(?:[,;:\[(—–].*|(?:mem|en banc|plurality|per curiam|table|U|A|concurring|dissenting)\b.*)?)",
    re.DOTALL,
)
# A court is named with capitals and ordinals alone: "App Term, 2d Dept, 9th & 10th Jud Dists", "N.D. Ohio".
_COURT_WORDS = re.compile(
    r"(?:(?:[A-Z0-9&][\w.'’&-]*+|of|and|the|for|en|banc|mem|op|by|per|curiam|ed\.?)(?:[,\s]++|\Z))+"
)
_COURT_ALONE = re.compile(
    r"(?:\d{1,2}(?:st|d|nd|rd|th)\s(?:Cir|Dist|Dept|Div|App|Jud)\b\.?(?:\sDist\.?)?|[A-Z][\w.]*(?:\s[A-Z][\w.]*){0,4}?\s?"
    r"(?:Cir|Dist|Ct|App|Super|Div|Crim|Civ)\.)(?:,?\s(?:[A-Z][\w.]*|\d\w*)){0,3}"
)
_EDITION = re.compile(r"\bed\.?$")
_DOCKET_IN_COURT = re.compile(rf",?\s*{_DOCKET}")
_DECIDED = re.compile(r"(?:decided|dated|filed|enacted)\s")
_DATE = re.compile(rf"(?:{_MONTH}|Spring|Summer|Fall|Winter)(?:[/ –-]{_MONTH})?(?: \d{{1,2}})?")
_NO_COURT = re.compile(r".*\bBill Jacket\b|(?:L|Law|Laws|Act|Vol|Fig|Table|Ch|Art)\b|\d+$")

_OPINION: tuple[tuple[re.Pattern[str], OpinionKind], ...] = (
    (re.compile(r"\bdissent(?:ing|s)?\b"), "dissent"),
    (re.compile(r"\bconcur(?:ring|rence|s)?\b"), "concurrence"),
    (re.compile(r"\bplurality\b"), "plurality"),
)


@dataclass(frozen=True)
class Pin:
    """Pages and notes, and where they end."""

    text: str
    end: int


@dataclass(frozen=True)
class Decided:
    """Court, year and separate opinion, as a bracket tells them."""

    court: str | None
    year: int
    opinion: OpinionKind | None
    year_end: int = 0
    """Where the year ends in the bracket."""


def read_pin(text: str, start: int, end: int, first_page: int = 0) -> Pin | None:
    """The pages and notes that begin at `start`, before `end`; None if there are none.

    Args:
        text: the text.
        start: where the cite ends.
        end: where the next citation begins.
        first_page: the page on which the case begins; a smaller number that a word follows is no page.
    """
    match = _PIN.match(text, start, end)
    if not match:
        return None
    if _GOES_ON.match(text, match.end()):
        number = re.search(r"\d+", match["pin"])
        if number is None or int(number[0]) < first_page or not first_page:
            return None
    return Pin(" ".join(match["pin"].split()), match.end())


def skip_blank_pin(text: str, start: int) -> int:
    """Where the blank that stands for a page ends; `start` if there is none."""
    match = _BLANK_PIN.match(text, start)
    return match.end() if match else start


def read_bracketed_pin(content: str) -> str | None:
    """The page or paragraph that a bracket holds and nothing else (`slip op., at 4`); None for any other bracket."""
    match = _BRACKETED_PIN.fullmatch(content.strip())
    return " ".join(match["pin"].split()) if match else None


def read_court(content: str) -> str | None:
    """The court, where that is all that a bracket holds, as behind a cite that states its year: `8th Dist.`."""
    return " ".join(content.split()) if _COURT_ALONE.fullmatch(content.strip()) else None


def read_decided(content: str) -> Decided | None:
    """Court and year, where that is what a bracket holds; None for any other bracket."""
    if len(content) > _LONGEST:
        return None
    bare = _DECIDED.sub("", content.strip(), count=1)
    match = _YEAR.fullmatch(bare)
    if not match:
        return None
    cut = len(content.rstrip()) - len(bare)
    court = match["court"]
    if court is not None:
        court = " ".join(_DOCKET_IN_COURT.sub("", court).split()).strip(" ,")
        if court and (not _COURT_WORDS.fullmatch(court) or _NO_COURT.match(court)):
            return None
        court = None if _EDITION.search(court) or _DATE.fullmatch(court) else court
    return Decided(court or None, int(match["year"]), read_opinion(match["rest"] or ""), match.end("year") + cut)


def read_opinion(words: str) -> OpinionKind | None:
    """The separate opinion that some words name: `Wren, J., dissenting`."""
    return next((kind for pattern, kind in _OPINION if pattern.search(words)), None)
