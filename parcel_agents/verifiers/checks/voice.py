"""A claim that makes somebody speak who does not: no such dissent, another author (authority swaps)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from parcel_agents.citations.speakers import find_speaker
from parcel_agents.types import EvidenceRef, Opinion, Part
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.checks.finding import Finding
from parcel_agents.verifiers.voices import right_voices


def wrong_speaker(task: Task) -> Iterator[Finding]:
    """A finding if the opinion has no separate opinion of the kind, or not by the judge, that the claim names."""
    speaker = find_speaker(task.claim.text)
    if not speaker.text:
        return
    kinds = right_voices(task.claim.text)
    parts = [part for part in task.opinion.parts if part.kind in kinds and part.footnote is None]
    if not parts:
        # A dissent in the court below may be meant; then the opinion speaks of it.
        if speaker.author is None and speaker.kind[:7] in task.opinion.text.lower():
            return
        # What could not be read may be that opinion.
        if not task.opinion.is_understood:
            return
        # Many files hold one opinion of several: what is not in this one is not thereby false.
        yield Finding("voice", "not_found", speaker.text, f"the file holds no {speaker.kind}")
    elif speaker.author is not None and task.opinion.is_understood and all(part.author for part in parts):
        # A part may have several authors; the claim's is one of them if the name occurs.
        name = rf"\b{re.escape(speaker.author.split(' ')[-1])}\b"
        if not any(re.search(name, part.author or "", re.IGNORECASE) for part in parts):
            named = ", ".join(sorted(part.author or "" for part in parts))
            reason = f"the {speaker.kind} is by {named}, not {speaker.author}"
            yield Finding(
                "voice", "refuted", speaker.text, reason, _refs(task.opinion, parts), against=parts[0].author or ""
            )


def _refs(opinion: Opinion, parts: list[Part]) -> tuple[EvidenceRef, ...]:
    """The first passage of each part, where its author stands."""
    firsts = {p.part: p for p in reversed(opinion.passages)}
    return tuple(
        EvidenceRef(passage=first.id, start=first.start, end=first.end, relation="contradicts")
        for part in parts
        if (first := firsts.get(part.id))
    )
