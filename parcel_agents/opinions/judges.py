"""How courts name their judges: the pieces of which the lines that begin and end opinions are made.

Names are any capitalized words, so every form that uses them asks for a judge's title as well.
"""

from __future__ import annotations

import re

_RANKS = (
    "Acting Administrative Appellate Associate Bankruptcy Board Chief Circuit County Deputy District Emeritus Federal"
    " Hearing Immigration Magistrate Military Municipal President Presiding Probate Recalled Retired Senior Special"
    " Superior Supervising Supreme Tax Temporary Trial United States Vice Visiting Court Appeals"
).split()
_SEATS = (
    "Judge Judges Justice Justices Chancellor Chancellors Surrogate Commissioner Commissioners Magistrate Referee"
    " Member Members"
).split()


def _either_case(words: list[str]) -> str:
    return "(?:" + "|".join([*words, *(word.upper() for word in words)]) + ")"


NAME = r"[A-Z][\w.'’*†‡-]*"
"""A word of a name; initials end with a period, and a star may call a note."""
_PARTICLE = r"(?:and|&|de|del|della|der|den|di|du|la|le|ten|van|von)"
NAMES = rf"{NAME}(?:,? (?:{NAME}|{_PARTICLE})){{0,16}}?"
"""One judge or several, with their titles before or after: `A.B. Gray, White and Black, JJ.`, `Chief Judge Gray`."""

OFFICE = (
    rf"(?:(?:Mr\.|MR\.|Mrs\.|Ms\.|Madam|MADAM|The|THE|Hon\.) )?(?:{_either_case(_RANKS)} )*{_either_case(_SEATS)}"
    r"(?: (?:Emeritus|EMERITUS|Pro Tem(?:pore)?|PRO TEM(?:PORE)?|[Dd]esignate))?"
)
"""A title in words: `Senior Circuit Judge`."""

INITIALS = (
    r"(?:"
    r"(?:(?:Ch|CH|Sr|Sp|[ACDEPRSTV])\. ?){0,3}"  # Ch. J., A.P.J., V.C.J., Sr. J.
    r"J{1,2}\."
    r"(?: ?(?:A\.? ?D|P\.? ?T|S\.? ?C|T\.? ?C|[APE])\.)?"  # J.A.D., J.P.T., J.S.C.
    r"|(?:AC|VC|AP|SP|C|P|A|S)J\b\.?"  # CJ, PJ
    r")(?: \(?(?:[Pp]ro [Tt]em(?:pore)?|[Rr]et(?:ired|\.)|[Ss]pecially [Aa]ssigned)\)?\.?)?"
)
"""A title in letters: `Ch. J.`, `P.J.A.D.`, `J.P.T.`."""

HAS_TITLE = re.compile(
    rf"\bJJ?\.|\bJs\.|\b(?:AC|VC|AP|SP|C|P|A|S)J\b|\b{_either_case(_SEATS)}\b|\b[Mm]emorandum\b|\bMEMORANDUM\b"
)
"""Found in what names a judge, and hardly in other capitalized words."""

PARAGRAPH = r"(?:[\[{]{0,2}¶+ ?\d{1,4}\.?[\]}]{0,2}\.? ?|\*\d{1,4} (?=[A-Z]))?"
"""The number that begins a paragraph in public-domain courts: `¶ 59`, `{¶ 59}`, `[¶59.]`; also a page mark."""

_SPACED = re.compile(r"(?<![A-Za-z])(?:[A-Z] ){2,}[A-Z](?![A-Za-z])")
_STARS = re.compile(r"[*†‡]+|(?<=[A-Za-z.])\d{1,2}\b")


def closed(text: str) -> str:
    """The text with spaced-out capitals written together: `T H U M M A, Judge` is `THUMMA, Judge`."""
    return _SPACED.sub(lambda found: found.group().replace(" ", ""), text)


def tidy_author(author: str) -> str:
    """The name without calls of notes and the period of its line, which stays where it belongs to `J.`."""
    author = _STARS.sub("", author).strip().rstrip(",;:")
    return author if re.search(r"\b[JDTECPA]+\.(?: ?P\.)?$", author) else author.rstrip(".")
