"""Scope contradiction: a qualifier of the opinion made wider or narrower, so that the rule is another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from parcel_agents.generation.rules.negation import Change, in_quotation

_CLAUSE = r"(?=(?:the|a|an|it|he|she|they|there|defendant|plaintiff|petitioner|that|its|his|her|any|no|such)\b)"
_CONDITIONS: tuple[tuple[str, str], ...] = (
    (rf"\bonly (?:if|when|where) {_CLAUSE}", "regardless of whether "),
    (r"\bonly (?:upon|on|with) (?=[a-z])", "even without "),
    (r"\bonly after (?=[a-z])", "even before "),
    (rf"(?<!even )\bunless {_CLAUSE}", "even if "),
    (rf"(?<=[a-z] )(?<!for )(?<!and )(?<!that )\beven (?:if|though) {_CLAUSE}", "only if "),
    (rf"\beven when {_CLAUSE}", "only when "),
    (rf"\beven where {_CLAUSE}", "only where "),
    (rf"\bregardless of whether {_CLAUSE}", "only if "),
    (rf"(?<=, )whether or not {_CLAUSE}", "only if "),
    (rf"(?<=\w )\bso long as {_CLAUSE}", "regardless of whether "),
    (rf"(?<=\w )\bas long as {_CLAUSE}", "regardless of whether "),
    (rf"(?<=\w )\bprovided that {_CLAUSE}", "regardless of whether "),
    (r"\bregardless of (?=the |any |his |her |its )", "depending on "),
    (r"\birrespective of (?=the |any |his |her |its )", "depending on "),
    (r"\bin the absence of (?=an? |any |the )", "even in the presence of "),
    (r"\bexcept (?=in |when |where |for |to |upon |as )", "even "),
    (r"\bnotwithstanding (?=the |any )", "subject to "),
)
_DEGREES: tuple[tuple[str, str], ...] = (
    # how much and how often
    (r"(?<!the )\bat least (?=\w+ (?!some))", "at most "),
    (r"\bno more than (?=\w)", "no less than "),
    (r"(?<!no )\bmore than (?=(?:one|two|three|four|five|six|seven|eight|nine|ten|\d))", "less than "),
    (r"\bless than (?=(?:one|two|three|four|five|six|seven|eight|nine|ten|\d))", "more than "),
    (r"\ball of the (?=[a-z])", "only some of the "),
    (
        r"(?<!at )(?<!of )(?<!for )(?<!after )(?<!and )\ball (?!two|three|four|five|six|seven|eight|nine|ten"
        r"|\d)(?=(?:of )?(?:\w+ )?[a-z]+(?:s|ren|men)\b)",
        "only some ",
    ),
    (r"\bsome of the (?=[a-z])", "all of the "),
    (r"\bmost (?=(?:cases|instances|circumstances|courts|jurisdictions|of the)\b)", "all "),
    (r"\bmany (?=(?:cases|instances|circumstances|courts|jurisdictions|of the)\b)", "all "),
    (r"\bin every (?=case|instance|prosecution|trial|appeal)", "in only the rare "),
    (r"\balways (?=[a-z])", "only rarely "),
    (r"(?<!almost )\bnever (?=been |be |[a-z]+ed\b)", "sometimes "),
    (r"\b(?:generally|ordinarily|usually|typically|normally|sometimes|often|frequently)(?= [a-z])", "invariably"),
    (r"\b(?:rarely|seldom)(?= [a-z])", "routinely"),
    (r"\b(?:solely|exclusively) (?=(?:on|upon|for|to|by|because|in|from|of|with)\b)", "only in part "),
    (r"\b(?:entirely|completely|wholly) (?=[a-z])", "only partly "),
    (r"\b(?:in part|partly|partially) (?=(?:on|upon|because|by|from)\b)", "exclusively "),
    (r"\bprimarily (?=[a-z])", "exclusively "),
    # What may and what must be done. What cannot be need not be: such a change would be no contradiction.
    (
        r"(?<![Mm]ay )(?<=[a-z] )may (?=be (?:[a-z]+ly )?[a-z]+(?:ed|en|wn|de|ght|eld)\b|(?!be\b|have|well"
        r"|not\b|or\b|in\b|of\b|seem|appear)[a-z]+\b)",
        "must ",
    ),
    (r"(?<=[a-z] )must (?=(?!have|not)[a-z]+\b)", "need not "),
    (r"(?<=[a-z] )shall (?=(?!have|not)[a-z]+\b)", "may "),
    (r"(?<=[a-z] )need not (?=[a-z])", "must "),
    (r"\b(?P<be>is|are|was|were) (?:\w+ly )?required to (?=[a-z])", "{be} free, but not bound, to "),
    (r"\b(?P<be>is|are|was|were) (?:\w+ly )?(?:permitted|authorized|free|allowed) to (?=[a-z])", "{be} required to "),
    (r"\b(?P<be>is|are) entitled to (?=[a-z])", "{be} in the court's discretion eligible for "),
    (r"\bhas (?:the )?discretion to (?=[a-z])", "is bound to "),
    # proof
    (r"\bbeyond a reasonable doubt\b", "by a preponderance of the evidence"),
    (r"\b(?:a|the) preponderance of the evidence\b", "clear and convincing evidence"),
    (r"\bclear and convincing evidence\b", "a preponderance of the evidence"),
    (r"\bprobable cause to (?=[a-z])", "reasonable suspicion to "),
    (r"\breasonable suspicion\b", "probable cause"),
    (r"\bprospectively\b", "retroactively"),
    (r"\bretroactively\b", "prospectively"),
    (r"\bas a matter of law\b", "as a matter of discretion"),
    (r"\bstrictly construed\b", "liberally construed"),
    (r"\bliberally construed\b", "strictly construed"),
    (r"\bper se rule\b", "case-by-case rule"),
    # time
    (r"(?<=[a-z] )before (?=(?:the|a|an|any|trial|he|she|it|they|[a-z]+ing|defendant|sentenc)\b)", "{only}after "),
    (r"(?<=[a-z] )prior to (?=(?:the|a|an|any|trial|his|her|its|their|[a-z]+ing)\b)", "{only}after "),
    (r"(?<=[a-z] )(?<!only )(?<!even )after (?=(?:the|a|an|any|trial|his|her|its|their|[a-z]+ing)\b)", "before "),
    (r"\bwithin (?=(?:\w+ ){1,2}(?:days|months|years|hours)\b)", "more than "),
    # either and both
    (r"\beither (?P<one>(?:[\w-]+ ){1,7}?)or (?=[\w-])", "both {one}and "),
    (r"(?<!in )(?<!of )(?<!for )\bboth (?P<one>(?:[\w-]+ ){1,7}?)and (?=[\w-])", "either {one}or "),
)
_COMPILED = tuple((re.compile(pattern), words) for pattern, words in (*_CONDITIONS, *_DEGREES))
_OF_DEGREE = frozenset(words for _, words in _DEGREES)
_DEPENDENT = re.compile(r"\b(?:if|unless|whether|when|where|than|not|nor|neither|no)\b[^,]*$")
_RULE = re.compile(r"\b(?:may|must|should|shall|can|cannot|is|are|required)\b")
_DENIED = re.compile(
    r"\b(?:not|no|never|neither|nor|none|cannot|without|fail\w*|insufficient|refus\w+|declin\w+|unable|absent|lack\w*)\b",
    re.IGNORECASE,
)
"""Behind a denial what is wider is narrower, and the changed sentence may follow from the true one."""
_PHRASE = 10
"""Longer words are not put where the clause has them already: `probable cause or probable cause`."""
_MODALS = re.compile(r"(?:may|must|shall|need)\b")


def scope_changes(body: str) -> list[Change]:
    """Every way to change one qualifier of a clause so that it says another rule."""
    return [change for pattern, words in _COMPILED for change in _changes(body, pattern, words)]


def _changes(body: str, pattern: re.Pattern[str], words: str) -> Iterator[Change]:
    for found in pattern.finditer(body):
        if in_quotation(body, found.start()):
            continue
        if words in _OF_DEGREE and _DENIED.search(body[: found.start()]):
            continue
        if (len(words) > _PHRASE or words.strip() in {"must", "may"}) and words in body:
            continue
        # What only a condition lets or forbids is no rule that could be another.
        if _MODALS.match(found.group()) and _DEPENDENT.search(body[: found.start()]):
            continue
        # Of a rule the order is turned round by `only after`; of a fact that was, by `after`.
        only = "only " if _RULE.search(body[: found.start()]) else ""
        yield Change(found.start(), found.end(), words.format(only=only, **found.groupdict()))
