"""Authority swap: what one voice says given to another; and true attributions in the same wording."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from parcel_agents.generation.model import Candidate
from parcel_agents.generation.rules.case import Case
from parcel_agents.generation.rules.leads import MAJORITY_LEADS, SEPARATE_LEADS
from parcel_agents.generation.rules.sentences import KIND_OF, Voice
from parcel_agents.generation.rules.statements import Statement, speaker_of
from parcel_agents.generation.rules.wording import content_words
from parcel_agents.types import Part, Span

_TAKES_SIDES = re.compile(
    r"\b(?:err(?:s|ed|or|oneous\w*)?|insufficien\w+|unreasonabl\w+|improper\w*|unlawful\w*|violat\w+|prejudic\w+|harmless"
    r"|abuse\w*|deprived|fail(?:s|ed|ure)|plainly|clearly|inconsistent|contrary|undermine\w*|meritless|incorrect\w*|wrong\w*"
    r"|misplaced|unwarranted|unpersuasive|no (?:basis|reason|support|evidence|authority|merit)|should|cannot)\b"
)
"""Words of a sentence on which two voices can differ; both tell the same facts."""
_DENIES = re.compile(
    r"\b(?:(?:is|are|was|were|do|does|did|may|need|would|could|should) not(?! only)|cannot|never"
    r"|rather than)\b"
)
_MOST_SHARED = 0.5


@dataclass(frozen=True)
class Attributed:
    """A claim that names its speaker, and the words that do."""

    claim: str
    by: str


def voice_swaps(case: Case, rng: np.random.Generator) -> Iterator[Candidate]:
    """Sentences of the Court given to the dissent and the other way round, by turns."""
    has_dissent = any(part.kind == "dissent" and part.footnote is None for part in case.opinion.parts)
    to_dissent: list[tuple[Statement, Voice]] = [
        (one, "dissent") for one in case.court if has_dissent and _is_contested(one, case, "dissent")
    ]
    # A concurrence agrees with the Court in the main; one in the result alone says for itself what it says.
    alone = [
        one
        for one in case.concurrence
        if _takes_sides(one) == 2 and _part(case, "concurrence", one.span).form == "in_result"
    ]
    to_court: list[tuple[Statement, Voice]] = [
        (one, "court") for one in (*case.dissent, *alone) if _is_contested(one, case, "court")
    ]
    for pairs in (to_dissent, to_court):
        pairs.sort(key=lambda pair: -_takes_sides(pair[0]))
    for place in range(max(len(to_dissent), len(to_court))):
        for pairs in (to_court, to_dissent):
            if place < len(pairs):
                statement, other = pairs[place]
                said = attributed(statement, other, case, rng)
                yield from case.false(
                    said.claim,
                    strategy="authority_swap",
                    label="refuted",
                    statement=statement,
                    changed_from=statement.speaker or statement.lead,
                    changed_to=said.by,
                )


def true_attributions(case: Case, statements: Sequence[Statement], rng: np.random.Generator) -> Iterator[Candidate]:
    """The same sentences given to those who say them, in decisions that have more than one voice."""
    if not case.dissent and not case.concurrence:
        return
    theirs = [one for one in statements if one.voice != "court"]
    both = (theirs, [one for one in statements if one.voice == "court" and _takes_sides(one)])
    for place in range(max(map(len, both))):
        for found in both:
            if place < len(found) and found[place].is_clause:
                statement = found[place]
                is_fact = statement.usage in {"background", "procedural"}
                claim = statement.claim if is_fact else attributed(statement, statement.voice, case, rng).claim
                yield from case.true(claim, statement=statement, mirror="authority_swap")


def attributed(statement: Statement, voice: Voice, case: Case, rng: np.random.Generator) -> Attributed:
    """The claim that this voice says what the statement says."""
    leads = MAJORITY_LEADS if voice == "court" else SEPARATE_LEADS
    lead = leads[int(rng.integers(len(leads)))]
    if voice == "court":
        speaker = ("majority", "")[int(rng.integers(2))]
    else:
        own = statement.span if statement.voice == voice else None
        speaker = speaker_of(_part(case, voice, own), voice, rng)
    return Attributed(f"({' '.join(filter(None, [speaker, lead, statement.body]))})", speaker or lead)


def _takes_sides(statement: Statement) -> int:
    """2 for a verdict on what somebody did, 1 for what is not or cannot be, else 0."""
    return 2 if _TAKES_SIDES.search(statement.body) else 1 if _DENIES.search(statement.body) else 0


def _part(case: Case, voice: Voice, within: Span | None) -> Part:
    """The part that speaks: the one that holds the sentence, else the first of the voice."""
    parts = [part for part in case.opinion.parts if part.kind == KIND_OF[voice] and part.footnote is None]
    return next((part for part in parts if within and part.overlaps(within)), parts[0])


def _is_contested(statement: Statement, case: Case, other: Voice) -> bool:
    """True if the sentence takes a side, and the other voice nowhere says much the same."""
    least_side = {"holding": 0, "application": 1, "reasoning": 2}.get(statement.usage)
    if not statement.is_clause or least_side is None or _takes_sides(statement) < least_side:
        return False  # facts, and rules that no one disputes
    words = content_words(statement.body)
    least = _MOST_SHARED * len(words)
    return not any(kind == KIND_OF[other] and len(words & said) >= least for _, kind, said in case.said)
