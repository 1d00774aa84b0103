"""Name, citation, court, date and author from the lines at the head of a document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from parcel_agents.opinions.blocks import Block
from parcel_agents.opinions.captions import case_name, is_name, name_of
from parcel_agents.opinions.court_names import court_name, tidy_court
from parcel_agents.opinions.decision_dates import decision_date
from parcel_agents.opinions.front_citations import cited_name, front_citation
from parcel_agents.opinions.judges import tidy_author

_JUDGE_LINE = re.compile(r"(?:[A-Z][\w.'’-]*,? ){1,4}(?:Ch\. |C\. ?)?J\.(?: ?P\.)?,?|Per Curiam")
_OPINION_BY = re.compile(
    r"""(?:(?:Memorandum\ )?Opinion|OPINION)\ (?:(?:of|for)\ the\ Court\ )?(?:(?:was\ )?(?:filed|delivered)\ )?
    (?:by|BY):?\s+
    (?P<author>(?:(?:Chief|Presiding|Associate|Senior|Circuit|District)\ )*(?:(?:Judge|Justice|JUDGE|JUSTICE)\ )?
    [A-Z][\w.'’-]*(?:\ [A-Z][\w.'’-]*){0,3}(?:,\ (?:Ch\.\ |C\.\ ?|P\.\ ?)?J\.)?)""",
    re.VERBOSE,
)
# "ARDEN, J., delivered the opinion of the Court, in which ..." as a syllabus or a reporter's head has it.
_DELIVERED = re.compile(
    r"(?P<author>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?, (?:C\. ?|Ch\. ?)?J\.), delivered the\s+opinion (?:of|for)"
)
_FRONT_BLOCKS = 60
_RUNNING_HEADS = 3
_HEAD_LINES = 110
_FOOT_LINES = 25
_FOOT_BLOCKS = 8
_MAX_LINE = 90
_CLOSING_DATE = re.compile(r"Decided [^\n]{8,40}$", re.IGNORECASE)
_MAX_DATE_LINE = 160
# "May 2, 2031  SUPREME COURT": a date and a name set too close for columns.
_DATE_COLUMN = re.compile(r"(?<=, \d{4}) {2,}(?=[A-Z])")
# Small capitals that a converter has cut: "F OR THE S ECOND C IRCUIT".
_CUT_CAPITAL = re.compile(r"\b([B-HJ-Z]) (?=[A-Z]{2,}\b)")
# "SUPREME COURT OF NORTH CAROLINA 2031-NCSC-1"
_COURT_AND_CITE = re.compile(r"(?i:(?<=[a-z])) (?=(?:19|20)\d\d-[A-Z]{2,6}-\d+$)")
# "(2031 NY Slip Op 50009(U))" and " - 2031 NY Slip Op 00009" behind a title, or the name of a site
_AFTER_TITLE = re.compile(r"\s*(?:\((?:[^()]|\([^()]*\))*\)|\s[-–—|]\s[^-–—|]*(?:\d{4}|\.\w{2,3}\b)[^-–—|]*)\s*$")
_COLUMNS = re.compile(r"\s{3,}|\t+")


def describe(blocks: Sequence[Block], front_end: int) -> dict[str, str]:
    """The describing fields that the lines before the opinion tell, each only where it is there.

    Args:
        blocks: all blocks of the document.
        front_end: index of the first block of the Court's own words; 0 where that is not known.
    """
    typed = any(block.kind for block in blocks)
    front = blocks[: min(front_end, _FRONT_BLOCKS)]
    if front_end <= _RUNNING_HEADS and not typed:
        # Nothing was taken for the beginning, or a running head above the caption was.
        front = _before_prose(blocks[:_FRONT_BLOCKS])
    title = front[0].text if front and front[0].heading else None
    lines = [line.strip() for block in front for line in [*block.text.split("\n"), ""]]
    body = [block for block in blocks[len(front) :] if block.note is None]
    # Separate opinions may follow the closing lines, of which the date is one by itself.
    closing = [block for block in body[:-_FOOT_BLOCKS] if _CLOSING_DATE.match(block.text)]
    last = closing + body[-_FOOT_BLOCKS:]
    foot = [line for block in last for line in block.text.split("\n")]
    fields = _describe(lines, lines, foot)
    if title and is_name(title):
        fields["name"] = _AFTER_TITLE.sub("", title)
    return fields


def describe_text(text: str) -> dict[str, str]:
    """The describing fields in the lines of a plain text, which its layout keeps apart better than paragraphs do."""
    rows = [piece for row in text.strip("\n").split("\n") for piece in _DATE_COLUMN.sub("\n", row).split("\n")]
    if len(rows) < 2:
        return {}
    head, foot = rows[:_HEAD_LINES], rows[-_FOOT_LINES:]
    columns = [[piece for piece in _COLUMNS.split(row.strip()) if piece] for row in head]
    left = [row[0] if row else "" for row in columns]
    every = [piece for row in columns for piece in [*row, *([] if row else [""])]]
    return _describe(left, every, foot)


def stated_fields(stated: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The describing fields in the words of elements that a source has typed: parties, court, dates, citations."""
    fields: dict[str, str] = {}
    names = (name_of(text) for text in stated.get("name", ()))
    if name := next((name for name in names if name), None):
        fields["name"] = name
    courts = [" ".join(text.split()) for text in stated.get("court", ()) if text.strip()]
    if courts:
        fields["court"] = tidy_court(courts[0])
    dates = [line for text in stated.get("date", ()) for line in text.split("\n")]
    if date := decision_date(dates):
        fields["date"] = date
    if citation := front_citation([line for text in stated.get("citation", ()) for line in text.split("\n")]):
        fields["citation"] = citation
    return fields


def _describe(left: Sequence[str], every: Sequence[str], foot: Sequence[str]) -> dict[str, str]:
    """The fields in lines of the head: their first column, all their columns, and the last lines of the document."""
    left = [piece for line in left for piece in _COURT_AND_CITE.sub("\n", line).split("\n")]
    left = [_CUT_CAPITAL.sub(r"\1", line) if len(_CUT_CAPITAL.findall(line)) > 1 else line for line in left]
    short = [line for line in every if len(line) <= _MAX_DATE_LINE]
    found = {
        "name": cited_name(left) or case_name([line[: 2 * _MAX_DATE_LINE] for line in left]),
        "citation": front_citation(left),
        "court": court_name(left),
        "date": decision_date(short, foot),
        "author": _author(left),
    }
    return {field: value for field, value in found.items() if value}


def _author(lines: Sequence[str]) -> str | None:
    for line in lines:
        if len(line) <= _MAX_LINE and _JUDGE_LINE.fullmatch(line):
            return line.rstrip(",")
        if by := _OPINION_BY.match(line) or _DELIVERED.match(line):
            return tidy_author(by["author"])
    return None


def _before_prose(blocks: Sequence[Block]) -> Sequence[Block]:
    """The blocks up to the second long paragraph: a notice may come first, then the caption, then the text."""
    long = [index for index, block in enumerate(blocks) if len(block.text) > 400]
    return blocks[: long[1]] if len(long) > 1 else blocks[:30]
