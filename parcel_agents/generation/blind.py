"""The blind reader: another model labels each claim, and sees the opinion and the claim alone.

A claim goes into the set only if the reader's label is the one that it was meant to have. Everything else, a vote that
failed as well, is put aside for a person.
"""

from __future__ import annotations

from parcel_agents.generation.model import Candidate, Disagreement
from parcel_agents.types import Span, Vote


def compare(candidate: Candidate, vote: Vote) -> Candidate | Disagreement:
    """The claim if the reader agrees, else what is put aside for a person."""
    if vote.outcome == "ok" and vote.label == candidate.label:
        return candidate
    return Disagreement(
        candidate=candidate,
        outcome=vote.outcome,
        said=vote.label,
        reason=vote.reason,
        evidence=tuple(Span(start=ref.start, end=ref.end) for ref in vote.evidence),
    )
