"""Footnotes: where each begins, and which call in the text it answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from parcel_agents.opinions.blocks import Block
from parcel_agents.opinions.headings import separate_head

_NOTE = re.compile(r"Footnote ([\d*†‡]{1,4}) ?[:.] ?")
_NOTES_HEADING = re.compile(r"Footnotes?:?", re.IGNORECASE)


@dataclass(frozen=True)
class Note:
    """A footnote: blocks `first` (inclusive) to `last` (exclusive), and its call."""

    label: str
    first: int
    last: int
    call_block: int | None = None
    """The block that calls it or, where its call is lost, one that calls another note of the same opinion."""
    call_offset: int | None = None
    """Where in its block the call stood; None where that is not known."""


def mark_footnotes(blocks: Sequence[Block]) -> list[Block]:
    """Tell the footnotes of the official New York form, which stand at the end as lines `Footnote 1: ...`.

    Blocks that a reader has already marked stay as they are; the heading `Footnotes` goes.
    """
    marked: list[Block] = []
    note: str | None = None
    for block in blocks:
        if block.note is not None:
            marked.append(block)
            continue
        if _NOTES_HEADING.fullmatch(block.text):
            continue
        if label := _NOTE.match(block.text):
            note = label[1]
            block = _without_label(block, label.end())
        elif separate_head(block.text):
            note = None  # some sources print the notes of each opinion behind it
        marked.append(replace(block, note=note))
    return marked


def _without_label(block: Block, length: int) -> Block:
    marks = tuple(replace(mark, offset=max(0, mark.offset - length)) for mark in block.marks)
    return replace(block, text=block.text[length:], marks=marks, begins_note=True)


def find_notes(blocks: Sequence[Block]) -> list[Note]:
    """The footnotes, which stand behind all other blocks, with their calls."""
    body_end = next((i for i, block in enumerate(blocks) if block.note is not None), len(blocks))
    calls = [
        (index, mark)
        for index, block in enumerate(blocks[:body_end])
        for mark in block.marks
        if mark.kind == "note_call"
    ]
    begins = [i for i in range(body_end, len(blocks)) if blocks[i].begins_note]
    ends = [*begins[1:], len(blocks)]
    labels = [blocks[i].note or "" for i in begins]
    matches = _match([mark.value for _, mark in calls], labels)
    notes = []
    for label, first, last, match in zip(labels, begins, ends[: len(begins)], matches, strict=True):
        block, offset = (None, None) if match.call is None else (calls[match.call][0], calls[match.call][1].offset)
        notes.append(Note(label, first, last, block, offset if match.exact else None))
    return notes


@dataclass(frozen=True)
class _Match:
    """The number of the call that a note answers; not exact if it only calls another note of the same opinion."""

    call: int | None = None
    exact: bool = False


def _match(calls: list[str], notes: list[str]) -> list[_Match]:
    """For each note's label its call; both are in the order of the text, and each opinion begins again with note 1."""
    call_groups, note_groups = _numberings(calls), _numberings(notes)
    if len(call_groups) != len(note_groups):  # a note 1 or its call is lost
        call_groups, note_groups = [range(len(calls))], [range(len(notes))]
    matches = [_Match()] * len(notes)
    for call_group, note_group in zip(call_groups, note_groups, strict=True):
        pairs = _align([calls[call] for call in call_group], [notes[note] for note in note_group])
        for number, note in enumerate(note_group):
            if number in pairs:
                matches[note] = _Match(call_group[pairs[number]], exact=True)
            elif len(call_groups) > 1 and notes[note].isdigit():
                matches[note] = _Match(call_group[0])
    return matches


def _align(calls: list[str], notes: list[str]) -> dict[int, int]:
    """The number of the call by the number of the note, for the notes whose call is found."""
    # Where a call or a note is lost or misread in the source, go by the longest runs of equal labels.
    runs = SequenceMatcher(None, calls, notes, autojunk=False).get_matching_blocks()
    pairs = {run.b + step: run.a + step for run in runs for step in range(run.size)}
    call_counts, note_counts = Counter(calls), Counter(notes)
    for number, label in enumerate(notes):
        if number not in pairs and note_counts[label] == call_counts[label] == 1:
            pairs[number] = calls.index(label)
    if len(calls) == len(notes):
        lost_notes = [number for number in range(len(notes)) if number not in pairs]
        lost_calls = sorted(set(range(len(calls))) - set(pairs.values()))
        pairs.update(zip(lost_notes, lost_calls, strict=True))
    return pairs


def _numberings(labels: list[str]) -> list[range]:
    """The stretches of labels in each of which the notes are numbered through; a sign before a 1 is of its stretch."""
    ones = [index for index, label in enumerate(labels) if label == "1"]
    numbered_before = ones and any(label.isdigit() for label in labels[: ones[0]])
    starts = [0, *(ones if numbered_before else ones[1:])]
    return [range(start, end) for start, end in pairwise([*starts, len(labels)])]
