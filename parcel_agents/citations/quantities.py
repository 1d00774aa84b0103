"""Numbers as words or digits, dates, and proper names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import numeric

_UNITS = dict(
    zip(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen".split(),
        range(1, 20),
        strict=True,
    )
)
_TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))
ORDINALS = dict(
    zip(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(),
        range(1, 13),
        strict=True,
    )
)
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_NUMBER_WORD = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:[- ](?P<unit>{'|'.join(list(_UNITS)[:9])}))?|(?P<small>{'|'.join(_UNITS)}))"
    r"(?P<scale> hundred| thousand)?\b",
    re.IGNORECASE,
)
_ORDINAL_WORD = re.compile(rf"\b(?:{'|'.join(ORDINALS)})\b", re.IGNORECASE)
_DIGITS = re.compile(
    r"(?<![\w.])\$?(?P<number>\d{1,3}(?:,\d{3})+|\d+)(?P<fraction>\.\d+)?(?P<part>[¼½¾])?(?:st|nd|rd|th)?(?![\d])"
)
_NAME = re.compile(r"(?<![\w.’'])[A-Z][a-z’'-]*[a-z](?:-[A-Z][a-z]+)?(?:['’]s)?(?![\w])")

_INSTITUTIONS = frozenset(
    "court courts supreme appellate division department departments circuit district term county city state states"
    " federal judge judges justice justices chief people legislature congress constitution constitutional amendment"
    " law laws code act acts article section rule rules clause bill".split()
)


@dataclass(frozen=True)
class Quantity:
    """A number in a text."""

    text: str
    """The words in the text."""
    value: float
    start: int


def find_numbers(text: str) -> list[Quantity]:
    """The cardinal numbers of a text, in words or digits, in order.

    Ordinals in words (`second degree`) are left out: they are part of names of offences and courts.
    """
    found = [Quantity(m.group(), _value(m), m.start()) for m in _DIGITS.finditer(text)]
    for match in _NUMBER_WORD.finditer(text):
        small = match["small"] or match["unit"] or ""
        value = _TENS.get((match["tens"] or "").lower(), 0) + _UNITS.get(small.lower(), 0)
        scale = {"hundred": 100, "thousand": 1000}.get((match["scale"] or "").strip().lower(), 1)
        found.append(Quantity(match.group(), float(value * scale), match.start()))
    return sorted(found, key=lambda quantity: quantity.start)


def _value(digits: re.Match[str]) -> float:
    whole = float(digits["number"].replace(",", "") + (digits["fraction"] or ""))
    return whole + (numeric(digits["part"]) if digits["part"] else 0)


@lru_cache(maxsize=128)
def number_values(text: str) -> frozenset[float]:
    """All values a text mentions, ordinals included: "the third request" vouches for three.

    Kept for the texts asked for last: every claim about an opinion asks for the opinion's.
    """
    ordinals = {float(ORDINALS[m.group().lower()]) for m in _ORDINAL_WORD.finditer(text)}
    return frozenset({quantity.value for quantity in find_numbers(text)} | ordinals)


def find_months(text: str) -> list[str]:
    """The months a text names with a day or year beside them."""
    return re.findall(rf"\b({_MONTHS})\b(?=,? \d)", text)


def find_names(text: str) -> list[str]:
    """Capitalised words that do not begin a sentence, without a possessive's ending.

    Words that name courts and offices are left out: they are abbreviated in as many ways as there are writers.
    """
    found = []
    for match in _NAME.finditer(text):
        before = text[: match.start()].rstrip(" \"“‘'")
        if before and not before.endswith((".", ":", "(", "[", "?", "!")):
            name = re.sub(r"['’]s$", "", match.group())
            if name.lower() not in _INSTITUTIONS and name.lower() not in ORDINALS:
                found.append(name)
    return list(dict.fromkeys(found))
