"""What the verifier `combined` says for its votes: the findings that decided them, in words that a lawyer can check."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from parcel_agents.types import Opinion
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.combined.measures import Measured
from parcel_agents.verifiers.combined.model import Regression
from parcel_agents.verifiers.lacking import lacking
from parcel_agents.verifiers.matching import Match

_NAMED = 3
_SHOWN_WORDS = 6
_SHOWN_DIFFERENCES = 3
_AT_MOST = ((0.25, "a quarter"), (0.34, "a third"), (0.5, "half"), (0.67, "two thirds"), (0.75, "three quarters"))


def _most(share: float) -> str:
    """A plain share that is not less than this one; `nearly all` above the last."""
    return next((words for limit, words in _AT_MOST if share <= limit), "nearly all")


def _together(what: str) -> Callable[[float], str]:
    return lambda share: f"{what} at most {_most(share)} of its words" if share < 1 else ""


_PHRASES: dict[str, Callable[[float], str]] = {
    "absent": lambda share: "telling words of it are nowhere in the opinion" if share else "",
    # The share is of weights, not of words, and cannot be told as a fraction of the claim.
    "coverage": lambda share: "no single sentence has all of its telling words" if share < 1 else "",
    "coverage_two": _together("any two passages have together"),
    "coverage_near": _together("a passage with those next to it has"),
    "pairs": lambda share: "some words that it puts side by side stand in no sentence together" if share < 1 else "",
    "similarity": lambda _: "no passage is as near to it in meaning as the nearest one usually is",
    "similarity_top3": lambda _: "the passages nearest to it in meaning are farther from it than they usually are",
    "untreated": lambda share: "no passage about an argument has all of its words" if share else "",
    "far": lambda share: "names or figures of it do not stand near the closest sentence" if share else "",
}


def why_not_found(regression: Regression, measured: Measured, task: Task) -> str:
    """The claim's words that the opinion never says, and the measures that decided."""
    never = _never(task, "it never says")
    return "; ".join(filter(None, ("the opinion does not deal with this", never, _deciding(regression, measured))))


def why_supported(regression: Regression, measured: Measured) -> str:
    """The measures that decided for support."""
    deciding = _deciding(regression, measured)
    return f"the closest sentence has what the claim says, and nothing was found to stand against it; {deciding}"


def why_undecided(measured: Measured, match: Match | None, bars: tuple[str, ...], task: Task) -> str:
    """What keeps a claim from being supported: what differs, what stands against it, which of its words are lacking."""
    if match is not None:
        voice = () if match.right_voice else (_voice(match, task.opinion),)
        differences = (*match.alignment.differences[:_SHOWN_DIFFERENCES], *voice)
        lead = "the quoted words stand in the opinion" if match.quoted else "one sentence comes close to the claim"
        return f"{lead}, but {_joined(differences)}"
    against = [measured.words[name] for name in bars if measured.values[name] and measured.words.get(name)]
    if against:
        return f"left open: {'; '.join(against)}"
    whether = "whether they say it or its opposite needs a model or a reader"
    if never := _never(task, "the opinion never says"):
        return f"{never}; whether it says this in other words needs a model or a reader"
    return f"passages deal with this in other words; {whether}"


def _voice(match: Match, opinion: Opinion) -> str:
    """Whose words the sentence is, which the claim gives to somebody else; and why, where that is not known."""
    part = opinion.part(opinion.passage(match.ref.passage).part)
    doubt = f" ({opinion.doubts[0].rstrip('.')})" if part.kind == "unknown" and opinion.doubts else ""
    article = "a" if part.kind == "unknown" else "the"
    return f"these words are from {article} {part.voice}{doubt}"


def _never(task: Task, lead: str) -> str:
    """The claim's words that the opinion has in no form; empty if there are none."""
    words = lacking(task.claim.text, task.opinion.text).words[:_SHOWN_WORDS]
    return f"{lead}: {', '.join(words)}" if words else ""


def _joined(differences: Sequence[str]) -> str:
    """The differences with what begins alike said once: `the sentence lacks “A” and “B”`."""
    by_lead: dict[str, list[str]] = {}
    for one in differences:
        lead, mark, quoted = one.partition("“")
        whole = not mark or not quoted.endswith("”") or "“" in quoted
        by_lead.setdefault(one if whole else lead, []).append("" if whole else f"“{quoted}")
    return "; ".join(f"{lead}{', '.join(filter(None, words))}" for lead, words in by_lead.items())


def _deciding(regression: Regression, measured: Measured) -> str:
    """The measures that raised the probability most, in words, each thing said once."""
    found = regression.contributions(measured.values)
    best = sorted((name for name in found if found[name] > 0), key=lambda name: -found[name])[:_NAMED]
    if {"similarity", "similarity_top3"} <= set(best):
        best.remove("similarity_top3")
    said = (
        measured.words.get(name) or (_PHRASES[name](measured.values[name]) if name in _PHRASES else "") for name in best
    )
    return "; ".join(filter(None, said))
