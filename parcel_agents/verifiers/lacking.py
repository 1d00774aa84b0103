"""Which of a claim's words a text does not have, told so that a reader can check it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from parcel_agents.citations.scan_faults import as_spoiled
from parcel_agents.retrievers.terms import missing_words
from parcel_agents.verifiers.alignment import claim_body

_WORD = re.compile(r"[^\W\d_]{5,}")
_OF_CITING = frozenset("citing quoting relying invoking following distinguishing".split())
"""How a claim says that the opinion names an authority; the opinion just names it."""
_LEAST = 5
_MOST_APART = 4
"""So many letters may each of two kindred words have behind what they have in common."""


@dataclass(frozen=True)
class Lacking:
    """The claim's telling words that a text lacks, in the claim's order."""

    words: tuple[str, ...]
    """Those of which it has no kindred word either."""
    kindred: tuple[tuple[str, str], ...]
    """Those that it has in another form, with that form: `government`, `governmental`."""

    def told(self) -> str:
        """In words; empty if nothing is lacking."""
        said = [f"does not use the words: {', '.join(self.words)}"] if self.words else []
        said += [f"has “{theirs}” for “{mine}”" for mine, theirs in self.kindred]
        return "; ".join(said)


def lacking(claim: str, text: str) -> Lacking:
    """What of a claim, without `holding that` and the like, stands nowhere in a text.

    A kindred word begins with the same letters, five at least: it may well say the same.
    """
    missing = [
        word
        for word in missing_words(claim_body(claim), text)
        if word.lower() not in _OF_CITING and not _is_spoiled(word.lower(), text)
    ]
    kindred = {word: theirs for word in missing if (theirs := _kindred(word.lower(), text))}
    return Lacking(tuple(word for word in missing if word not in kindred), tuple(kindred.items()))


def shortfall(claim: str, text: str) -> str:
    """Why a passage near to a claim does not say it, as far as its words tell."""
    return lacking(claim, text).told() or "has the claim's words, but not together"


def _is_spoiled(word: str, text: str) -> bool:
    """True if the text has the word as a scan spoils it: `suffcient`."""
    spoiled = as_spoiled(word)
    return bool(spoiled) and any(one.lower() in spoiled for one in _words(text))


def _kindred(word: str, text: str) -> str:
    """The first word of the text that begins as this one does and ends otherwise; empty if there is none."""
    return next((one for one in _by_head(text).get(word[:_LEAST], ()) if _are_kindred(word, one.lower())), "")


@lru_cache(maxsize=256)
def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_WORD.findall(text)))


@lru_cache(maxsize=256)
def _by_head(text: str) -> dict[str, list[str]]:
    """The words by their first letters, which kindred words share."""
    found: dict[str, list[str]] = {}
    for word in _words(text):
        found.setdefault(word.lower()[:_LEAST], []).append(word)
    return found


def _are_kindred(one: str, other: str) -> bool:
    common = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    # `contract` and `control` have less in common than `government` and `governmental`.
    longer = max(len(one), len(other))
    return common >= _LEAST and longer - common <= _MOST_APART and 2 * common > longer
