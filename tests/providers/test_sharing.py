"""Several event loops, several models, several verifiers, one set of providers."""

from __future__ import annotations

import asyncio
import threading

import pytest
from fakes import replies as r
from fakes.llm import ENVIRON, PROVIDERS, Bench, make_task, on_bench
from fakes.server import FakeServer, Reply, Request

from parcel_agents.providers import AuthError, Providers
from parcel_agents.verifiers.llm import make_llm_verifier


@pytest.mark.parametrize("provider", PROVIDERS)
def test_second_event_loop_of_a_process_works(provider: str) -> None:
    """A client that is kept from one `asyncio.run` to the next says "Event loop is closed"."""
    with FakeServer(r.answer()) as server:
        providers = Providers(ENVIRON)
        verifier = make_llm_verifier(
            "m", providers=providers, model=f"{provider}:m", base_url=server.url(provider), api_key_env="FAKE_KEY"
        )
        for _ in range(3):
            assert asyncio.run(verifier.verify(make_task())).outcome == "ok"


def test_threads_with_loops_of_their_own_share_places_and_limits() -> None:
    with FakeServer(r.answer(delay_s=0.02)) as server:
        providers = Providers(ENVIRON, max_cost_usd=1.0)
        verifier = make_llm_verifier(
            "m",
            providers=providers,
            model="openai:m",
            base_url=server.openai_url,
            api_key_env="FAKE_KEY",
            concurrency=3,
            rpm=100,
            input_price=1,
            output_price=1,
        )
        outcomes: list[str] = []

        async def votes(thread: int) -> None:
            tasks = [verifier.verify(make_task(f"claim {thread} {number}")) for number in range(6)]
            outcomes.extend(vote.outcome for vote in await asyncio.gather(*tasks))

        threads = [threading.Thread(target=lambda n=n: asyncio.run(votes(n))) for n in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert outcomes == ["ok"] * 18
        assert server.peak == 3


def test_requests_of_two_models_with_one_key_count_together() -> None:
    async def work(bench: Bench) -> float:
        one, two = bench.verifier(rpm=1, name="one"), bench.verifier(rpm=5, name="two", model="openai:other")
        for verifier in (one, two, one):
            assert (await verifier.verify(make_task())).outcome == "ok"
        return bench.time.now - 1_000

    assert on_bench(r.answer(), work) == 120


def test_group_of_limits_does_not_share_a_bad_key() -> None:
    def script(request: Request) -> Reply:
        return (r.bad_key if request.headers["authorization"] == "Bearer none" else r.answer())(request)

    async def work(bench: Bench) -> str:
        bad = bench.verifier(api_key_env=None, limit_group="ours")
        good = bench.verifier(limit_group="ours", rpm=1)
        with pytest.raises(AuthError):
            await bad.verify(make_task())
        return (await good.verify(make_task())).outcome

    assert on_bench(script, work) == "ok"


def test_failing_model_leaves_the_others_alone() -> None:
    def script(request: Request) -> Reply:
        return (r.error(500) if request.model == "bad" else r.answer(delay_s=0.02))(request)

    async def work(bench: Bench) -> list[str]:
        verifiers = [bench.verifier(name=name, model=f"openai:{name}") for name in ("good", "bad", "fine")]
        votes = await asyncio.gather(*(verifier.verify(make_task()) for verifier in verifiers))
        return [vote.outcome for vote in votes]

    assert on_bench(script, work) == ["ok", "error", "ok"]


def test_bad_key_is_tried_by_the_calls_under_way_and_by_none_after_them() -> None:
    async def work(bench: Bench) -> int:
        verifier = bench.verifier(concurrency=4)
        votes = [verifier.verify(make_task(f"claim number {number}")) for number in range(40)]
        results = await asyncio.gather(*votes, return_exceptions=True)
        assert {type(result) for result in results} == {AuthError}
        return len(bench.server.requests)

    assert on_bench(r.bad_key, work) <= 4


def test_cancelled_vote_gives_back_its_place_and_its_money() -> None:
    async def work(bench: Bench) -> tuple[int, float]:
        verifier = bench.verifier(concurrency=1)
        vote = asyncio.create_task(verifier.verify(make_task()))
        while not bench.server.requests:
            await asyncio.sleep(0.01)
        vote.cancel()
        with pytest.raises(asyncio.CancelledError):
            await vote
        bench.server.script = r.answer()
        assert (await verifier.verify(make_task())).outcome == "ok"
        return bench.providers.lane(verifier.settings).gate.busy, bench.providers.account.reserved_usd

    assert on_bench(r.hang(), work) == (0, 0.0)
