"""Sentences of the opinions as claims: as they stand, which is true, and with one change, which is not.

What a verifier learned of made-up claims, or of their overlap with the opinion, shows here: the two differ in a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from parcel_agents.eval.verdicts.asking import Panel, Question
from parcel_agents.eval.verdicts.edits import KINDS, edits_of
from parcel_agents.eval.verdicts.entries import Entry, Shares, said_codes
from parcel_agents.eval.verdicts.sentences import LEADS, draw_sentences, wrap
from parcel_agents.types import Claim, Opinion

VERBATIM, EDITED = "verbatim", "edited"
SENTENCES = 200
ALL = "all"


def measure_sentences(
    opinions: Mapping[str, Opinion], panel: Panel, rng: np.random.Generator, *, number: int = SENTENCES
) -> Iterator[Entry]:
    """Entries of what the verbatim claims are called, by whose words they are, and the edited ones, by kind.

    Args:
        opinions: by id.
        panel: the panel.
        rng: draws sentences, leads and edits, and opinions for the intervals.
        number: how many sentences to draw; fewer where the opinions have fewer.
    """
    drawn = draw_sentences(opinions, number, rng)
    verbatim: list[Question] = []
    voices: list[str] = []
    edited: list[Question] = []
    kinds: list[str] = []
    for sentence in drawn:
        opinion = opinions[sentence.opinion_id]
        leads = LEADS[sentence.voice]
        lead = leads[int(rng.integers(len(leads)))]
        verbatim.append(Question(sentence.opinion_id, Claim.of(wrap(sentence.text, lead, opinion))))
        voices.append(sentence.voice)
        for edit in edits_of(sentence, lead, opinion, rng):
            edited.append(Question(sentence.opinion_id, Claim.of(edit.claim)))
            kinds.append(edit.kind)
    yield from _measure(VERBATIM, "voice", opinions, panel, rng, verbatim, voices, tuple(LEADS))
    yield from _measure(EDITED, "kind", opinions, panel, rng, edited, kinds, KINDS)


def _measure(
    section: str,
    key: str,
    opinions: Mapping[str, Opinion],
    panel: Panel,
    rng: np.random.Generator,
    questions: list[Question],
    groups: list[str],
    order: tuple[str, ...],
) -> Iterator[Entry]:
    verdicts = panel.ask(section, opinions, questions, [{key: group} for group in groups])
    said = said_codes(verdicts)
    shares = Shares.over((question.opinion_id for question in questions), rng)
    for name in (ALL, *order):
        chosen = np.array([name in (ALL, group) for group in groups], dtype=np.bool_)
        if chosen.any():
            yield Entry(section, {key: name}, {"claims": int(chosen.sum())}, shares.of_labels(said, chosen))
