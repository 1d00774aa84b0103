"""A claim that follows a sentence of the right voice but for one word that makes it another statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from parcel_agents.types import Opinion
from parcel_agents.verifiers.alignment import Change, Word, claim_body
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.checks.finding import Finding
from parcel_agents.verifiers.checks.opposites import (
    NEGATIONS,
    are_opposite,
    are_other_bodies,
    are_other_modals,
    is_hedged,
    number_of,
)
from parcel_agents.verifiers.matching import Match, close_matches

MIN_SHARE = 0.8
"""So much of the claim must stand in the sentence, in order, for the rest to be held against it."""
MAX_OMITTED = 4
"""So many telling words of the sentence may the claim leave out besides."""
# With `not` these forbid, while `need not` leaves free.
_FORBIDDING = frozenset({"may", "must", "should", "shall", "could", "can"})
_NO_NAMES = frozenset(
    "defendant plaintiff petitioner respondent appellant claimant people state city county court judge justice"
    " officer detective sergeant trooper investigator deputy agent doctor attorney general district department"
    " division circuit term appellate supreme federal united states american congress legislature governor"
    " constitution law act code section amendment clause rule the mr ms mrs dr new york january february march"
    " april may june july august september october november december".split()
)


@dataclass(frozen=True)
class _Turn:
    kind: str
    change: Change


def altered_words(task: Task) -> Iterator[Finding]:
    """A finding if exactly one word that matters differs from the sentence of the right voice nearest to the claim.

    Silent where any sentence says what the claim says, where the claim has other words of its own, and where it leaves
    out others that limit or turn the sentence.
    """
    matches = [match for match in close_matches(task) if match.right_voice and match.kind != "closing"]
    if not matches or any(match.alignment.near for match in matches):
        return
    match = matches[0]
    turn = _only_turn(match, task.opinion)
    if turn is None:
        return
    body = claim_body(task.claim.text)
    sentence = task.opinion.text[match.ref.start : match.ref.end]
    said, says = (_with_neighbours(text, turn.change, side) for side, text in enumerate((body, sentence)))
    yield Finding(
        "altered",
        "refuted",
        said,
        f"the opinion says “{says}”, the claim “{said}”",
        (match.ref.model_copy(update={"relation": "contradicts"}),),
        against=says,
    )


def _only_turn(match: Match, opinion: Opinion) -> _Turn | None:
    """The one change that makes another statement; None if there is none, or more, or something else is in doubt."""
    alignment = match.alignment
    if alignment.share < MIN_SHARE:
        return None
    turns: list[_Turn] = []
    omitted = 0
    for change in alignment.changes:
        kind = _kind(change, opinion)
        if kind:
            turns.append(_Turn(kind, change))
        elif change.claim or any(_weighs(word) for word in change.sentence):
            return None
        else:
            omitted += len(change.sentence)
    if len(turns) != 1 or omitted > MAX_OMITTED:
        return None
    # Words outside the stretch may turn it as well: `It is not true that ...`.
    return turns[0] if all(word in turns[0].change.sentence for word in alignment.around) else None


def _kind(change: Change, opinion: Opinion) -> str:
    """What sort of change this is; empty for one that need not make another statement."""
    claim, sentence = change.claim, change.sentence
    behind = change.behind[1] if change.behind else None
    negated = behind is not None and behind.key == "not"
    if len(claim) + len(sentence) == 1:
        (word,) = claim or sentence
        if word.key in NEGATIONS and not (behind and is_hedged(behind)):
            return "negation"
        # `cannot` against `need not`
        return "modal" if word.key == "need" and negated else ""
    if are_other_bodies(claim, sentence):
        return "name"
    if len(claim) != 1 or len(sentence) != 1:
        return ""
    (one,), (other,) = claim, sentence
    numbers = number_of(one), number_of(other)
    if None not in numbers:
        return "number" if numbers[0] != numbers[1] else ""
    if are_other_modals(one, other):
        # What may not be done must not be done.
        return "" if negated else "modal"
    if "need" in {one.key, other.key} and {one.key, other.key} & _FORBIDDING:
        return "modal" if negated else ""
    if are_opposite(one, other):
        return "opposite"
    return "name" if _is_name(one, opinion) and _is_name(other, opinion) and _are_two(one, other, opinion) else ""


def _weighs(word: Word) -> bool:
    """True for a word whose change leaves a doubt whether the rest is the same statement."""
    return word.turns or number_of(word) is not None


def _is_name(word: Word, opinion: Opinion) -> bool:
    """True if the opinion has the word with a capital only."""
    plain = re.sub(r"['’]s?$", "", word.text)
    if len(plain) < 3 or not plain[0].isupper() or plain.lower() in _NO_NAMES:
        return False
    return bool(re.search(rf"\b{plain}\b", opinion.text)) and not re.search(rf"\b{plain.lower()}\b", opinion.text)


def _are_two(one: Word, other: Word, opinion: Opinion) -> bool:
    """False if the names stand side by side somewhere: they may be one person's."""
    a, b = (re.escape(re.sub(r"['’]s?$", "", word.text)) for word in (one, other))
    beside = r"[,.]?(?: [A-Z]\.)?[\s-]"
    return a != b and not re.search(rf"\b(?:{a}{beside}{b}|{b}{beside}{a})\b", opinion.text)


def _with_neighbours(text: str, change: Change, side: int) -> str:
    """The words of the claim (side 0) or the sentence (side 1) as the text has them, with one before and one behind."""
    words = (*change.before[side : side + 1], *(change.claim, change.sentence)[side], *change.behind[side : side + 1])
    return " ".join(text[words[0].start : words[-1].end].split()) if words else ""
