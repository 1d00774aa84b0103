"""Whose voice each paragraph is: caption, majority, separate opinions, closing lines, footnotes.

The line that lists who concurred is no concurring opinion; it begins the closing. A footnote belongs to the
opinion in which it is called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from parcel_agents.opinions.blocks import Block, starts
from parcel_agents.types import Part, PartKind

# "Rivera, J. (dissenting)." and "Chief Judge Wilson (concurring in result):", also for several judges, also
# with words on which appeals the judge dissents in. The author must look like a judge: a title stands in it.
_SEPARATE = re.compile(
    r"(?P<author>(?:[A-Z][\w.'’-]*|and|de|[A-Z]\.)(?:,? (?:[A-Z][\w.'’-]*|and|de|Ch\.|JJ?\.))*?)"
    r"[.,]? ?\((?P<manner>[^()]*\b(?:dissent|concurr)ing\b[^()]*)\)"
)
# "Justice Gray, with whom Justice Blue joins, dissenting in part." and "WHITE, Circuit Judge, concurring:"
_SEPARATE_FEDERAL = re.compile(
    r"(?P<author>(?:(?:Mr\. |Chief )?Justice [A-Z][\w'’-]+|[A-Z][\w.'’ -]+, (?:(?:Senior |Chief )?(?:Circuit |District )?Judge|C?\.?J\.|P\.J\.)))"
    r"(?:, (?:with whom|joined by) [^.:()]{3,150})?, (?P<manner>(?:specially )?(?:dissent|concurr)ing\b[^.:()]{0,80})[.:]"
)
_ANNOUNCED = re.compile(r"(?P<manner>Dissent|Concurr)ing opinion by (?P<author>[^.()]{3,60}?\.?)$")
_TITLE_OF_JUDGE = re.compile(r"\b(?:J|JJ|Ch\. J|C\.J|P\.J)\.|\bJJ?\.|\bJudges?\b|\bJustices?\b|^Memorandum$")
_OPINION_HEAD = re.compile(r"(?:\W*OPINION OF THE COURT\b|\W*Opinion of the Court\W*$|\W*O ?P ?I ?N ?I ?O ?N\W*$)")
# "Chief Judge Wilson.", "Pigott, J.", "WILLETT, Circuit Judge:", "Per Curiam." at the start of a paragraph.
_AUTHOR_LINE = re.compile(
    r"(?:(?P<author>(?:(?:Acting )?(?:Chief |Presiding )?(?:Judge|Justice) [A-Z][\w.'’-]*(?: [A-Z][\w'’-]+)?(?=[.:]|$))"
    r"|[A-Z][\w.'’ -]{1,40}, (?:(?:Ch\. |C\. ?|P\. ?)?J\.(?: ?P\.)?"
    r"|(?:(?:Senior |Chief |Presiding |Circuit |District )*(?:Judge|Justice)(?=[.:]))))"
    r"|(?P<collective>(?:Per Curiam|PER CURIAM|Memorandum|MEMORANDUM)(?=[.:]|$)))[.:]?\s*"
)
_CLOSING = re.compile(
    r"(?:Concur(?:ring)?:"
    r"|(?:Opinion (?:Per Curiam|by [^.]{3,60})\. )?(?:Acting )?(?:Chief )?(?:Judges?|Justices?) [A-Z][^.]*\b(?:concurs?|dissents?)\b"
    r"|[A-Z][^.]{3,120}, JJ?\., concur)"
)
_CLOSING_MAX_CHARS = 900


@dataclass(frozen=True)
class Segment:
    """Blocks `first` (inclusive) to `last` (exclusive) that make one part."""

    first: int
    last: int
    kind: PartKind
    author: str | None = None


def find_parts(blocks: list[Block], *, court_author: str | None = None) -> tuple[Part, ...]:
    """The parts of an opinion, in order; they cover the text of the blocks joined by empty lines.

    Args:
        blocks: paragraphs with text, footnotes last.
        court_author: the author of the Court's opinion as the head of the document names him or her.
    """
    body_end = next((i for i, block in enumerate(blocks) if block.note is not None), len(blocks))
    segments = _segments(blocks, body_end, court_author)
    offsets = [*starts(blocks), sum(len(block.text) + 2 for block in blocks)]
    end_of_text = max(0, offsets[-1] - 2)
    parts: list[Part] = []
    numbers: dict[str, int] = {}

    def add(segment: Segment, note: str | None = None) -> None:
        name = segment.kind if note is None else f"{segment.kind}-note"
        numbers[name] = numbers.get(name, 0) + 1
        single = name in {"front", "majority", "closing"} and numbers[name] == 1
        parts.append(
            Part(
                id=name if single else f"{name}-{numbers[name]}",
                kind=segment.kind,
                author=segment.author,
                footnote=note,
                start=offsets[segment.first],
                end=min(offsets[segment.last], end_of_text),
            )
        )

    for segment in segments:
        add(segment)
    for segment, label in _notes(blocks, body_end, segments):
        add(segment, label)
    return tuple(parts)


def _segments(blocks: list[Block], body_end: int, court_author: str | None) -> list[Segment]:
    """The front, the opinions and the closing lines, footnotes aside."""
    begins: list[tuple[int, PartKind, str | None]] = []
    first = _front_end(blocks, body_end)
    if first > 0:
        begins.append((0, "front", None))
    if first < body_end:
        begins.append((first, blocks[first].kind or "majority", _author(blocks, first, body_end) or court_author))
    announced = False
    for index in range(first + 1, body_end):
        head = _separate_head(blocks[index])
        if head is None:
            if _is_closing(blocks[index]) and begins[-1][1] not in {"closing", "front"}:
                begins.append((index, "closing", None))
            announced = False
        elif announced:
            # "Dissenting opinion by Judge Gray" is followed by the heading proper, which names the manner best.
            begins[-1] = (begins[-1][0], *head)
            announced = False
        else:
            begins.append((index, *head))
            announced = _ANNOUNCED.match(blocks[index].text) is not None or blocks[index].kind is not None
    ends = [index for index, _, _ in begins[1:]] + [body_end]
    return [Segment(i, end, kind, author) for (i, kind, author), end in zip(begins, ends, strict=True)]


def _front_end(blocks: list[Block], body_end: int) -> int:
    """The index of the first block of the Court's own words; 0 where no head of an opinion is found."""
    for index, block in enumerate(blocks[:body_end]):
        if block.kind is not None or _OPINION_HEAD.match(block.text):
            return index
    for index, block in enumerate(blocks[: min(body_end, 60)]):
        match = _AUTHOR_LINE.match(block.text)
        # A line that names a judge among the bold lines at the top is part of the head, not the beginning.
        if match and index > 0 and "\n" not in block.text and not _is_closing(block):
            return index
    return 1 if len(blocks) > 1 and blocks[0].heading else 0


