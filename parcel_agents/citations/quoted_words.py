"""The words of an opinion and of a quotation, told apart from what a quotation may change.

White space, quote marks and invisible characters are no part of a word; letters in brackets are (`[t]he` is the
word `the`). Which words turn, limit or measure a sentence is a table here: a quotation may never lose them.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, NamedTuple

WordClass = Literal["negation", "modal", "quantifier", "condition", "number", "date", "name", "function", "other"]

_TABLE: dict[WordClass, frozenset[str]] = {
    "negation": frozenset(
        "not no nor never neither none nothing nobody nowhere without cannot hardly rarely barely scarcely seldom non"
        " lack lacks lacked lacking fail fails failed failing failure refuse refuses refused refusing refusal"
        " deny denies denied denying denial reject rejects rejected rejecting decline declines declined declining"
        " disagree disagrees disagreed incorrect incorrectly wrongly doubt doubtful instead rather".split()
    ),
    "condition": frozenset(
        "if unless until except excepting provided absent only solely merely exclusively but although though whether"
        " despite notwithstanding regardless when whenever where wherever while however insofar subject lest".split()
    ),
    "modal": frozenset("may might must shall should can could would will need ought".split()),
    "quantifier": frozenset(
        "all any every each some most many few several both either or least less more fewer half single sole always"
        " sometimes often usually generally ever entire entirely".split()
    ),
    # "May" is a month beside a number only; `_classify` sees to it.
    "date": frozenset("january february march april june july august september october november december".split()),
    "number": frozenset(
        "$ % € £ zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million"
        " billion dozen first second third fourth fifth sixth seventh eighth ninth tenth twice percent".split()
    ),
    "function": frozenset(
        "a an the this that these those such of in on at to from by for with as and it its he his him she her hers they"
        " their theirs them we our us i my you your who whom whose which one is are was were be been being am has have"
        " had having do does did so also there here than then s & itself himself herself themselves".split()
    ),
}
_CLASS_OF: dict[str, WordClass] = {word: kind for kind, words in _TABLE.items() for word in words}
PRONOUNS = frozenset(
    "this that these those such it its he his him she her hers they their them we our us i my you your who whom which"
    " itself himself herself themselves there".split()
)
"""Words that a bracket may replace by what they stand for."""
PROTECTED: frozenset[WordClass] = frozenset({"negation", "modal", "quantifier", "condition", "number", "date", "name"})

# Soft hyphens and zero-width signs show nothing; combining marks belong to the letter before them.
_INVISIBLE = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
_LETTERS = rf"[^\W_](?:[^\W_]|[\u0300-\u036f{_INVISIBLE}])*"
# An editor's note is made of these words alone: whatever else stands in a bracket is part of the quotation.
EDITORS_NOTE = (
    r"[\[(](?=[^\[\]()]*\b(?:sic|up|omitted|added|supplied|removed|deleted|original|altered|mine)\b)"
    r"(?:(?:sic|cleaned up|internal|further|other|some|and|in|the|my|original|emphas[ie]s|citations?|cites?|quotations?"
    r"|quotes?|marks?|footnotes?|brackets?|alterations?|ellips[ei]s|parentheticals?|omitted|added|supplied|removed"
    r"|deleted|altered|mine)\b[\s,;]*)+[\])]"
)
"""What matches a note such as `(emphasis added)`."""
_SCANNER = re.compile(
    rf"(?P<editorial>{EDITORS_NOTE})"
    # ". . .", "...", "…", and "* * *" as the New York reports have it, in brackets or not
    r"|(?P<ellipsis>\[\s*(?:\.(?:\s?\.){2,3}|…)\s*\]|\.(?:\s{0,2}\.){2,3}|…\s?\.?|\*(?:\s?\*){2})"
    r"|(?P<number>\d+(?:[.,:]\d+)*(?:[^\W\d_]+)?)"
    rf"|(?P<word>(?:\[(?:[.,;]\s)?[^\W\d_]{{1,3}}\](?=[^\W\d_])|(?<!\w)\([^\W\d_]\)(?=[a-z]))?{_LETTERS}"
    rf"(?:['’]{_LETTERS})*(?:\[[a-z]{{0,4}}\](?:[^\W\d_])*)?)"
    r"|(?P<symbol>[$%§¶€£&])"
    r"|(?P<open>\[)|(?P<close>\])"
    r"|(?P<mark>[.,;:?!/]|-{1,3}|[‐-―])"
)
_OMITS_TEXT = re.compile(r"\b(?:citations?|cites?|footnotes?|parentheticals?)\b", re.IGNORECASE)
# "[, t]he" takes the place of "; The".
_NO_LETTER = re.compile(rf"^\[[.,;]\s|[{_INVISIBLE}\[\]()]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_HYPHENS = "-\u2010\u2011"
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
_SENTENCE_END = (".", "?", "!", ":", "…")


class Word(NamedTuple):
    """A word of a text."""

    key: str
    """What is compared: without brackets, marks and case; numbers without the commas between thousands."""
    text: str
    """The word as it stands there."""
    start: int
    end: int
    after: str
    """The punctuation up to the next word, without quote marks, brackets and white space."""
    joined: bool
    """True if a hyphen ties it to the next word."""
    bracket: bool
    """True if it stands in square brackets or ends in them."""
    skip: bool
    """True if an ellipsis stands between it and the word before."""
    kind: WordClass

    @property
    def protected(self) -> bool:
        """True if the word turns, limits, measures or names; such a word is never noise."""
        return self.kind in PROTECTED

    @property
    def turns(self) -> bool:
        """True for what an ellipsis may not skip: a negation or a condition.

        The "non" of "non-residents" turns the word that it is tied to, and goes with it.
        """
        return self.kind in {"negation", "condition"} and not (self.joined and self.key == "non")

    @property
    def is_light(self) -> bool:
        """True for articles, prepositions, pronouns, forms of `be`: what a bracket may drop or add."""
        return self.kind == "function"


def read_words(text: str) -> list[Word]:
    """The words of a text, in order; notes such as `(emphasis added)` and `[sic]` are none."""
    words: list[Word] = []
    # What is known of the word last seen, which is complete when the next one begins.
    held: re.Match[str] | None = None
    marks, depth, bracket, skip, next_skip = "", 0, False, False, False

    def finish(next_start: int) -> None:
        if held is not None:
            joined = next_start - held.end() == 1 and text[held.end()] in _HYPHENS
            words.append(_word(held, marks, joined, bracket, skip, words))

    for match in _SCANNER.finditer(text):
        what = match.lastgroup
        if what in {"word", "number", "symbol"}:
            finish(match.start())
            raw = match.group()
            # "[t]he" has a letter's case changed and nothing else; "h[is]" may be another word.
            bracket = depth > 0 or "[" in raw[1:]
            skip = next_skip and held is not None
            held, marks, next_skip = match, "", False
        elif what == "mark":
            marks += "-" if match.group()[0] not in ".,;:?!/" else match.group()
        elif what == "open":
            depth += 1
        elif what == "close":
            depth = max(0, depth - 1)
        elif what == "ellipsis":
            next_skip = True
            # Four dots are the end of a sentence and an ellipsis.
            marks += ".…" if match.group().count(".") == 4 else "…"
        else:
            next_skip = next_skip or _OMITS_TEXT.search(match.group()) is not None
    finish(len(text) + 2)
    return words


def _word(match: re.Match[str], after: str, joined: bool, bracket: bool, skip: bool, before: list[Word]) -> Word:
    raw = match.group()
    key = raw.lower() if raw.isascii() and raw.isalpha() else _key(raw)
    previous = before[-1] if before else None
    begins = previous is None or skip or previous.after.endswith(_SENTENCE_END)
    capital = raw.strip("[(")[:1].isupper()
    kind = _classify(key, capital, begins, previous)
    if previous is not None and previous.text == "May" and key[:1].isdigit():
        before[-1] = previous._replace(kind="date")
    return Word(key, raw, match.start(), match.end(), after, joined, bracket, skip, kind)


def plain(word: str) -> str:
    """A word without brackets and invisible characters, with straight apostrophes."""
    return unicodedata.normalize("NFKC", _NO_LETTER.sub("", word)).replace("’", "'")


def _key(raw: str) -> str:
    if raw.isascii() and raw.isdigit():
        return raw
    key = plain(raw).casefold()
    return _THOUSANDS.sub("", key) if key[:1].isdigit() else key


def class_of(key: str, otherwise: WordClass) -> WordClass:
    """The class of a word by its letters alone; what it was taken for, if no table has it."""
    known = _CLASS_OF.get(key)
    return known if known is not None and known != "date" else otherwise


def _classify(key: str, capital: bool, begins: bool, previous: Word | None) -> WordClass:
    known = _CLASS_OF.get(key)
    if key == "may" and capital and previous is not None and previous.kind in {"number", "date"}:
        return "date"
    if known is not None and (known != "date" or capital):
        return known
    if key[:1].isdigit():
        return "date" if _YEAR.fullmatch(key) else "number"
    if key.endswith("n't"):
        return "negation"
    return "name" if capital and not begins else "other"
