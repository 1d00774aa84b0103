"""What a check finds."""

from __future__ import annotations

from dataclasses import dataclass, field

from parcel_agents.types import EvidenceRef, Label


@dataclass(frozen=True)
class Finding:
    """A defect of a claim, with the words that show it."""

    check: str
    label: Label
    """What the defect makes of the claim: `not_found` for what the opinion does not contain, `refuted` for what
    it says otherwise."""
    words: str
    """The claim's words at fault."""
    reason: str
    """For a reader: what is wrong with them."""
    evidence: tuple[EvidenceRef, ...] = field(default=())
    against: str = ""
    """The exact words of the opinion that the claim's stand against; empty where the defect is that there are none."""
