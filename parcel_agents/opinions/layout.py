"""The pages of a printed text: running heads, page numbers, and footnotes at the foot of the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

_MIN_REPEATS = 4
"""A line that comes back this often, its numbers aside, is a running head and not prose."""
_MIN_PAGE_SHARE = 0.3
"""So is one that stands on this share of all pages."""
_HEAD_MAX_CHARS = 100
_MAX_LINES = 400
"""A stretch of more lines than this is no printed page, and what looks like a note's label there is none."""
_PAGE_NUMBER = re.compile(r"[\s—–-]*\d{1,4}[\s—–-]*")
_PROSE_END = re.compile(r"(?<!\bJ)(?<!\bJ\.)[.,;:?!”\"]\s*$")
# The second line of a running head names the opinion; set in small capitals, it reaches text dumps in pieces.
_OPINION_NAMED = re.compile(r"\b(?:Syllabus|Per Curiam|Opinion|Statement|Appendix)\b|(?:^|\s|,) ?(?:C\. ?)?J\.,")
_HEAD_MIN_INDENT = 6
_HEAD_MAX_LINES = 5
_HEAD_MAX_WIDTH = 60
_NOTE_LABEL = re.compile(
    r"\s{0,14}(?P<label>\d{1,3}|[*†‡])(?:\s*$|\s{0,3}(?P<text>(?:[^\Wa-z\d_]|[\"“‘'(\[§]|(?<=\s)\d).*))"
)
_RULE = re.compile(r"\s{0,12}—{4,}\s*")
_REACHES = 0.6
"""The share of the widest line that a line must fill to count as broken at the margin."""
_MIN_WITHIN = 2
_SENTENCE_END = re.compile(r"[.?!:][)\]\"”’']*\s*$")
# What a number behind a full stop or a word belongs to if it calls no note.
_NUMBERED = (
    r"(?<!\bNo\.)(?<!\bNos\.)(?<!\bArt\.)(?<!\bart\.)(?<!\bch\.)(?<!\bcl\.)(?<!\bp\.)(?<!\bpp\.)(?<!\bn\.)(?<!\bnn\.)"
    r"(?<!\bvol\.)(?<!\bpt\.)(?<!\bExh\.)(?<!\bApp\.)(?<!\bStat\.)(?<!\btit\.)(?<!\bat)(?<!\bof)(?<!\band)(?<!\bpage)"
    r"(?<!\bPart)(?<!\bCount)(?<!\bRule)(?<!\bTitle)(?<!\bArticle)(?<!\bChapter)(?<!\bSection)(?<!\bsection)"
)


@dataclass
class PageNote:
    """What one page holds of a footnote; a label of None means that the last note of an earlier page goes on."""

    label: str | None
    lines: list[str] = field(default_factory=list)


@dataclass
class Page:
    """A page without its running head; calls of its footnotes stand as `[FN1]` in the lines."""

    lines: list[str]
    notes: list[PageNote] = field(default_factory=list)


def read_pages(source: str) -> list[Page]:
    """The pages of a text that has form feeds or running heads; a text without either is one page."""
    sheets = [sheet.split("\n") for sheet in source.split("\f")]
    if len(sheets) == 1:
        sheets = _divided_at_heads(sheets[0])
    if len(sheets) == 1:
        return [Page(sheets[0])]
    running = _running_lines(sheets)
    pages = [Page(_trimmed(_without_head(sheet, running))) for sheet in sheets]
    _take_notes([page for page in pages if 0 < len(page.lines) <= _MAX_LINES])
    return pages


def is_double_spaced(lines: Sequence[str]) -> bool:
    """True if an empty line stands between any two lines, so that it does not tell the end of a paragraph."""
    filled = [bool(line.strip()) for line in lines]
    together = sum(1 for this, following in pairwise(filled) if this and following)
    apart = [i for i in range(len(lines) - 2) if filled[i] and not filled[i + 1] and filled[i + 2]]
    # Headings stand apart in any text, and where each paragraph is one long line the lines do so too, but at the ends
    # of sentences. What tells is a line that reaches the margin and goes on in the next.
    reach = _REACHES * max((len(line.rstrip()) for line in lines), default=0)
    full = [index for index in apart if len(lines[index].rstrip()) >= reach]
    within = sum(1 for index in full if not _SENTENCE_END.search(lines[index]))
    return len(apart) > 2 * together and within >= _MIN_WITHIN and 2 * within > len(full)


def indent_of(line: str) -> int:
    """The number of blanks before the text of a line."""
    return len(line) - len(line.lstrip())


def _shape(line: str) -> str:
    return re.sub(r"\d+", "0", " ".join(line.split()))


def _divided_at_heads(lines: list[str]) -> list[list[str]]:
    """The sheets of a text without form feeds: each running head that holds a number begins one."""
    shapes = Counter(_shape(line) for line in lines if re.search(r"\d", line))
    heads = {shape for shape, count in shapes.items() if count >= _MIN_REPEATS and _may_be_head(shape)}
    sheets: list[list[str]] = [[]]
    for line in lines:
        if _shape(line) in heads:
            sheets.append([])
        else:
            sheets[-1].append(line)
    return [sheet for sheet in sheets if any(line.strip() for line in sheet)] or [lines]


def _running_lines(sheets: Sequence[Sequence[str]]) -> set[str]:
    """The shapes of lines that come back from page to page."""
    shapes = Counter(shape for sheet in sheets for shape in {_shape(line) for line in sheet})
    least = max(3, _MIN_PAGE_SHARE * len(sheets))
    return {shape for shape, count in shapes.items() if count >= least and _may_be_head(shape)}


