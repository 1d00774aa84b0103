"""One real verification with a known answer for each model: the function behind `parcel-agents doctor`.

A health check that asks for a greeting is green while every run fails; this asks what a run asks. The claim is false,
since a model that agrees with everything would pass on a true one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from parcel_agents.providers import RunStoppedError
from parcel_agents.retrievers.bm25 import BM25Retriever
from parcel_agents.types import Claim, Label, Opinion, Outcome, Usage, Vote
from parcel_agents.verifiers.agent import AgentVerifier
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.llm import LlmVerifier
from parcel_agents.verifiers.nli import NliVerifier

ModelVerifier = LlmVerifier | AgentVerifier
"""Verifiers that ask a model behind an API, and cost something."""
Examined = ModelVerifier | NliVerifier
"""Verifiers whose model `doctor` can try."""

OPINION = "people_v_marlowe.md"
CLAIM = (
    "(holding that an officer may open any closed compartment of a vessel without first asking an owner who is there)"
)
EXPECTED: Label = "refuted"
_PASSAGES = 10


@dataclass(frozen=True)
class Examination:
    """What one model made of the known claim."""

    verifier: str
    model: str
    base_url: str
    outcome: Outcome
    label: Label | None
    expected: Label
    rung: str | None
    """The way of asking for a structured answer that worked."""
    usage: Usage
    cost_usd: float | None
    """None where no price is configured."""
    latency_s: float
    parameters: dict[str, Any]
    """What was sent besides the messages."""
    prompt: str | None
    """The prompt file and its hash; None where there was no vote."""
    reason: str

    @property
    def right(self) -> bool:
        """True if the model works and answered rightly."""
        return self.label == self.expected


async def examine(verifier: Examined, *, clock: Callable[[], float] = time.perf_counter) -> Examination:
    """Ask one model. Never raises for what the model or its provider does; it never answers from the cache."""
    settings = verifier.settings
    task = known_task()
    started = clock()
    try:
        vote = await verifier.verify_afresh(task)
    except RunStoppedError as error:
        # What ends a run is here one finding among others: the next model has another key.
        vote = Vote(verifier=verifier.name, outcome=error.outcome, reason=str(error))
    return Examination(
        verifier=verifier.name,
        model=settings.model,
        base_url=settings.url,
        outcome=vote.outcome,
        label=vote.label,
        expected=EXPECTED,
        rung=vote.rung,
        usage=vote.usage,
        cost_usd=vote.cost_usd if settings.priced else None,
        latency_s=clock() - started,
        parameters=settings.sent_parameters(),
        prompt=vote.prompt,
        reason=vote.reason,
    )


def known_task() -> Task:
    """A false claim about the opinion that comes with the package."""
    opinion = Opinion.load(Path(str(files("parcel_agents").joinpath("examples", "opinions", OPINION))))
    index = BM25Retriever().index(opinion)
    return Task(claim=Claim.of(CLAIM), opinion=opinion, index=index, hits=index.search(CLAIM, _PASSAGES))
