"""Everything that belongs to one citation from its cite onwards: pins, parallel cites, court, year, parentheticals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from parcel_agents.citations.around import (
    Decided,
    read_bracketed_pin,
    read_court,
    read_decided,
    read_opinion,
    read_pin,
    skip_blank_pin,
)
from parcel_agents.citations.marks import Mark
from parcel_agents.citations.model import OpinionKind, Parenthetical
from parcel_agents.citations.names import find_name
from parcel_agents.citations.parentheticals import find_claim, read_kind, read_writer

_PARALLEL = re.compile(
    r"(?:,\s+(?:[—–_-]+|slip op\.?(?:\sat\s[\d-]+)?|(?:Case\s)?Nos?\.\s[\w:.-]{3,30}(?:\s\([A-Z]{2,4}\))?))?"
    r"(?:,\s+|\s*=\s*)|\s*[\[(]?\Z(?!)"
)
_BRACKET = re.compile(r"[ \t\xa0]*\n?[ \t\xa0]*(?=[\[(])")
_BRACKET_BEHIND_COMMA = re.compile(r",?[ \t\xa0]*\n?[ \t\xa0]*(?=[\[(])")
_ENDS = re.compile(r"\W*\Z|\s?[;,]")
_AT = re.compile(r",?\s+(?:at\b|¶|nn?\b|note\b)")
_SPEAKS = re.compile(r"[a-z]+ing\b|[\"“‘]")


@dataclass
class Tail:
    """What was read behind a cite.

    `end` is where the citation ends without its parentheticals, `whole` with them; `following` is the number of the
    first mark behind it that is no parallel cite of it.
    """

    end: int
    whole: int
    following: int
    pin: str | None = None
    decided: Decided | None = None
    opinion: OpinionKind | None = None
    parallel: list[Mark] = field(default_factory=list)
    parentheticals: list[Parenthetical] = field(default_factory=list)


def read_tail(text: str, marks: Sequence[Mark], number: int, closed_by: Mapping[int, int]) -> Tail:
    """What belongs to the mark with this number.

    Args:
        text: the text.
        marks: the cites in it, in order.
        number: which of them.
        closed_by: for each opening bracket the one that closes it.
    """
    mark = marks[number]
    tail = Tail(mark.end, mark.end, number + 1)
    if mark.volume:
        _read_pins(text, marks, tail, mark, closed_by)
    elif mark.kind in {"id", "supra", "name"} and _AT.match(text, mark.end):
        _read_pin(text, marks, tail, mark)
    if mark.kind == "slip":
        _read_official(text, marks, tail, closed_by)
    _read_brackets(text, marks, tail, closed_by, mark)
    return tail


def _read_official(text: str, marks: Sequence[Mark], tail: Tail, closed_by: Mapping[int, int]) -> None:
    """The official reporter in brackets behind a slip opinion: `2031 NY Slip Op 00123 [57 NY3d 12]`."""
    gap = _BRACKET.match(text, tail.end)
    other = marks[tail.following] if tail.following < len(marks) else None
    if (
        gap
        and other
        and other.kind == "case"
        and other.start == gap.end() + 1
        and text[other.end : other.end + 1] == "]"
    ):
        tail.parallel.append(other)
        tail.following += 1
        tail.end = tail.whole = closed_by.get(gap.end(), other.end) + 1


def _read_pins(text: str, marks: Sequence[Mark], tail: Tail, mark: Mark, closed_by: Mapping[int, int]) -> None:
    _read_pin(text, marks, tail, mark)
    if mark.kind == "slip":
        _read_bracketed_pin(text, tail, closed_by)
    keys = {mark.key}
    while tail.following < len(marks):
        other = marks[tail.following]
        if not _same_kind(mark, other) or other.key in keys or not _PARALLEL.fullmatch(text, tail.end, other.start):
            break
        keys.add(other.key)
        tail.parallel.append(other)
        tail.following += 1
        tail.end = other.end
        first = tail.pin
        _read_pin(text, marks, tail, other)
        tail.pin = first or tail.pin
    tail.whole = tail.end


def _same_kind(mark: Mark, other: Mark) -> bool:
    reported = {"case", "slip", "placeholder", "docket"}
    return other.kind in (reported if mark.kind in reported else reported | {"short"})


def _read_bracketed_pin(text: str, tail: Tail, closed_by: Mapping[int, int]) -> None:
    """A pin in brackets before parallel cites: `2031-CA-01234-SCT (¶ 5), 55 So. 3d 1`."""
    gap = _BRACKET.match(text, tail.end)
    closing = closed_by.get(gap.end()) if gap else None
    if gap and closing is not None and (pin := read_bracketed_pin(text[gap.end() + 1 : closing])):
        tail.pin, tail.end = tail.pin or pin, closing + 1


def _read_pin(text: str, marks: Sequence[Mark], tail: Tail, cite: Mark) -> None:
    """Read the pages behind a cite; those of a short form begin with the page that is part of it."""
    start = tail.end - len(cite.page) - 1 if cite.kind == "short" else tail.end
    first_page = int(cite.page) if cite.page.isdecimal() else 0
    if pin := read_pin(text, start, _limit(marks, tail, len(text)), first_page):
        tail.pin, tail.end = pin.text, max(pin.end, tail.end)
    elif cite.kind == "short":
        tail.pin = cite.page if cite.page.strip("*").isdigit() else None
    elif cite.kind == "placeholder":
        tail.end = max(skip_blank_pin(text, tail.end), tail.end)
    tail.whole = tail.end


def _limit(marks: Sequence[Mark], tail: Tail, end: int) -> int:
    """Where the next cite begins: no pin reaches into it."""
    return next((mark.start for mark in marks[tail.following : tail.following + 2] if mark.start >= tail.end), end)


def _read_brackets(text: str, marks: Sequence[Mark], tail: Tail, closed_by: Mapping[int, int], mark: Mark) -> None:
    """Court and year, then the parentheticals, as long as one bracket follows another."""
    spacing = _BRACKET_BEHIND_COMMA if mark.volume else _BRACKET
    while gap := spacing.match(text, tail.whole):
        opening = gap.end()
        closing = closed_by.get(opening)
        if closing is None:
            return
        content = text[opening + 1 : closing]
        decided = read_decided(content) if tail.decided is None else None
        if decided:
            _take_decided(text, marks, tail, decided, opening + 1, closing)
        elif pin := read_bracketed_pin(content):
            tail.pin = tail.pin or (pin if pin.strip("_—–- ") else None)
            tail.end = tail.end if tail.parentheticals else closing + 1
        elif tail.decided is None and (year := _stated_year(mark, tail)) and (court := read_court(content)):
            tail.decided = Decided(court, year, None)
            tail.end = tail.end if tail.parentheticals else closing + 1
        elif mark.kind == "name" and text[opening] == "(" and not _SPEAKS.match(content):
            return
        elif content.strip():
            one = _parenthetical(text, marks, tail.following, opening + 1, closing)
            if one.kind == "weight":
                tail.opinion = tail.opinion or read_opinion(content)
            elif one.kind == "explanatory":
                tail.opinion = tail.opinion or read_writer(content)
            tail.parentheticals.append(one)
        tail.whole = closing + 1


def _stated_year(mark: Mark, tail: Tail) -> int | None:
    """The year that the cite or one parallel to it states."""
    return next((one.year for one in (mark, *tail.parallel) if one.year is not None), None)


def _take_decided(text: str, marks: Sequence[Mark], tail: Tail, decided: Decided, start: int, end: int) -> None:
    """Keep court and year, and the claim that may follow them in their bracket, from `start` to `end`."""
    content = text[start:end]
    claim = find_claim(content, decided.year_end)
    opinion = decided.opinion
    if claim is not None:
        opinion = read_opinion(content[decided.year_end : claim]) or read_writer(content[claim:])
    tail.decided = decided
    tail.opinion = opinion or (tail.opinion if tail.parentheticals else None)
    if not tail.parentheticals:
        tail.end = end + 1 if claim is None else start + decided.year_end
    if claim is not None:
        tail.parentheticals.append(
            Parenthetical(start=start + claim, end=end, kind="explanatory", text=content[claim:])
        )


def _parenthetical(text: str, marks: Sequence[Mark], following: int, start: int, end: int) -> Parenthetical:
    content = text[start:end]
    kind = read_kind(content)
    if kind == "explanatory" and following < len(marks):
        # A bracket that begins with a cite, or with its name, holds another citation.
        cite = marks[following]
        name = find_name(text, cite.start, start) if start < cite.start < end else None
        if cite.start in {start, start + 1} or (name and name.start == start):
            # A law may also begin a sentence: "CPL 10.20 requires notice".
            kind = "source" if cite.volume or _ENDS.match(text, cite.end, end) else kind
    return Parenthetical(start=start, end=end, kind=kind, text=content)
