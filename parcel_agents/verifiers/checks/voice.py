"""A claim that makes somebody speak who does not: no such dissent, another author (authority swaps)."""

from __future__ import annotations

from collections.abc import Iterator

from parcel_agents.citations.speakers import find_speaker, surname
from parcel_agents.types import Claim, EvidenceRef, Opinion, Part
from parcel_agents.verifiers.checks.finding import Finding


def wrong_speaker(claim: Claim, opinion: Opinion) -> Iterator[Finding]:
    """A finding if the opinion has no separate opinion of the kind, or not by the judge, that the claim names."""
    speaker = find_speaker(claim.text)
    if not speaker.text:
        return
    kinds = {speaker.kind, "mixed"} if speaker.kind != "majority" else {"majority"}
    parts = [part for part in opinion.parts if part.kind in kinds and part.footnote is None]
    if not parts:
        # A dissent in the court below may be meant; then the opinion speaks of it.
        if speaker.author is None and speaker.kind[:7] in opinion.text.lower():
            return
        yield Finding("voice", "refuted", speaker.text, f"the opinion has no {speaker.kind}", _heads(opinion))
    elif speaker.author is not None and all(part.author for part in parts):
        authors = {surname(part.author or "") for part in parts}
        if not any(speaker.author.split(" ")[-1].lower() == author.lower() for author in authors):
            named = ", ".join(sorted(part.author or "" for part in parts))
            reason = f"the {speaker.kind} is by {named}, not {speaker.author}"
            yield Finding("voice", "refuted", speaker.text, reason, _refs(opinion, parts))


def _heads(opinion: Opinion) -> tuple[EvidenceRef, ...]:
    return _refs(opinion, [part for part in opinion.parts if part.kind == "majority" and not part.footnote])


def _refs(opinion: Opinion, parts: list[Part]) -> tuple[EvidenceRef, ...]:
    """The first passage of each part, where its author stands."""
    firsts = {p.part: p for p in reversed(opinion.passages)}
    return tuple(
        EvidenceRef(passage=first.id, start=first.start, end=first.end, relation="contradicts")
        for part in parts
        if (first := firsts.get(part.id))
    )