def _may_be_head(shape: str) -> bool:
    """False for lines such as `Id. at 7.`, which come back in prose, and for rules and numbers."""
    return 5 <= len(shape) < _HEAD_MAX_CHARS and bool(re.search("[A-Za-z]{2}", shape)) and not _PROSE_END.search(shape)


def _without_head(sheet: Sequence[str], running: set[str]) -> list[str]:
    """The lines of a page without running heads and page numbers."""
    lines = _trimmed([line for line in sheet if _shape(line) not in running])
    for end in (0, -1):
        if lines and _PAGE_NUMBER.fullmatch(lines[end]):
            del lines[end]
    lines = _trimmed(lines)
    return _trimmed(lines[_second_head(lines) :])


def _second_head(lines: Sequence[str]) -> int:
    """The number of lines at the top of a page that name the opinion it belongs to."""
    top = next((index for index, line in enumerate(lines) if not line.strip()), 0)
    centred = all(indent_of(line) >= _HEAD_MIN_INDENT and len(line.strip()) < _HEAD_MAX_WIDTH for line in lines[:top])
    if not 0 < top <= _HEAD_MAX_LINES or not centred or _PROSE_END.search(lines[top - 1]):
        return 0
    return top if _OPINION_NAMED.search("\n".join(lines[:top])) else 0


def _trimmed(lines: Sequence[str]) -> list[str]:
    filled = [index for index, line in enumerate(lines) if line.strip()]
    return list(lines[filled[0] : filled[-1] + 1]) if filled else []


def _take_notes(pages: Sequence[Page]) -> None:
    """Move the footnotes from the feet of the pages to `notes`, and mark their calls."""
    last = 0
    unfinished = False
    for page in pages:
        foot = _foot(page.lines, last)
        body, notes = page.lines[:foot], _notes_of(page.lines[foot:], last)
        if unfinished and not (notes and notes[0].label is None):
            going_on = _continuation(body)
            notes = [PageNote(None, body[going_on:]), *notes] if going_on < len(body) else notes
            body = body[:going_on]
        for note in notes:
            if note.label is not None:
                _mark_call(body, note.label)
                last = int(note.label) if note.label.isdigit() else last
        if notes:
            unfinished = not _SENTENCE_END.search(notes[-1].lines[-1]) if notes[-1].lines else False
        page.lines, page.notes = _trimmed(body), notes


def _label(line: str, last: int) -> re.Match[str] | None:
    """The label that begins a note with this line: a sign, the next number, or 1, where a new opinion begins."""
    found = _NOTE_LABEL.fullmatch(line)
    if found and (not found["label"].isdigit() or int(found["label"]) in {last + 1, 1}):
        return found
    return None


def _foot(lines: Sequence[str], last: int) -> int:
    """The index of the line with which the notes of a page begin; the number of lines if there are none."""
    for index, line in enumerate(lines):
        if index > 0 and _RULE.fullmatch(line):
            return index
        found = _label(line, last)
        if index == 0 or not found:
            continue
        apart = not lines[index - 1].strip()
        rest = [text for text in lines[index + 1 :] if text.strip()]
        if (apart or found["text"] is None) and (found["text"] or rest) and not is_double_spaced(lines[index:]):
            return index
    return len(lines)


def _notes_of(lines: Sequence[str], last: int) -> list[PageNote]:
    notes: list[PageNote] = []
    for line in lines:
        if found := _label(line, last):
            notes.append(PageNote(found["label"], [found["text"]] if found["text"] else []))
            last = int(found["label"]) if found["label"].isdigit() else last
        elif line.strip() and not _RULE.fullmatch(line):
            notes = notes or [PageNote(None)]
            notes[-1].lines.append(line)
    return notes


def _continuation(body: Sequence[str]) -> int:
    """The index of the line with which a note of the page before goes on below the text of this one."""
    lines = _trimmed(body)
    if is_double_spaced(lines):
        # The note is set closer than the text: it begins with the first of the lines that have no gap between.
        index = len(lines) - 1
        while index > 0 and lines[index - 1].strip():
            index -= 1
        return index + 1 if index > 0 and len(lines) - index > 1 else len(lines)
    gaps = [index for index, line in enumerate(lines) if not line.strip()]
    begin = gaps[-1] + 1 if gaps else len(lines)
    goes_on = begin < len(lines) and indent_of(lines[begin]) <= min(indent_of(line) for line in lines[begin:])
    return begin if goes_on else len(lines)


def _mark_call(body: list[str], label: str) -> None:
    """Put `[FN1]` in place of a note's call; at the page's end where the call is not found."""
    number = re.escape(label)
    # "25 U. S. 1" is no call, nor is "Part 1"; a call behind a stop is surer than one within a sentence.
    for form in (
        rf"(?<=[.,;:?!”\"’')\]—]){_NUMBERED} ?{number}(?=[\s”\")]|$)(?! (?:[A-Z]\. ?[A-Z\d]|Stat\.|Fed\.))",
        rf"(?<=[a-z]){_NUMBERED} ?{number}(?=[\s.,;:—]|$)(?! [A-Z])",
    ):
        for index, line in enumerate(body):
            if found := re.search(form, line):
                body[index] = f"{line[: found.start()]}[FN{label}]{line[found.end() :]}"
                return
    for index in range(len(body) - 1, -1, -1):
        if body[index].strip():
            body[index] += f"[FN{label}]"
            return
