"""Courts as briefs abbreviate them and as opinions print them: are two of them one?"""

from __future__ import annotations

import re

_ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth".split(), 1
    )
}
_CIRCUIT = re.compile(
    r"\b(?P<which>\d{1,2}(?:st|d|nd|rd|th)|[a-z]+|d\.?\s?c\.?|fed\.?)\s(?:cir\.|circuit\b)", re.IGNORECASE
)


def same_court(cited: str, printed: str) -> bool | None:
    """True if a court in a citation is the one that an opinion prints, False if it is another; None if unknown.

    Only circuits are told from one another with certainty; a State's courts bear too many names.
    """
    mine, its = _circuit(cited), _circuit(printed)
    if mine and its:
        return mine == its
    plain = [re.sub(r"[\W_]+", " ", court).casefold().strip() for court in (cited, printed)]
    return True if plain[0] == plain[1] else None


def _circuit(court: str) -> str | None:
    found = _CIRCUIT.search(court)
    if not found:
        return None
    which = re.sub(r"[\s.]", "", found["which"]).lower()
    if which in {"dc", "columbia"}:
        return "dc"
    if which in {"fed", "federal"}:
        return "fed"
    if which in _ORDINALS:
        return str(_ORDINALS[which])
    digits = re.match(r"\d+", which)
    return digits[0] if digits else None
