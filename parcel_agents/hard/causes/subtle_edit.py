"""Subtle edit: the claim is a sentence of the opinion in which little was changed, and what that is.

Two looks at the same thing. A claim that follows a sentence word for word is laid along it (`matching`), and every
place where they part is an edit. A claim in its own words is held against the data set's evidence; there only a name or
a figure counts in the place of which the evidence has another (`particulars`). That is the weaker sign: on
parcel_train and parcel_dev together it shows on 49 of 600 refuted claims, and would on 33 of 900 supported ones. A
negation that only one of the two has says nothing: it is as frequent beside supported claims.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal

from parcel_agents.hard.causes.cause import Cause
from parcel_agents.hard.claim import HardClaim, cut
from parcel_agents.opinions.passages import sentences
from parcel_agents.retrievers.terms import term_set
from parcel_agents.types import EvidenceRef, Opinion, Passage, Span
from parcel_agents.verifiers.alignment import Change, Word, claim_body
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.checks.opposites import NEGATIONS, are_opposite, are_other_bodies, number_of
from parcel_agents.verifiers.checks.verifier import find_defects
from parcel_agents.verifiers.combined.particulars import conflicts, find_particulars
from parcel_agents.verifiers.matching import Match, close_matches

EditKind = Literal["number", "negation", "opposite", "qualifier", "entity", "voice", "wording"]
MIN_NEAR = 0.4
"""So many of the claim's terms must a sentence of the evidence have, for another name in it to be an edit."""
MAX_EDITS, MAX_WORDS = 2, 3
"""A claim that parts from the sentence in more places, or by more words in one, is another sentence."""


@dataclass(frozen=True)
class Edit:
    """One place where claim and sentence part."""

    kind: EditKind
    claim: str
    """The claim's words; empty where it has none."""
    sentence: str

    @property
    def short(self) -> bool:
        """True if it is of few words on both sides. A voice is always one."""
        return self.kind == "voice" or max(len(self.claim.split()), len(self.sentence.split())) <= MAX_WORDS


@dataclass(frozen=True)
class _Aligned:
    ref: EvidenceRef
    edits: tuple[Edit, ...]
    share: float
    in_order: bool


def subtle_edit(hard: HardClaim) -> Cause | None:
    """The cause, where a false claim lies along a sentence but for a few words, or is another voice's sentence.

    None for a supported claim: what it changes does not make it false.
    """
    if hard.opinion is None or hard.claim.label == "supported":
        return None
    task = hard.task(hard.opinion)
    aligned = _aligned(task) or _evidence(task, hard.gold_evidence)
    if aligned is None:
        return None
    edits = aligned.edits
    place = cut(hard.opinion, aligned.ref)
    told = "; ".join(f"{edit.kind}: claim “{edit.claim or '–'}”, sentence “{edit.sentence or '–'}”" for edit in edits)
    how = "stand in one sentence, in order" if aligned.in_order else "stand in a sentence of the evidence"
    return Cause(
        name="subtle_edit",
        reason=f"{aligned.share:.0%} of the claim's words {how}; what differs is {told}",
        places=(place,),
        details={
            "kinds": list(dict.fromkeys(edit.kind for edit in edits)),
            "edits": [asdict(edit) for edit in edits],
            "share": aligned.share,
            "in_order": aligned.in_order,
            "checks": [finding.reason for finding in find_defects(task)],
        },
    )


def _aligned(task: Task) -> _Aligned | None:
    for match in close_matches(task):
        edits = tuple(_edits(match, task.opinion))
        if 0 < len(edits) <= MAX_EDITS and all(edit.short for edit in edits):
            ref = match.ref.model_copy(update={"relation": "contradicts"})
            return _Aligned(ref, edits, match.alignment.share, in_order=True)
    return None


def _evidence(task: Task, evidence: Span | None) -> _Aligned | None:
    """The sentence of the evidence with most of the claim's terms, if it has other names or figures in their place."""
    if evidence is None:
        return None
    opinion, wanted = task.opinion, term_set(claim_body(task.claim.text))
    best: tuple[float, Passage, Span] | None = None
    for passage in (passage for passage in opinion.passages if passage.overlaps(evidence)):
        for span in (span for span in sentences(opinion.text, passage) if span.overlaps(evidence)):
            share = len(wanted & term_set(opinion.text[span.start : span.end])) / max(len(wanted), 1)
            if best is None or share > best[0]:
                best = share, passage, span
    if best is None or best[0] < MIN_NEAR:
        return None
    share, passage, span = best
    sides = [find_particulars(text) for text in (task.claim.text, opinion.text[span.start : span.end], passage.text)]
    edits = {
        (claim, sentence): Edit("entity" if kind == "name" else "number", claim, sentence)
        for kind, claim, sentence in conflicts(*sides)
    }
    ref = EvidenceRef(passage=passage.id, start=span.start, end=span.end, relation="contradicts")
    return _Aligned(ref, tuple(edits.values()), share, in_order=False) if edits else None


def _edits(match: Match, opinion: Opinion) -> Iterator[Edit]:
    if not match.right_voice:
        part = opinion.part(opinion.passage(match.ref.passage).part)
        yield Edit("voice", "another speaker", part.voice)
    for change in match.alignment.changes:
        # A claim may leave words out as long as these turn nothing.
        if change.claim or any(word.turns or number_of(word) is not None for word in change.sentence):
            yield Edit(_kind(change), _words(change.claim), _words(change.sentence))
    for word in match.alignment.around:
        if word.turns:
            yield Edit("negation" if word.key in NEGATIONS else "qualifier", "", word.text)


def _kind(change: Change) -> EditKind:
    one, other = change.claim, change.sentence
    keys = {word.key for word in one} ^ {word.key for word in other}
    if keys & NEGATIONS:
        return "negation"
    if _numbers(one) != _numbers(other):
        return "number"
    if any(are_opposite(a, b) for a in one for b in other):
        return "opposite"
    if any(word.turns for word in (*one, *other)):
        return "qualifier"
    if are_other_bodies(one, other) or any(word.text[0].isupper() for word in one):
        return "entity"
    return "wording"


def _numbers(words: tuple[Word, ...]) -> set[float | str]:
    return {number for word in words if (number := number_of(word)) is not None}


def _words(words: tuple[Word, ...]) -> str:
    return " ".join(word.text for word in words)
