"""Opinions from which something is taken away, to see what a model says without it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection

from parcel_agents.types import Opinion, Part, Passage, content_hash

UNAVAILABLE = "The text of the opinion is not available."
"""Stands in place of an opinion; it says nothing of any case."""
WITHHELD = "[This passage is withheld.]"


def without_text(opinion: Opinion) -> Opinion:
    """An opinion of one sentence, which says nothing, in place of another; its name is gone as well."""
    end = len(UNAVAILABLE)
    return Opinion(
        id=content_hash(f"{opinion.id} {UNAVAILABLE}"),
        text=UNAVAILABLE,
        parts=(Part(id="part1", kind="majority", start=0, end=end),),
        passages=(Passage(id="p1", part="part1", text=UNAVAILABLE, start=0, end=end),),
    )


def without_passages(opinion: Opinion, masked: Collection[str]) -> Opinion:
    """The opinion with some passages replaced by a note that they are withheld; ids stay what they are.

    Disposition, court below and page marks are left out, since a verifier that used them would read what is masked.

    Raises:
        KeyError: it has no passage with one of the ids.
    """
    spans = sorted((opinion.passage(id).start, opinion.passage(id).end) for id in masked)
    pieces, kept, at = [], _Shift(), 0
    for start, end in spans:
        pieces += [opinion.text[at:start], WITHHELD]
        kept.add(start, end)
        at = end
    text = "".join([*pieces, opinion.text[at:]])
    parts = tuple(part.model_copy(update=kept.moved(part.start, part.end)) for part in opinion.parts)
    passages = []
    for passage in opinion.passages:
        moved = kept.moved(passage.start, passage.end)
        passages.append(passage.model_copy(update={**moved, "text": text[moved["start"] : moved["end"]]}))
    return opinion.model_copy(
        update={
            "text": text,
            "parts": parts,
            "passages": tuple(passages),
            "disposition": None,
            "court_below": None,
            "pages": (),
        }
    ).identified()


class _Shift:
    """Where offsets come to lie after stretches have been replaced. Passages do not overlap and none is cut."""

    def __init__(self) -> None:
        self._ends: list[int] = []
        self._moves: list[int] = [0]

    def add(self, start: int, end: int) -> None:
        """Stretches come in order."""
        self._ends.append(end)
        self._moves.append(self._moves[-1] + len(WITHHELD) - (end - start))

    def moved(self, start: int, end: int) -> dict[str, int]:
        """A start lies behind the stretches that end at or before it, and so does an end."""
        return {"start": start + self._moves[self._before(start)], "end": end + self._moves[self._before(end)]}

    def _before(self, offset: int) -> int:
        return bisect_left(self._ends, offset + 1)
