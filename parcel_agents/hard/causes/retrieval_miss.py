"""Retrieval miss: votes that fail, of verifiers that read some passages only, and not those with the evidence."""

from __future__ import annotations

from parcel_agents.hard.causes.cause import Cause
from parcel_agents.hard.claim import HardClaim, cut_span, passages_of
from parcel_agents.types import Vote


def retrieval_miss(hard: HardClaim) -> Cause | None:
    """The cause, where a failing vote's verifier read a part of the opinion that holds nothing of the gold evidence.

    A vote that records nothing read, or all of the opinion, has missed nothing. Where the evidence stands in several
    passages, any of them is enough.
    """
    opinion, span = hard.opinion, hard.gold_evidence
    if opinion is None or span is None:
        return None
    holding = set(passages_of(opinion, span))
    partial = read_in_part(hard)
    missed = [vote.verifier for vote in partial if not holding & set(vote.read)]
    if not missed:
        return None
    place = cut_span(opinion, span, "contradicts" if hard.claim.label == "refuted" else "supports")
    return Cause(
        name="retrieval_miss",
        reason=f"{', '.join(missed)} did not read the gold evidence ({', '.join(sorted(holding))})",
        places=(place,) if place else (),
        details={"missed_by": missed, "read_in_part": [vote.verifier for vote in partial], "passages": sorted(holding)},
    )


def read_in_part(hard: HardClaim) -> list[Vote]:
    """The failing votes whose verifiers read some passages and not all."""
    whole = {passage.id for passage in hard.opinion.passages} if hard.opinion is not None else set()
    return [vote for vote in hard.failing if vote.read and not whole <= set(vote.read)]
