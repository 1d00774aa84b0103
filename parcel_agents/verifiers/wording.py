"""Whether a claim has the very words of the stretch it repeats: prepositions, signs and units as well.

Laying telling words along a sentence says which sentence a claim is about. Whether it says the same hangs on the small
words too: who was struck *by* whom, *from* where *to* where, *-10* degrees, *p.m.*, and on what stands between commas.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<hour>\b[ap]\. ?m\b\.?)"
    r"|(?P<number>(?:(?<=\s)[-−–]|(?<=^)[-−–])?[$€£¥]? ?(?:(?<!\d)\.)?\d+(?:[.,:/]\d+)*(?:-[a-z]\b)?(?: ?%)?)"
    r"|(?P<numbered>\([^\W_]{1,4}\)(?![^\W\d_]))"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"(?P<verb>\w+?)(?:n['’]t|(?<=can)not)")
# All that a claim may put in or leave out. Pronouns and prepositions are not here: they say who does what to whom.
_NOISE = frozenset("a an the this these those that such thus therefore then also there here do does did".split())
_HAVE = frozenset({"have", "has", "had"})
_BE = frozenset("am is are was were be been being".split())
_WORD = re.compile(r"\w+(?:['’]\w+)?")
_BOUNDARY = re.compile(r"[.;:?!—][\s”\"’')\]]*\s|[?!;—]")
_ANY_BOUNDARY = re.compile(r"[.;:?!—,]")


@dataclass(frozen=True)
class Token:
    """A word, number or sign of a text that no claim may change."""

    key: str
    start: int
    end: int


@dataclass(frozen=True)
class Wording:
    """How the words of a claim compare with the stretch of the sentence that it repeats."""

    start: int
    """Where the stretch begins, with the words before its first telling word that the claim has as well."""
    end: int
    difference: str = ""
    """The first place where the words are not the same; empty if there is none."""


def compare_wording(body: str, claimed: range, sentence: str, repeated: range) -> Wording:
    """Compare all words of a claim with those of a sentence.

    Args:
        body: the claim, without the words that name its speaker.
        claimed: the offsets of its first telling word's start and its last one's end.
        sentence: the sentence; citations blanked.
        repeated: the same offsets in the sentence.
    """
    wanted, found = _tokens(body), _tokens(sentence)
    lead = [token for token in wanted if token.start < claimed.start]
    tail = [token for token in wanted if token.end > claimed.stop]
    first = next((i for i, token in enumerate(found) if token.end > repeated.start), len(found))
    last = next((i for i, token in enumerate(found) if token.end >= repeated.stop), len(found) - 1)
    first, last = max(0, first - len(lead)), last + len(tail)
    stretch = found[first : last + 1]
    start = min(repeated.start, stretch[0].start if stretch else repeated.start)
    end = max(repeated.stop, stretch[-1].end if stretch else repeated.stop)
    if wanted:
        start = _back(sentence, start, body[: wanted[0].start])
        end = _on(sentence, end, body[wanted[-1].end :])
    for one, other in zip(wanted, stretch, strict=False):
        if one.key != other.key:
            said, says = body[one.start : one.end], sentence[other.start : other.end]
            return Wording(start, end, f"the sentence has “{says}” where the claim has “{said}”")
    if len(wanted) != len(stretch):
        return Wording(start, end, "the claim has other small words than the sentence")
    return Wording(start, end, _run_together(body, wanted, sentence, stretch))


def _back(sentence: str, start: int, words: str) -> int:
    """Where the stretch begins with the words before it that the claim has there too."""
    for word in reversed(_WORD.findall(words)):
        before = re.search(rf"\b{re.escape(word)}\W*$", sentence[:start], re.IGNORECASE)
        if before is None:
            break
        start = before.start()
    return start


def _on(sentence: str, end: int, words: str) -> int:
    """Where it ends with those behind it."""
    for word in _WORD.findall(words):
        behind = re.match(rf"\W*{re.escape(word)}\b", sentence[end:], re.IGNORECASE)
        if behind is None:
            break
        end += behind.end()
    return end


def _run_together(body: str, wanted: Sequence[Token], sentence: str, stretch: Sequence[Token]) -> str:
    """The difference where two clauses of the text are one in the claim."""
    for i in range(len(stretch) - 1):
        parted = _BOUNDARY.search(sentence, stretch[i].end, stretch[i + 1].start)
        if parted and not _ANY_BOUNDARY.search(body, wanted[i].end, wanted[i + 1].start):
            return (
                f"the sentence parts the claim's words before “{sentence[stretch[i + 1].start : stretch[i + 1].end]}”"
            )
    return ""


def _tokens(text: str) -> list[Token]:
    found = []
    for match in _TOKEN.finditer(text):
        whole = match.group().lower().replace("’", "'")
        if match["hour"]:
            found.append(Token(f"{whole[0]}.m.", *match.span()))
        elif match["number"]:
            found.append(Token(_number(whole), *match.span()))
        elif match["numbered"]:
            found.append(Token(whole, *match.span()))
        elif negated := _NEGATED.fullmatch(whole):
            if negated["verb"] not in _NOISE | _HAVE:
                found.append(Token(_plain(negated["verb"]), *match.span()))
            found.append(Token("not", *match.span()))
        elif whole not in _NOISE:
            found.append(Token(_plain(whole), *match.span()))
    return found


def _number(text: str) -> str:
    return re.sub(r"[\s,]", "", text).replace("−", "-").replace("–", "-").lstrip("0") or "0"


def _plain(word: str) -> str:
    """The word without the endings of plural and tense; `insurer` and `insured`, `minor` and `minority` stay apart."""
    if word in _BE:
        return "be"
    if word in _HAVE:
        return "have"
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith("ied"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")):
        word = word[:-1]
    if len(word) > 4 and word.endswith("ed") and not word.endswith("eed"):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("e") and not word.endswith("ee") else word
