"""A number of years that the opinion never has, though it has the number elsewhere: another sentence, another age."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from parcel_agents.citations.authorities import without_citations
from parcel_agents.citations.quantities import find_numbers, number_values
from parcel_agents.retrievers.terms import stem
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.checks.finding import Finding

_SMALL = 3
_WITHIN = 4
"""So many words behind a number may its noun stand in the opinion: `seven to nine more years`."""
# The unit in which sentences and ages are told. Days and months are as often computed from dates by the claim's writer.
_UNIT_OF_TERMS = stem("years")
_UNIT = re.compile(r"^[\s-]+(?P<noun>[a-z]+)")
# `for assault it is 25.` may speak of years.
_OPEN = re.compile(r"\b(?:is|was|are|were|to|of|or|and|than|versus|not|least|most|another|be|as)(?: \w+ly)? $")
_ENDS = re.compile(r"\s*[.;,?!—)]|\s(?:and|or|to|versus|rather|instead|for|in|with)\b")
_WORD = re.compile(r"[^\W\d_]+")


def absent_quantities(task: Task) -> Iterator[Finding]:
    """A finding for each number of years that the opinion gives nowhere, though it has the number and counts years.

    A number that the opinion does not have at all is the business of `absent_numbers`.
    """
    text = without_citations(task.claim.text)
    present = number_values(task.opinion.text)
    counted = _counted(task.opinion.text)
    for quantity in find_numbers(text):
        behind = _UNIT.match(text[quantity.start + len(quantity.text) :])
        if behind is None or stem(behind["noun"]) != _UNIT_OF_TERMS or quantity.value <= _SMALL:
            continue
        if counted.years and quantity.value in present and quantity.value not in counted.years | counted.bare:
            shown = f"{quantity.text}{behind.group()}"
            yield Finding("quantity", "not_found", shown, f"the opinion speaks nowhere of {shown}")


@dataclass(frozen=True)
class _Counted:
    years: frozenset[float]
    bare: frozenset[float]


@lru_cache(maxsize=64)
def _counted(text: str) -> _Counted:
    """The numbers of a text with years shortly behind them, and those with no noun behind, which may mean years too."""
    years, bare = set(), set()
    text = without_citations(text)
    for quantity in find_numbers(text):
        end = quantity.start + len(quantity.text)
        if _OPEN.search(text[:end][-40 : -len(quantity.text)]) and _ENDS.match(text, end):
            bare.add(quantity.value)
        nouns = [stem(noun.group().lower()) for noun in list(_WORD.finditer(text, end, end + 60))[:_WITHIN]]
        if _UNIT_OF_TERMS in nouns:
            years.add(quantity.value)
    return _Counted(frozenset(years), frozenset(bare))
