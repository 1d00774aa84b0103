"""What a bracket behind a citation holds: an explanation, or something said of the words or their source."""

from __future__ import annotations

import re

from parcel_agents.citations.model import ParentheticalKind

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
    r"\W*(?:dissent|concurr|op\b|opinion|statement|mem\b|in chambers|circuit|joined|for the|plurality"
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
    r"|.{0,60}\b(?:\d+(?:st|d|nd|rd|th)|rev|\d{4})\.? ed\.?(?: \d{4})?|(?:\d{1,2}(?:st|d|nd|rd|th)) (?:Cir|Dept)\.?"
    r"|(?:eff|enacted|revised|rev|renum|former|added|repealed|amended|subds?|pars?|as amended|decided|argued)\b[^a-z]"
    r"(?:[^a-z]|[A-Z][a-z]+|until|with|on|the|same|day|by|par|subd|v|v\.){0,40}|companion case\b.{0,60}"
    r"|(?:[A-Z][a-z]{2,8}[./]*){1,2} \d{4}|(?:spring|summer|fall|winter) \d{4}|table\b.{0,80}|preamble|appendix",
)
_EXPLAINS = re.compile(r"[\"“‘]|\w+ing\b|\w+ed\b")


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
        return "explanatory" if _SOURCE_IS_NONE.match(words) else "source"
    if _NAME.fullmatch(words):
        return "name"
    if _SHORT_NAME.fullmatch(words) and not _EXPLAINS.match(words):
        return "name"
    return "explanatory"


def _is_weight(words: str) -> bool:
    judge = _JUDGE.fullmatch(words)
    if judge and _MANNER.match(judge["rest"]):
        return True
    # "Wren, J., dissenting; emphasis added" and "same; citations omitted" come in pieces.
    pieces = [piece for piece in re.split(r"[;,]\s|\)\s*\(|\]\s*\[", words) if piece.strip()]
    return len(pieces) > 1 and all(
        _WEIGHT_WORDS.fullmatch(piece.strip(" ()[]")) or _OPINION_ONLY.fullmatch(piece.strip(" ()[]"))
        for piece in pieces
    )
