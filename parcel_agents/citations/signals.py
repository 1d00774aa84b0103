"""Signals: the words before a citation that say how it bears on the statement."""

from __future__ import annotations

import re

_SIGNAL = re.compile(
    r"(?:^|(?<=[\s(\[;,.:—–“\"]))(?P<signal>"
    r"(?:but )?see(?: also)?(?: generally)?(?:,? e\. ?g\.|,? eg)?|see (?:and )?compare|but cf\.?"
    r"|cf\.?(?:,? e\.g\.)?|accord|"
    r"contra|compare(?:,? e\.g\.)?|and compare|e\.g\.|(?:see )?generally|(?:in turn )?(?:quoting|citing)(?: also)?|"
    r"as (?:stated|held) in|quoted in|cited in|(?:but|and) see(?: also)?|disapproving|distinguishing|overruling"
    r"|following"
    r"),?\s*[(\[]?\s*\Z",
    re.IGNORECASE,
)
_WITH = re.compile(r"(?:,|;)?\s(?:and )?with,?\s*\Z", re.IGNORECASE)
_NEXT = re.compile(r"(?P<closers>[)\]]{0,2})(?:\s*;\s*(?:and\s*)?|,?\s+and\s+)\Z")
_WINDOW = 32


def read_signal(text: str, floor: int, start: int) -> tuple[str, int] | None:
    """The signal that ends where a citation starts, and where the signal itself starts."""
    match = _SIGNAL.search(text, max(floor, start - _WINDOW), start)
    if not match:
        return None
    return re.sub(r"[,\s]+", " ", match["signal"]).lower(), match.start("signal")


def follows_with(text: str, floor: int, start: int) -> int | None:
    """Where the citation before ends if this one follows it with `with`, as in `compare ... with ...`."""
    match = _WITH.search(text, max(floor, start - 12), start)
    return match.start() if match else None


def follows_in_string(text: str, floor: int, start: int) -> range:
    """Where the citation before may end if this one follows it in a string, behind a semicolon; else an empty range.

    A bracket before the semicolon may be the end of its parenthetical, or the one in which it stands.
    """
    match = _NEXT.search(text, max(floor, start - 14), start)
    return range(match.start(), match.end("closers") + 1) if match else range(0)
