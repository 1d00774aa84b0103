"""Putting words into a claim, and what no lawyer would leave in one."""

from __future__ import annotations

import re

from parcel_agents.generation.rules.negation import Change

MIN_WORDS, MAX_WORDS = 8, 60
NUMBER_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
    " nineteen twenty"
).split()
"""`one` is missing: it is a pronoun as often as a number."""
MONTHS = "January February March April May June July August September October November December".split()
_WORD = re.compile(r"[^\W\d_]{3,}(?:['’-][^\W\d_]+)*")
_COMMON = frozenset(
    "about after also and any are because been before being between both but can cannot could defendant did does each"
    " for from had has have her here him his however into its may more most must not one only other our out over own"
    " shall she should some such than that the their them then there these they this those through under until upon"
    " was were what when where whether which while who whom whose will with would court courts people case order judge"
    " law rule whose said made make without within during against same two all nor either neither even though although"
    " thus".split()
)
_DOUBLED = re.compile(r"\b(?!that\b|had\b)(\w+) \1\b", re.IGNORECASE)
_BROKEN = re.compile(
    r" [,.;:)]|,,|\( |[{}…]|\[(?!\d{4}\])|(?<!\d{4})\]|\.\.|  |,$|\b(?:a|an|the) (?:a|an|the|of|to|and|or)\b"
    r"|\bnot not\b|-$|\b(?:the|a|an|of|to|and|or|but|not|by|with|for|that|which|whether|as|than)$"
)
_AN = re.compile(
    r"(?:[aeioAEIO](?!ne\b|nce\b|uro)|[uU](?!ni(?!n[a-z])|se|su|til|ter)|hou?r|hones|hono|heir|8|11\b|18\b)"
)


def content_words(text: str) -> frozenset[str]:
    """The words of a text that tell what it is about, in small letters and without a plural's ending."""
    words = (word.lower() for word in _WORD.findall(text))
    return frozenset(re.sub(r"(?<=[a-z]{3})(?:['’]s|s['’]?)$", "", word) for word in words if word not in _COMMON)


def put(text: str, change: Change) -> str:
    """The text with the change, and with `a` or `an` set right before the new words and at their end."""
    changed = change.apply(text)
    begin, end = max(0, change.start - 4), change.start + len(change.words)
    pieces, place = [], 0
    for found in re.finditer(r"\b([Aa])n? (?=\w)", changed):
        if begin <= found.start() <= end:
            pieces += [changed[place : found.start()], found[1], "n " if _AN.match(changed, found.end()) else " "]
            place = found.end()
    return "".join([*pieces, changed[place:]])


def whole_words(text: str, change: Change) -> Change:
    """The same change said in whole words: `was` becomes `was not`, where ` not` was put behind `was`."""
    start = change.start
    while start and not text[start - 1].isspace() and (change.words.startswith((" ", "not")) or not change.words):
        start -= 1
    return Change(start, change.end, text[start : change.start] + change.words)


def is_well_formed(claim: str) -> bool:
    """True for 8 to 60 words in round brackets without doubled words, stray signs or half quotations."""
    inner = claim[1:-1]
    if not MIN_WORDS <= len(inner.split()) <= MAX_WORDS or inner.count("“") != inner.count("”") or inner.count('"') % 2:
        return False
    depth = 0
    for character in inner:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0 and not _DOUBLED.search(inner) and not _BROKEN.search(inner)
