"""Quotations that are followed by their source: words of another case or of a statute."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

MIN_WORDS = 4
"""Fewer quoted words are a phrase that the writer uses, not a statement that a source makes."""

_QUOTED = re.compile(
    r"(?P<words>“[^“”]{15,}”|\"[^\"]{15,}\")[,.;]?\s*\((?:see |quoting |citing |accord "
    r"|see also )?(?P<source>[^()]{3,200}(?:\([^()]*\)[^()]*)*)\)"
)
_CASE = re.compile(r"\b\d{1,4} [A-Z][\w.]*(?: ?[A-Z\d][\w.]*){0,3} (?:at )?\d+|\b[Ii]d\.|\bsupra\b|\bNY Slip Op\b")
_STATUTE = re.compile(
    r"§|\b(?:CPLR?|USC|NYCRR|US Const|NY Const|Const,? Amend|U\.? ?S\.? ?C\.|C\. ?F\. ?R\.)\b|\b[A-Z]\w+ Law\b"
    r"|^\s*(?:art|subd)"
)
# "CPL 30.30 (1) provides that", "Penal Law § 120.05 states", "The statute reads"
_PROVIDES = re.compile(
    r"^(?:(?:In relevant part|As relevant here|Specifically|Indeed|Moreover|Further),? )?"
    r"(?P<law>(?:(?:[A-Z][\w&]*,? (?:and |of )?){1,5}Law|CPLR?|SORA|(?:Former )?(?:CPL|Penal Law)|Section"
    r"|Subdivision|Article|Rule"
    r"|The statute|That (?:statute|section|subdivision)|[Tt]he (?:Fourth|Fifth|Sixth|Eighth|Fourteenth) Amendment)"
    r"(?: (?:former )?(?:§§?|article|section)? ?[\d.\-a-z]+)?(?:,? ?\([\w-]+\))*(?: of the [A-Z][\w ]+)?)"
    r",?(?: (?:in (?:relevant|pertinent) part|also|further|expressly|specifically))*,? "
    r"(?P<verb>provide[sd]?|states?|stated|reads?|defines?|defined|declares?)\b"
)


@dataclass(frozen=True)
class Quoted:
    """Quoted words and their source, by offsets in the sentence."""

    start: int
    end: int
    source: Literal["other_case", "statute"]
    who: str
    cue_start: int
    cue_end: int


def find_quoted(sentence: str) -> list[Quoted]:
    """The quotations with a citation behind them, and a sentence that says what a provision provides."""
    if found := _PROVIDES.match(sentence):
        return [
            Quoted(
                found.start("law"),
                len(sentence),
                "statute",
                found["law"].strip(),
                found.start("law"),
                found.end("verb"),
            )
        ]
    quoted = []
    for match in _QUOTED.finditer(sentence):
        source = match["source"]
        if len(match["words"].split()) < MIN_WORDS:
            continue
        kind: Literal["other_case", "statute"] | None = (
            "other_case" if _CASE.search(source) else "statute" if _STATUTE.search(source) else None
        )
        if kind:
            quoted.append(Quoted(*match.span("words"), kind, source.strip(), *match.span("source")))
    return quoted
