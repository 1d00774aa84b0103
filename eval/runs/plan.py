"""What a run is going to ask for, before it asks: votes, tokens, money, and time where it can be known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from parcel_agents.api import make_tasks
from parcel_agents.eval.datasets import Dataset
from parcel_agents.eval.runs.recording import Pending, find_pending
from parcel_agents.eval.runs.summary import summarise
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.providers import Estimate, ModelSpec
from parcel_agents.store import Run
from parcel_agents.verifiers.doctor import ModelVerifier

MINUTE_S = 60.0


@dataclass(frozen=True)
class Plan:
    """What a run is going to ask for."""

    votes: int
    """How many there are to be in the end: one a claim of each verifier."""
    ok: int
    """Those that are there."""
    to_ask: int
    """Those that will be asked for. What is missing beside them are votes on claims that cannot be verified."""
    models: Estimate
    """What the models of the panel are going to use; answers kept from before cost nothing."""
    time_s: float | None
    """None where nothing is known of it."""
    time_by: Literal["latency", "limits"] | None
    """`latency`: about so long, by the votes that are there; `limits`: at least so long, by the limits on requests
    and tokens a minute."""


def make_plan(run: Run | None, dataset: Dataset, context: VerifyContext) -> Plan:
    """What is going to be asked. Nobody is asked; passages are retrieved, as prompts are made of them.

    Args:
        run: the votes that are there; None for none.
        dataset: the claims with their opinions.
        context: the panel.
    """
    pending = {
        opinion_id: [each for each in claims if each.fault is None]
        for opinion_id, claims in find_pending(run, dataset, context.verifiers).items()
    }
    models = {each.name: each for each in context.verifiers if isinstance(each, ModelVerifier)}
    estimates = _estimate(pending, models, dataset, context)
    to_ask = Counter(verifier.name for claims in pending.values() for each in claims for verifier in each.verifiers)
    fresh = {name: n - (estimates[name].cached_votes if name in estimates else 0) for name, n in to_ask.items()}
    about = _time_by_latency(run, fresh, context.concurrency)
    at_least = _time_by_limits([(models[name].settings, estimate) for name, estimate in estimates.items()])
    pairs = [(claim.id, verifier.name) for claim in dataset.claims for verifier in context.verifiers]
    return Plan(
        votes=len(pairs),
        ok=sum(run.state(*pair) == "ok" for pair in pairs) if run else 0,
        to_ask=to_ask.total(),
        models=sum(estimates.values(), Estimate()),
        time_s=max((seconds for seconds in (about, at_least) if seconds is not None), default=None),
        time_by="latency" if about is not None else "limits" if at_least is not None else None,
    )


def _estimate(
    pending: Mapping[str, Sequence[Pending]],
    models: Mapping[str, ModelVerifier],
    dataset: Dataset,
    context: VerifyContext,
) -> dict[str, Estimate]:
    """An estimate for each model."""
    estimates = dict.fromkeys(models, Estimate())
    for opinion_id, claims in pending.items():
        asking = [each for each in claims if any(verifier.name in models for verifier in each.verifiers)]
        if not asking:
            continue
        tasks = make_tasks(context, dataset.opinions[opinion_id], [each.claim.as_claim() for each in asking])
        for name, model in models.items():
            own = [task for task, each in zip(tasks, asking, strict=True) if model in each.verifiers]
            estimates[name] += model.estimate(own)
    return estimates


def _time_by_latency(run: Run | None, fresh: Mapping[str, int], concurrency: int) -> float | None:
    """Seconds, if votes go on to take as long as they took; None if some verifier has given none yet."""
    medians = {row.verifier: row.median_latency_s for row in summarise(run).verifiers} if run else {}
    total = 0.0
    for name, count in fresh.items():
        median = medians.get(name)
        if count and median is None:
            return None
        total += count * (median or 0.0)
    return total / concurrency


def _time_by_limits(asked: Sequence[tuple[ModelSpec, Estimate]]) -> float | None:
    """Seconds that the limits of the slowest group need; None if there are none. An agent has one request at least."""
    groups: dict[str, list[tuple[ModelSpec, Estimate]]] = {}
    for spec, estimate in asked:
        groups.setdefault(spec.group, []).append((spec, estimate))
    seconds: list[float] = []
    for members in groups.values():
        requests = sum(estimate.votes - estimate.cached_votes for _, estimate in members)
        tokens = sum(estimate.input_tokens + estimate.output_tokens for _, estimate in members)
        for amount, limits in (
            (requests, [spec.rpm for spec, _ in members if spec.rpm]),
            (tokens, [spec.tpm for spec, _ in members if spec.tpm]),
        ):
            # What fits into the first minute goes at once.
            seconds += [max(0.0, amount / min(limits) - 1) * MINUTE_S] if limits else []
    return max(seconds, default=None)
