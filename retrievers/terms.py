"""Words as lawyers use them: stems, and statutes, sections and reporter cites that stay whole."""

from __future__ import annotations

import re
from functools import lru_cache

import snowballstemmer

from parcel_agents.citations.quantities import number_values

# Function words that say nothing of what a passage is about. "Not", "no" and "without" stay: they are rare
# enough in a query to do no harm, and they matter to a reader of the scores.
_STOP_WORDS = frozenset(
    "a an the this that these those of in on at to from by for with as and or but nor so than then there here"
    " it its he his him she her they their them we our us i you your is are was were be been being has have had"
    " do does did which who whom whose what when where while whether if because since under upon into over"
    " such any all each both only also may might can could would should shall will must s t".split()
)
# 30.30, 125.25-a and 34 keep their digits together; a word may hold an apostrophe or a hyphen inside.
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*(?:-[a-z]\b)?|[^\W\d_]+(?:['’][^\W\d_]+)?")
_stemmer = snowballstemmer.stemmer("english")


def terms(text: str) -> list[str]:
    """The text's terms in order, lower-cased and stemmed, without function words."""
    found = []
    for token in _TOKEN.findall(text.lower()):
        word = re.sub(r"['’]s?$", "", token)
        if word and word not in _STOP_WORDS:
            found.append(stem(word))
    return found


@lru_cache(maxsize=256)
def term_set(text: str) -> frozenset[str]:
    """The text's terms, kept for the texts asked for last: every claim about an opinion asks for the opinion's."""
    return frozenset(terms(text))


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The stem of a lower-case word; a number is its own stem."""
    return str(_stemmer.stemWord(word)) if word[0].isalpha() else word


def missing_words(claim: str, text: str) -> list[str]:
    """The claim's words, as it writes them, that the text lacks; in order, each once.

    A word is there if one of the same stem is, a number if the text gives it in words or digits.
    """
    present = term_set(text)
    missing: dict[str, str] = {}
    for token in _TOKEN.findall(claim):
        stems = terms(token)
        if stems and stems[0] not in present and not number_values(token) & number_values(text):
            missing.setdefault(stems[0], token)
    return list(missing.values())
