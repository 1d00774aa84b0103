"""Do two names stand for one case? Briefs abbreviate what files and captions spell out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_AGAINST = re.compile(r"(?:^|(?<=\s))v(?:s)?\.?\s+|\sversus\s", re.IGNORECASE)
_ONE_SIDED = re.compile(r"^(?:in re|in the matter of|matter of|ex parte|estate of|application of)\s+", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*\.?")
# Words that a name may have or lack and still be the same.
_EMPTY = frozenset(
    "the of and a an for by on in et al inc llc llp lp pc corp corporation co company ltd limited na plaintiff "
    "plaintiffs defendant defendants appellant appellants appellee appellees petitioner petitioners respondent "
    "respondents movant intervenor ex rel etc jr sr ii iii".split()
)
_ABBREVIATIONS = {
    "us": "united states",
    "usa": "united states",
    "ny": "new york",
    "dc": "district of columbia",
}
# A party that is one of these alone; within a longer name they are other words (`Ins.`, `Sec.`).
_AGENCIES = {
    "cia": "central intelligence agency",
    "dhs": "department homeland security",
    "dod": "department defense",
    "doj": "department justice",
    "epa": "environmental protection agency",
    "fbi": "federal bureau investigation",
    "fcc": "federal communications commission",
    "fda": "food drug administration",
    "ftc": "federal trade commission",
    "icc": "interstate commerce commission",
    "ins": "immigration naturalization service",
    "irs": "internal revenue service",
    "nrc": "nuclear regulatory commission",
    "sec": "securities exchange commission",
    "ssa": "social security administration",
}
# What stands behind a name and is no part of it: docket numbers, court and date.
_NO_NAME = re.compile(
    r"[\s,]*\((?:[^()]*\b(?:\d{1,2}/\d{1,2}/\d{2,4}|(?:1[6-9]|20)\d\d))\)"
    r"|,?\s(?:(?:Case|Docket|Civ(?:il|\.)?(?:\sA(?:ction|\.))?|Index|Dkt\.?)\s)?Nos?\.\s[\w:.-]*\d[\w:.-]*"
    r"|,\s(?:\d{2,4}-[\w-]*\d{2,}|\d{1,2}:\d{2}-[\w-]+)"
)
# Parties that are in too many names to tell a case.
_GOVERNMENT = frozenset(
    "people state commonwealth united states america government city county town village board department commissioner"
    " secretary attorney general director warden superintendent district school bank insurance estate matter"
    " new york california texas florida illinois ohio".split()
)
_SHORT = 3
"""Fewer letters abbreviate only a word of `_LONG` letters or more."""
_LONG = 5
_TELLING = 3
"""A party of so many telling words is known by them alone."""


@dataclass(frozen=True)
class CaseName:
    """The parties of a case, each as its telling words in lower case; one party in a case such as `In re Marlowe`.

    A word that is marked as abbreviated (`Constr.`, `Dep't`) ends with a period.
    """

    parties: tuple[tuple[str, ...], ...]

    @classmethod
    @lru_cache(maxsize=4096)
    def of(cls, name: str) -> CaseName:
        """The name in a caption, a citation or a file's name."""
        plain = _NO_NAME.sub("", name.replace("_", " ")).strip()
        if " " not in plain:
            plain = plain.replace("-", " ")
        sides = [side for side in _AGAINST.split(plain) if side and side.strip()]
        if len(sides) == 1:
            sides = [_ONE_SIDED.sub("", sides[0])]
        return cls(tuple(party for side in sides if (party := _telling(side))))

    def same_as(self, other: CaseName) -> bool:
        """True if each party of the shorter name is found among those of the other, in order.

        Of two parties both must be there: a file named after several pairs of parties holds them in order.
        """
        short, long = sorted((self, other), key=lambda one: len(one.parties))
        if not short.parties or min(2, len(long.parties)) > len(short.parties):
            return False
        place = 0
        for party in short.parties:
            while place < len(long.parties) and not _same_party(party, long.parties[place]):
                place += 1
            if place == len(long.parties):
                return False
            place += 1
        return True

    @property
    def is_distinctive(self) -> bool:
        """True if hardly two cases have this name: two parties that are no government, or one of many words."""
        own = [party for party in self.parties if not all(_bare(word) in _GOVERNMENT for word in party)]
        words = [_bare(word) for party in own for word in party if _bare(word) not in _GOVERNMENT]
        return (len(own) >= 2 and len(words) >= _TELLING) or any(len(party) > _TELLING for party in own)

    def other_party(self, other: CaseName) -> tuple[str, ...]:
        """The words of this name's other party, where one of its two is a party of the other; else nothing.

        The party in common must have so many words that it is no common name.
        """
        if len(self.parties) != 2:
            return ()
        for mine, rest in (self.parties, self.parties[::-1]):
            if len(mine) >= _TELLING and any(len(one) >= _TELLING and _same_party(mine, one) for one in other.parties):
                return rest
        return ()

    def likeness(self, other: CaseName) -> float:
        """Share of this name's words that the other has, for showing the nearest candidates."""
        words = [word for party in self.parties for word in party]
        theirs = [word for party in other.parties for word in party]
        return (
            sum(any(_same_word(word, their, True) for their in theirs) for word in words) / len(words) if words else 0.0
        )


def _telling(side: str) -> tuple[str, ...]:
    words = [_plain(word) for word in _TOKEN.findall(_spaced(side))]
    if len(words) == 1 and words[0] in _AGENCIES:
        return tuple(_AGENCIES[words[0]].split())
    spelled = [part for word in words for part in _ABBREVIATIONS.get(word.removesuffix("."), word).split()]
    return tuple(word for word in spelled if word.removesuffix(".") not in _EMPTY) or tuple(spelled)


def _plain(word: str) -> str:
    """In lower case, without apostrophes; with a period at the end if either marks it as abbreviated."""
    possessive = re.sub(r"['’]s\Z", "s", word)
    mark = "." if word.endswith(".") or re.search(r"['’]", possessive) else ""
    return re.sub(r"['’.]", "", word).lower() + mark


def _spaced(side: str) -> str:
    """Initials run together (`U.S.` to `US`), and what a lost apostrophe parts put together (`Dep t`, `O Brien`)."""
    side = re.sub(r"\bO[ '’](?=[A-Z])", "O", side)
    joined = re.sub(r"\b((?:[A-Za-z]\.){2,})", lambda found: found[0].replace(".", ""), side)
    return re.sub(r"(?<=\w) (?=(?:t|n|s|l)\b)", "'", joined)


def _same_party(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """True if all words of the shorter are in the longer, in order: first names and further parties may be missing.

    A party of one word may stand for the initials of the other: `nlrb`. Two or three letters stand for nobody alone.
    """
    short, long = sorted((one, other), key=len)
    if len(short) == 1 and len(long) > 1 and _bare(short[0]) in "".join(word[0] for word in long):
        return len(_bare(short[0])) > _SHORT
    if any(all(len(_bare(word)) == 1 for word in party) for party in (one, other)):
        # Initials alone are anybody's.
        return [_bare(word) for word in short] == [_bare(word) for word in long]
    place = 0
    told = False
    for word in short:
        while place < len(long) and not _same_word(word, long[place], len(short) > 1):
            place += 1
        if place == len(long):
            return False
        told |= _bare(word) == _bare(long[place]) or min(len(_bare(word)), len(_bare(long[place]))) > _SHORT
        place += 1
    return told


def _same_word(one: str, other: str, unmarked: bool) -> bool:
    """True if the words are equal, or one abbreviates the other.

    In a party of several words an abbreviation need not be marked, as file names have no periods; in a party of one, a
    person, it must: Smith is not Smithson.
    """
    bare, their = _bare(one), _bare(other)
    if bare == their:
        return True
    short = one if len(bare) <= len(their) else other
    return (unmarked or short.endswith(".")) and _abbreviates(*sorted((bare, their), key=len))


def _bare(word: str) -> str:
    return word.removesuffix(".")


@lru_cache(maxsize=65536)
def _abbreviates(short: str, long: str) -> bool:
    """True if the shorter word is an abbreviation of the longer: `bldg` building, `assn` association."""
    if short.isdigit() or long.isdigit():
        return False
    if short.endswith("s") and long.endswith("s") and len(short) > _SHORT:
        # Both are plurals: `labys` laboratories, `rests` restaurants.
        return _abbreviates(short[:-1].removesuffix("y"), long[:-1])
    if long.startswith(short):
        return len(short) != 2 or len(long) >= _LONG
    if len(short) < _SHORT:
        # `pa` Pennsylvania, `ct` court: the first letter and the last.
        return len(short) == 2 and len(long) >= _LONG and (short[0], short[-1]) == (long[0], long[-1])
    if short[0] != long[0] or len(short) > len(long) // 2 + 1:
        return False
    letters = iter(long)
    # A contraction keeps the last letter (`dept`, `natl`, `commn`); others keep their consonants (`bldg`, `twp`).
    return all(letter in letters for letter in short) and (short[-1] == long[-1] or not set(short[1:]) & set("aeiou"))
