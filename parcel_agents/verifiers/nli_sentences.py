"""Which sentences of the retrieved passages the verifier `nli` puts to its model, and what each of them may decide.

A sentence decides nothing about a claim if it stands in another opinion than the claim names, or if it only reports
what a party argued, a court below held or a witness said and the claim leaves that out. A few of those are read all
the same, since the reason of an abstention should name them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from parcel_agents.opinions.passages import sentences
from parcel_agents.opinions.reported import Attribution, attributions_in, party_names
from parcel_agents.retrievers.terms import terms
from parcel_agents.types import Opinion, Span
from parcel_agents.verifiers.alignment import claim_body
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.voices import right_voices, words_of_others

OTHERS = 4
"""So many of the sentences that decide nothing are read."""
_MIN_TERMS = 3
"""What has fewer says nothing alone: a heading, an author's name, `We agree.`"""


@dataclass(frozen=True)
class Sentence:
    """A sentence that is put to the model."""

    passage: str
    span: Span
    text: str
    closeness: tuple[float, float]
    """The share of the claim's terms that it has; where that is equal, the score of its passage."""
    obstacle: str = ""
    """Why it cannot support the claim; empty if it can."""
    may_refute: bool = True


def choose_sentences(task: Task, top: int) -> tuple[Sentence, ...]:
    """The closest sentences that may decide, and a few that may not, in the order of the text.

    Closeness goes by the words of the claim: on PARCEL's dev claims that finds the sentence of the evidence more often
    than the similarity of sentence embeddings does. The order of the hits makes no difference, and of sentences that
    are equally close the earlier one is read.

    Args:
        task: the claim with its hits.
        top: how many of those that may decide.
    """
    found = sorted(_sentences(task), key=lambda one: (-one.closeness[0], -one.closeness[1], one.span.start))
    deciding = [one for one in found if not one.obstacle or one.may_refute]
    others = [one for one in found if one.obstacle and not one.may_refute]
    return tuple(sorted(deciding[:top] + others[:OTHERS], key=lambda one: one.span.start))


def _sentences(task: Task) -> Iterable[Sentence]:
    opinion, claim = task.opinion, task.claim.text
    voices = right_voices(claim)
    own = _Retold(claim, opinion)
    wanted = frozenset(terms(claim_body(claim)))
    for hit in {hit.passage: hit for hit in task.hits}.values():
        passage = opinion.passage(hit.passage)
        part = opinion.part(passage.part)
        if part.kind == "front":
            continue
        for span in sentences(opinion.text, passage):
            text = opinion.text[span.start : span.end]
            found = set(terms(text))
            if len(found) < _MIN_TERMS:
                continue
            closeness = len(wanted & found) / max(1, len(wanted)), hit.score
            if part.kind not in voices:
                obstacle, may_refute = f"stands in the {part.voice}", False
            else:
                others = [one for one in words_of_others(opinion, part) if one.overlaps(span) and not own.names(one)]
                obstacle = f"is reported of “{others[0].who or others[0].source}”" if others else ""
                may_refute = all(_turned_down(one, span) for one in others)
            yield Sentence(passage.id, span, text, closeness, obstacle, may_refute)


def _turned_down(reported: Attribution, sentence: Span) -> bool:
    """True if the sentence itself says, before it reports, that the words are wrong: `We reject the argument that`."""
    return reported.stance == "rejected" and sentence.start < reported.start


class _Retold:
    """What a claim says of who said it, as in `noting that the clerk argued ...`."""

    def __init__(self, claim: str, opinion: Opinion) -> None:
        # The reading of reported speech goes by sentences, which begin with a capital letter.
        body = claim_body(claim)
        sentence = f"{body[:1].upper()}{body[1:]}."
        whole = Span(start=0, end=len(sentence))
        self._sources = {one.source for one in attributions_in(sentence, whole, names=party_names(opinion))}
        self._terms = frozenset(terms(claim))
        self._text = opinion.text

    def names(self, reported: Attribution) -> bool:
        """True if the claim gives the words to the same kind of speaker, or repeats speaker and verb."""
        cue: Sequence[str] = terms(self._text[reported.cue.start : reported.cue.end])
        return reported.source in self._sources or (bool(cue) and self._terms.issuperset(cue))
