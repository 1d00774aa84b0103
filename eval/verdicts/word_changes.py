"""One number, one name or one modal verb of a sentence put in another's place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from parcel_agents.citations.quantities import find_numbers
from parcel_agents.generation.rules.distractors import COURTS, persons
from parcel_agents.generation.rules.negation import Change
from parcel_agents.generation.rules.wording import NUMBER_WORDS
from parcel_agents.types import Opinion

MODALS = {
    "may": "must",
    "must": "may",
    "should": "may",
    "shall": "may",
    "can": "must",
    "could": "must",
    "might": "must",
    "cannot": "need not",
}
"""What each modal verb becomes. `would` and `will` have no other whose meaning is far enough from theirs."""
NEGATED_MODALS = {"may": "need", "must": "need", "should": "need", "shall": "need", "could": "need"}
"""The same before `not`: what may not be done must not be done, so `may not` becomes `need not`."""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_MODAL = re.compile(rf"(?<![\w-])({'|'.join(MODALS)})(?![\w-])(?= ([a-z]+))")
_SUBDIVISION = re.compile(r"\b(?:subdivisions?|paragraphs?|subparagraphs?|[\d.-]+) \($")
_NO_VERB = frozenset("a an the of and or is was in for".split())
"""Behind one of these a word that looks like a modal verb is none."""


def number_changes(sentence: str) -> Iterator[Change]:
    """A greater number in the place of each, in words for words and in digits for digits.

    `one` stays: it is a pronoun as often as a number.
    """
    for found in find_numbers(sentence):
        if sentence[: found.start].endswith("(") and not _SUBDIVISION.search(sentence[: found.start]):
            continue  # `(1)` counts the points of a list, and another number there changes nothing
        digits = re.search(r"\d[\d,]*", found.text)
        if digits is not None:
            value = int(digits.group().replace(",", ""))
            # Far enough that no rounding explains it, near enough to be the same kind of number (a year, an age).
            greater = value + (2 if value >= 100 else 1 if value > 1 else 2)
            words = f"{greater:,}" if "," in digits.group() else str(greater)
            start = found.start + digits.start()
            yield Change(start, start + len(digits.group()), words)
        elif (word := found.text.lower()) in NUMBER_WORDS[:-1]:
            yield _in_place(found.text, found.start, NUMBER_WORDS[NUMBER_WORDS.index(word) + 1])
        elif word in _TENS[:-1]:
            yield _in_place(found.text, found.start, _TENS[_TENS.index(word) + 1])


def modal_changes(sentence: str) -> Iterator[Change]:
    """Another modal verb in the place of each."""
    for match in _MODAL.finditer(sentence):
        before = sentence[: match.start()].rsplit(maxsplit=1)
        if match[2] in _NO_VERB or (before and before[-1].lower() in {"a", "an", "the"}):
            continue
        other = NEGATED_MODALS.get(match[1]) if match[2] == "not" else MODALS[match[1]]
        if other is not None:
            yield Change(match.start(1), match.end(1), other)


def entity_changes(sentence: str, opinion: Opinion) -> Iterator[Change]:
    """Each person or body of the sentence with each other of its kind that the opinion names."""
    for names in (persons(opinion), tuple(court for court in COURTS if court in opinion.text)):
        for name in names:
            for match in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", sentence):
                for other in names:
                    # `the Family Court and the Supreme Court` swapped within itself would be two of one.
                    if other not in sentence:
                        yield Change(match.start(), match.end(), other)


def _in_place(old: str, start: int, new: str) -> Change:
    return Change(start, start + len(old), new.capitalize() if old[0].isupper() else new)
