"""Words that scanning or setting in type spoiled: a hyphen at the end of a printed line, a lost ligature.

Only what the opinion's file has so is mended, and only into a word that the quotation has: `re-sult` and, with the
confusion of `i` and `l` that goes with such breaks, `re-suit` into `result`; `justifcation` into `justification`.
A quotation's own hyphens stay.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from parcel_agents.citations.quoted_words import Word, class_of

_LOST_LIGATURE = re.compile(r"fi(?=[^aeiouy\W\d_])")
_LEAST = 5
"""Shorter words may be two at the hyphen, or another word without a letter."""
_TWO_WORDS = frozenset(
    "resign resigned recover recovered recovery reform reformed recreation resent relay release released resort redress"
    " remark reserve recollect recount reprove".split()
)
"""With a hyphen these are other words."""
_WHOLE_WITHOUT = frozenset("fled fling flings flip fred".split())
"""These are words of their own: `fled` is no spoiled `filed`."""


def mend(words: Sequence[Word], wanted: Collection[str]) -> list[Word]:
    """The words of an opinion, with those put right that scanning spoiled.

    Args:
        words: of the opinion.
        wanted: the words of the quotation, as they are compared.
    """
    whole = frozenset(key for key in wanted if len(key) >= _LEAST and key.isalpha() and key not in _TWO_WORDS)
    alike = {_alike(key): key for key in whole}
    short = {bare: key for key in whole if (bare := as_spoiled(key)) != key and bare not in wanted}
    mended: list[Word] = []
    parted = False
    for word in words:
        if parted:
            first = mended[-1]
            letters = first.key + word.key
            key = letters if letters in whole else ""
            if not key and class_of(letters, "other") == "other":
                # `fail-ing` is whole as it stands, and no `falling`.
                key = alike.get(_alike(letters), "")
            if key:
                mended[-1] = _whole(first, word, key)
                parted = False
                continue
        if word.key in short:
            word = word._replace(key=short[word.key], kind=class_of(short[word.key], word.kind))
        mended.append(word)
        parted = word.joined and word.key.isalpha()
    return mended


def _whole(first: Word, second: Word, key: str) -> Word:
    return second._replace(
        key=key,
        text=first.text + second.text,
        start=first.start,
        bracket=first.bracket or second.bracket,
        skip=first.skip,
        kind=class_of(key, first.kind),
    )


def as_spoiled(word: str) -> str:
    """The word without the letter that a lost ligature takes from it; the word itself if it has none."""
    bare = _LOST_LIGATURE.sub("f", word)
    return word if bare in _WHOLE_WITHOUT else bare


def _alike(key: str) -> str:
    """The letters with those made one that scanners take for each other."""
    return key.replace("l", "i")
