"""A run through a bad day: a fifth of all requests fail, in every way there is."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path

import pytest
from fakes import replies as r
from fakes.llm import PROVIDERS, Bench, make_task, on_bench
from fakes.server import Reply, Request, Script

from parcel_agents.providers import AnswerCache
from parcel_agents.types import Vote

FAULTS: list[Script] = [
    r.rate_limited("1"),
    r.rate_limited(),
    r.error(500),
    r.error(503),
    r.error(400, "maximum context length is 5 tokens"),
    r.reset,
    r.hang(),
    r.body(""),
    r.body("<p>gateway</p>", content_type="text/html"),
    r.body('{"choices": [{"mess'),
    r.text(None),
    r.text("I would say so."),
    r.text('{"passages": ["p1"], "label": "supp'),
    r.answer("maybe"),
    r.answer("supported", ["p55"]),
]
FAULTS_OF: dict[str, list[Script]] = {
    "openai": [*FAULTS, r.refusal("no"), r.finishes("content_filter"), r.finishes("length")],
    "google": [*FAULTS, r.finishes("SAFETY"), r.finishes("RECITATION"), r.finishes("MAX_TOKENS"), r.blocked_prompt()],
}
CLAIMS = 90


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_claim_gets_a_vote_and_the_second_run_asks_for_what_is_missing(provider: str, tmp_path: Path) -> None:
    rng = random.Random(3)

    def script(request: Request) -> Reply:
        chosen = rng.choice(FAULTS_OF[provider]) if rng.random() < 0.2 else r.answer()
        return chosen(request)

    async def votes(bench: Bench) -> list[Vote]:
        verifier = bench.verifier(provider, timeout_s=3, retries=2, concurrency=24)
        tasks = [make_task(f"(noting the number {number})") for number in range(CLAIMS)]
        return list(await asyncio.gather(*(verifier.verify(task) for task in tasks)))

    async def work(bench: Bench) -> None:
        first = await votes(bench)
        assert len(first) == CLAIMS
        assert all((vote.label is not None) == (vote.outcome == "ok") for vote in first)
        answered = Counter(vote.outcome for vote in first)["ok"]
        assert CLAIMS * 2 / 3 < answered < CLAIMS
        before = len(bench.server.requests)
        bench.server.script = r.answer()
        second = await votes(bench)
        assert {vote.outcome for vote in second} == {"ok"}
        assert len(bench.server.requests) - before == CLAIMS - answered

    on_bench(script, work, cache=AnswerCache(tmp_path / "answers.sqlite"))
