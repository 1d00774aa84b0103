"""What a bracket behind a citation holds: an explanation, or something said of the words or their source."""

from __future__ import annotations

import re

from parcel_agents.citations.around import read_opinion
from parcel_agents.citations.model import OpinionKind, ParentheticalKind
from parcel_agents.citations.saying import PARTICIPLES

_WEIGHT_WORDS = re.compile(
    r"(?:(?:emphas[ie]s|italics|internal|interior|inner|citations?|quotations?|quotes?|marks?|footnotes?|references?"
    r"|alterations?|brackets?|bracketing|ellips[ie]s|punctuation|capitali[sz]ation|paragraph|breaks?|omitted|added"
    r"|supplied|altered|modified|deleted|removed|adopted|accepted|cleaned|up|original|in|the|to|of|as|all|some|other"
    r"|most|certain|first|second|third|and|or|without|parallel|mine|ours|changed|further|also|only|by|court"
    r"|same|table|mem|memorandum|per|curiam|en|banc|plurality|unpublished|unreported|op|opinion|opn|order|decision"
    r"|summary|slip|holding|dicta|dictum|arguendo|reversed|affirmed|see|id|supra|n|decided|today|herewith|below"
    r"|case|hereafter|this|day|date|dated|additional|remaining|record|similar)\b[.,;:&\s]*)+",
    re.IGNORECASE,
)
# "Wren, J., dissenting", "Wren & Pell, JJ., concurring", "opinion of Wren, J.": only capitalised words stand before the
# judge's letters, so that no sentence is taken for it.
_JUDGE = re.compile(
    r"(?:(?:[a-z]+\s){0,3}(?:opn?|opinion|statement|mem)\.?\s(?:of|by)\s|[a-z]+ing,?\s(?:op\s)?(?:per\s)?|per\s)?"
    r"(?:(?:Chief\s|Presiding\s)?(?:Justice|Judge)\b|(?:(?:[A-Z][\w.'’-]*+|and|&),?\s++){1,9}?"
    r"(?:Ch\.?\s?J|C\.?\s?J|P\.?\s?J|JJ?|A\.?\s?J|S)\.(?:P\.)?)(?P<rest>.*)",
    re.DOTALL,
)
_MANNER = re.compile(
    r"\W*(?:dissent|concurr|op\b|opinion|statement|mem\b|in chambers|circuit|joined|for the|plurality|announcing\s"
    r"|and\s(?:[A-Z][\w.'’-]*,?\s){1,3}JJ?\.)|\W*$"
)
_OPINION_ONLY = re.compile(
    r"(?:(?:concurring|dissenting|plurality|lead|majority|separate|principal)"
    r"(?:,?\s(?:and|in|part|dissenting|concurring))*(?:\s(?:op|opn|opinion|mem|memorandum)\b\.?)?"
    r"|dissent|concurrence|majority)\W*",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    r"(?:(?:(?:in turn|also|and|partially|partly) )?"
    r"(?:quoting|citing|quoted in|cited in|citations? to|accord|discussing id)\b|quot(?:ing|es) )(?! that\b)"
    r"|(?:but |and )?(?:see|cf\.|contra|compare|e\.g\.)(?=[\s,])|id\.\s"
    r"|(?:(?:the )?(?:dissenting|majority|concurring|plurality|lead) |^)(?:op|opn|mem)\.?,? at\b",
    re.IGNORECASE,
)
# "citing the need for order": words of the court and no authority.
_SOURCE_IS_NONE = re.compile(
    r"(?:(?:in turn|also|and|partially|partly)\s)?(?:citing|quoting)\s"
    r"(?!to\b|id\b|supra\b|ex\b|in re\b|former\b|section|[\"“‘]"
    r"|(?:the\s)?(?:(?:\w+\s){0,2}(?:Restatement|Model|Code|Const|Law|Rules)))[a-z]",
)
_NAME = re.compile(
    r"(?:hereinafter|hereafter|collectively)\b.{0,80}|(?:(?:the|or)\s)?[\"“'‘](?:the\s)?[A-Z][\w'’.&-]*"
    r"(?:\s(?:of\s|and\s|the\s)?[A-Z&][\w'’.&-]*){0,4}[\"”'’]\W*",
)
_SHORT_NAME = re.compile(r"[A-Z][\w'’.&-]*+(?:\s(?:(?:of|the|and|&|v\.?)\s)?[A-Z][\w'’.&-]*+){0,5}")
_NUMBERS = re.compile(
    r"(?:No|Nos|Index|Docket|Dkt|ECF|Doc|Ex|Tr|App|R|A|Case|Slip)\.?\b[^a-z]*|[\d\s,.;*¶§–—-]+|[\dA-Za-z]{1,3}"
    r"|[ivx]+|\W*"
    # Editions, dates of laws, courts without a year, and cases decided together.
    r"|.{0,60}\b(?:\d+(?:st|d|nd|rd|th)|rev|\d{4})\.? ed\.?(?: \d{4})?"
    r"|(?:\d{1,2}(?:st|d|nd|rd|th)) (?:Cir|Dept|Dist)\.?"
    r"|(?:eff|enacted|revised|rev|renum|former|added|repealed|amended|subds?|pars?|as amended|decided|argued)\b[^a-z]"
    r"(?:[^a-z]|[A-Z][a-z]+|until|with|on|the|same|day|by|par|subd|v|v\.){0,40}|companion case\b.{0,60}"
    r"|(?:[A-Z][a-z]{2,8}[./]*){1,2} \d{4}|(?:spring|summer|fall|winter) \d{4}|table\b.{0,80}|preamble|appendix",
)
_EXPLAINS = re.compile(r"[\"“‘]|\w+ing\b|\w+ed\b")

