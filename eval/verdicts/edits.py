"""One change of one kind that makes another statement of a sentence of an opinion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from parcel_agents.eval.verdicts.sentences import LEADS, OwnSentence, wrap
from parcel_agents.eval.verdicts.word_changes import entity_changes, modal_changes, number_changes
from parcel_agents.generation.rules.negation import Change, negations
from parcel_agents.generation.rules.sentences import lower_first
from parcel_agents.types import Opinion

Kind = Literal["negation", "number", "entity", "modal", "speaker"]
KINDS: tuple[Kind, ...] = get_args(Kind)

PARTIES = ("defendant arguing that", "the People arguing that")
"""Who is made to say what the Court says, where no dissent could."""


@dataclass(frozen=True)
class Edit:
    """A claim made of a sentence by one change."""

    kind: Kind
    claim: str
    sentence: OwnSentence


def edits_of(sentence: OwnSentence, lead: str, opinion: Opinion, rng: np.random.Generator) -> Iterator[Edit]:
    """The sentence as a claim with one change, once for each kind that it allows.

    Args:
        sentence: the sentence.
        lead: what stands before it in the unchanged claim.
        opinion: the opinion, for other names.
        rng: chooses among the changes of one kind.
    """
    # Changes are sought where the sentence stands in the claim: its first word may be written small there.
    text = lower_first(sentence.text, opinion)
    options: dict[Kind, Sequence[Change]] = {
        "negation": negations(sentence.text),
        "number": list(number_changes(text)),
        "entity": list(entity_changes(text, opinion)),
        "modal": list(modal_changes(text)),
    }
    for kind, changes in options.items():
        if changes:
            changed = changes[int(rng.integers(len(changes)))].apply(text)
            yield Edit(kind, f"({lead} {changed})", sentence)
    if (other := _other_speaker(sentence, opinion, rng)) is not None:
        yield Edit("speaker", wrap(sentence.text, other, opinion), sentence)


def _other_speaker(sentence: OwnSentence, opinion: Opinion, rng: np.random.Generator) -> str | None:
    """Who did not say it: the dissent or a party for the Court, the Court for the dissent.

    None where the other voice has the same words, as one that quotes them does.
    """
    wanted = "dissent" if sentence.voice == "court" else "majority"
    others = [part for part in opinion.parts if part.kind == wanted]
    needle = "".join(sentence.text.split())
    if any(needle in "".join(opinion.text[part.start : part.end].split()) for part in others):
        return None
    if sentence.voice == "dissent":
        return LEADS["court"][0]
    return LEADS["dissent"][0] if others else PARTIES[int(rng.integers(len(PARTIES)))]
