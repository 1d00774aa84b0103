"""The text of a file whose citations are read, which need not be an opinion."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parcel_agents.errors import OpinionError
from parcel_agents.types import Opinion, PageMark

# What the first pages of a brief say of it, in capitals; its words are no court's.
_BRIEF = re.compile(
    r"\bTABLE OF AUTHORITIES\b|\bBRIEF (?:OF|FOR|IN|AMIC)"
    r"|\b(?:MEMORANDUM|REPLY|BRIEF|RESPONSE|MOTION) IN (?:SUPPORT|OPPOSITION)\b"
    r"|\bMEMORANDUM OF (?:LAW|POINTS)\b|\bCOUNSEL FOR (?:APPELL|PETITIONER|RESPONDENT|PLAINTIFF|DEFENDANT|AMIC)"
)
_FIRST_PAGES = 6_000


@dataclass(frozen=True)
class SourceText:
    """The text of a file and, if a court speaks in it, the opinion."""

    text: str
    opinion: Opinion | None
    pages: tuple[PageMark, ...] = ()
    """Where pages begin in a text that is no opinion, where the file numbers them."""

    def place(self, offset: int) -> dict[str, Any]:
        """The part, voice and page of a character; no part and voice in a text that is no opinion."""
        if self.opinion is None:
            at = bisect_right(self.pages, offset, key=lambda mark: mark.offset) - 1
            return {"part": None, "voice": None, "page": self.pages[at].page if at >= 0 else None}
        parts = self.opinion.parts
        part = parts[max(0, bisect_right(parts, offset, key=lambda one: one.start) - 1)]
        return {"part": part.kind, "voice": part.voice, "page": self.opinion.page_at(offset)}


def read_source(path: Path) -> SourceText:
    """The text of a file of any kind that the opinion reader knows.

    Raises:
        OpinionError: the file cannot be read at all.
    """
    from parcel_agents.opinions.document import read_document

    try:
        opinion = Opinion.load(path)
    except OpinionError:
        # No opinion, perhaps, but it may be a text; what cannot be read raises the same error again.
        blocks = read_document(path).blocks
        return SourceText("\n\n".join(block.text for block in blocks), None)
    if _BRIEF.search(opinion.text, 0, _FIRST_PAGES):
        return SourceText(opinion.text, None, opinion.pages)
    return SourceText(opinion.text, opinion)
