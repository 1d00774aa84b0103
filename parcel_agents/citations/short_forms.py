"""References back to an authority: `id.`, `supra`, and the bare short name."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_ID = re.compile(r"(?<![\w.])(?:[Ii]d|[Ii]bid)\.(?=[\s,;:)\]\[(—–]|\Z)")
_SUPRA = re.compile(r",?\s[(\[]?supra\b")
_CAPITALISED = re.compile(r"(?<![\w'’-])[A-Z][\w'’.&-]*+")
# A person rather than a case: "Detective Rouse", "Mr. Rouse", "John Rouse".
_TITLE_BEFORE = re.compile(
    r"(?:\b[A-Z][\w'’-]*\.?|\bdefendants?|\bwitness|\bco-?defendant|\bappellant|\b(?:Mr|Ms|Mrs|Dr)\.)\s\Z"
)
_ALLOWED_BEFORE = re.compile(
    r"(?:\b(?:In|See|Under|Both|Unlike|Like|Since|As|And|But|Cf|Accord|Compare|While|When|Although|Because|Thus|After"
    r"|Before|Following|The|By|That|With|For|To|If|Even|Neither|Indeed|Moreover|However|Our|Post|Pre|Applying|Citing"
    r"|Quoting|Nor|Did)\.?|\be\.g\.)\s\Z"
)
_NAME_GOES_ON = re.compile(
    r"\s(?!(?:Court|I{1,3}|IV|V)\b)[A-Z&]|,\s(?:J|JJ|Ch\.?\sJ|P\.?\s?J|C\.?\s?J|Jr|Sr)\b|,\s(?:the|a|his|who)\b"
    r"|\sv\.?\s"
)
# Somebody of this text, so that the name is the person's and not the case's: "defendant Rouse", "Ana Rouse, Appellant".
_PERSON = re.compile(
    r"\b(?:(?:[Cc]o-?)?[Dd]efendants?|Mr\.|Ms\.|Mrs\.|Dr\.|Detectives?|Det\.|Officers?|Sergeant|Trooper|Investigator"
    r"|[Ww]itness|[Vv]ictim|[Pp]etitioner|[Rr]espondent|[Pp]laintiff|against|counsel for|Judge|Justice)\s"
    r"(?:[A-Z][\w'’.-]{0,30}\s){0,2}(?P<titled>[A-Z][\w'’-]{1,30}[a-z])\b"
    r"|\b(?P<party>[A-Z][\w'’-]{1,30}),?\s(?:Jr\.,\s)?(?:Appellant|Respondent|Defendant|Petitioner|Plaintiff)"
)
_SENTENCE = re.compile(r"\d|[a-z]{3}\.$")
_POSSESSIVE = re.compile(r"['’]s?\Z")


@dataclass(frozen=True)
class ShortName:
    """A case's short name, and where the citation ends that gives it."""

    words: str
    known_from: int


@dataclass(frozen=True)
class Mention:
    """A short name in the text."""

    start: int
    end: int
    name: str


def find_ids(text: str) -> Iterator[tuple[int, int]]:
    """Where `id.` and `ibid.` stand."""
    for match in _ID.finditer(text):
        yield match.start(), match.end()


def find_supras(text: str) -> Iterator[tuple[int, int]]:
    """Where `supra` stands behind something, with the comma or bracket before it."""
    for match in _SUPRA.finditer(text):
        yield match.start(), match.end()


def find_persons(text: str) -> set[str]:
    """The last names of those who are spoken of as persons in a text, its own parties among them."""
    found = {_POSSESSIVE.sub("", match["titled"] or match["party"]) for match in _PERSON.finditer(text)}
    title, gap, _ = text[:200].partition("\n\n")
    own = (
        {word.strip(".,") for word in title.split()} if gap and " v" in title and not _SENTENCE.search(title) else set()
    )
    return found | own


def find_mentions(text: str, names: Sequence[ShortName], taken: Sequence[tuple[int, int]]) -> Iterator[Mention]:
    """Where cases are called by their bare short names, behind their citations.

    Args:
        text: the text.
        names: the short names, the longest of those with one first word first.
        taken: stretches in order, without overlap, in which no mention is looked for.
    """
    by_first: dict[str, list[ShortName]] = {}
    for name in sorted(names, key=lambda one: -len(one.words)):
        by_first.setdefault(_POSSESSIVE.sub("", name.words.split()[0]).rstrip("."), []).append(name)
    starts = [start for start, _ in taken]
    end = 0
    for match in _CAPITALISED.finditer(text):
        first = _POSSESSIVE.sub("", match.group().rstrip(".")).rstrip(".")
        for name in by_first.get(first, ()):
            start = match.start()
            if start < max(end, name.known_from) or not text.startswith(name.words, start):
                continue
            place = bisect_right(starts, start) - 1
            behind = start + len(name.words)
            if (place >= 0 and taken[place][1] > start) or not _stands_alone(text, start, behind):
                continue
            end = behind
            yield Mention(start, end, name.words)
            break


def _stands_alone(text: str, start: int, end: int) -> bool:
    """True if the words at this place are a name of their own, and no person's."""
    if end < len(text) and (text[end].isalnum() or text[end] in "-&"):
        return False
    if _NAME_GOES_ON.match(text, end):
        return False
    before = max(0, start - 24)
    return not _TITLE_BEFORE.search(text, before, start) or _ALLOWED_BEFORE.search(text, before, start) is not None
