"""A claim that gives one opinion's sentence to another: the dissent's to the Court, or the Court's to the dissent."""

from __future__ import annotations

import re
from collections.abc import Iterator

from parcel_agents.citations.speakers import find_speaker
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.checks.finding import Finding
from parcel_agents.verifiers.matching import close_matches

# `noting that ...` without a speaker may be told of any judge's words; what is held is held by the Court.
_DECIDES = re.compile(r"^\W*(?:\w+ly )?(?:hold|h[eo]ld|conclud|determin|rul|reject|find|found|decid)\w*", re.IGNORECASE)
_OPINIONS = frozenset({"majority", "plurality", "concurrence", "dissent", "mixed"})
MAX_SHARE = 0.85
"""From this share on, a sentence of the right voice may be what the claim has its words from."""


def misattributed_words(task: Task) -> Iterator[Finding]:
    """A finding if the claim's words are a sentence of another voice, and no sentence of the right one says them.

    The claim must say whose they are, by naming a speaker or by a verb of deciding.

    A footnote that could not be tied to an opinion may be anybody's, and so is what a sentence reports of others.
    """
    matches = close_matches(task)
    if not matches or not matches[0].verbatim or matches[0].kind not in _OPINIONS:
        return
    if not task.opinion.is_understood:
        # What could not be read may be the very opinion that says it.
        return
    if any(match.right_voice and match.alignment.share >= MAX_SHARE for match in matches):
        return
    match = matches[0]
    speaker = find_speaker(task.claim.text)
    if not speaker.text and not _DECIDES.match(task.claim.text):
        return
    part = task.opinion.part(task.opinion.passage(match.ref.passage).part)
    words = task.opinion.text[match.ref.start : match.ref.end]
    yield Finding(
        "misattributed",
        "refuted",
        speaker.text or task.claim.text,
        f"these are words of the {part.voice}, not of the {speaker.kind}",
        (match.ref.model_copy(update={"relation": "contradicts"}),),
        against=words,
    )
