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
    rf",?\s+(?:at\s+(?:pp?\.\s?)?)?(?P<pin>{_ONE}(?:(?:,?\s+(?:and|&)\s+|,\s+){_ONE})*(?:\s(?:et seq\.|passim))?)"
)
# A number that is no page: "34 NY3d 269, 3 days later".
_GOES_ON = re.compile(r"\s+(?!and\b|or\b|n{1,2}\b|quoting\b|citing\b|cert\b|lv\b|with\b|passim\b)[a-z]")

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


def read_decided(content: str) -> Decided | None:
    """Court and year, where that is what a bracket holds; None for any other bracket."""
    if len(content) > 300:
        return None
    match = _YEAR.fullmatch(_DECIDED.sub("", content.strip(), count=1))
    if not match:
        return None
    court = match["court"]
    if court is not None:
        court = " ".join(_DOCKET_IN_COURT.sub("", court).split()).strip(" ,")
        if court and (not _COURT_WORDS.fullmatch(court) or _NO_COURT.match(court)):
            return None
        court = None if _EDITION.search(court) or _DATE.fullmatch(court) else court
    return Decided(court or None, int(match["year"]), read_opinion(match["rest"] or ""))


def read_opinion(words: str) -> OpinionKind | None:
    """The separate opinion that some words name: `Wren, J., dissenting`."""
    return next((kind for pattern, kind in _OPINION if pattern.search(words)), None)
