"""Subsequent and prior history: the words between a decision and the one that affirmed, denied or reversed it."""

from __future__ import annotations

import re

_ENDING = r"(?:denied|den\.?|granted|dismissed|withdrawn|discontinued|abated)"
_RELATION = (
    r"(?:"
    r"aff(?:['’]?d|['’]?g|irmed|irming)|rev(?:['’]?d|['’]?g|ersed|ersing)|mod(?:['’]?d|fd|fg|['’]?g|ified|ifying)?"
    r"|(?:(?:petition for )?(?:lv|leave)(?: to (?:appeal|app))?|cert(?:iorari)?|app(?:eal)?|mot(?:ion)?|pet(?:ition)?"
    r"|rearg(?:ument)?|reh(?:['’]?g|earing)?(?: en banc)?|recons(?:ideration)?|review|writ|cause|stay|habeas corpus)\.?"
    rf"(?: (?:for|to) [a-z]+(?: [a-z]+){{0,4}})? {_ENDING}"
    r"|overruled|abrogated|superseded|disapproved|vacated|vacating|vacatg|remanded|on remand|remittitur amended"
    r"|amended|recalled|clarified|opinion after remand|prior opinion|after remand|transferred|certified question \w+"
    r")"
)
# Up to the next cite: "affd on op below", "cert denied sub nom. Quist v Ferris", "revd on other grounds". The words
# behind the relation may hold no bracket and end no sentence.
_GAP = re.compile(
    rf"[)\]]?,?\s*(?:and\s)?(?P<relation>{_RELATION}(?:,?\s(?:and|&)\s(?:[a-z]+\s){{0,3}}?{_RELATION})*)\b"
    r"(?P<rest>[^;()\[\]]{0,160}?)[\s(]*"
)
_OWN_NAME = re.compile(r"\b(?:by|sub nom\.?)(?:\sin)?\s")
_SENTENCE = re.compile(r"[a-z]{4}\.\s+[A-Z]|\n\s*\n")


def read_relation(text: str, start: int, end: int) -> str | None:
    """The relation that the words between two cites tell, `affd` or `cert denied`; None if they tell none."""
    if end - start > 240:
        return None
    gap = _GAP.fullmatch(text, start, end)
    if not gap or _SENTENCE.search(gap["rest"]):
        return None
    return " ".join(gap["relation"].split())


def names_another_case(text: str, start: int, end: int) -> bool:
    """True if the words between two cites give the second a name of its own (`overruled by`, `sub nom.`)."""
    return _OWN_NAME.search(text, start, end) is not None
