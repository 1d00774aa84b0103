"""Whose words stand where in an opinion, seen from a claim that reports somebody's."""

from __future__ import annotations

from functools import lru_cache

from parcel_agents.citations.speakers import find_speaker
from parcel_agents.opinions.reported import Attribution, attributions_in, party_names
from parcel_agents.types import Opinion, Part, PartKind


def right_voices(claim: str) -> frozenset[PartKind]:
    """The kinds of parts that may speak for a claim: the Court's unless the claim names a separate opinion."""
    kind = find_speaker(claim).kind
    return frozenset({kind}) if kind in {"majority", "plurality"} else frozenset({kind, "mixed"})


def may_support(claim: str, part: Part) -> bool:
    """True if words of this part can support the claim: those of the right voice, and the Court's closing lines."""
    voices = right_voices(claim)
    return part.kind in voices or (part.kind == "closing" and "majority" in voices)


def words_of_others(opinion: Opinion, part: Part) -> tuple[Attribution, ...]:
    """What a part only reports: words of a party, a witness, a court below or another opinion, in order."""
    return _words_of_others(opinion.text, part, party_names(opinion))


@lru_cache(maxsize=64)
def _words_of_others(text: str, part: Part, names: tuple[str, ...]) -> tuple[Attribution, ...]:
    # All claims about an opinion ask for the same few parts.
    found = attributions_in(text, part, kind=part.kind, names=names)
    return tuple(one for one in found if one.is_anothers)
