"""Turning a sentence into its opposite by one word: `not` put behind an auxiliary verb, or taken away.

Only what stays grammatical is done: a sentence in the simple past (`he fled`), or whose auxiliary is a main verb (`had
a knife`), is left alone, since `fled not` would tell a verifier that the sentence was made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_BE = frozenset("is are was were".split())
_HAVE = frozenset("has have had".split())
_DO = frozenset("do does did".split())
_MODALS = frozenset("may must should can could would will shall might".split())
AUXILIARIES = _BE | _HAVE | _DO | _MODALS
_NEGATIVE = frozenset("not no never neither nor none nothing nobody cannot hardly rarely without only".split())
# `than was required`, `as is usual`, `to have known`, `a will`, `the must`, `free will`
_BEFORE = frozenset("than as to so a an the free own against his her their its nor neither never not only".split())
_AFTER_DO = frozenset("so it this that these those the a an his her their its not nothing to for in with".split())
_PARTICIPLES = frozenset(
    "been become begun bought brought built come done drawn driven fallen felt found given gone grown had heard held"
    " kept known laid led left lost made meant met paid put read run said seen sent set shown sought stood struck"
    " sworn taken taught thought told understood won written borne chosen forgotten risen spoken stolen".split()
)
_ADVERBS = frozenset("also already always ever long now often since still thus therefore yet then".split())
_INVERTING = {*"Nor Neither Only Not Rarely Seldom Never Little So Such".split(), *map(str.capitalize, AUXILIARIES)}
"""Behind such a first word the verb stands before its subject, and `not` would stand between them."""
# `not only ... but`, `whether or not`, `if not`, `not to mention`: taking the word away would leave no sentence.
_FIXED_AFTER = frozenset("only merely simply just solely to alone more less unlike".split())
_TOKEN = re.compile(r"[^\s,;:.()“”\"—]+|[,;:.()“”\"—]")


@dataclass(frozen=True)
class Change:
    """A stretch of a sentence and the words to put there."""

    start: int
    end: int
    words: str

    def apply(self, sentence: str) -> str:
        """The changed sentence."""
        return sentence[: self.start] + self.words + sentence[self.end :]


def negations(sentence: str) -> list[Change]:
    """Every way to insert or remove one negation; those in quoted words only where there is no other."""
    found = [*_insertions(sentence), *_removals(sentence)]
    free = [change for change in found if not in_quotation(sentence, change.start)]
    return free or found


def in_quotation(sentence: str, offset: int) -> bool:
    """True if the place is between quotation marks."""
    before = sentence[:offset]
    return before.count("“") > before.count("”") or before.count('"') % 2 == 1


def _insertions(sentence: str) -> Iterator[Change]:
    tokens = [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(sentence)]
    if tokens and tokens[0][0] in _INVERTING:
        return
    for place, (word, _, end) in enumerate(tokens):
        if word not in AUXILIARIES or not 0 < place < len(tokens) - 1:
            continue
        before, after = tokens[place - 1][0].lower(), tokens[place + 1][0]
        behind = tokens[place + 2][0] if place + 2 < len(tokens) else ""
        if before in _BEFORE | AUXILIARIES or after.lower() in _NEGATIVE or not after[0].isalnum():
            continue
        if _takes_not(word, after, behind):
            yield Change(end, end, "not" if word == "can" else " not")


def _takes_not(word: str, after: str, behind: str) -> bool:
    """True if `not` can follow the verb, by the words behind it."""
    if word in _HAVE:
        return _is_participle(behind if after in _ADVERBS or after.endswith("ly") else after)
    if word in _DO:
        return after.islower() and after not in _AFTER_DO and not after.endswith(("ed", "ing", "ly"))
    if word in _BE:
        return (after, behind) != ("to", "say")
    # What follows a modal verb is another verb; a name or a number there means that it is none ("the will of 1990").
    return after.islower() and after not in _AFTER_DO


def _is_participle(word: str) -> bool:
    return word in _PARTICIPLES or (word.endswith("ed") and len(word) > 3 and word not in {"need", "indeed", "hundred"})


def _removals(sentence: str) -> Iterator[Change]:
    for match in re.finditer(r"\b(\w+) not\b(?= (\w+))", sentence):
        if match[1] in AUXILIARIES and match[2] not in _FIXED_AFTER and match[2] not in _NEGATIVE:
            yield Change(match.end(1), match.end(), "")
    for match in re.finditer(r"\b(can)not\b(?= (\w+))", sentence):
        if match[2] not in _FIXED_AFTER:
            yield Change(match.end(1), match.end(1) + len("not"), "")
