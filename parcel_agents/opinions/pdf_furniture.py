"""PDF: running heads and page numbers, found by their place and by their coming back, and taken out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from parcel_agents.opinions.pdf_lines import Line, Row
from parcel_agents.opinions.pdf_page import Run, Sheet

_EDGE_ROWS = 5
"""Rows at the top and at the bottom of a page among which its furniture is looked for."""
_EDGE_SHARE = 0.22
"""The share of the page's height that is its edge."""
_SAME_PLACE = 9.0
"""Points by which a running head may move from page to page if it comes back on many."""
_SAME_SLOT = 3.0
"""The same if it comes back on few."""
_MIN_REPEATS = 3
_MIN_PAGE_SHARE = 0.3
_SLOT_SHARE = 0.4
_MARK_SHARE = 0.5
"""The share of the pages on which a watermark stands."""
_MAX_HEAD_CHARS = 140
_MAX_STAMP_CHARS = 220
_SENTENCE_END = re.compile(r"(?<!\bJ)[.?!:;][)\]\"”’']*$")
_ROMAN = r"[ivxl]{1,7}"
_DASHED = re.compile(rf"[-–—] ?(\d{{1,4}}|{_ROMAN}) ?[-–—]")
_PAGE_OF = re.compile(r"\b[Pp](?:age|AGE|g\.?):? ?(\d{1,4})(?: ?(?:of|/) ?\d{1,4})?\b")
_ALONE = re.compile(rf"(\d{{1,4}}|{_ROMAN})")
_AT_END = re.compile(r"^(\d{1,4})\s|\s(\d{1,4})$")
# The Supreme Court's running heads, and the stamp of the federal courts' filing system on every page.
_KNOWN_HEAD = re.compile(
    r"""Cite\ as:\ \d+\ U\.\ ?S\.
    | \((?:Slip|Bench)\ Opinion\) | OCTOBER\ TERM,\ \d
    | (?:USCA\S*\ )?(?:Appellate\ )?Case:?\ ?\S*\d\S*\ .*\b(?:Document|Doc|DktEntry|Entry|Page|Filed)\b
    """,
    re.VERBOSE,
)
# The second line of a running head, which says whose opinion the page holds.
_VOICE = re.compile(
    r"""Syllabus | Per\ Curiam
    | Opinion\ of\ (?:the\ Court | [A-Z].{2,40})
    | (?:Statement|Appendix|Attachment)\b.{0,70}
    | [A-Z][\w.'’\ ]{1,30},\ (?:C\.\ ?)?JJ?\.,\ [a-z].{3,90}
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class CleanPage:
    """A page without its furniture."""

    label: str
    """The printed number of the page; where none is found, the number in the file."""
    rows: tuple[Row, ...]
    sheet: Sheet


def without_watermarks(sheets: Sequence[Sheet]) -> None:
    """Take out of the pages' middle what stands in the same place and words on half of them or more."""
    places: Counter[tuple[str, int, int]] = Counter()
    for sheet in sheets:
        places.update({_place(run) for run in sheet.runs})
    least = max(_MIN_REPEATS, _MARK_SHARE * len(sheets))
    marks = {place for place, count in places.items() if count >= least and len(place[0]) > 1}
    for sheet in sheets:
        middle = range(int(_EDGE_SHARE * sheet.height), int((1 - _EDGE_SHARE) * sheet.height))
        sheet.runs[:] = [run for run in sheet.runs if int(run.y) not in middle or _place(run) not in marks]


def _place(run: Run) -> tuple[str, int, int]:
    return run.text, round(run.x), round(run.y)


def without_furniture(sheets: Sequence[Sheet], pages: Sequence[Sequence[Row]]) -> list[CleanPage]:
    """The pages without running heads and page numbers, which tell the pages' labels.

    A line is furniture if its like, figures aside, stands at the same place on other pages, if courts are known to
    print it there, if it holds nothing but a page number, or if it is a short line at a place where other pages have
    furniture.
    """
    running = _running(sheets, pages)
    taken = [_taken(sheet, rows, running) for sheet, rows in zip(sheets, pages, strict=True)]
    slots = _slots(taken, len(sheets))
    cleaned: list[tuple[list[Row], list[Row]]] = []
    for sheet, rows in zip(sheets, pages, strict=True):
        # A title may stand where other pages have their head.
        heads = _taken(sheet, rows, running, slots if sheet.number > 1 else ())
        cleaned.append((heads, [row for row in rows if row not in heads]))
    labels = _labels([heads for heads, _ in cleaned])
    return [
        CleanPage(label, tuple(rows), sheet) for label, (_, rows), sheet in zip(labels, cleaned, sheets, strict=True)
    ]


@dataclass(frozen=True)
class _Running:
    """A line that comes back: its shape, the height at which it stands, and how far from it."""

    shape: str
    y: float
    reach: float


def _shape(text: str) -> str:
    return re.sub(r"\d+", "0", " ".join(text.split())).lower()


def _edges(sheet: Sheet, rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The rows at the top and those at the bottom of a page, each from the outside inwards."""
    yield [row for row in rows[:_EDGE_ROWS] if row.y > (1 - _EDGE_SHARE) * sheet.height]
    yield [row for row in rows[: -_EDGE_ROWS - 1 : -1] if row.y < _EDGE_SHARE * sheet.height]


def _running(sheets: Sequence[Sheet], pages: Sequence[Sequence[Row]]) -> list[_Running]:
    places: dict[str, list[float]] = {}
    for sheet, rows in zip(sheets, pages, strict=True):
        for row in {row for edge in _edges(sheet, rows) for row in edge}:
            if len(row.text) <= _MAX_HEAD_CHARS:
                places.setdefault(_shape(row.text), []).append(row.y)
    least = max(_MIN_REPEATS, _MIN_PAGE_SHARE * len(sheets))
    found = []
    for shape, heights in places.items():
        middle = median(heights)
        if sum(1 for y in heights if abs(y - middle) <= _SAME_PLACE) >= least:
            found.append(_Running(shape, middle, _SAME_PLACE))
        elif sum(1 for y in heights if abs(y - middle) <= _SAME_SLOT) >= _MIN_REPEATS and len(shape) > _MIN_REPEATS:
            found.append(_Running(shape, middle, _SAME_SLOT))
    return found


def _taken(sheet: Sheet, rows: Sequence[Row], running: Sequence[_Running], slots: Sequence[float] = ()) -> list[Row]:
    """The furniture of a page."""
    taken: list[Row] = []
    for top, edge in zip((True, False), _edges(sheet, rows), strict=True):
        outermost = True
        headed = False
        for row in edge:
            shape = _shape(row.text)
            repeated = any(shape == other.shape and abs(row.y - other.y) <= other.reach for other in running)
            known = len(row.text) <= _MAX_STAMP_CHARS and _KNOWN_HEAD.match(row.text) is not None
            voice = top and headed and _VOICE.fullmatch(row.text) is not None
            numbered = outermost and _is_page_number(row)
            in_slot = any(abs(row.y - slot) <= _SAME_SLOT for slot in slots) and _may_be_head(row, sheet)
            if not (repeated or known or voice or numbered or in_slot):
                break
            taken.append(row)
            headed = headed or known or (in_slot and not numbered)
            outermost = outermost and not numbered
    return taken


def _is_page_number(row: Row) -> bool:
    if len(row.lines) == 1 and (_ALONE.fullmatch(row.text) or _PAGE_OF.fullmatch(row.text)):
        return True
    return len(row.text) <= _MAX_HEAD_CHARS and any(_DASHED.fullmatch(line.text) for line in row.lines)


def _may_be_head(row: Row, sheet: Sheet) -> bool:
    return (
        len(row.text) < 70
        and row.lines[-1].end - row.lines[0].x < 0.75 * sheet.width
        and not _SENTENCE_END.search(row.text)
    )


def _slots(taken: Sequence[Sequence[Row]], pages: int) -> list[float]:
    """Heights at which many pages have furniture."""
    heights = sorted(row.y for rows in taken for row in rows)
    known = [row.y for rows in taken for row in rows if _KNOWN_HEAD.match(row.text) or _VOICE.fullmatch(row.text)]
    slots: list[float] = []
    for y in heights:
        near = sum(1 for other in heights if abs(other - y) <= _SAME_SLOT)
        sure = any(abs(other - y) <= _SAME_SLOT for other in known)
        if near >= max(1 if sure else _MIN_REPEATS, _SLOT_SHARE * pages) and (not slots or y - slots[-1] > _SAME_SLOT):
            slots.append(y)
    return slots


def _labels(heads: Sequence[Sequence[Row]]) -> list[str]:
    """The printed number of each page; gaps are filled by counting from the neighbours."""
    found: list[str | None] = []
    for index, rows in enumerate(heads):
        lines = [line for row in rows for line in row.lines]
        before = found[-1] if found else None
        expected = {str(index + 1), "1", str(int(before) + 1) if before and before.isdigit() else "1"}
        found.append(_certain(lines) or _expected(lines, expected))
    for index in range(len(found) - 2, -1, -1):
        following = found[index + 1]
        if found[index] is None and following and following.isdigit() and int(following) > 1:
            found[index] = str(int(following) - 1)
    for index in range(1, len(found)):
        before = found[index - 1]
        if found[index] is None and before and before.isdigit():
            found[index] = str(int(before) + 1)
    return [label or str(index + 1) for index, label in enumerate(found)]


def _certain(lines: Sequence[Line]) -> str | None:
    for form in (_DASHED, _ALONE, _PAGE_OF):
        for line in lines:
            if match := form.fullmatch(line.text):
                return match[1]
    return next((match[1] for line in lines if (match := _PAGE_OF.search(line.text))), None)


def _expected(lines: Sequence[Line], expected: set[str]) -> str | None:
    """A number at the end of a running head, if it is one that may stand there."""
    for line in lines:
        if (match := _AT_END.search(line.text)) and (number := match[1] or match[2]) in expected:
            return number
    return None
