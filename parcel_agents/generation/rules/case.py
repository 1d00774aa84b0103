"""A decision made ready for the rules: its statements, its citations, its cast and what its text holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from parcel_agents.citations.model import Citation
from parcel_agents.citations.read import read_citations
from parcel_agents.generation.model import RULES, Candidate, Strategy
from parcel_agents.generation.rules.distractors import Cast
from parcel_agents.generation.rules.sentences import Voice
from parcel_agents.generation.rules.statements import Statement, statements
from parcel_agents.generation.rules.wording import content_words, is_well_formed
from parcel_agents.opinions.passages import sentences
from parcel_agents.types import Label, Opinion, Span


@dataclass(frozen=True)
class Case:
    """An opinion and what the rules need to know of it."""

    id: str
    opinion: Opinion
    court: tuple[Statement, ...]
    dissent: tuple[Statement, ...]
    concurrence: tuple[Statement, ...]

    @classmethod
    def of(cls, id: str, opinion: Opinion, rng: np.random.Generator) -> Case:
        """The opinion with its statements; `rng` chooses their leads and their order."""
        return cls(id, opinion, *(_shuffled(opinion, voice, rng) for voice in ("court", "dissent", "concurrence")))

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The Court's statements, and the separate opinions' behind them."""
        return (*self.court, *self.dissent, *self.concurrence)

    @cached_property
    def text(self) -> str:
        """The opinion with single spaces."""
        return " ".join(self.opinion.text.split())

    @cached_property
    def cast(self) -> Cast:
        """Who and what it names."""
        return Cast(self.opinion)

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """Its citations."""
        return read_citations(self.opinion.text)

    @cached_property
    def said(self) -> tuple[tuple[Span, str, frozenset[str]], ...]:
        """Each sentence: its place, the kind of part it stands in, and its content words."""
        opinion = self.opinion
        return tuple(
            (span, opinion.part(passage.part).kind, content_words(opinion.text[span.start : span.end]))
            for passage in opinion.passages
            for span in sentences(opinion.text, passage)
        )

    @cached_property
    def is_criminal(self) -> bool:
        """True if the opinion speaks of a prosecution."""
        if (self.opinion.name or "").startswith("People v"):
            return True
        words = self.text.lower()
        return sum(words.count(word) for word in ("indict", "convict", "guilty", "the people", "sentenc")) >= 3

    def false(
        self,
        claim: str,
        *,
        strategy: Strategy,
        label: Label,
        statement: Statement | None,
        changed_from: str = "",
        changed_to: str,
    ) -> Iterator[Candidate]:
        """A false claim; nothing if it is not well-formed."""
        if not is_well_formed(claim):
            return
        yield Candidate(
            opinion_id=self.id,
            claim=claim,
            label=label,
            strategy=strategy,
            source=statement.claim if statement else "",
            changed_from=changed_from,
            changed_to=changed_to,
            evidence=(statement.span,) if statement and label == "refuted" else (),
            made_by=RULES,
        )

    def true(
        self, claim: str, *, statement: Statement, usage: str | None = None, mirror: Strategy | None = None
    ) -> Iterator[Candidate]:
        """A true claim; nothing if it is not well-formed."""
        if not is_well_formed(claim):
            return
        yield Candidate(
            opinion_id=self.id,
            claim=claim,
            label="supported",
            usage_type=usage,
            mirror=mirror,
            source=statement.sentence,
            evidence=(statement.span,),
            made_by=RULES,
        )


def _shuffled(opinion: Opinion, voice: Voice, rng: np.random.Generator) -> tuple[Statement, ...]:
    found = statements(opinion, voice, rng)
    return tuple(found[place] for place in rng.permutation(len(found)).tolist())
