"""What the diagnosis of a claim finds."""

from __future__ import annotations

from typing import Any, Literal, get_args

from pydantic import Field

from parcel_agents.types import Evidence, Frozen

CauseName = Literal[
    "knowledge_leakage", "terms_absent", "subtle_edit", "retrieval_miss", "voice_disagreement", "likely_mislabelled"
]
CAUSES: tuple[CauseName, ...] = get_args(CauseName)

IN_WORDS: dict[CauseName, str] = {
    "knowledge_leakage": "knows rather than reads",
    "terms_absent": "its words do not occur",
    "subtle_edit": "a sentence, slightly changed",
    "retrieval_miss": "the gold evidence was not read",
    "voice_disagreement": "whose words they are",
    "likely_mislabelled": "the label may be wrong",
}
"""A heading for each."""


class Cause(Frozen):
    """A cause that applies to a claim, with what shows it; that it applies does not prove that it is the reason."""

    name: CauseName
    reason: str
    """For a reader."""
    places: tuple[Evidence, ...] = ()
    """Of the opinion."""
    details: dict[str, Any] = Field(default_factory=dict)
    """The same for a program; plain JSON."""
