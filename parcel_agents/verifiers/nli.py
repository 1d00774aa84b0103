"""The verifier `nli`: does a sentence of the opinion entail the claim, or contradict it?

A model of natural language inference reads single sentences of the retrieved passages as premises and the claim's body
as the hypothesis. Contradiction is looked for first. A few sentences in which the claim does not stand are no proof
that it stands nowhere: the verifier then abstains, and never says `not_found`.

[verifier.nli]
kind = "nli"
model = "cross-encoder/nli-deberta-v3-base"   # a hub name that has been downloaded, or a folder
top_sentences = 16
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field, ValidationError

from parcel_agents.errors import ConfigError
from parcel_agents.types import EvidenceRef, Frozen, Label, Relation, Vote
from parcel_agents.verifiers.alignment import claim_body
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.nli_model import (
    HypothesisTooLongError,
    NliModel,
    Probabilities,
    check_folder,
    load_nli_model,
)
from parcel_agents.verifiers.nli_sentences import Sentence, choose_sentences


class NliSettings(Frozen):
    """A `[verifier.NAME]` table of kind `nli`."""

    model: str = Field(min_length=1)
    """A sentence-transformers CrossEncoder with the labels entailment, neutral and contradiction."""
    top_sentences: int = Field(default=16, ge=1, le=1000)
    """How many sentences that may decide are read, the closest to the claim first."""
    entails_at: float = Field(default=0.9, gt=0, le=1)
    """Probability of entailment from which the vote is `supported`. Like the next one it is set high for caution and
    was not learned: these models are sure of themselves, and legal prose is not what they were trained on."""
    contradicts_at: float = Field(default=0.9, gt=0, le=1)
    """Probability of contradiction from which the vote is `refuted`."""

    @property
    def url(self) -> str:
        """Where the model runs, as `doctor` shows it."""
        return "this machine"

    @property
    def priced(self) -> bool:
        """True: a vote costs nothing."""
        return True

    def sent_parameters(self) -> dict[str, Any]:
        """What a vote depends on besides the model, as `doctor` shows it."""
        return self.model_dump(exclude={"model"})


@dataclass(frozen=True)
class Reading:
    """A sentence and what the model makes of it."""

    sentence: Sentence
    given: Probabilities

    @property
    def cut(self) -> bool:
        """True if the model was shown only the beginning."""
        return self.given.read < len(self.sentence.text)


@dataclass(frozen=True)
class Finding:
    """What a claim's readings come to; no label and no reading where none decides."""

    reason: str
    label: Label | None = None
    decisive: Reading | None = None
    confidence: float | None = None


@dataclass(frozen=True)
class NliVerifier:
    """See the module."""

    name: str
    settings: NliSettings
    casts: frozenset[Label] = field(default=frozenset[Label]({"supported", "refuted"}))

    async def verify(self, task: Task) -> Vote:
        """See `Verifier.verify`.

        Raises:
            NliHeadError: the model does not tell the three labels.
            NliModelMissingError: the model is not on this machine, or cannot be read.
        """
        return await asyncio.to_thread(self._vote, task)

    async def verify_afresh(self, task: Task) -> Vote:
        """The same, for `doctor`: no vote of this kind is kept."""
        return await self.verify(task)

    def _vote(self, task: Task) -> Vote:
        hypothesis = claim_body(task.claim.text)
        sentences = choose_sentences(task, self.settings.top_sentences)
        if not sentences or not hypothesis:
            missing = "there is no sentence to read" if hypothesis else "the claim has no words of its own"
            return Vote(verifier=self.name, outcome="ok", reason=missing, model=self.settings.model)
        model: NliModel = load_nli_model(self.settings.model)
        try:
            given = model.judge([one.text for one in sentences], hypothesis)
        except HypothesisTooLongError as error:
            return Vote(verifier=self.name, outcome="context_overflow", reason=str(error), model=self.settings.model)
        readings = [Reading(sentence, each) for sentence, each in zip(sentences, given, strict=True)]
        found = decide(readings, self.settings)
        cut = sum(reading.cut for reading in readings)
        return Vote(
            verifier=self.name,
            outcome="ok",
            label=found.label,
            confidence=found.confidence,
            reason=found.reason
            + (f"; {cut} of {len(readings)} sentences were too long and read in part" if cut else ""),
            evidence=_evidence(found),
            read=tuple(dict.fromkeys(one.passage for one in sentences)),
            model=self.settings.model,
        )


def decide(readings: Sequence[Reading], settings: NliSettings) -> Finding:
    """The label that the readings carry, if any.

    `refuted` if a sentence that may refute contradicts with at least `contradicts_at` and none that may support entails
    with a higher probability, so a tie is `refuted`; else `supported` if one entails with at least `entails_at`. The
    strongest sentence decides, of equally strong ones the earliest.
    """
    against = _strongest([one for one in readings if one.sentence.may_refute], _contradiction)
    support = _strongest([one for one in readings if not one.sentence.obstacle], _entailment)
    entails = _entailment(support) if support else 0.0
    contradicts = _contradiction(against) if against else 0.0
    both = ""
    if against and contradicts >= settings.contradicts_at:
        if entails <= contradicts:
            return Finding(f"a sentence contradicts the claim ({contradicts:.2f})", "refuted", against, contradicts)
        both = f"; another contradicts it ({contradicts:.2f})"
    if support and entails >= settings.entails_at:
        return Finding(f"a sentence entails the claim ({entails:.2f}){both}", "supported", support, entails)
    barred = _strongest([one for one in readings if one.sentence.obstacle], _entailment)
    if barred and _entailment(barred) >= settings.entails_at:
        return Finding(f"what would entail the claim ({_entailment(barred):.2f}) {barred.sentence.obstacle}")
    return Finding(
        f"none of {len(readings)} sentences entails the claim (at most {entails:.2f}) or contradicts it "
        f"(at most {contradicts:.2f}) surely enough{both}"
    )


def make_nli_verifier(name: str, **settings: Any) -> NliVerifier:
    """The verifier that a `[verifier.NAME]` table of kind `nli` describes; the model is loaded at its first vote.

    Raises:
        ConfigError: a setting is unknown or not allowed, or the model is a folder that cannot be used.
    """
    try:
        checked = NliSettings.model_validate(settings)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        known = f"; known: {', '.join(sorted(NliSettings.model_fields))}" if first["type"] == "extra_forbidden" else ""
        raise ConfigError(f"verifier {name!r}: {key}: {first['msg']}{known}") from None
    check_folder(checked.model)
    return NliVerifier(name, checked)


def _evidence(found: Finding) -> tuple[EvidenceRef, ...]:
    """The place of the decisive sentence, as far as the model was shown it."""
    if found.decisive is None:
        return ()
    relation: Relation = "supports" if found.label == "supported" else "contradicts"
    sentence, start = found.decisive.sentence, found.decisive.sentence.span.start
    end = start + found.decisive.given.read
    return (EvidenceRef(passage=sentence.passage, start=start, end=end, relation=relation),)


def _strongest(readings: Sequence[Reading], strength: Callable[[Reading], float]) -> Reading | None:
    return max(readings, key=lambda one: (strength(one), -one.sentence.span.start), default=None)


def _entailment(reading: Reading) -> float:
    return reading.given.entailment


def _contradiction(reading: Reading) -> float:
    return reading.given.contradiction
