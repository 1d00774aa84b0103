"""Logic reversal: the outcome or the finding turned round by one word, the rest left as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from parcel_agents.generation.rules.negation import Change, in_quotation, negations

_PAIRS = """
affirmed/reversed affirming/reversing granting/denying dismissing/reinstating
sustained/overruled upheld/rejected sufficient/insufficient lawful/unlawful
lawfully/unlawfully admissible/inadmissible reasonable/unreasonable reasonably/unreasonably properly/improperly
proper/improper correctly/incorrectly valid/invalid validly/invalidly constitutional/unconstitutional timely/untimely
voluntary/involuntary voluntarily/involuntarily adequate/inadequate adequately/inadequately relevant/irrelevant
admitted/excluded necessary/unnecessary preserved/unpreserved consistent/inconsistent concurrent/consecutive
concurrently/consecutively permissible/impermissible permissibly/impermissibly authorized/unauthorized
credible/incredible ambiguous/unambiguous enforceable/unenforceable meritorious/meritless applicable/inapplicable
effective/ineffective warranted/unwarranted justified/unjustified unanimously/closely privileged/unprivileged
possible/impossible likely/unlikely known/unknown knowing/unknowing increased/decreased increases/decreases
strengthened/weakened strengthens/weakens broad/narrow broadly/narrowly mandatory/discretionary accepted/refused
harmless/prejudicial agreed/refused successful/unsuccessful successfully/unsuccessfully rational/irrational
intelligent/unintelligent related/unrelated erroneously/correctly wrongly/rightly
"""
_ONE_WAY = {
    "denied": "granted",
    "granted": "denied",
    "acquitted": "convicted",
    "lacked": "had",
    "lacks": "has",
    "rejected": "accepted",
    "present": "absent",
    "absent": "present",
    "supports": "undermines",
    "supported": "undermined",
    "precludes": "permits",
    "precluded": "permitted",
    "barred": "permitted",
    "prohibits": "permits",
    "prohibited": "permitted",
    "contradicted": "confirmed",
    "exceeded": "stayed within",
    "declined": "agreed",
    "refused": "agreed",
    "failed": "managed",
    "unable": "able",
    "able": "unable",
    "unaware": "aware",
    "aware": "unaware",
    "outside": "within",
    "guilty": "not guilty",
    "ineligible": "eligible",
    "eligible": "ineligible",
    "undisputed": "disputed",
    "consented": "objected",
    "objected": "consented",
    "satisfied": "failed to satisfy",
    "established": "failed to establish",
    "demonstrated": "failed to demonstrate",
}
_NEGATIVE = frozenset("failed refused declined unable lacked lacks denied insufficient unaware unlikely".split())
_CONTEXT = {
    "affirmed": r"(?= (?:the|and|in|as|by|with|insofar|on|without|those|that|defendant)\b|$|,)",
    "reversed": r"(?= (?:the|and|in|as|by|with|insofar|on|without|those|that|defendant)\b|$|,)",
    "barred": r"(?= by\b|$|,)",
    "denied": r"(?= (?:the|his|her|their|its|a|that|defendant|petitioner|plaintiff|respondent|both|suppression"
    r"|by|without"
    r"|in|leave)\b|$|,)",
    "granted": r"(?= (?:the|his|her|their|defendant|petitioner|plaintiff|respondent|a|leave|by|in|that"
    r"|suppression)\b|$|,)",
    "lacked": r"(?= [a-z])",
    "lacks": r"(?= [a-z])",
    "rejected": r"(?= (?:the|that|defendant|petitioner|plaintiff|a|his|her|by)\b)",
    "present": r"(?= (?:in|at|during|when|here)\b|$)",
    "absent": r"(?= (?:from|in)\b|$)",
    "supported": r"(?= (?:by|the|that|a)\b)",
    "precluded": r"(?= (?:by|the)\b)",
    "precludes": r"(?= the [a-z]+(?:ion|ment|al)\b)",
    "prohibits": r"(?= the [a-z]+(?:ion|ment|al)\b)",
    "declined": r"(?= to\b)",
    "refused": r"(?= to\b)",
    "accepted": r"(?= (?:the|that|a)\b)",
    "agreed": r"(?= to\b)",
    "failed": r"(?= to\b)",
    "able": r"(?= to\b)",
    "unable": r"(?= to\b)",
    "aware": r"(?= (?:of|that)\b)",
    "unaware": r"(?= (?:of|that)\b)",
    "outside": r"(?= the (?:scope|bounds|range|limits|purview)\b)",
    "guilty": r"(?= of\b)",
    "satisfied": r"(?= (?:the|its|his|her|that|their)\b)",
    "established": r"(?= (?:the|that|a|his|her)\b)",
    "demonstrated": r"(?= (?:the|that|a|his|her)\b)",
    "sustained": r"(?= (?:the|that|by|defendant|an)\b|$|,)",
    "consistent": r"(?= with\b)",
    "effective": r"(?= (?:assistance|representation)\b)",
    "ineffective": r"(?= (?:assistance|representation)\b|$|,)",
    "known": r"(?= (?:to|that)\b|$|,)",
    "related": r"(?= to\b)",
    "admitted": r"(?= (?:in|into|the|at|as|over|by|pursuant|for)\b|$|,)",
    "broad": r"(?= [a-z])",
    "narrow": r"(?= [a-z])",
}
"""What must follow a word for its opposite to mean the opposite: who `denied committing` it was denied nothing."""
_NOT_AFTER = {
    "guilty": r"(?:plead\w*|pled|plea of|not) $",
    "granted": r"(?:leave|Judge of the Court|was|were) $",
    "established": r"(?:be|has|have|is|are|was|were|well|been|firmly) $",
    "demonstrated": r"(?:be|has|have|is|are|was|were|been) $",
    "satisfied": r"(?:be|has|have|is|are|was|were|been|not) $",
    "known": r"(?:also|well) $",
    "lawful": r"un$",
    "effective": r"right to (?:the )?$",
}
_NO = {
    "reason": "reason",
    "evidence": "evidence",
    "basis": "a basis",
    "right": "a right",
    "authority": "authority",
    "duty": "a duty",
    "obligation": "an obligation",
    "indication": "an indication",
    "merit": "merit",
    "need": "a need",
    "error": "error",
    "ambiguity": "ambiguity",
    "doubt": "doubt",
    "justification": "justification",
    "requirement": "a requirement",
    "objection": "an objection",
    "support": "support",
    "proof": "proof",
    "warrant": "a warrant",
    "dispute": "a dispute",
    "prejudice": "prejudice",
}


def _opposites() -> dict[str, str]:
    pairs = [pair.split("/") for pair in _PAIRS.split()]
    return {**{one: other for pair in pairs for one, other in (pair, pair[::-1])}, **_ONE_WAY}


OPPOSITES = _opposites()
"""Each word and the one that turns the sentence round."""
_OPPOSITE = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(OPPOSITES, key=len, reverse=True))})(?![\w-])")
_NO_NOUN = re.compile(rf"\bno (?P<noun>{'|'.join(_NO)})\b")
_THERE = re.compile(
    r"\b[Tt]here (?:is|are|was|were) (?P<article>an? |ample |sufficient |considerable |some )?(?=(?!no\b|not\b"
    r"|a\b)[a-z])"
)
_OPEN_CLAUSE = re.compile(
    r"\b(?:if|unless|whether|when|whenever|where|who|whom|whose|which|until|once|whoever|any|as|after|before|while"
    r"|although|though|that|because|since|provided|than|rather|not|nor|neither|without|cannot|no)\b[^,]*$",
    re.IGNORECASE,
)
_OPEN_FOR_WORDS = re.compile(
    r"\b(?:if|unless|whether|whenever|until|once|any|every|rather|not|never|nor|neither|than|without|cannot|no|as|or|of"
    r" whether|either)\b[^,]*$",
    re.IGNORECASE,
)
_PERHAPS = re.compile(r"(?:may|might) (?:\w+ly )?(?:have\b|be (?!(?:\w+ly )?[a-z]+(?:ed|en|wn|ght)\b))")
"""What may or may not be so is not denied by `not`."""


_NOT_BEFORE = re.compile(r" (?:no|all|every|both|each|some|nevertheless|nonetheless|still|also|non\w+)\b")
_BUT = re.compile(r",? but (?:rather |instead |only )?|\brather\b|, only\b")
"""`not a home, but a boat`: the word cannot go where its counterpart stays."""


def reversals(body: str) -> list[Change]:
    """Every way to turn a clause round; the opposite of an adjective or outcome first, then one negation in or out."""
    return [*_outcomes(body), *_negated(body)]


def _outcomes(body: str) -> Iterator[Change]:
    for found in _OPPOSITE.finditer(body):
        word, before = found.group(), body[: found.start()]
        other = OPPOSITES[word]
        if re.search(rf"\b{other}\b", body) or in_quotation(body, found.start()) or _OPEN_FOR_WORDS.search(before):
            continue
        if not re.match(_CONTEXT.get(word, ""), body[found.end() :]) or re.search(
            _NOT_AFTER.get(word, r"(?!)"), before
        ):
            continue
        # `managed to show that any`: what only stands behind a negation needs it.
        if word in _NEGATIVE and re.search(r"\b(?:any|ever|either)\b", body[found.end() :]):
            continue
        if body[found.end() :].startswith((" or ", " and ")) or before.endswith((" or ", " and ")):
            continue
        yield Change(found.start(), found.end(), other)
    for found in _NO_NOUN.finditer(body):
        if not _OPEN_FOR_WORDS.search(body[: found.start()]) and not in_quotation(body, found.start()):
            yield Change(found.start(), found.end(), _NO[found["noun"]])


def _negated(body: str) -> Iterator[Change]:
    """One `not` put in or taken out of the main clause: a condition turned round contradicts nothing."""
    for found in _THERE.finditer(body):
        if not in_quotation(body, found.start()):
            start = found.start("article") if found["article"] else found.end()
            yield Change(start, found.end(), "no ")
    for change in negations(body):
        before = body[: change.start]
        auxiliary = len(before) - len(before.split()[-1]) if before.split() else 0
        if _OPEN_CLAUSE.search(body[:auxiliary]) or in_quotation(body, change.start):
            continue
        if _PERHAPS.match(body, auxiliary):
            continue
        if re.search(r"\b(?:all|every|both|each|any|hardly|scarcely|rarely)\b|\b[Tt]here \w+$", before) or re.match(
            r" (?:un|in[a-z]+[bt]le|im[a-z]+)", body[change.end :]
        ):
            continue
        if _NOT_BEFORE.match(body[change.end :]) or (not change.words and _BUT.search(body[change.end :])):
            continue
        yield change
