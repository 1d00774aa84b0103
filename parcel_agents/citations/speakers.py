"""Whose words a claim says it reports: the Court's, a dissent's, a concurrence's."""

from __future__ import annotations

import re
from dataclasses import dataclass

from parcel_agents.types import PartKind

_JUDGE = (
    r"(?:(?:Chief )?(?:Judge|Justice) (?P<titled>[A-Z][\w.'’-]+)"
    r"|(?:(?:[A-Z]\. ?[A-Z]?\.? ?)?[A-Z][\w'’-]+(?:, (?:and )?| and ))*"
    r"(?P<untitled>[A-Z][\w.'’-]+(?: [A-Z][\w'’-]+)?), (?:Ch\. |C\. ?)?JJ?\.,?)"
)
_MANNER = r"(?P<manner>dissent|concurr)(?:ing|ed|s)?\b"
# "Garcia, J., dissenting, ..." or "Chief Judge Hall, concurring, ..." at the start
_NAMED = re.compile(rf"^\W*{_JUDGE},? {_MANNER}")
# "dissent reasoning that ...", "the concurrence would ...", "dissenting opinion stating ..." at the start
_PLAIN = re.compile(
    r"^\W*(?:[Tt]he |[Aa] |[Tt]wo )?(?P<manner>[Dd]issent|[Cc]oncurr|[Pp]lurality)(?:ing|ence|ers?|ents?)?"
    r"(?: (?:opinion|judges?))?\b(?!['’])"
)
# "cautioning, through Judge Graffeo's dissent, that ...", "noting, in dissent, ..."
_THROUGH = re.compile(
    r"\b(?:in|through|per) "
    r"(?:(?:Judge|Justice|Chief Judge) (?P<author>[A-Z][\w.'’-]+?)['’]s? |a |the |(?:his|her|their) )?"
    r"(?:partial )?(?P<manner>dissent|concurr)(?:ence|ing opinion)?\b"
)
_COURT = re.compile(r"^\W*(?:[Tt]he )?(?:[Mm]ajority|Court)\b(?!['’])|\b(?:for|by) the (?:majority|Court)\b")
_AUTHOR = re.compile(r"(?:Judge|Justice) (?P<author>[A-Z][\w.'’-]+?)['’]s (?:majority )?opinion for")


# A dissent in the court below is reported by whoever writes here.
_BELOW = re.compile(
    r"\bdissent\w*,? (?:at|in|from) the (?:Appellate (?:Division|Term)|(?:\w+ )?(?:Circuit|Department|court) )"
    r"|\bdissent\w* (?:below|Justices?)\b|\bJustices? (?:\w+ )?(?:who )?dissent"
    r"|Appellate (?:Division|Term)['’]s? dissent"
)


@dataclass(frozen=True)
class Speaker:
    """Whom a claim makes speak."""

    kind: PartKind
    """`majority` where the claim names nobody: an unattributed claim speaks for the Court."""
    author: str | None
    """The judge's surname where the claim gives it."""
    text: str
    """The words of the claim that say so; empty where it names nobody."""


def find_speaker(claim: str) -> Speaker:
    """Whose words the claim says it reports."""
    if _BELOW.search(claim):
        return Speaker("majority", None, "")
    if match := _NAMED.search(claim):
        return Speaker(_kind(match["manner"]), match["titled"] or match["untitled"], match.group().strip(" ("))
    if match := _THROUGH.search(claim):
        return Speaker(_kind(match["manner"]), match["author"], match.group())
    if match := _PLAIN.search(claim):
        return Speaker(_kind(match["manner"]), None, match.group().strip(" ("))
    if match := _COURT.search(claim):
        author = _AUTHOR.search(claim)
        return Speaker("majority", author["author"] if author else None, match.group().strip(" ("))
    return Speaker("majority", None, "")


def _kind(manner: str) -> PartKind:
    manner = manner.lower()
    return "dissent" if manner == "dissent" else "plurality" if manner == "plurality" else "concurrence"