# What a court does to an order, a motion or another decision, as well as what it says.
_DOES = (
    "addressing affirming allowing analyzing applying approving barring characterizing comparing considering construing"
    " criticizing declining defining denying describing disallowing discussing dismissing disapproving distinguishing"
    " enforcing enjoining examining excluding extending finding granting identifying interpreting invalidating listing"
    " overruling permitting precluding prohibiting questioning quashing refusing rejecting remanding requiring"
    " reversing reviewing suggesting summarizing suppressing sustaining striking treating upholding vacating"
).split()
_ASSERTS = (
    rf"(?:[a-z]+ly,?\s)?(?:{'|'.join(sorted({*PARTICIPLES, *_DOES}, key=len, reverse=True))})\b"
    r"(?!\s(?:the\sjudgment|for\s(?:the|a|himself|herself|\w+\s(?:Justice|Judge)s?)|separately)\b)"
)
ASSERTS = re.compile(_ASSERTS)
"""How a bracket begins that says what an authority holds or does: `holding`, `expressly rejecting`."""
_ASSERTS_BEHIND = re.compile(rf"(?:[,;:—–]|\band|\bbut)\s(?:and\s|but\s)?(?P<claim>{_ASSERTS})")
# "citing Quist, 3 NY3d 4, for the point that ...": what is cited proves it, and it is said all the same.
_FOR_THE_POINT = re.compile(
    r"\b(?:for|as\ssupport(?:ing)?(?:\sfor)?|in\ssupport\sof)\s(?:the|its|this|that)\s(?:[a-z-]+\s){0,3}(?:point|proposition"
    r"|principle|rule|view|idea|notion|conclusion|statement|holding|argument|assertion|contention)\sthat\b"
)
_INNER = re.compile(r"[(\[][^()\[\]]*[)\]]")
_SEPARATE = re.compile(
    r"(?:(?:the|a|an|one|two|three|four|partial|lone)\s)*(?P<manner>dissent|concurr)(?:s|ence|ences|ing\sop(?:inion|n)?\.?)?,?\s",
    re.IGNORECASE,
)


def read_kind(content: str) -> ParentheticalKind:
    """What a bracket holds, by its words; whatever is nothing else is an explanation."""
    words = content.strip()
    if _NUMBERS.fullmatch(words):
        return "other"
    if _WEIGHT_WORDS.fullmatch(words) or _OPINION_ONLY.fullmatch(words):
        return "weight"
    if len(words) < 160 and _is_weight(words):
        return "weight"
    if _SOURCE.match(words):
        return "explanatory" if _SOURCE_IS_NONE.match(words) or _asserts_too(words) else "source"
    if _NAME.fullmatch(words):
        return "name"
    if _SHORT_NAME.fullmatch(words) and not _EXPLAINS.match(words):
        return "name"
    return "explanatory"


def _is_weight(words: str) -> bool:
    judge = _JUDGE.fullmatch(words)
    if judge and _MANNER.match(judge["rest"]):
        return not _ASSERTS_BEHIND.search(judge["rest"])
    # "Wren, J., dissenting; emphasis added" and "same; citations omitted" come in pieces.
    pieces = [piece for piece in re.split(r"[;,]\s|\)\s*\(|\]\s*\[", words) if piece.strip()]
    return len(pieces) > 1 and all(
        _WEIGHT_WORDS.fullmatch(piece.strip(" ()[]")) or _OPINION_ONLY.fullmatch(piece.strip(" ()[]"))
        for piece in pieces
    )


def read_writer(content: str) -> OpinionKind | None:
    """The separate opinion that a bracket makes speak: `Wren, J., dissenting, arguing that ...`; None for the Court's.

    Words further on in the claim decide nothing: who rejects a dissent is no dissent.
    """
    words = content.strip()
    judge = _JUDGE.fullmatch(words)
    if judge and _MANNER.match(judge["rest"]):
        claim = _ASSERTS_BEHIND.search(judge["rest"])
        return read_opinion(judge["rest"][: claim.start("claim") if claim else len(judge["rest"])])
    separate = _SEPARATE.match(words)
    if separate and ASSERTS.match(words, separate.end()):
        return "dissent" if separate["manner"].lower() == "dissent" else "concurrence"
    return None


def find_claim(content: str, start: int) -> int | None:
    """Where a claim begins behind court and year in one bracket: `2d Cir. 2031, holding that ...`; None without one.

    Args:
        content: what the bracket holds.
        start: where its year ends.
    """
    found = _ASSERTS_BEHIND.search(content, start)
    if not found:
        return None
    before = content[start : found.start("claim")].strip(" ,;:—–")
    judge = content.find(before, start) if before and _is_weight(before) else -1
    return judge if judge >= 0 else found.start("claim")


def _asserts_too(words: str) -> bool:
    """True if a bracket that names a source says something itself: `citing Quist for the point that ...`."""
    plain, inner = words, 1
    while inner:
        plain, inner = _INNER.subn("", plain)
    return _FOR_THE_POINT.search(plain) is not None or _ASSERTS_BEHIND.search(plain) is not None
