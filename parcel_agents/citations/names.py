"""Case names: read backwards from a cite, and the party by which a case is called for short."""

from __future__ import annotations

import re
from dataclasses import dataclass

from parcel_agents.citations.name_words import (
    CONNECTORS,
    LEADING,
    NO_NAME,
    STOPS,
    is_suffix,
    may_end_sentence,
    starts_sentence,
)

_WINDOW = 260
_WORD = re.compile(r"\S+")
_VERSUS = re.compile(r"\s(?:v|vs)\.?\s(?!\d{1,3}\s(?:US|NY))")
_MATTER = re.compile(
    r"(?<![\w.])(?:(?:In the )?Matters? of|In re:?|Ex parte|(?:In re )?(?:Estate|Will|Petition|Application|Succession"
    r"|Marriage|Adoption|Guardianship|Interest) of)\s(?=[\"“]?[A-Z0-9])"
)
# Between a name and its cite: a comma or the bracket that holds the cite, a docket number, `supra`.
_BEFORE_CITE = re.compile(
    r"(?:,\s(?:\d{1,2}(?:st|d|nd|rd|th)\sDist\.?\s(?:[A-Z][a-z]+\s){0,3})?(?:Docket\s|Index\s|Case\s|Civ(?:il)?\.?\s(?:Action\s)?"
    r"|Slip Op\.?\s)?Nos?\.?\s[\w:.,&/ –()-]{1,60}?(?=,\s*\Z|\Z))?"
    r"(?:,?\s(?:supra|above|infra)(?:\snote\s\d+)?)?(?:[,;]\s*\Z|,?\s*\(\[?\s*\Z|\s\[\s*\Z|,?\s*\Z)"
)
# Words in possessive groups: however long they are, each can be read in one way only.
_PARTY = re.compile(
    r"(?:(?:[\"“‘]?(?:[A-Z0-9#&$]|e[A-Z]|[a-z]['’][A-Z])[^\s()\[\];]*+|[(\[][A-Z][^()\[\];]{0,80}+[)\]]|v\.?"
    r"|vs\.?|of|the|and|for"
    r"|del?|dela|di|du|la|le|los|las|van|von|den|der|ten|y|an?|[dfan]/[bk]/a|dba|et|al\.?|ux\.?|vir\.?|ex|rel\.?"
    r"|in|on|behalf"
    r"|at|to|by|as|re:?|with|per|or|its|&c\.?|ap|bin|[ae]l-\S++)(?:,?\s++|,?\Z))+"
)
_BREAK = re.compile(
    r"\.[\"”’]?\s+(?:The|In|We|This|That|It|Its|Here|There|And|But|As|On|For|Thus|If|When|Although|While|He|She"
    r"|They|Our"
    r"|Moreover|See|Indeed|Under|Because|Id|Cf)\b|,\s(?:the|a|in|on|as)\s(?:[A-Z]\S*\s)?(?:Court|we|this|Judge"
    r"|dissent)"
)
_GOVERNMENT = re.compile(
    r"(?:The )?(?:People(?: of (?:the )?[A-Z].*)?|State|State of .*|United States(?: of .*)?|U\.? ?S\.?"
    r"|Commonwealth(?: of .*)?"
    r"|Commonwealth|City of .*|County of .*|Town of .*|Village of .*|District of .*|New York|Government of .*|Com\.?"
    r"|Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois"
    r"|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi"
    r"|Missouri|Montana"
    r"|Nebraska|Nevada|New (?:Hampshire|Jersey|Mexico)|(?:North|South) (?:Carolina|Dakota)|Ohio|Oklahoma|Oregon"
    r"|Pennsylvania|Rhode Island|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming"
    r"|Superior Court|Commissioner(?: of .*)?|Secretary(?: of .*)?|Warden(?: of .*)?|Board of .*|Department of .*)\Z"
)
_PREFIX = re.compile(
    r"(?:(?:In the )?Matters? of |In re:? |Ex parte |(?:The )?(?:People|State|Commonwealth"
    r"|United States)(?: of [A-Z]\w+"
    r"(?: [A-Z]\w+)?)? ex rel\.? |(?:Estate|Will|Petition|Application|Marriage|Succession) of )+"
)
_TAIL = re.compile(
    r"(?:,? (?:Inc|Corp|Co|Ltd|LLC|L\.L\.C|LLP|L\.?P|P\.?C|N\.?A|S\.?A|Jr|Sr|II|III|IV|et al|Assn|Ass['’]n)\b\.?"
    r"|,? & Co\.?"
    r"|\s\([^)]*\)|,.*)+\Z"
)
_MAX_SHORT_WORDS = 6


@dataclass(frozen=True)
class Name:
    """A case name as it stands in the text, and where."""

    start: int
    end: int
    text: str
    full: bool
    """False for a short name such as `Rouse`, which has no second party and no `Matter of`."""


def find_name(text: str, cite: int, floor: int) -> Name | None:
    """The name of the case that is cited at `cite`; None if none stands directly before it.

    Args:
        text: the text.
        cite: where the cite starts.
        floor: no name begins before this offset, where the citation before ends.
    """
    low = _paragraph_start(text, max(floor, cite - _WINDOW, 0), cite)
    if low >= cite:
        return None
    between = _BEFORE_CITE.search(text, low, cite)
    end = between.start() if between else cite
    versus = _last(_VERSUS, text, low, end)
    if versus and _is_party(text, versus.end(), end):
        start = _walk_back(text, low, versus.start())
        if start is not None:
            return _name(text, start, end, full=True)
    matter = _last(_MATTER, text, low, end)
    if matter and _is_party(text, matter.end(), end):
        return _name(text, matter.start(), end, full=True)
    return _short_name(text, low, end)


