"""Disagreement on voice: votes rest on different speakers, or the claim's words are not of whom it says they are."""

from __future__ import annotations

from parcel_agents.hard.causes.cause import Cause
from parcel_agents.hard.claim import HardClaim, cut
from parcel_agents.types import Evidence, PartKind
from parcel_agents.verifiers.matching import Match, close_matches
from parcel_agents.verifiers.voices import right_voices

_OPINIONS: frozenset[PartKind] = frozenset({"majority", "concurrence", "dissent", "mixed"})


def voice_disagreement(hard: HardClaim) -> Cause | None:
    """The cause, where votes point to parts of different voices, or a closer sentence is of the wrong one.

    Caption, closing lines and notes that could not be tied to an opinion are nobody's voice.
    """
    if hard.opinion is None:
        return None
    reasons: list[str] = []
    places: list[Evidence] = []
    voices = _voices(hard)
    kinds = {kind for found in voices.values() for kind in found}
    if len(kinds) > 1:
        told = "; ".join(f"{name}: {', '.join(sorted(found))}" for name, found in voices.items())
        reasons.append(f"the votes rest on different voices ({told})")
        places += _one_a_kind(hard, kinds)
    if (match := _of_another(hard)) is not None:
        place = cut(hard.opinion, match.ref)
        wanted = " or ".join(sorted(right_voices(hard.claim.claim)))
        reasons.append(f"the claim speaks for the {wanted}, and its words are those of the {place.voice}")
        places.append(place)
    if not reasons:
        return None
    return Cause(
        name="voice_disagreement",
        reason="; ".join(reasons),
        places=tuple(places),
        details={"voices": {name: sorted(found) for name, found in voices.items()}, "other_voice": match is not None},
    )


def _voices(hard: HardClaim) -> dict[str, set[PartKind]]:
    """The kinds of parts that each vote points to, for votes that point to any."""
    opinion = hard.opinion
    found: dict[str, set[PartKind]] = {}
    for vote in hard.votes:
        if opinion is not None and vote.label is not None:
            passages = [opinion.passage(ref.passage) for ref in vote.evidence if opinion.has_passage(ref.passage)]
            kinds = {opinion.part(passage.part).kind for passage in passages} & _OPINIONS
            if kinds:
                found[vote.verifier] = kinds
    return found


def _one_a_kind(hard: HardClaim, kinds: set[PartKind]) -> list[Evidence]:
    opinion = hard.opinion
    first: dict[PartKind, Evidence] = {}
    for vote in hard.votes:
        for ref in vote.evidence:
            if opinion is not None and opinion.has_passage(ref.passage):
                first.setdefault(opinion.part(opinion.passage(ref.passage).part).kind, cut(opinion, ref))
    return [first[kind] for kind in sorted(kinds) if kind in first]


def _of_another(hard: HardClaim) -> Match | None:
    """The sentence of another voice that the claim follows more closely than any of the right one."""
    if hard.opinion is None:
        return None
    matches = [match for match in close_matches(hard.task(hard.opinion)) if match.kind in _OPINIONS]
    best = max(matches, key=lambda match: (match.alignment.share, match.right_voice), default=None)
    return best if best is not None and not best.right_voice else None
