"""The ways in from Python: `verify`, `averify`, `build_verify_graph`."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from parcel_agents.background import run
from parcel_agents.claim_keys import panel_id
from parcel_agents.config import Config, environment, load_config
from parcel_agents.ensemble.policy_file import policy_for
from parcel_agents.graphs.state import VerifyContext, VerifyInput
from parcel_agents.graphs.verify import VerifyGraph, build, graph_of
from parcel_agents.providers import AnswerCache, Providers
from parcel_agents.registry import RETRIEVERS
from parcel_agents.retrievers import Retriever, make_retriever
from parcel_agents.store import SettingsMeta
from parcel_agents.types import Claim, Opinion, Verdict
from parcel_agents.verifiers import Task, make_verifier
from parcel_agents.verifiers.description import describe_verifier

MIN_CLAIM_WORDS = 2
MAX_CLAIM_WORDS = 400
"""A claim is one statement; a longer text is several, and a verdict on it would mean nothing."""


def make_context(
    *,
    panel: str | None = None,
    config: Config | None = None,
    opinions: Iterable[Opinion] = (),
    environ: Mapping[str, str] | None = None,
) -> VerifyContext:
    """A panel at work: verifiers, policy and retriever as configured, and the opinions it knows.

    Args:
        panel: the panel's name; None for the one the configuration names.
        config: the configuration; None for the one in force (see `load_config`).
        opinions: opinions that claims may be about; more can be added with `VerifyContext.add`.
        environ: where the keys of providers are; None for the process's environment.

    Raises:
        ConfigError: the panel or something it names is unknown, or there is a cap on costs and a model without a price.
    """
    config = config or load_config()
    chosen = config.get_panel(panel or config.settings.panel)
    providers = providers_for(config, environ)
    tiers = tuple(
        tuple(make_verifier(name, config.verifier[name], providers=providers) for name in tier.verifiers)
        for tier in chosen.tier
    )
    providers.check_prices()
    settings = SettingsMeta(retriever=config.settings.retriever, top_k=config.settings.top_k)
    described = {one.name: describe_verifier(one, config.verifier[one.name]) for tier in tiers for one in tier}
    context = VerifyContext(
        providers=providers,
        retriever=retriever_for(config),
        tiers=tiers,
        policy=policy_for(chosen, described, settings),
        top_k=config.settings.top_k,
        concurrency=config.settings.concurrency,
        deadline_s=config.settings.deadline_s,
        clock=time.perf_counter,
        panel_id=panel_id(config, panel or config.settings.panel, described),
        fail_closed=config.settings.fail_closed,
    )
    for opinion in opinions:
        context.add(opinion)
    return context


def build_verify_graph(
    context: VerifyContext | None = None,
    *,
    panel: str | None = None,
    config: Config | None = None,
    opinions: Iterable[Opinion] = (),
) -> VerifyGraph:
    """The compiled verify graph, to invoke or to embed as a node of another graph.

    Its input is `{"claim": ..., "opinion_id": ...}`, its output `{"verdict": ...}` (a `Verdict` as JSON).

    Args:
        context: a panel at work that is shared with others; None to make one from the remaining arguments.
        panel: see `make_context`.
        config: see `make_context`.
        opinions: see `make_context`.
    """
    return build(context or make_context(panel=panel, config=config, opinions=opinions))


async def averify(
    opinion: Opinion,
    claims: Sequence[str | Claim],
    *,
    panel: str | None = None,
    config: Config | None = None,
    context: VerifyContext | None = None,
    on_verdict: Callable[[Verdict], None] | None = None,
) -> list[Verdict]:
    """One verdict per claim, in the order of the claims.

    A claim that cannot be used (of one word, or of hundreds) gets a verdict whose `error` says why.

    Args:
        opinion: the opinion that all claims are about; it is indexed once.
        claims: claims, or their texts.
        panel: the panel's name; None for the one the configuration names.
        config: the configuration; None for the one in force.
        context: a panel at work to use instead of making one, which keeps its indexes warm between calls.
        on_verdict: called with each verdict as soon as it is there, in no particular order.

    Raises:
        ConfigError: the panel or something it names is unknown.
        RunStoppedError: a provider does not accept the key or has no quota left, or the cap on costs is reached;
            `on_verdict` has got the verdicts that were there before.
    """
    context = context or make_context(panel=panel, config=config)
    with context.holding(opinion):
        return await _verdicts(opinion, claims, context, on_verdict)


async def _verdicts(
    opinion: Opinion,
    claims: Sequence[str | Claim],
    context: VerifyContext,
    on_verdict: Callable[[Verdict], None] | None,
) -> list[Verdict]:
    # The caller may be a node of a graph whose checkpointer would keep, and resume, what nobody asked it to.
    graph = graph_of(context)
    # Claims beyond the places for verifiers would only wait, each with its graph in memory.
    places = asyncio.Semaphore(context.concurrency)

    async def one(claim: Claim) -> Verdict:
        if (fault := claim_fault(claim.text)) is not None:
            verdict = unusable(claim.id, claim.text, fault, opinion_id=opinion.id, policy=context.policy.name)
        else:
            given = VerifyInput(claim=claim.text, opinion_id=opinion.id, claim_id=claim.id)
            async with places:
                try:
                    async with asyncio.timeout(context.deadline_s):
                        state = await graph.ainvoke(given)
                    verdict = Verdict.model_validate(state["verdict"])
                except TimeoutError:
                    late = f"no verdict within the deadline of {context.deadline_s:g} s"
                    verdict = unusable(claim.id, claim.text, late, opinion_id=opinion.id, policy=context.policy.name)
        if on_verdict:
            on_verdict(verdict)
        return verdict

    wanted = [claim if isinstance(claim, Claim) else Claim.of(claim) for claim in claims]
    usable = [claim.text for claim in wanted if claim_fault(claim.text) is None]
    index = await context.index(opinion.id)
    await asyncio.to_thread(index.prepare, usable)
    tasks = [asyncio.create_task(one(claim)) for claim in wanted]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        # `gather` would leave the other claims running, and paying, behind the caller's back.
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


def verify(opinion: Opinion, claims: Sequence[str | Claim], **options: Any) -> list[Verdict]:
    """The verdicts of `averify`, for code that is not asynchronous; it also works inside a running event loop.

    Args:
        opinion: see `averify`.
        claims: see `averify`.
        **options: the keyword arguments of `averify`.
    """
    return run(averify(opinion, claims, **options))


def make_tasks(context: VerifyContext, opinion: Opinion, claims: Sequence[Claim]) -> list[Task]:
    """What the verifiers of a panel would be given for some claims, without asking them."""
    index = context.retriever.index(opinion)
    index.prepare([claim.text for claim in claims])
    return [
        Task(claim=claim, opinion=opinion, index=index, hits=index.search(claim.text, context.top_k))
        for claim in claims
    ]


def claim_fault(text: str) -> str | None:
    """Why a text cannot be verified as a claim, None if it can."""
    words = re.findall(r"\w+", text)
    if len(words) < MIN_CLAIM_WORDS:
        return f"too short for a claim ({len(words)} of at least {MIN_CLAIM_WORDS} words); give a whole statement"
    if len(words) > MAX_CLAIM_WORDS:
        return f"too long for a claim ({len(words)} words, limit {MAX_CLAIM_WORDS}); give one statement at a time"
    return None


def unusable(claim_id: str, text: str, fault: str, *, opinion_id: str | None = None, policy: str = "") -> Verdict:
    """The verdict on a claim that could not be checked: abstained, with the reason as its error."""
    return Verdict(
        claim_id=claim_id,
        claim=text,
        opinion_id=opinion_id,
        label=None,
        status="abstained",
        policy=policy,
        reason="could not check",
        error=fault,
    )


def providers_for(config: Config, environ: Mapping[str, str] | None = None) -> Providers:
    """What the verifiers that ask models share, as configured.

    Args:
        config: the configuration.
        environ: where the keys are; None for the process's environment.
    """
    settings = config.settings
    return Providers(
        environment() if environ is None else environ,
        cache=AnswerCache(settings.cache_path / "answers.sqlite") if settings.answer_cache else None,
        max_cost_usd=settings.max_cost_usd,
    )


def retriever_for(config: Config) -> Retriever:
    """The retriever that the configuration names; one that computes embeddings keeps them in the cache folder."""
    name = config.settings.retriever
    cached = {"cache_dir": config.settings.cache_path} if RETRIEVERS.takes(name, "cache_dir") else {}
    return make_retriever(name, **cached)
