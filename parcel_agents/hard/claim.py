"""A hard claim with everything that its diagnosis looks at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from parcel_agents.types import Claim, Evidence, EvidenceRef, GoldClaim, Hit, Opinion, Relation, Span, Vote
from parcel_agents.verifiers.base import Task


@dataclass(frozen=True)
class HardClaim:
    """A labelled claim, the votes on it, and the opinion where its text is at hand."""

    claim: GoldClaim
    votes: tuple[Vote, ...]
    opinion: Opinion | None = None
    gold_evidence: Span | None = None
    """Where the data set's evidence stands in the opinion; None where it gives none, or it is not found there."""

    ordinary: frozenset[str] = frozenset()
    """Stems of plain words (`terms_absent`): it says little that the opinion lacks one."""

    @property
    def failing(self) -> tuple[Vote, ...]:
        """The votes that answer, and not with the right label."""
        return tuple(vote for vote in self.votes if vote.outcome == "ok" and vote.label != self.claim.label)

    def task(self, opinion: Opinion) -> Task:
        """See `text_task`."""
        return text_task(self.claim.as_claim(), opinion)


def text_task(claim: Claim, opinion: Opinion) -> Task:
    """A claim and its opinion for checks that read the opinion itself, and search for nothing."""
    return Task(claim, opinion, _Unsearched(opinion), ())


@dataclass(frozen=True)
class _Unsearched:
    """An index for those who read the opinion itself."""

    opinion: Opinion

    def prepare(self, queries: Sequence[str]) -> None:
        """Nothing to prepare."""

    def search(self, query: str, k: int) -> tuple[Hit, ...]:
        """No passages."""
        return ()


def letters(text: str) -> str:
    """The text's letters and digits in lower case: what two copies of one text have in common."""
    return re.sub(r"[\W_]+", "", text).lower()


def passages_of(opinion: Opinion, span: Span) -> tuple[str, ...]:
    """The ids of the passages that a stretch of the opinion touches."""
    return tuple(passage.id for passage in opinion.passages if passage.overlaps(span))


def cut(opinion: Opinion, ref: EvidenceRef) -> Evidence:
    """A place of a vote with its words.

    Raises:
        KeyError: the opinion has no such passage.
    """
    part = opinion.part(opinion.passage(ref.passage).part)
    return Evidence(
        **ref.model_dump(include={"start", "end", "passage", "relation"}),
        text=opinion.text[ref.start : ref.end],
        part=part.id,
        voice=part.voice,
        page=opinion.pages_of(ref.start, ref.end),
    )


def cut_span(opinion: Opinion, span: Span, relation: Relation) -> Evidence | None:
    """A stretch of the opinion with its words; None if it lies in no passage."""
    found = passages_of(opinion, span)
    return (
        cut(opinion, EvidenceRef(passage=found[0], start=span.start, end=span.end, relation=relation))
        if found
        else None
    )
