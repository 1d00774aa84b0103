"""What the verifier `combined` says for its votes: the findings that decided them, in words."""

from __future__ import annotations

from collections.abc import Callable

from parcel_agents.retrievers.terms import missing_words
from parcel_agents.verifiers.alignment import claim_body
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.combined.measures import Measured
from parcel_agents.verifiers.combined.model import Regression
from parcel_agents.verifiers.matching import Match

_NAMED = 3
_SHOWN_WORDS = 6
_SHOWN_DIFFERENCES = 3

_PHRASES: dict[str, Callable[[float], str]] = {
    "absent": lambda share: f"{share:.0%} of the weight of its words is nowhere in the opinion",
    "coverage": lambda share: f"one sentence has {share:.0%} of it, at best",
    "coverage_two": lambda share: f"two passages have {share:.0%} of its words together, at best",
    "coverage_near": lambda share: f"a passage with its neighbours has {share:.0%} of its words, at best",
    "pairs": lambda share: f"{share:.0%} of its neighbouring words stand together in some sentence",
    "similarity": lambda cosine: f"the most similar passage has a similarity of {cosine:.2f}",
    "similarity_top3": lambda cosine: f"the three most similar passages have one of {cosine:.2f} on average",
    "untreated": lambda share: f"{share:.0%} of its words are in no passage about an argument",
    "far": lambda share: f"{share:.0%} of its names and figures do not stand near the closest sentence",
}


def why_not_found(regression: Regression, measured: Measured, task: Task) -> str:
    """The claim's words that the opinion never says, and the measures that decided."""
    absent = missing_words(claim_body(task.claim.text), task.opinion.text)[:_SHOWN_WORDS]
    never = f"it never says: {', '.join(absent)}" if absent else ""
    return "; ".join(filter(None, ("the opinion does not deal with this", never, _deciding(regression, measured))))


def why_supported(regression: Regression, measured: Measured) -> str:
    """The measures that decided for support."""
    deciding = _deciding(regression, measured)
    return f"the closest sentence has what the claim says, and nothing was found to stand against it; {deciding}"


def why_undecided(measured: Measured, match: Match | None, bars: tuple[str, ...]) -> str:
    """What keeps a claim from being supported; that words do not tell, where it is nothing in particular."""
    if match is not None:
        differences = match.alignment.differences[:_SHOWN_DIFFERENCES] or ("it is in another voice than the claim's",)
        return f"the claim follows a sentence, but {'; '.join(differences)}"
    against = [measured.words[name] for name in bars if measured.values[name] and measured.words.get(name)]
    if against:
        return f"left open: {'; '.join(against)}"
    return "passages deal with this in other words; whether they say it or its opposite needs a model or a reader"


def _deciding(regression: Regression, measured: Measured) -> str:
    """The measures that raised the probability most, in words."""
    found = regression.contributions(measured.values)
    best = sorted((name for name in found if found[name] > 0), key=lambda name: -found[name])[:_NAMED]
    said = (
        measured.words.get(name) or (_PHRASES[name](measured.values[name]) if name in _PHRASES else "") for name in best
    )
    return "; ".join(filter(None, said))
