"""Likely mislabelled: everybody gives the same label, sure of it and with a place to show, and it is not the gold one.

That does not make the gold label wrong: verifiers built alike err alike. The claim goes to a person.
"""

from __future__ import annotations

from parcel_agents.hard.causes.cause import Cause
from parcel_agents.hard.claim import HardClaim, cut
from parcel_agents.types import Vote

MIN_VOTES = 2
"""One verifier is no majority of anything."""
MIN_CONFIDENCE = 0.7
"""A vote that says it is less sure is no confident dissent; one that says nothing of it is taken for sure."""


def likely_mislabelled(hard: HardClaim) -> Cause | None:
    """The cause, where at least two verifiers gave a label, all the same and not the gold one, and some point to it.

    An abstention is no dissent and no assent. A vote for `not_found` mostly points nowhere, for what is not there has
    no place; such claims come up only where a vote names the nearest passages.
    """
    labelled = [vote for vote in hard.votes if vote.label is not None]
    said = {vote.label for vote in labelled}
    if len(labelled) < MIN_VOTES or len(said) != 1 or hard.claim.label in said:
        return None
    if any(vote.confidence is not None and vote.confidence < MIN_CONFIDENCE for vote in labelled):
        return None
    located = [vote for vote in labelled if _points(hard, vote)]
    if not located:
        return None
    (label,) = said
    opinion = hard.opinion
    places = {(ref.start, ref.end): ref for vote in located for ref in vote.evidence}
    return Cause(
        name="likely_mislabelled",
        reason=f"all {len(labelled)} that gave a label say {label}, against {hard.claim.label}, and "
        f"{len(located)} point to a place",
        places=() if opinion is None else tuple(cut(opinion, ref) for _, ref in sorted(places.items())),
        details={"said": label, "votes": len(labelled), "located": [vote.verifier for vote in located]},
    )


def _points(hard: HardClaim, vote: Vote) -> bool:
    """True if the vote points to a passage that the opinion has, as far as that can be told."""
    if hard.opinion is None:
        return bool(vote.evidence)
    return bool(vote.evidence) and all(hard.opinion.has_passage(ref.passage) for ref in vote.evidence)
