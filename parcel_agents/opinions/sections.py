"""Which sections of an opinion are the Court's where its head says that some are not.

`JUSTICE GRAY delivered the opinion of the Court, except as to Parts II-A-2 and III`: those parts speak for fewer judges
than a majority, and a claim about the Court must not rest on them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from parcel_agents.opinions.blocks import Block

_LABEL = r"[IVX]+(?:[–—-][A-Z](?:[–—-]\d{1,2})?)?|[A-Z](?=[,.;\s])|\d{1,2}"
_LIST = rf"(?:{_LABEL})(?:(?:,? and |,? & |, )(?:Parts? )?(?:{_LABEL})(?!\w))*"
_EXCEPT = re.compile(
    r"opinion of the [Cc]ourt\b.{0,120}?\b(?:except(?:ing)?|other than|with the exception of)"
    r"(?: as to| for| with respect to| that part| in)?(?: the)? " + rf"Parts? (?P<others>{_LIST})",
    re.DOTALL,
)
_RESPECT = re.compile(
    r"opinion of the [Cc]ourt,? (?:with respect to|as to|in|for|on) " + rf"Parts? (?P<courts>{_LIST})", re.DOTALL
)
_AND_OPINION = re.compile(
    r"\ban opinion,? (?:(?:with respect to|as to|in|for|on) " + rf"Parts? (?P<others>{_LIST})" + r")", re.DOTALL
)
_ITEM = re.compile(_LABEL)
_HEADING = re.compile(
    r"(?:PART |Part )?(?:(?P<roman>[IVX]+)(?:[ –—-]+(?P<letter_behind>[A-Z]))?|(?P<letter>[A-Z])|(?P<number>\d{1,2}))"
    r"(?:[.):]?\s*$|[.):]\s+(?=[A-Z])(?P<title>[^.?!]{2,160}?)\.?\s*$)"
)
_BEHIND = re.compile(r"(?<=[.?!)”\"])\s+(?:[IVX]{1,5}|[A-H])$")
_HEADING_CHARS = 180
_HEAD_CHARS = 900
_HEAD_BLOCKS = 6
_ROMANS = "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX".split()

Path = tuple[str, ...]


@dataclass(frozen=True)
class Reservation:
    """What the head of the Court's opinion says of its sections; each is a path such as `("II", "A", "2")`."""

    others: tuple[Path, ...]
    """Sections that are not the Court's."""
    courts: tuple[Path, ...]
    """The only numbered sections that are the Court's; empty where `others` are named instead."""

    def is_reserved(self, path: Path) -> bool:
        """True if the section with this path is not the Court's."""
        if self.others:
            return any(path[: len(one)] == one for one in self.others)
        return bool(path) and not any(path[: len(one)] == one or one[: len(path)] == path for one in self.courts)

    @property
    def named(self) -> tuple[Path, ...]:
        """The sections that must be found."""
        return self.others or self.courts


def reservation(blocks: Sequence[Block]) -> Reservation | None:
    """What the first paragraphs of the Court's opinion say of its sections; None if the Court speaks throughout."""
    for block in blocks[:_HEAD_BLOCKS]:
        text = " ".join(block.text[:_HEAD_CHARS].split())
        if found := _EXCEPT.search(text):
            return Reservation(_paths(found["others"]), ())
        others = _AND_OPINION.search(text)
        if found := _RESPECT.search(text):
            return Reservation(_paths(others["others"]) if others else (), _paths(found["courts"]))
    return None


def section_paths(blocks: Sequence[Block]) -> list[tuple[Path, ...]]:
    """For each paragraph the sections of which it holds text, by the headings so far: `("II", "A")`.

    A source may have run a heading into a paragraph; then the paragraph belongs to the sections before and after it.
    """
    found: list[tuple[Path, ...]] = []
    path: Path = ()
    for block in blocks:
        paths: list[Path] = []
        for line in block.text.split("\n"):
            text, number = _parted(line)
            if text:
                paths.append(path)
            entered = _entered(path, number) if number else None
            path = entered or path
        found.append(tuple(dict.fromkeys(paths or [path])))
    return found


def _parted(line: str) -> tuple[str, re.Match[str] | None]:
    """A line's text, and the heading that it is or with which it ends."""
    line = line.strip()
    if len(line) <= _HEADING_CHARS and (heading := _HEADING.fullmatch(line)):
        return "", heading
    if behind := _BEHIND.search(line):
        return line[: behind.start()], _HEADING.fullmatch(behind.group().strip())
    return line, None


def _paths(words: str) -> tuple[Path, ...]:
    return tuple(tuple(re.split(r"[–—-]", found.group())) for found in _ITEM.finditer(words))


def _entered(path: Path, heading: re.Match[str]) -> Path | None:
    """The path behind a heading that continues the numbering; None for one that does not."""
    if heading["roman"]:
        behind = (heading["letter_behind"],) if heading["letter_behind"] else ()
        if _follows(path[0] if path else None, heading["roman"]):
            return (heading["roman"], *behind)
        letter = heading["roman"] if len(heading["roman"]) == 1 else None
    else:
        letter = heading["letter"]
    if letter is not None and path:
        expected = chr(ord(path[1]) + 1) if len(path) > 1 else "A"
        return (path[0], letter) if letter == expected else None
    if heading["number"] and path:
        expected = str(int(path[-1]) + 1) if path[-1].isdigit() else "1"
        stem = path[:-1] if path[-1].isdigit() else path
        return (*stem, heading["number"]) if heading["number"] == expected else None
    return None


def _follows(before: str | None, roman: str) -> bool:
    if roman not in _ROMANS:
        return False
    place = _ROMANS.index(roman)
    return place == 0 if before is None else place > 0 and _ROMANS[place - 1] == before
