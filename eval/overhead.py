"""What graph and retrieval cost per claim, verifiers aside; and what a claim costs with the embedded panel."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from parcel_agents.api import averify, make_context
from parcel_agents.config import load_config
from parcel_agents.eval.datasets import load_dataset
from parcel_agents.graphs.state import VerifyContext, VerifyInput, VerifyState
from parcel_agents.graphs.verify import build
from parcel_agents.retrievers import Index
from parcel_agents.types import LABELS, Label, Opinion, Vote
from parcel_agents.verifiers import Task

VERIFIERS = 7
ROUNDS = 10


@dataclass(frozen=True)
class NoOpVerifier:
    """Abstains at once."""

    name: str
    casts: frozenset[Label] = frozenset(LABELS)

    async def verify(self, task: Task) -> Vote:
        """See `Verifier.verify`."""
        return Vote(verifier=self.name, outcome="ok")


def measure_overhead(rounds: int = ROUNDS) -> dict[str, Any]:
    """Median milliseconds per claim on the bundled example, with seven no-op verifiers and a warm index.

    `warm` finds the claim's own embedding in memory, as when claims are embedded in one batch before the run;
    `cold_claim` computes it, one claim at a time. The difference is one forward pass of the embedding model.
    `of_which_empty_graph` is a LangGraph graph of the same nodes and edges that does nothing: the machine's yardstick.
    `embedded_panel` is a new claim, one at a time, verified by the default panel.
    """
    data = load_dataset(Path(str(files("parcel_agents").joinpath("examples"))))
    opinion = next(iter(data.opinions.values()))
    claims = [gold.claim for gold in data.claims]
    embedded = make_context(config=load_config(panel="embedded"), opinions=[opinion])
    context = replace(embedded, tiers=(tuple(NoOpVerifier(f"no-op-{number}") for number in range(VERIFIERS)),))
    figures = asyncio.run(_measure(context, opinion, claims, rounds))
    return {**figures, "embedded_panel_ms": asyncio.run(_measure_panel(embedded, opinion, claims, rounds))}


async def _measure_panel(context: VerifyContext, opinion: Opinion, claims: list[str], rounds: int) -> float:
    """Median milliseconds of `averify` for one claim that was never seen, on a warm index."""
    await averify(opinion, ["a first claim pays for what is made only once"], context=context)
    # Another word in each round, so that no embedding is found in memory.
    new = [f"{claim} again {round_}" for round_ in range(rounds) for claim in claims]
    return _median_ms([await _timed(averify(opinion, [claim], context=context)) for claim in new])


async def _measure(context: VerifyContext, opinion: Opinion, claims: list[str], rounds: int) -> dict[str, Any]:
    graph = build(context)
    index: Index = await context.index(opinion.id)

    async def run(claim: str) -> float:
        return await _timed(graph.ainvoke(VerifyInput(claim=claim, opinion_id=opinion.id)))

    def search(claim: str) -> float:
        started = time.perf_counter()
        index.search(claim, context.top_k)
        return time.perf_counter() - started

    await run("a first claim pays for what is made only once")
    cold = [await run(f"{claim} {round_}") for round_ in range(rounds) for claim in claims]
    for claim in claims:
        await run(claim)
    warm = [await run(claim) for _ in range(rounds) for claim in claims]
    retrieval = [search(claim) for _ in range(rounds) for claim in claims]
    bare = _bare_graph()
    plain = [await _timed(bare.ainvoke({"claim": claim})) for _ in range(rounds) for claim in claims]
    return {
        "claims": len(claims),
        "rounds": rounds,
        "verifiers": VERIFIERS,
        "passages": len(opinion.passages),
        "warm_ms": _median_ms(warm),
        "of_which_empty_graph_ms": _median_ms(plain),
        "of_which_retrieval_ms": _median_ms(retrieval),
        "cold_claim_ms": _median_ms(cold),
    }


def _bare_graph() -> Any:
    """The verify graph's nodes and edges without their work."""

    async def node(state: dict[str, Any]) -> dict[str, Any]:
        return {"claim": state["claim"]}

    async def vote(state: dict[str, Any]) -> dict[str, Any]:
        return {"votes": [{}]}

    def fan_out(state: dict[str, Any]) -> list[Send]:
        return [Send("verify", {"claim": state["claim"], "number": number}) for number in range(VERIFIERS)]

    builder: Any = StateGraph(VerifyState)
    for name in ("prepare", "retrieve", "resolve", "certify"):
        builder.add_node(name, node)
    builder.add_node("verify", vote)
    builder.add_conditional_edges("retrieve", fan_out, ["verify"])
    for start, end in ((START, "prepare"), ("prepare", "retrieve"), ("verify", "resolve"), ("resolve", "certify")):
        builder.add_edge(start, end)
    builder.add_edge("certify", END)
    return builder.compile()


async def _timed(work: Awaitable[Any]) -> float:
    started = time.perf_counter()
    await work
    return time.perf_counter() - started


def _median_ms(seconds: list[float]) -> float:
    return round(1000 * statistics.median(seconds), 2)
