"""The way in: all citations of a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from parcel_agents.citations.brackets import match_brackets
from parcel_agents.citations.history import names_another_case, read_relation
from parcel_agents.citations.marks import Mark, find_marks
from parcel_agents.citations.model import DECISIONS, Citation, CitationKind, Parenthetical
from parcel_agents.citations.names import Name, find_name, short_names
from parcel_agents.citations.resolve import resolve
from parcel_agents.citations.short_forms import ShortName, find_mentions, find_persons
from parcel_agents.citations.signals import follows_in_string, follows_with, read_signal
from parcel_agents.citations.tail import Tail, read_tail
from parcel_agents.citations.unread import find_unread

# Quoted words are told of the citation before them and govern none behind.
_NOT_INHERITED = ("quoting", "citing", "quoted", "cited", "in turn", "as ")
_DECIDED_BY = frozenset({"case", "slip", "placeholder", "docket"})


@dataclass
class Draft:
    """A citation that is being read."""

    mark: Mark
    start: int
    tail: Tail
    name: Name | None = None
    signal: str | None = None
    relation: str | None = None
    """Its relation to the decision whose history it is."""
    main: Draft | None = None
    history: list[Draft] = field(default_factory=list)

    @cached_property
    def kind(self) -> CitationKind:
        """The kind of the citation; a cite with a blank page is one of a case."""
        kind = self.cites[0].kind
        return "case" if kind == "placeholder" else kind

    @cached_property
    def marks(self) -> list[Mark]:
        """The cite and its parallels as they stand in the text."""
        return [self.mark, *self.tail.parallel]

    @cached_property
    def cites(self) -> list[Mark]:
        """The cite and its parallels, blank ones and dockets left out unless there is no other."""
        marks = self.marks
        blank = [mark for mark in marks if mark.kind == "placeholder"]
        return [mark for mark in marks if mark.kind not in {"placeholder", "docket"}] or blank[:1] or marks[:1]


def read_citations(text: str) -> tuple[Citation, ...]:
    """All citations of a text, in the order of their cites.

    Cases by reporter or number with name, pin, court, year, history and parentheticals; statutes, rules and
    constitutions; references back, each with the number of the citation it refers to. Never raises, whatever the text.
    """
    closed_by = match_brackets(text)
    drafts = _read_drafts(text, find_marks(text), closed_by)
    drafts += _mentions(text, drafts, closed_by)
    drafts += _unread(text, drafts, closed_by)
    drafts.sort(key=lambda draft: (draft.mark.start, draft.start))
    return resolve(text, drafts)


def _read_drafts(text: str, marks: Sequence[Mark], closed_by: Mapping[int, int]) -> list[Draft]:
    drafts: list[Draft] = []
    governing: dict[int, str] = {}
    number = floor = 0
    while number < len(marks):
        mark = marks[number]
        tail = read_tail(text, marks, number, closed_by)
        floor = min(floor, mark.start)
        draft = Draft(mark, mark.start, tail)
        _join_history(text, drafts, draft)
        _name(text, draft, floor)
        _signal(text, draft, floor, governing)
        floor = tail.end
        number = tail.following
        if mark.kind == "supra" and (draft.name is None or _is_followed_by_cite(marks, number, tail.end)):
            floor = drafts[-1].tail.end if drafts else 0
            continue
        drafts.append(draft)
    return drafts


def _is_followed_by_cite(marks: Sequence[Mark], number: int, end: int) -> bool:
    """True if `supra` only stands between a name and a cite: `Rouse, supra, 34 NY3d at 275`."""
    return number < len(marks) and marks[number].kind in {"short", *_DECIDED_BY} and marks[number].start - end <= 3


def _join_history(text: str, drafts: list[Draft], draft: Draft) -> None:
    """Tie a decision to the one before it if the words between say that it is its history."""
    if not drafts or draft.mark.kind not in _DECIDED_BY:
        return
    before = drafts[-1]
    if before.mark.kind not in _DECIDED_BY | {"short"}:
        return
    relation = read_relation(text, before.tail.whole, draft.mark.start)
    if relation is None:
        return
    draft.relation, draft.main = relation, before.main or before
    draft.main.history.append(draft)


def _name(text: str, draft: Draft, floor: int) -> None:
    if draft.mark.kind not in _DECIDED_BY | {"short", "supra"}:
        return
    if draft.main and not names_another_case(text, floor, draft.mark.start):
        draft.name = draft.main.name
        return
    draft.name = find_name(text, draft.mark.start, floor)
    if draft.name and not draft.main:
        draft.start = draft.name.start
    elif draft.name:
        draft.start = max(draft.name.start, floor)


def _signal(text: str, draft: Draft, floor: int, governing: dict[int, str]) -> None:
    """The signal before a citation, or the one that governs the string in which it stands."""
    if draft.main:
        draft.signal = draft.main.signal
    elif found := read_signal(text, floor, draft.start):
        draft.signal = found[0]
    else:
        compared = follows_with(text, 0, draft.start)
        string = follows_in_string(text, 0, draft.start)
        if compared is not None and governing.get(compared, "").startswith(("compare", "with")):
            draft.signal = "with"
        else:
            joined = next((governing[end] for end in reversed(string) if end in governing), None)
            draft.signal = joined if joined and not joined.startswith(_NOT_INHERITED) else None
    if draft.signal:
        governing[draft.tail.whole] = draft.signal


def _mentions(text: str, drafts: Sequence[Draft], closed_by: Mapping[int, int]) -> list[Draft]:
    """The places where cases cited in full are called by their short names alone."""
    names: dict[str, ShortName] = {}
    called = {draft.name.text for draft in drafts if draft.kind in {"short", "supra"} and draft.name}
    persons = find_persons(text)
    for draft in drafts:
        if draft.kind in DECISIONS and draft.name and draft.name.full:
            for place, short in enumerate(short_names(draft.name.text)):
                # A case is called by its second party only where a short form shows that it is.
                if (place == 0 or short in called) and short.split()[-1] not in persons:
                    names.setdefault(short, ShortName(short, draft.tail.end))
    taken = _joined((min(draft.start, draft.mark.start), draft.tail.end) for draft in drafts)
    found = []
    for mention in find_mentions(text, list(names.values()), taken):
        mark = Mark(mention.start, mention.end, "name", mention.name)
        draft = Draft(mark, mention.start, read_tail(text, [mark], 0, closed_by))
        draft.name = Name(mention.start, mention.end, mention.name, full=False)
        _signal(text, draft, 0, {})
        found.append(draft)
    return found


def _unread(text: str, drafts: Sequence[Draft], closed_by: Mapping[int, int]) -> list[Draft]:
    """What carries a parenthetical and is in no form that is read."""
    read = {one.start for draft in drafts for one in draft.tail.parentheticals}
    found = []
    for one in find_unread(text, closed_by, read, sorted(draft.tail.end for draft in drafts)):
        mark = Mark(one.start, one.end, "unread", one.cite)
        tail = Tail(one.end, one.closing + 1, 0)
        content = text[one.opening + 1 : one.closing]
        tail.parentheticals.append(
            Parenthetical(start=one.opening + 1, end=one.closing, kind="explanatory", text=content)
        )
        found.append(Draft(mark, one.start, tail))
    return found


def _joined(stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches of text in order, overlapping ones made one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined
