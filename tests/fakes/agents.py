"""Conversations of the verifier `agent` with a server that follows a script."""

from __future__ import annotations

from typing import Any

from fakes import replies as r
from fakes.llm import Bench, make_opinion, on_bench
from fakes.server import Script

from parcel_agents.retrievers import make_retriever
from parcel_agents.types import Claim, Opinion, Vote
from parcel_agents.verifiers.agent import AgentVerifier, make_agent_verifier
from parcel_agents.verifiers.base import Task

SEARCH = r.calls(("search_opinion", {"query": "gangway ice", "k": 1}))
READ = r.calls(("read_passage", {"id": "p2"}))


def verdict(label: str = "supported", passages: tuple[str, ...] = ("p1",), reason: str = "It says so.") -> Script:
    return r.calls(("give_verdict", {"passages": list(passages), "reason": reason, "label": label}))


def task_on(claim: str = "(holding that the operator must answer)", opinion: Opinion | None = None) -> Task:
    opinion = opinion or make_opinion()
    return Task(claim=Claim.of(claim), opinion=opinion, index=make_retriever("bm25").index(opinion), hits=())


def agent(bench: Bench, provider: str = "openai", **settings: Any) -> AgentVerifier:
    given = {
        "model": f"{provider}:some-model",
        "base_url": bench.server.url(provider),
        "api_key_env": "FAKE_KEY",
        "input_price": 1.0,
        "cached_price": 0.5,
        "output_price": 2.0,
        **settings,
    }
    return make_agent_verifier("agent", providers=bench.providers, **given)


def talk(script: Script, provider: str = "openai", *, task: Task | None = None, **settings: Any) -> tuple[Vote, Bench]:
    """One vote against a server with this script."""

    async def work(bench: Bench) -> tuple[Vote, Bench]:
        return await agent(bench, provider, **settings).verify(task or task_on()), bench

    return on_bench(script, work)


def told(bench: Bench) -> list[str]:
    """What the tools had answered by the last request."""
    return r.tool_answers(bench.server.requests[-1])


def trace(vote: Vote) -> str:
    """What the vote says of its tool calls."""
    return "; ".join(
        f"{call.name} {call.arguments} -> {'error, ' if call.failed else ''}{call.answer_chars} characters"
        for call in vote.tool_calls
    )
