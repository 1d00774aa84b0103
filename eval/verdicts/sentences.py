"""Sentences of opinions drawn for the bench, and claims that repeat them word for word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from parcel_agents.generation.rules.sentences import Voice, lower_first, own_sentences
from parcel_agents.types import Opinion

DISSENT_EVERY = 5
"""Where an opinion has a dissent, every so many of its sentences are the dissent's."""
LEADS: Mapping[Voice, tuple[str, ...]] = {
    "court": ("holding that", "noting that", "explaining that"),
    "dissent": ("dissent arguing that",),
}


@dataclass(frozen=True)
class OwnSentence:
    """A sentence of an opinion, without the citation behind it and without its full stop."""

    opinion_id: str
    text: str
    voice: Voice


def draw_sentences(opinions: Mapping[str, Opinion], number: int, rng: np.random.Generator) -> list[OwnSentence]:
    """So many sentences, as evenly from the opinions as they allow, grouped by opinion; fewer if there are not enough.

    Args:
        opinions: by id; those first in order give one more where the number cannot be divided.
        number: how many.
        rng: shuffles the sentences of each opinion.
    """
    queues = [_queue(id, opinion, rng) for id, opinion in opinions.items()]
    taken = [0] * len(queues)
    while sum(taken) < number and any(count < len(queue) for count, queue in zip(taken, queues, strict=True)):
        for place, queue in enumerate(queues):
            if sum(taken) < number and taken[place] < len(queue):
                taken[place] += 1
    return [sentence for queue, count in zip(queues, taken, strict=True) for sentence in queue[:count]]


def wrap(sentence: str, lead: str, opinion: Opinion) -> str:
    """The sentence as a claim, such as `(holding that the search was lawful)`."""
    return f"({lead} {lower_first(sentence, opinion)})"


def _queue(opinion_id: str, opinion: Opinion, rng: np.random.Generator) -> list[OwnSentence]:
    """An opinion's sentences in the order in which they are drawn."""
    court, dissent = (_shuffled(opinion_id, opinion, voice, rng) for voice in LEADS)
    step = DISSENT_EVERY - 1
    groups = [court[start : start + step] for start in range(0, len(court), step)]
    mixed = zip_longest(groups, dissent[: len(groups)])
    return [one for group, other in mixed for one in [*(group or []), *([other] if other else [])]]


def _shuffled(opinion_id: str, opinion: Opinion, voice: Voice, rng: np.random.Generator) -> list[OwnSentence]:
    found = list(dict.fromkeys(own_sentences(opinion, voice)))
    return [OwnSentence(opinion_id, found[place], voice) for place in rng.permutation(len(found)).tolist()]
