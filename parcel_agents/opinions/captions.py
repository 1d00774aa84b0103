"""The name of a case from its caption: `Arden v. Brill`, `In re Dunham`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from parcel_agents.opinions.court_names import continues_court, is_court
from parcel_agents.opinions.decision_dates import has_date
from parcel_agents.opinions.front_citations import is_citation_line

_ROLE = r"""(?:Plaintiff|Defendant|Petitioner|Respondent|Appellant|Appellee|Relator|Claimant|Intervenor|Movant|Applicant
    |Complainant|Employe[er]|Carrier|Cross-|Third[- ]Party|Real\ Part(?:y|ies)|Debtor|Counter|Objector|Garnishee
    |Obligee|Obligor|Contestant|Propounder|Protestant)"""
_ROLE_WORD = re.compile(rf",?\s*\(?\b{_ROLE}(?:s|es)?\b", re.IGNORECASE | re.VERBOSE)
_ROLE_LINE = re.compile(
    rf"""\W*(?:(?:and|-and-)\s+)?(?:{_ROLE}(?:s|es)?['’]?|In\ Interest|Below|Supporting|Interested)\b
    [\w\s,/()&.'’-]{{0,80}}""",
    re.IGNORECASE | re.VERBOSE,
)
_DEBTOR = re.compile(
    r"\W*(?:(?:Alleged|Reorganized) )?(?:Debtors?|Deceased|Minors?|Bankrupt)\W*(?:\d+\W*)?", re.IGNORECASE
)
_VERSUS_ALONE = re.compile(
    r"\W*(?:v|vs|versus|against)\.?\W*(?:D\.\ ?C\.\ Nos?\.|\(?Nos?\..*|[A-Z]\.\ ?[A-Z]\.\ No.*)?",
    re.IGNORECASE | re.VERBOSE,
)
_VERSUS_WITHIN = re.compile(r"\s(?:vs?\.?|versus|VERSUS)\s(?=\S)")
_VERSUS_SHOUTED = re.compile(r"\sVS?\.\s(?=\S)")
_VERSUS_FIRST = re.compile(r"(?:v|vs|V)s?\.\s+(?=\S)")
_VERSUS_LAST = re.compile(r"\s(?:v|vs|V|versus|VERSUS)\.?\s*$")
_LEAD_IN = re.compile(
    r"""\W*(?P<lead>In\ re(?!\w)|In\ the\ Matter\ of|Matter\ of|In\ (?:the\ )?Interest\ of|In\ the\ Estate\ of
    |In\ the\ Guardianship\ of|Ex\ parte)\b:?\s*(?P<of>.*)""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_NUMBER_LINE = re.compile(
    r"""\W*(?:Nos?\.|Docket|Cases?\b|Civil|Criminal|CIVIL|CRIMINAL|Civ\.|Crim\.|C\.A\.|USCA|D\.\ ?C\.|Adv\.
    |Cause|Index|Rel\.|Page|Source:|(?:Appeal|Record|File|State\ File|Supreme\ Court|Opinion|CASE)\ No
    |SUPREME\ COURT\ CASE|[\d-]{4,})
    |(?:[A-Z]{1,3}\d|\d{2,4}[- ])[\w,/ -]*$""",
    re.VERBOSE,
)
_OTHER_LINE = re.compile(
    r"""\W*(?:Appeals?(?:ed)?\ (?:from|of)|On\ (?:appeal|discretionary|petition|writ|application|review
    |certiorari|rehearing)|Certiorari|Before|Argued|Submitted|Decided|Filed|Heard|Opinion|Order|Syllabus|Memorandum|Published|Unpublished
    |Not\ for|For\ Publication|Not\ recommended|Final\ copy|Notice|Errata|Summary|Per\ curiam|Slip\ opinion|\(Slip
    |October\ Term|Cite\ as|\[Cite|Present|Chapter\ \d|Jointly|Clerk|Date|This\ opinion|State\ of\ New\ York$
    |Precedential|Recommended|Publish)\b
    |.*\b(?:19|20)\d\d\b.*\d.*""",
    re.IGNORECASE | re.VERBOSE,
)
_SUFFIX = r"""(?:(?:Inc|Ltd|Limited|Corp|Corporation|Co|Company|PLC|Jr|Sr|I{2,3}|IV|Incorporated|Esq|GmbH)\b
    |L\.?\ ?L\.?\ ?C\b|L\.?\ ?(?:L\.?\ ?)?P\b|N\.?\ ?A\b|P\.?\ ?(?:L\.?\ ?L\.?\ ?)?[CA]\b|S\.?\ ?(?:p\.?\ ?)?A\b
    |M\.?\ ?D\b|Ph\.?\ ?D\b|U\.?\ ?S\.?\ ?A\b|A\.?\ ?G\b|[NB]\.?\ ?V\b)"""
_PARTY_END = re.compile(
    rf"""\s*(?:,(?!\s*{_SUFFIX})|;|\bet\ al\b|\bet\ ux\b|&c\b|\(|\ba/k/a\b|\bd/b/a\b|\bindividually\b|\bon\ behalf\ of\b
    |\bas\ (?=trustee|executor|executrix|administrator|next|personal|indenture)
    |(?:(?<=Inc\.)|(?<=Ltd\.)|(?<=LLC)|(?<=Corp\.)|(?<=Co\.)|(?<=N\.A\.)|(?<=L\.L\.C\.))\ and\b
    |\s:|\s\)|\s§|\s\||\*)""",
    re.IGNORECASE | re.VERBOSE,
)
_COLUMN_RULE = re.compile(r"\s+[):;§|│*}]+(?:\s.*)?$|^\s*[):;§|│*}]+(?:\s.*)?$|\s+[):;§|│*}]+\s*$")
_RULE = re.compile(r"[\s_\-–—=.*]*")
_LINE_NUMBER = re.compile(r"^\d{1,2}\s+(?=\D)")
_DOCKET_BEFORE = re.compile(r"^(?:[A-Z]{0,3}\d{2,4}[\w-]*[.,]\s+)+")
# A rule on unpublished opinions that one collection sets before the parties.
_NOTICE = re.compile(r"\W*NOTICE:.*?[a-z]{2,}\.\s+(?=[A-Z])")
_SMALL = frozenset("of the and for in on at by to a an ex rel".split())
_KEPT_UPPER = frozenset("LLC LLP LP PLC USA NA II III IV FDIC NLRB EEOC IRS SEC FTC AFL-CIO US".split())
_TITLES = frozenset("ST MR MS MRS DR JR SR MT FT SGT LT HR".split())
_MAX_UP, _MAX_DOWN = 10, 8
_WITHIN_LINES = 90
_CAPTION_LINES = 25
_MAX_PARTY = 140


def case_name(lines: Sequence[str]) -> str | None:
    """The name that the caption in these lines gives, by the first party of either side; None where there is none."""
    cleaned = [_cleaned(line) for line in lines[:_WITHIN_LINES]]
    filled = [line for line in cleaned if line]
    # In a bankruptcy an `In re` stands before the parties' own caption; far below it, `v.` is of a case cited.
    in_re = next((index for index, line in enumerate(filled) if _LEAD_IN.match(line)), None)
    until = len(filled) if in_re is None else in_re + _CAPTION_LINES
    for index, line in enumerate(filled[:until]):
        if _OTHER_LINE.match(line):
            continue
        sides = _sides(filled, index)
        if sides is None:
            continue
        left, right = (party(text) for text in sides)
        if left and right:
            return f"{left} v. {right}"
    return _in_re(filled)


def name_of(caption: str) -> str | None:
    """The name in the text of a caption that stands by itself, such as `ARDEN, Plaintiff, v. BRILL, Defendant`."""
    lines = [line for line in caption.split("\n") if line.strip()]
    text = _NOTICE.sub("", " ".join(caption.split()))
    if found := _VERSUS_WITHIN.search(text) or _VERSUS_SHOUTED.search(text):
        lead = _LEAD_IN.match(text[: found.start()])
        left, right = party(_last_party(lead["of"] if lead else text[: found.start()])), party(text[found.end() :])
        if left and right:
            return f"{left} v. {right}"
    return _in_re([text]) or case_name(lines)


def is_name(text: str) -> bool:
    """True for a title that is the name of a case."""
    return _VERSUS_WITHIN.search(f" {text} ") is not None or _LEAD_IN.match(text) is not None


def party(text: str) -> str | None:
    """The first of the persons named on one side, without role and description."""
    text = _DOCKET_BEFORE.sub("", " ".join(text.split())).strip(" ,;:*_-–—")
    if role := _ROLE_WORD.search(text):
        text = text[: role.start()] if role.start() else ""
    end = _PARTY_END.search(text)
    if end and end.start() > 0:
        text = text[: end.start()]
    text = re.sub(r"\W*\[\d+\]|\s*[†‡*]+", "", text).strip(" ,;:*_-–—")
    text = text if re.search(rf"(?:\b[A-Z]|{_SUFFIX}|\bal)\.$", text, re.VERBOSE | re.IGNORECASE) else text.rstrip(".")
    if not re.search(r"[^\W\d_]{2}|\b[A-Z]\.", text) or len(text) > _MAX_PARTY or _is_prose(text):
        return None
    return _capitals(text)


def _sides(lines: Sequence[str], index: int) -> tuple[str, str] | None:
    """What stands before and behind the `v.` of this line; None where it has none."""
    line = lines[index]
    if _VERSUS_ALONE.fullmatch(line):
        return _above(lines, index), _below(lines, index)
    if found := _VERSUS_FIRST.match(line):
        return _above(lines, index), "\n".join([line[found.end() :], _below(lines, index)])
    if found := _VERSUS_LAST.search(line):
        before = line[: found.start()]
        return "\n".join([before] if _starts_party(before) else [_above(lines, index), before]), _below(lines, index)
    found = _VERSUS_WITHIN.search(line) or _VERSUS_SHOUTED.search(line)
    if found is None or _is_prose(line) or re.match(r"\W*(?:See|Cf|Compare|But|In the case)\b", line):
        return None
    before, behind = line[: found.start()], line[found.end() :]
    for above in reversed(lines[max(0, index - 3) : index]):
        if _is_boundary(above) or _ROLE_LINE.fullmatch(above) or not (_continues(above) or above.isupper()):
            break
        before = f"{above[:-1]}{before}" if above.endswith("-") else f"{above} {before}"
    below = lines[index + 1] if index + 1 < len(lines) else ""
    goes_on = _continues(behind) or (line.isupper() and below.isupper() and not behind.endswith("."))
    if goes_on and below and not _is_boundary(below):
        behind = f"{behind} {below}"
    return before, behind


def _starts_party(text: str) -> bool:
    return not _ROLE_LINE.fullmatch(text)


def _continues(text: str) -> bool:
    """True for half a name: a line that ends within a phrase."""
    return re.search(r"(?:\b(?:of|the|for|and|OF|THE|FOR|AND)|&|-)$", text) is not None


def _above(lines: Sequence[str], index: int) -> str:
    """The party above the `v.`: back to the court, a number or another caption."""
    collected: list[str] = []
    for line in reversed(lines[max(0, index - _MAX_UP) : index]):
        if _is_boundary(line) or (_DEBTOR.fullmatch(line) and collected):
            break
        lead = _LEAD_IN.match(line)
        if lead and any(not _ROLE_LINE.fullmatch(below) for below in collected):
            break  # another caption, such as that of a bankruptcy
        collected.insert(0, lead["of"] if lead else line)
        if lead:
            break
    while collected and _ROLE_LINE.fullmatch(collected[0]):
        collected.pop(0)
    # The first party is the first name; what stands between it and its role goes on with it.
    first: list[str] = []
    for line in collected:
        if _ROLE_LINE.fullmatch(line) and first:
            break
        first.append(line)
    return "\n".join(first)


def _below(lines: Sequence[str], index: int) -> str:
    """The party below the `v.`"""
    collected: list[str] = []
    for line in lines[index + 1 : index + 1 + _MAX_DOWN]:
        if _ROLE_LINE.fullmatch(line) and collected:
            break
        if _is_boundary(line):
            if collected:
                break
            continue
        collected.append(line)
    return "\n".join(collected)


def _in_re(lines: Iterable[str]) -> str | None:
    lines = list(lines)
    for index, line in enumerate(lines):
        if _OTHER_LINE.match(line):
            continue
        lead = _LEAD_IN.match(line)
        if lead is None or _is_prose(line):
            continue
        of = lead["of"] or next((after for after in lines[index + 1 : index + 3] if not _is_boundary(after)), "")
        if (named := party(of)) is None:
            continue
        words = " ".join(lead["lead"].split()).lower()
        return f"{words[0].upper()}{words[1:]} {named}".replace("matter", "Matter").replace("interest", "Interest")
    return None


def _last_party(text: str) -> str:
    """The side's own text where another caption, such as that of a bankruptcy, stands before it."""
    pieces = re.split(r"\b(?:Debtors?|Law|Minors?|Deceased)\.\s+", text)
    return pieces[-1] if pieces[-1].strip() else text


def _is_boundary(line: str) -> bool:
    return bool(
        is_court(line)
        or continues_court(line)
        or has_date(line)
        or is_citation_line(line)
        or _NUMBER_LINE.match(line)
        or _OTHER_LINE.match(line)
        or _RULE.fullmatch(line)
        or _is_prose(line)
    )


def _is_prose(text: str) -> bool:
    """True for running text: many words that begin small."""
    words = [word for word in re.findall(r"[^\W\d_][\w'’.-]*", text) if word.lower() not in _SMALL]
    small = sum(word[0].islower() and word not in {"v", "v.", "vs.", "vs", "et", "al", "al."} for word in words)
    return len(words) > 5 and small * 2 > len(words)


def _cleaned(line: str) -> str:
    """A line of a caption without the rule between its columns, and what stands behind that."""
    line = _LINE_NUMBER.sub("", line.strip())
    line = _COLUMN_RULE.sub("", line)
    return "" if _RULE.fullmatch(line) else " ".join(line.split())


def _capitals(text: str) -> str:
    """Names as one writes them: `Ada ARDEN` and `ADA ARDEN` become `Ada Arden`."""
    words = text.split()
    written = [_capital(word, index == 0) for index, word in enumerate(words)]
    return " ".join(written)


def _capital(word: str, first: bool) -> str:
    letters = re.sub(r"[^\w]", "", word)
    if not word.isupper() or len(letters) < 2 or letters in _KEPT_UPPER or re.fullmatch(r"(?:[A-Z]\.)+,?", word):
        return word
    if word.lower() in _SMALL and not first:
        return word.lower()
    if len(letters) <= 4 and not re.search("[AEIOUY]", letters) and letters not in _TITLES:
        return word  # no word, so letters that stand for words
    return re.sub(r"[^\W\d_]+", lambda part: part.group().capitalize(), word).replace("’S", "’s").replace("'S", "'s")
