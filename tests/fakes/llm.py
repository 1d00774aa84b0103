"""A small opinion, and LLM verifiers that ask a fake server about it."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from fakes.server import FakeServer, Script

from parcel_agents.opinions.passages import cut_passages
from parcel_agents.providers import AnswerCache, Providers
from parcel_agents.types import Claim, Hit, Opinion, Part, Vote, content_hash
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.llm import LlmVerifier, make_llm_verifier

PROVIDERS = ("openai", "google")
KEY = "fk-0123456789abcdef"
"""Made up for these tests."""
ENVIRON = {"FAKE_KEY": KEY}

MAJORITY = (
    "A ferry operator owes its passengers the care of a prudent carrier. The operator here let the gangway ice over, "
    "and we hold that it must answer for the fall."
)
DISSENT = "I would affirm. Ice forms within minutes on that pier, and no operator can be everywhere at once."

# Every client reads the system's certificates before its first request, which takes longer than the rest of a test.
# Nothing here speaks TLS; one certificate, whose key was thrown away, does as well.
os.environ["SSL_CERT_FILE"] = str(Path(__file__).with_name("nobody.pem"))

T = TypeVar("T")


def make_opinion(majority: str = MAJORITY, dissent: str = DISSENT, *, author: str = "Marsh, J.") -> Opinion:
    """An opinion of two parts: p1 speaks for the Court, p2 in dissent, if the texts are short."""
    text = f"{majority}\n\n{dissent}"
    parts = (
        Part(id="part1", kind="majority", author="Vole, J.", start=0, end=len(majority) + 2),
        Part(id="part2", kind="dissent", author=author, start=len(majority) + 2, end=len(text)),
    )
    return Opinion(id=content_hash(text), text=text, parts=parts, passages=cut_passages(text, parts))


@dataclass(frozen=True)
class NoIndex:
    """Stands where a verifier does not search."""

    opinion: Opinion

    def prepare(self, queries: Sequence[str]) -> None:
        pass

    def search(self, query: str, k: int) -> tuple[Hit, ...]:
        raise AssertionError("these tests give the hits")


def make_task(claim: str = "(holding that the operator must answer for the fall)", opinion: Opinion | None = None,
              hits: tuple[str, ...] = ()) -> Task:  # fmt: skip
    opinion = opinion or make_opinion()
    found = tuple(Hit(passage=id, rank=rank, score=1.0) for rank, id in enumerate(hits, 1))
    return Task(claim=Claim.of(claim), opinion=opinion, index=NoIndex(opinion), hits=found)


@dataclass
class FakeTime:
    """A clock that moves when somebody sleeps."""

    now: float = 1_000.0

    def __post_init__(self) -> None:
        self.sleeps: list[float] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


@dataclass
class Bench:
    """A fake server, the providers that talk to it, and a time of their own."""

    server: FakeServer
    time: FakeTime
    providers: Providers

    def verifier(self, provider: str = "openai", name: str = "model", **settings: Any) -> LlmVerifier:
        given = {
            "model": f"{provider}:some-model",
            "base_url": self.server.url(provider),
            "api_key_env": "FAKE_KEY",
            "input_price": 1.0,
            "cached_price": 0.5,
            "output_price": 2.0,
            **settings,
        }
        return make_llm_verifier(name, providers=self.providers, **given)


def on_bench(
    script: Script,
    work: Callable[[Bench], Awaitable[T]],
    *,
    cache: AnswerCache | None = None,
    max_cost_usd: float | None = None,
) -> T:
    """What the work returns, done in an event loop of its own against a server with this script."""
    with FakeServer(script) as server:
        time = FakeTime()
        providers = Providers(
            ENVIRON,
            cache=cache,
            max_cost_usd=max_cost_usd,
            clock=time.clock,
            sleep=time.sleep,
            rng=random.Random(7),
        )

        async def run() -> T:
            try:
                return await work(Bench(server, time, providers))
            finally:
                await providers.aclose()

        return asyncio.run(run())


@dataclass(frozen=True)
class Seen:
    """A vote, and what the server and the clock saw of it."""

    vote: Vote
    bench: Bench

    @property
    def requests(self) -> int:
        return len(self.bench.server.requests)

    @property
    def rungs(self) -> list[str]:
        return [request.rung for request in self.bench.server.requests]


def vote_on(script: Script, provider: str = "openai", *, task: Task | None = None, **settings: Any) -> Seen:
    """One vote against a server with this script."""

    async def work(bench: Bench) -> Seen:
        return Seen(await bench.verifier(provider, **settings).verify(task or make_task()), bench)

    return on_bench(script, work)
