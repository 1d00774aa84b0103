"""PDF: the footnotes at the feet of pages, told from the text by a rule, a label, or closer or smaller type."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from parcel_agents.opinions.closings import tells_the_order, tells_who_concurred
from parcel_agents.opinions.pdf_furniture import CleanPage
from parcel_agents.opinions.pdf_lines import Line, Row
from parcel_agents.opinions.pdf_page import Rule

_SMALLER = 0.93
_CLOSER = 0.75
_GAP = 1.25
_LABEL = re.compile(r"(?P<label>\d{1,3}|[*†‡]{1,3})[.)]?(?:\s+|(?<=[*†‡.)]))(?P<text>[^\Wa-z\d_].*|[\"“‘'(\[§].*)")
_DASHES = re.compile(r"[—–_]{3,40}")
_SENTENCE_END = re.compile(r"[.?!:][)\]\"”’']*$")
_RULE_SHARE = 0.75
"""The rule over footnotes stands below this share of the page's height."""


@dataclass(frozen=True)
class Type:
    """How the text of a document is set, as most of its lines are."""

    size: float
    leading: float
    margin: float
    indent: float
    """Where the first lines of paragraphs begin."""

    @classmethod
    def of(cls, pages: Sequence[Sequence[Line]]) -> Type:
        """The most common size, distance of lines and left margin, each weighed by the text it holds.

        Args:
            pages: the first line of each row, page by page.
        """
        sizes: Counter[float] = Counter()
        leadings: Counter[float] = Counter()
        margins: Counter[float] = Counter()
        for lines in pages:
            for line in lines:
                sizes[round(line.size * 2) / 2] += len(line.text)
                margins[round(line.x)] += len(line.text)
            for above, below in pairwise(lines):
                if above.y > below.y:
                    leadings[round((above.y - below.y) * 2) / 2] += len(below.text)
        size, margin = _most(sizes, 12.0), _most(margins, 72.0)
        indents: Counter[float] = Counter(
            round(above.x)
            for lines in pages
            for above, below in pairwise(lines)
            if abs(below.x - margin) < 2 and above.x > margin + size
        )
        return cls(size, _most(leadings, 14.0), margin, _most(indents, margin))


@dataclass
class PageNote:
    """What one page holds of a footnote; a label of None means that the last note of an earlier page goes on."""

    label: str | None
    page: str
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True)
class Page:
    """The text of a page and the footnotes below it."""

    label: str
    rows: tuple[Row, ...]
    notes: tuple[PageNote, ...] = ()


def take_notes(pages: Sequence[CleanPage], usual: Type) -> list[Page]:
    """The pages with their footnotes apart."""
    feet = _Feet(
        usual,
        ruled=any(_dashes(page, usual) is not None for page in pages),
        raised=any(line.label is not None for page in pages for row in page.rows for line in row.lines),
    )
    taken: list[Page] = []
    for page in pages:
        foot = feet.begin(page)
        notes: list[PageNote] = []
        for line in (line for row in page.rows[foot:] for line in row.lines if not _DASHES.fullmatch(line.text)):
            label, rest = feet.label(line)
            if label is not None:
                notes.append(PageNote(label, page.label, [replace(line, text=rest, label=None)] if rest else []))
                feet.number = int(label) if label.isdigit() else feet.number
            else:
                notes = notes or [PageNote(None, page.label)]
                notes[-1].lines.append(line)
        feet.last = notes[-1] if notes else None
        rows = [_with_call(row) for row in page.rows[:foot]]
        for sign in (note.label for note in notes if note.label and not note.label.isdigit()):
            rows = _with_sign(rows, sign)
        taken.append(Page(page.label, tuple(rows), tuple(notes)))
    return taken


def _with_sign(rows: Sequence[Row], sign: str) -> list[Row]:
    """The rows of text, in which the first such sign behind a word calls the note; many are not raised."""
    calls = re.compile(rf"(?<=[^\W_]|[.,;:?!)\]”’\"]){re.escape(sign)}(?![\w*†‡])")
    found = list(rows)
    for index, row in enumerate(rows):
        for place, line in enumerate(row.lines):
            if f"[FN{sign}]" in line.text:
                return found
            if calls.search(line.text):
                called = replace(line, text=calls.sub(f"[FN{sign}]", line.text, count=1))
                found[index] = Row((*row.lines[:place], called, *row.lines[place + 1 :]))
                return found
    return found


def _with_call(row: Row) -> Row:
    """The row of text, whose raised figure at its beginning is a call and no label."""
    first = row.lines[0]
    if first.label is None:
        return row
    return Row((replace(first, text=f"[FN{first.label}]{first.text}", label=None), *row.lines[1:]))


def _most(counted: Mapping[float, int], otherwise: float) -> float:
    return max(counted, key=lambda value: (counted[value], -value)) if counted else otherwise


