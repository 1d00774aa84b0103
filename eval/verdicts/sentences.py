"""Sentences that an opinion says in its own voice, and claims that repeat them word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

import numpy as np

from parcel_agents.opinions.passages import sentences
from parcel_agents.opinions.reported import attributions_in, party_names
from parcel_agents.opinions.reported_masks import mask
from parcel_agents.types import Opinion

Voice = Literal["court", "dissent"]

MIN_WORDS, MAX_WORDS = 10, 45
DISSENT_EVERY = 5
"""Where an opinion has a dissent, every so many of its sentences are the dissent's."""
LEADS: Mapping[Voice, tuple[str, ...]] = {
    "court": ("holding that", "noting that", "explaining that"),
    "dissent": ("dissent arguing that",),
}
_MAX_QUOTED = 0.3
"""A sentence with a larger share of its letters between quotation marks is hardly in the writer's own words."""

_CITING = re.compile(
    r"\b(?:see|cf|id|ibid|citing|quoting|accord|compare|supra|infra|ante)\b|\bop\b[^()]*\bat\b|\bat \*?\d"
    r"|\d+ [A-Z][\w.]*(?: ?[\w.]+){0,2} \*?\d+",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
_NO_CLAUSE = re.compile(r"^(?:Id|Ibid|See|Cf|Accord|But see|Compare)\b[.,;]?(?! that\b)|^Nor\b")
"""How a citation begins, and a sentence that cannot stand behind `that`."""
_TWO = re.compile(r"[a-z]{2}\. [A-Z]")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|do|does|did|may|might|must|shall|should|can|cannot|could|will|would|[a-z]+ed)\b"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


@dataclass(frozen=True)
class OwnSentence:
    """A sentence of an opinion, without the citation behind it and without its full stop."""

    opinion_id: str
    text: str
    voice: Voice


def own_sentences(opinion: Opinion, voice: Voice) -> Iterator[str]:
    """The sentences that the Court, or a dissent, says as its own, in the order of the text.

    Footnotes, questions, fragments, mere citations, sentences with a citation in their middle, reported speech and
    sentences that quote more than they say are left out, and so are the shorter and the longer ones.
    """
    wanted = "majority" if voice == "court" else "dissent"
    names = party_names(opinion)
    for part in opinion.parts:
        if part.kind != wanted or part.footnote is not None:
            continue
        anothers = [one for one in attributions_in(opinion.text, part, kind=part.kind, names=names) if one.is_anothers]
        for passage in opinion.passages:
            if passage.part != part.id:
                continue
            for span in sentences(opinion.text, passage):
                text = plain_sentence(opinion.text[span.start : span.end])
                if text is not None and not any(one.overlaps(span) for one in anothers):
                    yield text


def plain_sentence(text: str) -> str | None:
    """The sentence without the citation that ends it and without its full stop; None if it is not fit to be a claim."""
    text = " ".join(text.split())
    if not text.endswith((".", ".”", '."', ".)")) or not text[:1].isupper() or _NO_CLAUSE.match(text):
        return None
    text = text.rstrip(".")
    while (
        (last := list(_BRACKETED.finditer(text))) and last[-1].end() == len(text) and _CITING.search(last[-1].group())
    ):
        text = text[: last[-1].start()].rstrip(" ,.")
    if re.search(r"[\[\]{}?*:]|\.\s*\.|\.[”\"]$", text) or _TWO.search(text) or text.count("(") != text.count(")"):
        return None
    # Half a quotation, or half a sentence that was cut at an abbreviation, would make no claim.
    if text.count("“") != text.count("”") or text.count('"') % 2 or any(map(_CITING.search, _BRACKETED.findall(text))):
        return None
    masked = mask(text)
    if masked.count("_") > _MAX_QUOTED * len(text) or not _FINITE.search(masked):
        return None
    return text if MIN_WORDS <= len(text.split()) <= MAX_WORDS and not _shouts(text) else None


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


def lower_first(sentence: str, opinion: Opinion) -> str:
    """The sentence as it goes on behind `that`: its first word in small letters, unless it is a name.

    A word that the opinion writes with a capital within sentences more often than without is a name.
    """
    first = _WORD.match(sentence)
    if first is None or first.group() == "I" or first.group()[1:] != first.group()[1:].lower():
        return sentence
    word = re.escape(first.group())
    capital = len(re.findall(rf"(?<=[a-z,;] ){word}\b", opinion.text))
    small = len(re.findall(rf"\b{word.lower()}\b", opinion.text))
    return sentence if capital > small else sentence[0].lower() + sentence[1:]


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


def _shouts(text: str) -> bool:
    letters = [character for character in text if character.isalpha()]
    return sum(map(str.isupper, letters)) > 0.3 * len(letters)
