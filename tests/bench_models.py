"""What asking models costs, against the fake servers of the tests: `python tests/bench_models.py wall|cpu|faults`.

wall    300 claims x 7 models at 2 s a call and 64 calls at a time, through the graph: wall time over the ideal, memory
cpu     CPU per vote at no latency over a plain `ChatOpenAI.with_structured_output` call, in alternating rounds
faults  1,000 claims x 7 models with a fifth of all answers faulty, then the same again: votes, labels, what is asked
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from fakes import replies as r
from fakes.llm import ENVIRON, make_opinion, make_task
from fakes.server import FakeServer, Reply, Request, Script
from langchain_openai import ChatOpenAI

from parcel_agents.api import averify, make_context
from parcel_agents.config import load_config
from parcel_agents.providers import Providers
from parcel_agents.types import Verdict
from parcel_agents.verifiers.llm import LlmVerifier, make_llm_verifier
from parcel_agents.verifiers.llm_answer import make_form

MODELS = 7
PLACES = 64

# Faults whose outcome is known at once; the slow ones (hanging, waiting as told) are tested in tests/providers.
FAULTS: list[Script] = [
    r.error(500),
    r.error(400, "maximum context length is 5 tokens"),
    r.reset,
    r.body(""),
    r.body('{"choices": [{"mess'),
    r.text(None),
    r.text("I would say so."),
    r.answer("maybe"),
    r.answer("supported", ["p55"]),
    r.refusal("no"),
    r.finishes("content_filter"),
    r.finishes("length"),
]


def panel(server: FakeServer, folder: Path, **settings: Any) -> Any:
    """A panel of seven models on the server."""
    names = [f"model-{number}" for number in range(MODELS)]
    lines = ["[settings]", 'retriever = "bm25"', f"concurrency = {PLACES}"]
    lines += ["[panel.mine]", "[[panel.mine.tier]]", f"verifiers = {json.dumps(names)}"]
    for name in names:
        fields = {"kind": "llm", "model": f"openai:{name}", "base_url": server.openai_url, "api_key_env": "FAKE_KEY"}
        lines.append(f"[verifier.{name}]")
        lines += [
            f"{key} = {json.dumps(value)}" for key, value in {**fields, "concurrency": PLACES, **settings}.items()
        ]
    path = folder / "panel.toml"
    path.write_text("\n".join(lines))
    return make_context(config=load_config(path, environ={}, panel="mine", cache_dir=folder), environ=ENVIRON)


def forgetting(script: Script) -> tuple[FakeServer, Counter[str]]:
    """A server that counts requests instead of keeping them, so that its memory is not taken for ours."""
    asked: Counter[str] = Counter()
    server = FakeServer(script)

    def counted(request: Request) -> Reply:
        asked["requests"] += 1
        del server.requests[:-1]
        return script(request)

    server.script = counted
    return server, asked


def claims(count: int) -> list[str]:
    """So many claims, no two alike."""
    return [f"(noting the number {number} of the falls)" for number in range(count)]


def memory_mb() -> int:
    """The memory this process holds at present."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) // 1024


def measure_wall(count: int = 300, latency_s: float = 2.0) -> dict[str, Any]:
    """Wall time over the ideal, and memory while it runs."""
    server, _ = forgetting(r.answer("supported", ["p1"], delay_s=latency_s))
    memory: list[int] = []

    async def work(context: Any) -> tuple[list[Verdict], float]:
        await averify(make_opinion(), ["(a first claim that pays for what is made once)"], context=context)
        memory.append(memory_mb())
        seen: list[str] = []

        def on_verdict(verdict: Verdict) -> None:
            seen.append(verdict.claim_id)
            if len(seen) % 100 == 0:
                memory.append(memory_mb())

        started = time.perf_counter()
        verdicts = await averify(make_opinion(), claims(count), context=context, on_verdict=on_verdict)
        return verdicts, time.perf_counter() - started

    with tempfile.TemporaryDirectory() as folder, server:
        verdicts, wall_s = asyncio.run(work(panel(server, Path(folder))))
    votes = [vote for verdict in verdicts for vote in verdict.votes]
    ideal_s = count * MODELS * latency_s / PLACES
    return {
        "votes": len(votes),
        "ok": sum(vote.outcome == "ok" for vote in votes),
        "wall_s": round(wall_s, 1),
        "ideal_s": round(ideal_s, 1),
        "wall_over_ideal": round(wall_s / ideal_s, 3),
        "memory_mb": memory,
    }


