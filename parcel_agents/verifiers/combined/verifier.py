"""The verifier `combined`.

It says Not Found where the claim's words, names and arguments are missing from the opinion, with the findings that
decided it, and Supported where the claim repeats a sentence. Whether a paraphrase is true or turned into its opposite
looks much the same to it: it calls one Supported only if its model was trained on so many opinions that the rate of
false support could be shown to be small, and nothing was found to stand against the claim. The package's own model
was not, and abstains on paraphrases.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from parcel_agents.errors import ConfigError
from parcel_agents.types import EvidenceRef, Label, Relation, Vote
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.combined.measures import Measured, can_measure, has_similarities, measure
from parcel_agents.verifiers.combined.model import CombinedModel, read_model
from parcel_agents.verifiers.combined.reasons import why_not_found, why_supported, why_undecided
from parcel_agents.verifiers.matching import Match, closest_match
from parcel_agents.verifiers.similarity import vote_for_repeated

BARS = ("missing", "contradicted", "conflicts", "other_name", "other_voice", "reported")
"""Findings with one of which nothing is supported, however much alike the words are."""


@dataclass(frozen=True)
class CombinedVerifier:
    """See the module."""

    name: str
    model: CombinedModel
    casts: frozenset[Label] = field(default=frozenset[Label]({"supported", "not_found"}))

    async def verify(self, task: Task) -> Vote:
        """See `Verifier.verify`."""
        read = tuple(hit.passage for hit in task.hits)
        match = closest_match(task)
        if match is not None and match.supports:
            return vote_for_repeated(self.name, match, read)
        if not can_measure(task):
            short = "the claim says too little to be judged by its words"
            reason = short if has_similarities(task) else "the retriever gives no similarities"
            return Vote(verifier=self.name, outcome="ok", reason=reason, read=read)
        measured = measure(task)
        label, probability = decide(self.model, measured.values, near_verbatim=match is not None)
        return Vote(
            verifier=self.name,
            outcome="ok",
            label=label,
            confidence=probability,
            reason=_reason(label, self.model, measured, match, task),
            evidence=_evidence(label, measured),
            read=read,
        )


def decide(
    model: CombinedModel, values: Mapping[str, float], *, near_verbatim: bool
) -> tuple[Label | None, float | None]:
    """The label and its probability; neither where the verifier abstains.

    Args:
        model: the model.
        values: the claim's measures.
        near_verbatim: True if the claim follows a sentence of the opinion with differences that matter. Then it is
            neither missing nor, being so much alike, to be supported for being alike.
    """
    if near_verbatim:
        return None, None
    if model.not_found.votes(values):
        return "not_found", model.not_found.probability(values)
    if model.supported.votes(values) and not is_barred(values):
        return "supported", model.supported.probability(values)
    return None, None


def is_barred(values: Mapping[str, float]) -> bool:
    """True if a finding stands against support, whatever the probability."""
    return any(values[name] for name in BARS)


def make_combined_verifier(name: str, model: str | None = None) -> CombinedVerifier:
    """The verifier that a `[verifier.NAME]` table of kind `combined` describes.

    Args:
        name: the name in the panel.
        model: a file that `parcel-agents train combined` wrote; the package's own without it.

    Raises:
        ConfigError: the model cannot be read.
    """
    if model is not None and not isinstance(model, str):
        raise ConfigError(f"verifier {name!r}: model is {model!r}; give the path of a file")
    return CombinedVerifier(name, read_model(Path(model) if model else None))


def _evidence(label: Label | None, measured: Measured) -> tuple[EvidenceRef, ...]:
    if measured.closest is None or label == "not_found":
        return ()
    relation: Relation = "supports" if label == "supported" else "nearest"
    return (measured.closest.model_copy(update={"relation": relation}),)


def _reason(label: Label | None, model: CombinedModel, measured: Measured, match: Match | None, task: Task) -> str:
    if label == "not_found":
        return why_not_found(model.not_found, measured, task)
    if label == "supported":
        return why_supported(model.supported, measured)
    return why_undecided(measured, match, BARS, task)