def _paragraph_start(text: str, low: int, cite: int) -> int:
    """The last border of a paragraph behind `low`; a gap that a page break has torn into a name is none."""
    end = cite
    while (gap := text.rfind("\n\n", low, end)) >= 0:
        behind = text[gap + 2 : gap + 3]
        # The title of an opinion stands over its cite.
        title = gap + 2 == cite and "\n\n" not in text[:gap] and _VERSUS.search(text, 0, gap) is not None
        torn = title or behind.islower() or (gap + 2 == cite and text[gap - 1 : gap] == ",")
        if title:
            return max(low, 0)
        if not torn:
            return gap + 2
        end = gap
    return low


def short_names(name: str) -> list[str]:
    """The parties by which a case may be called for short, the telling one first; none that is a government."""
    found = []
    for party in re.split(r" (?:v|vs)\.? ", name):
        party = _PREFIX.sub("", party).strip()
        short = _TAIL.sub("", party).strip(' .,"“”')
        if len(short) > 2 and not _GOVERNMENT.match(party):
            found.append(short)
    return found


def _last(pattern: re.Pattern[str], text: str, low: int, end: int) -> re.Match[str] | None:
    found = None
    for found in pattern.finditer(text, low, end):  # noqa: B007 - the last one is wanted
        pass
    return found


def _is_party(text: str, start: int, end: int) -> bool:
    """True if these words can be the second party of a name, so that the cite behind them is that case's."""
    return _PARTY.fullmatch(text, start, end) is not None and not _BREAK.search(text, start, end)


def _name(text: str, start: int, end: int, *, full: bool) -> Name:
    while end > start and text[end - 1] in ' ,\n"“':
        end -= 1
    return Name(start, end, " ".join(text[start:end].split()), full)


def _short_name(text: str, low: int, end: int) -> Name | None:
    """The capitalised words right before a cite, where they can be a name."""
    start = _walk_back(text, low, end, most=_MAX_SHORT_WORDS)
    if start is None:
        return None
    name = _name(text, start, end, full=False)
    words = name.text.split()
    if not words or any(word.strip(".,'’s") in NO_NAME for word in words) or not words[-1][0].isupper():
        return None
    if _GOVERNMENT.match(name.text):
        return None
    return name if any(len(word) > 2 for word in words) and not words[-1].isupper() else None


def _walk_back(text: str, low: int, end: int, most: int = 40) -> int | None:
    """Where the capitalised words begin that end at `end`; None if the last word is none of them."""
    begin: int | None = None
    after = ""
    words = list(_WORD.finditer(text, low, end))
    for count, word in enumerate(reversed(words)):
        whole = word.group()
        bare = whole.lstrip("([{\"“‘'*_—–")
        opened = len(whole) - len(bare)
        if not bare or count >= most:
            break
        listed = whole[-1] == "," and begin is not None and " & " in text[begin:end]
        if not listed and _closes(whole, bare, after, first=begin is None):
            break
        plain = bare.rstrip(".,")
        lower = plain.lower()
        if lower in STOPS and not (lower == "in" and after.rstrip(":.") in {"re", "the"}):
            break
        dash = max(bare.rfind("—"), bare.rfind("–"))
        if dash >= 0 and dash + 1 < len(bare):
            opened += dash + 1
            bare = bare[dash + 1 :]
        if bare[0].isupper() or bare[0].isdigit() or bare[0] in "&#" or (bare[:2] in {"d’", "d'"}):
            begin = word.start() + opened
        elif (
            lower not in CONNECTORS
            or begin is None
            or (
                # "Rouse v Quist and Ferris v Marlowe" are two cases.
                lower == "and" and (starts_sentence(after) or _VERSUS.search(text, low, word.start()))
            )
        ):
            break
        if opened:
            break
        after = whole
    return None if begin is None else _without_lead(text, begin, end)


def _closes(whole: str, bare: str, after: str, *, first: bool) -> bool:
    """True if a word ends the sentence or clause before the name, whose first word so far is `after`."""
    if first:
        return re.search(r"[.,]?[”\"]\W*\Z", whole) is not None and whole[0] not in '“"'
    if whole[-1] in ";:?!":
        return True
    if whole[-1] in '”"’])' and not ("(" in bare and whole[-1] == ")"):
        return not (whole[-1] == "’" or (whole[-1] in '”"' and whole[0] in '“"'))
    if whole[-1] == ",":
        return not is_suffix(after)
    return whole[-1] == "." and may_end_sentence(bare, after)


def _without_lead(text: str, begin: int, end: int) -> int | None:
    """The beginning of a name without the words of the sentence before it: `Under`, `Thus`, `In`."""
    words = list(_WORD.finditer(text, begin, end))
    for index, word in enumerate(words):
        plain = word.group().rstrip(".,:")
        following = words[index + 1].group().rstrip(":") if index + 1 < len(words) else ""
        if plain == "In" and following in {"re", "the"}:
            return word.start()
        if plain in LEADING or re.fullmatch(r"(?:1[6-9]|20)\d\d|\d{1,2}", plain) or plain in CONNECTORS:
            continue
        return word.start()
    return None
