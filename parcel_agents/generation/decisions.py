"""Decisions that claims are made from: which can be used, and what there is in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from parcel_agents.errors import OpinionError
from parcel_agents.generation.model import MIN_CHARACTERS
from parcel_agents.types import Opinion

_SEPARATE = frozenset({"dissent", "concurrence", "mixed"})


@dataclass(frozen=True)
class Decision:
    """A decision that was given."""

    id: str
    opinion: Opinion | None
    """None where it cannot be read."""
    unfit: str
    """Why no claims are made from it; empty for one that can be used."""


def load_decisions(files: Mapping[str, Path]) -> Iterator[Decision]:
    """The decisions by id, each read when it is asked for. Of two with the same text the first can be used."""
    first_with: dict[str, str] = {}
    for id, file in files.items():
        try:
            opinion = Opinion.load(file)
        except OpinionError as error:
            yield Decision(id, None, f"cannot be read: {error}")
            continue
        size, twin = len(opinion.text), first_with.get(opinion.id)
        if size < MIN_CHARACTERS:
            yield Decision(id, opinion, f"has {size:,} characters, fewer than {MIN_CHARACTERS:,}")
        elif twin is not None:
            yield Decision(id, opinion, f"has the text of {twin}")
        else:
            first_with[opinion.id] = id
            yield Decision(id, opinion, "")


def has_separate_opinion(opinion: Opinion) -> bool:
    """True if a dissent or a concurrence is there, whose words could be given to the Court."""
    return any(part.kind in _SEPARATE and part.footnote is None for part in opinion.parts)