@dataclass
class _Feet:
    """Finds where the notes of each page begin, page after page."""

    usual: Type
    ruled: bool
    """True if rows of dashes stand over the notes; then they do so on every page."""
    raised: bool
    """True if labels are raised; then no other figure is one."""
    number: int = 0
    """The last note's number."""
    last: PageNote | None = None
    """The note that may go on, on the next page."""

    def label(self, line: Line) -> tuple[str | None, str]:
        """The label that begins a note with this line, and the text behind it."""
        if line.label is not None:
            return line.label, line.text
        found = _LABEL.fullmatch(line.text)
        if found and (
            not found["label"].isdigit() or (not self.raised and int(found["label"]) in {self.number + 1, 1})
        ):
            return found["label"], found["text"]
        return None, line.text

    def begin(self, page: CleanPage) -> int:
        """The index of the row with which the notes of a page begin; the number of rows if there are none."""
        rows = page.rows
        if self.ruled:
            dashes = _dashes(page, self.usual)
            return len(rows) if dashes is None else dashes
        labelled = self._first_label(page)
        ruled = self._below_rule(page, labelled)
        if ruled is not None:
            return ruled
        return _continued(rows, len(rows) if labelled is None else labelled, self.usual, self.last)

    def _first_label(self, page: CleanPage) -> int | None:
        for index, row in enumerate(page.rows):
            line = row.lines[0]
            smaller = all(_is_small(below, self.usual) for below in page.rows[index:])
            if line.label is not None and line.text and (smaller or (index > 0 and self._is_set_apart(page, index))):
                return index
            if index > 0 and smaller and self.label(line)[0] is not None and _is_text(page.rows[:index], self.usual):
                return index
        return None

    def _is_set_apart(self, page: CleanPage, index: int) -> bool:
        """True if a gap stands above the row, or its lines are closer than those of the text."""
        rows = page.rows
        closer = index + 1 < len(rows) and rows[index].y - rows[index + 1].y <= _CLOSER * self.usual.leading
        apart = rows[index - 1].y - rows[index].y >= _GAP * self.usual.leading
        return closer or apart or _is_small(rows[index], self.usual)

    def _below_rule(self, page: CleanPage, labelled: int | None) -> int | None:
        """The first row below the rule that separates the notes, where one is drawn."""
        for rule in sorted(page.sheet.rules, key=lambda rule: rule.y):
            below = next((index for index, row in enumerate(page.rows) if row.y < rule.y), None)
            if below is None or rule.y > _RULE_SHARE * page.sheet.height or _underlines(rule, page.rows):
                continue
            begins = page.rows[below].lines[0]
            if abs(begins.x - rule.x) > 2 * begins.size + 24:
                continue
            if labelled == below or (self.last is not None and (labelled is None or labelled > below)):
                return below
            if labelled is None and self.label(begins)[0] is not None:
                return below
        return None


def _dashes(page: CleanPage, usual: Type) -> int | None:
    """The row of dashes at the margin under which all is set smaller; None if the page has none."""
    for index, row in enumerate(page.rows):
        line = row.lines[0]
        if len(row.lines) == 1 and _DASHES.fullmatch(line.text) and line.x < usual.margin + 3 * usual.size:
            below = page.rows[index + 1 :]
            if below and all(_is_small(one, usual) for one in below):
                return index
    return None


def _is_small(row: Row, usual: Type) -> bool:
    return row.lines[0].size <= _SMALLER * usual.size


def _is_text(rows: Sequence[Row], usual: Type) -> bool:
    """True if most of what the rows hold is set as the text is: a syllabus in small type has no notes below."""
    chars = [(len(row.text), _is_small(row, usual)) for row in rows]
    return sum(count for count, small in chars if not small) > sum(count for count, small in chars if small)


def _underlines(rule: Rule, rows: Sequence[Row]) -> bool:
    return any(
        0 <= row.y - rule.y <= 0.35 * line.size and line.x < rule.x + rule.width and line.end > rule.x
        for row in rows
        for line in row.lines
    )


def _continued(rows: Sequence[Row], end: int, usual: Type, last: PageNote | None) -> int:
    """The index of the row at which a note of the page before goes on, above the row `end` or at the page's end."""
    if last is None or not last.lines:
        return end
    start = end
    while start > 1 and _is_note_type(rows, start - 1, end, usual):
        start -= 1
    if start == end:
        return end
    text = " ".join(row.text for row in rows[start:end])
    smaller = all(_is_small(row, usual) for row in rows[start:end]) and _is_text(rows[:start], usual)
    unfinished = not _SENTENCE_END.search(last.lines[-1].text)
    if smaller or unfinished:
        return start
    # Behind a whole sentence only a full line tells that the note goes on; the closing lines are set alike.
    full = last.lines[-1].end - last.lines[-1].x > 0.85 * max(line.end - line.x for line in last.lines)
    return start if full and not tells_who_concurred(text) and not tells_the_order(text) else end


def _is_note_type(rows: Sequence[Row], index: int, end: int, usual: Type) -> bool:
    """True if a row is set as notes are: smaller than the text, or closer and with a gap above them all."""
    line = rows[index].lines[0]
    if _is_small(rows[index], usual):
        return True
    if line.size > usual.size * 1.05 or line.x > usual.margin + 2 * usual.size:
        return False
    above = rows[index - 1].y - rows[index].y
    if index + 1 < end:
        return rows[index].y - rows[index + 1].y <= _CLOSER * usual.leading
    return above <= _CLOSER * usual.leading or (end == len(rows) and above >= _GAP * usual.leading)