def _author(blocks: list[Block], first: int, body_end: int) -> str | None:
    """The author named in the first lines of an opinion; None for one signed by nobody."""
    for block in blocks[first : min(first + 3, body_end)]:
        if (match := _AUTHOR_LINE.match(block.text)) and match["author"]:
            return _tidy(match["author"])
    return None


def _separate_head(block: Block) -> tuple[PartKind, str | None] | None:
    """Kind and author if a separate opinion begins with this block."""
    text = block.text
    if announced := _ANNOUNCED.match(text):
        return _manner(announced["manner"]), _tidy(announced["author"])
    match = _SEPARATE.match(text) or _SEPARATE_FEDERAL.match(text)
    if match and _TITLE_OF_JUDGE.search(match["author"]):
        author = _tidy(match["author"])
        return _manner(match["manner"]), None if author == "Memorandum" else author
    if block.kind is not None:
        found = _AUTHOR_LINE.match(text)
        return block.kind, _tidy(found["author"]) if found and found["author"] else None
    return None


def _tidy(author: str) -> str:
    """The name without the full stop of its line, which stays where it belongs to `J.`."""
    author = author.strip().rstrip(",")
    return author if re.search(r"\bJ+\.$", author) else author.rstrip(".")


def _manner(words: str) -> PartKind:
    dissents, concurs = "dissent" in words.lower(), "concurr" in words.lower()
    if dissents and (concurs or "in part" in words):
        return "mixed"
    return "dissent" if dissents else "concurrence"


def _is_closing(block: Block) -> bool:
    return len(block.text) <= _CLOSING_MAX_CHARS and _CLOSING.match(block.text) is not None


def _notes(blocks: list[Block], body_end: int, segments: list[Segment]) -> list[tuple[Segment, str]]:
    """The footnotes as segments of the kind and author of the opinion that calls them.

    Each opinion numbers its notes anew, so calls and notes are matched in order, by their marks.
    """
    calls = [
        (mark.value, segment)
        for segment in segments
        for block in blocks[segment.first : segment.last]
        for mark in block.marks
        if mark.kind == "note_call"
    ]
    notes = [(blocks[i].note or "", i) for i in range(body_end, len(blocks)) if blocks[i].begins_note]
    owners = {number: segment for number, (_, segment) in enumerate(calls)}
    if len(calls) != len(notes):
        # A call or a note is lost or misnumbered in the source: go by the longest runs of equal labels.
        matcher = SequenceMatcher(None, [label for label, _ in calls], [label for label, _ in notes], False)
        owners = {
            match.b + step: calls[match.a + step][1]
            for match in matcher.get_matching_blocks()
            for step in range(match.size)
        }
    ends = [*(index for _, index in notes), len(blocks)][1:]
    opinions = [segment for segment in segments if segment.kind not in {"front", "closing"}]
    only = opinions[0] if len(opinions) == 1 else None
    found = []
    for number, ((label, first), last) in enumerate(zip(notes, ends, strict=True)):
        owner = owners.get(number, only)
        kind: PartKind = owner.kind if owner else "unattributed"
        found.append((Segment(first, last, kind, owner.author if owner else None), label))
    return found