def measure_cpu(rounds: int = 9, calls: int = 50) -> dict[str, Any]:
    """Milliseconds of this thread per vote and per plain call; the least and the median of some rounds."""
    with FakeServer(r.answer("supported", ["p1"])) as server:
        providers = Providers(ENVIRON)
        verifier: LlmVerifier = make_llm_verifier(
            "model", providers=providers, model="openai:model", base_url=server.openai_url, api_key_env="FAKE_KEY"
        )

        async def work() -> dict[str, list[float]]:
            model = ChatOpenAI(model="model", base_url=server.openai_url, api_key="not-a-key", max_retries=0)
            schema = make_form("evidence", "").schema
            once = model.with_structured_output(schema)
            prompt = "x" * 1500

            async def vote(number: int) -> None:
                assert (await verifier.verify(make_task(f"(noting the number {number})"))).outcome == "ok"

            async def plain(number: int) -> None:
                assert (await once.ainvoke(f"{prompt}{number}"))["label"] == "supported"

            async def plain_per_call(number: int) -> None:
                chain = model.with_structured_output(schema)
                assert (await chain.ainvoke(f"{prompt}{number}"))["label"] == "supported"

            kinds: dict[str, Callable[[int], Awaitable[None]]] = {
                "vote": vote,
                "plain_chain_built_once": plain,
                "plain_chain_per_call": plain_per_call,
            }
            spent: dict[str, list[float]] = {name: [] for name in kinds}
            for call in kinds.values():
                await call(0)
            for round_ in range(rounds):
                for name, call in kinds.items():
                    started = time.thread_time()
                    for first in range(0, calls, 10):
                        await asyncio.gather(*(call(round_ * calls + first + number) for number in range(10)))
                    spent[name].append(1000 * (time.thread_time() - started) / calls)
            await providers.aclose()
            return spent

        spent = asyncio.run(work())
    row: dict[str, Any] = {
        name: {"least_ms": round(min(values), 2), "median_ms": round(statistics.median(values), 2)}
        for name, values in spent.items()
    }
    medians = {name: statistics.median(values) for name, values in spent.items()}
    row["vote_over_plain"] = round(medians["vote"] / medians["plain_chain_built_once"], 2)
    return row


def measure_faults(count: int = 1000, share: float = 0.2) -> dict[str, Any]:
    """Votes, outcomes and requests of a run through a bad day, and of the same run on the day after."""
    rng = random.Random(5)
    good = r.answer("supported", ["p1"])
    faulty = [True]

    def script(request: Request) -> Reply:
        return (rng.choice(FAULTS) if faulty[0] and rng.random() < share else good)(request)

    server, asked = forgetting(script)

    async def run(context: Any) -> list[Verdict]:
        return await averify(make_opinion(), claims(count), context=context)

    with tempfile.TemporaryDirectory() as folder, server:
        first = asyncio.run(run(panel(server, Path(folder), retries=0)))
        requests_first = asked["requests"]
        faulty[0] = False
        second = asyncio.run(run(panel(server, Path(folder), retries=0)))
    votes = [vote for verdict in first for vote in verdict.votes]
    missing = sum(vote.outcome != "ok" for vote in votes)
    return {
        "claims_x_verifiers": count * MODELS,
        "votes": len(votes),
        "outcomes": dict(Counter(vote.outcome for vote in votes)),
        "labels_without_ok": sum(vote.label is not None and vote.outcome != "ok" for vote in votes),
        "requests_first": requests_first,
        "missing_after_first": missing,
        "requests_second": asked["requests"] - requests_first,
        "missing_after_second": sum(vote.outcome != "ok" for verdict in second for vote in verdict.votes),
    }


if __name__ == "__main__":
    measures = {"wall": measure_wall, "cpu": measure_cpu, "faults": measure_faults}
    if len(sys.argv) != 2 or sys.argv[1] not in measures:
        sys.exit(__doc__)
    sys.stdout.write(json.dumps(measures[sys.argv[1]]()) + "\n")
