"""Knowledge leakage: does a model read the opinion, or does it know the law anyway?

The claim is asked again without the opinion, and with the passages masked that the evidence stands in. A model that
still says Supported has it from elsewhere. The second is the weaker sign: what a masked passage says may be said again
in another, so that a reader is right to find it. The two are counted apart.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from parcel_agents.hard.causes.cause import Cause
from parcel_agents.hard.claim import HardClaim, letters, passages_of
from parcel_agents.hard.masking import without_passages, without_text
from parcel_agents.opinions.passages import sentences
from parcel_agents.providers.spec import ModelSpec
from parcel_agents.types import Claim, Frozen, Label, Opinion, Outcome, Span, Vote
from parcel_agents.verifiers.base import Task, Verifier

MIN_REPEATED = 40
"""Letters from which on a sentence that stands in another passage as well is no chance."""

Condition = Literal["without_opinion", "masked"]
Ask = Callable[[Verifier, Task], Awaitable[Vote]]
"""A vote on a task; what goes wrong is a vote with an outcome, and only what has to stop everything is raised."""


class Probe(Frozen):
    """What a model said of a claim when it could not have read it."""

    verifier: str
    condition: Condition
    outcome: Outcome
    label: Label | None
    reason: str
    cost_usd: float

    @property
    def leaks(self) -> bool:
        """True if it still says that the opinion supports the claim."""
        return self.label == "supported"


@dataclass(frozen=True)
class Bench:
    """What a probe works with."""

    verifiers: tuple[Verifier, ...]
    task: Callable[[Claim, Opinion], Awaitable[Task]]
    """The claim with an opinion that is made searchable for it."""
    ask: Ask


def knowing(verifiers: tuple[Verifier, ...]) -> tuple[Verifier, ...]:
    """Those that ask a model and may call a claim supported; what asks none can know nothing."""
    return tuple(
        one for one in verifiers if "supported" in one.casts and isinstance(getattr(one, "settings", None), ModelSpec)
    )


async def probe(hard: HardClaim, bench: Bench) -> list[Probe]:
    """What each verifier says without the opinion, and with the evidence masked.

    Masked are the passages of the gold evidence, all that a vote for `supported` points to, and all that repeat a
    sentence of these word for word; where there are none, the second question is not asked.

    Raises:
        ValueError: the opinion's text is not at hand.
        RunStoppedError: asking on would be in vain, or cost more than was allowed.
    """
    if hard.opinion is None:
        raise ValueError("the claim cannot be asked again: the opinion's text is not at hand")
    asked: list[tuple[Condition, Opinion]] = [("without_opinion", without_text(hard.opinion))]
    if masked := _evidence(hard, hard.opinion):
        asked.append(("masked", without_passages(hard.opinion, masked)))
    found = []
    for condition, opinion in asked:
        task = await bench.task(hard.claim.as_claim(), opinion)
        for verifier in bench.verifiers:
            vote = await bench.ask(verifier, task)
            found.append(
                Probe(
                    verifier=verifier.name,
                    condition=condition,
                    outcome=vote.outcome,
                    label=vote.label,
                    reason=vote.reason,
                    cost_usd=vote.cost_usd,
                )
            )
    return found


def knowledge_leakage(probes: list[Probe]) -> Cause | None:
    """The cause, where some model still says Supported.

    Args:
        probes: of one claim.
    """
    leaking = [one for one in probes if one.leaks]
    if not leaking:
        return None
    said = {
        condition: [one.verifier for one in leaking if one.condition == condition]
        for condition in ("without_opinion", "masked")
    }
    told = [f"{', '.join(said['without_opinion'])} without the opinion"] if said["without_opinion"] else []
    told += [f"{', '.join(said['masked'])} with the evidence masked"] if said["masked"] else []
    return Cause(
        name="knowledge_leakage",
        reason=f"still called supported by {', and by '.join(told)}",
        details={**said, "probes": [one.model_dump(mode="json") for one in probes]},
    )


def _evidence(hard: HardClaim, opinion: Opinion) -> set[str]:
    """The passages that the evidence stands in, wherever they are, and those that repeat a sentence of it."""
    cited = [ref for vote in hard.votes if vote.label == "supported" for ref in vote.evidence]
    spans = [Span(start=ref.start, end=ref.end) for ref in cited if opinion.has_passage(ref.passage)]
    spans += [hard.gold_evidence] if hard.gold_evidence is not None else []
    found = {id for span in spans for id in passages_of(opinion, span)}
    said = {letters(opinion.text[one.start : one.end]) for span in spans for one in sentences(opinion.text, span)}
    repeated = [sentence for sentence in said if len(sentence) >= MIN_REPEATED]
    for passage in opinion.passages:
        text = letters(passage.text)
        if any(sentence in text for sentence in repeated):
            found.add(passage.id)
    return found
