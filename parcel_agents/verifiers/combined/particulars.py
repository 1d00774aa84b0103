"""Facts that a sentence may have otherwise than a claim: dates, numbers, degrees, sections and names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from parcel_agents.citations.authorities import without_citations
from parcel_agents.citations.quantities import find_names, find_numbers

Particulars = Mapping[str, Mapping[str, str]]
"""By kind, the facts in a form that can be compared, with the words of the text."""

FIGURES = ("date", "number", "degree", "section", "subdivision")

_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = re.compile(rf"\b(?P<month>{_MONTH}) (?P<day>\d{{1,2}})\b")
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_ORDINAL = re.compile(rf"\b(?P<word>{'|'.join(_ORDINALS)})\b(?:[- ][a-z]+)?", re.IGNORECASE)
_SECTION = re.compile(
    r"(?:§§?|\bCPL|\bCPLR|\b[Ss]ections?|\b[Aa]rticle|\bPart|\bAppeal No\.|\b[Cc]ount)\s*"
    r"\[?(?P<number>\d+(?:[.:]\d+)?(?:-[a-z])?)(?P<subdivisions>(?:\s*[\[(][0-9a-z]{1,4}[\])])*)"
)
_UNIT = re.compile(r"[\s-]+(?:and (?:a|one)[\s-]half )?(?:[a-z]+[\s-])?(?P<unit>minute|hour|day|week|month|year)s?\b")
_MONTH_OF_YEAR = re.compile(rf"\b(?P<month>{_MONTH})(?: \d{{1,2}})?,? (?P<year>(?:19|20)\d\d)\b")
_SUBDIVISION = re.compile(r"[\[(]([0-9a-z]{1,4})[\])]")


def find_particulars(text: str) -> Particulars:
    """The particulars of a text; what stands only in its citations of cases is left out."""
    found: dict[str, dict[str, str]] = {}
    for kind, key, words in _read(text):
        found.setdefault(kind, {}).setdefault(key, words)
    return found


def conflicts(claim: Particulars, sentence: Particulars, around: Particulars) -> Iterator[tuple[str, str, str]]:
    """Kinds of facts in which a claim and a sentence differ, with the words of both.

    There must be one of the claim's that the sentence and its surroundings lack, where the sentence has another.
    """
    for kind, facts in claim.items():
        lacking = [words for key, words in facts.items() if key not in around.get(kind, {})]
        others = [words for key, words in sentence.get(kind, {}).items() if key not in facts]
        if lacking and others:
            yield kind, lacking[0], others[0]


def find_times(text: str) -> dict[str, str]:
    """Spans of time and months of a year in a text, in a form that can be compared, with the words of the text."""
    found = {}
    for quantity in find_numbers(text):
        end = quantity.start + len(quantity.text)
        # The half of `three and one-half years` is no number of its own.
        if (unit := _UNIT.match(text, end)) and not unit.group().lstrip(" -").startswith("half"):
            found[f"{quantity.value:g} {unit['unit']}"] = text[quantity.start : unit.end()]
    for match in _MONTH_OF_YEAR.finditer(text):
        found[f"{match['month']} {match['year']}"] = match.group()
    return found


def _read(text: str) -> Iterator[tuple[str, str, str]]:
    for match in _DATE.finditer(without_citations(text)):
        yield "date", f"{match['month']} {int(match['day'])}", match.group()
    # A day is no number of anything, nor is a section, nor a month a name.
    plain = without_citations(_SECTION.sub(" ", _DATE.sub(" ", text)))
    for quantity in find_numbers(plain):
        # "One" is an article as often as a number.
        if quantity.value != 1:
            yield "number", f"{quantity.value:g}", quantity.text
    for match in _ORDINAL.finditer(plain):
        yield "degree", match["word"].lower(), match.group()
    for match in _SECTION.finditer(text):
        yield "section", match["number"], match.group()
        for mark in _SUBDIVISION.findall(match["subdivisions"]):
            yield "subdivision", f"{match['number']} {mark}", match.group()
    for name in find_names(plain):
        yield "name", name.lower(), name
