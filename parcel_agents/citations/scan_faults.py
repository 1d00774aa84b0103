"""Words that scanning or setting in type spoiled: divided by a hyphen or a blank, or short of a ligature.

Only what the opinion's file has so is mended, and only into a word that the quotation has: `re-sult` and, with the
confusion of `i` and `l` that goes with such breaks, `re-suit` into `result`; `justifcation` into `justification`;
`c ity` into `city`; `de\ufffdned` into `defined`. A quotation's own hyphens and blanks stay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from parcel_agents.citations.quoted_words import Word, class_of

# The longest first: of "ffi" a font may keep one f, two, or none.
_LIGATURE = re.compile(r"ffi|ffl|ff|fi|fl")
_LIGATURES = ("ffi", "ffl", "ff", "fi", "fl")
_LEAST = 5
"""Shorter words may be two at the hyphen, or another word without a letter."""
_LEAST_OF_TWO = 4
_LEAST_WHOLE_PART = 4
_TWO_WORDS = frozenset(
    "resign resigned recover recovered recovery reform reformed recreation resent relay release released resort redress"
    " remark reserve recollect recount reprove".split()
)
"""With a hyphen these are other words."""
_WHOLE_WITHOUT = frozenset(
    "of fled fling flings flip fred fight fights fighting fighter fee fees feet fame famed fair fairs few fail fails"
    " failed failing fare fared fares favor favors favored favour favours fend fends infect infected infecting"
    " infection defect defects defected defection fat fats fatter fog fed fax fake faked fakes food foods four fit fits"
    " finch rife bled own air ash ask at it".split()
)
"""These are words of their own: `fled` is no spoiled `filed`, `defect` no `deflect`, `fight` no `flight`."""


def mend(words: Sequence[Word], wanted: Collection[str]) -> list[Word]:
    """The words of an opinion, with those put right that scanning or setting in type spoiled.

    Args:
        words: of the opinion.
        wanted: the words of the quotation, as they are compared.
    """
    whole = frozenset(key for key in wanted if len(key) >= _LEAST and key.isalpha() and key not in _TWO_WORDS)
    of_two = frozenset(key for key in wanted if len(key) >= _LEAST_OF_TWO and key.isalpha())
    alike = {_alike(key): key for key in whole}
    short = {bare: key for key in whole for bare in as_spoiled(key) if bare not in wanted}
    counts = Counter(word.key for word in words)
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
        elif mended and (key := _of_pieces(mended[-1], word, of_two, counts)):
            mended[-1] = _whole(mended[-1], word, key)
            continue
        if word.key in short:
            word = word._replace(key=short[word.key], kind=class_of(short[word.key], word.kind))
        mended.append(word)
        parted = word.joined and word.key.isalpha()
    return mended


def _of_pieces(first: Word, second: Word, whole: Collection[str], counts: Counter[str]) -> str:
    """The word that two pieces with a blank or an unreadable character between them make; empty if they make none.

    One of them must be no word: `in valid` may be two words, and so may `over time`.
    """
    if first.after or first.bracket or second.bracket or second.skip or second.start - first.end != 1:
        return ""
    if not any(_is_fragment(one.key, other.key, counts) for one, other in ((first, second), (second, first))):
        return ""
    return next((key for middle in ("", *_LIGATURES) if (key := first.key + middle + second.key) in whole), "")


def _is_fragment(piece: str, other: str, counts: Counter[str]) -> bool:
    """True if a piece stands nowhere else in the opinion and is not one of the common words."""
    if not piece.isalpha() or piece in {"a", "i"} or class_of(piece, "other") != "other":
        return False
    if len(piece) == 1:
        return True
    # What stands beside a common word may be one, too, though it comes but once.
    common = class_of(other, "other") != "other" or other in {"a", "i"}
    return counts[piece] == 1 and (not common or len(piece) < _LEAST_WHOLE_PART)


def _whole(first: Word, second: Word, key: str) -> Word:
    return second._replace(
        key=key,
        text=first.text + second.text,
        start=first.start,
        bracket=first.bracket or second.bracket,
        skip=first.skip,
        kind=class_of(key, first.kind),
    )


def as_spoiled(word: str) -> frozenset[str]:
    """The word as it reads where a font's ligatures lose letters: one, or all of them; empty if it has none."""
    return frozenset(_spoiled(word)) - _WHOLE_WITHOUT - {word}


def _spoiled(word: str) -> Iterator[str]:
    """The word with all its ligatures lost in one way: of each an `f` is left, or two, or nothing."""
    if not _LIGATURE.search(word):
        return
    yield _LIGATURE.sub("f", word)
    yield _LIGATURE.sub(lambda found: "ff" if len(found[0]) > 2 else found[0], word)
    yield _LIGATURE.sub(lambda found: found[0] if found[0] == "ff" else "f", word)
    yield word.replace("ff", "f")
    yield _LIGATURE.sub(lambda found: "ff" if found[0].startswith("ff") else "f", word)
    yield _LIGATURE.sub("", word)


def _alike(key: str) -> str:
    """The letters with those made one that scanners take for each other."""
    return key.replace("l", "i")
