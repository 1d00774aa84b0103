"""Name, citation, court, date and author from the lines at the head of a document."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parcel_agents.opinions.blocks import Block

# "42 NY3d 184", "303 Ga. 810", "594 U. S. 595" at the start of a line; other numbers there are no citations.
_CITATION = re.compile(
    r"\d{1,4} (?!(?:No|Nos|Part|Decided|Argued|Filed)\b)(?:[A-Z][\w.]*\.? ?){1,4}(?:[2-9]d|\dth)? ?\d{1,5}(?!\w)"
)
_SLIP_CITATION = re.compile(r"\d{4} NY ?Slip ?Op \d{5}(?:\(U\))?")
_REPORTER_IN_BRACKETS = re.compile(r"\[(\d{1,4} [A-Z][\w. ]{1,12} \d{1,5})\]")
_DATE = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r" \d{1,2}, \d{4}\b"
)
_COURT = re.compile(
    r"(?:(?:United States )?(?:Supreme Court|Court of Appeals|District Court)\b[^\n]{0,80}"
    r"|Appellate (?:Division|Term)[^\n]{0,60}|[A-Z]\w+ Court(?: of [A-Z][\w ]+)?)$"
)
_JUDGE_LINE = re.compile(r"(?:[A-Z][\w.'’-]*,? ){1,4}(?:Ch\. |C\. ?)?J\.(?: ?P\.)?,?|Per Curiam")
_FRONT_BLOCKS = 12
_MAX_LINE = 90


def describe(front: Sequence[Block]) -> dict[str, str]:
    """The describing fields that the lines before the opinion tell, each only where it is there.

    Args:
        front: the blocks before the Court's own words.
    """
    fields: dict[str, str] = {}
    lines = [line.strip() for block in front[:_FRONT_BLOCKS] for line in block.text.split("\n")]
    if front and front[0].heading:
        fields["name"] = re.sub(r"\s*\([^()]*\)\s*$", "", front[0].text)
        lines = lines[1:]
    for line in lines:
        if len(line) > _MAX_LINE:
            continue
        if citation := _citation(line):
            fields.setdefault("citation", citation)
        for field, form in (("date", _DATE), ("court", _COURT), ("author", _JUDGE_LINE)):
            if form.fullmatch(line):
                fields.setdefault(field, line.rstrip(","))
    return fields


def _citation(line: str) -> str | None:
    """The citation that a line begins with; that of a reporter rather than the number of the slip opinion."""
    if slip := _SLIP_CITATION.match(line):
        reporter = _REPORTER_IN_BRACKETS.search(line)
        return reporter[1] if reporter else slip.group()
    found = _CITATION.match(line)
    alone = found is not None and not re.search(r"[a-z]", line[found.end() :])
    return found.group() if found and alone else None
