"""How many calls run at the same time."""

from __future__ import annotations

import asyncio

import pytest
from fakes import replies as r
from fakes.llm import Bench, make_task, on_bench
from fakes.server import Reply, Request

from parcel_agents.providers.gate import Gate


def test_first_429_of_a_burst_halves_the_places_and_the_others_do_not() -> None:
    async def run() -> list[int]:
        gate = Gate(16)
        seen = []
        async with gate.place() as one, gate.place() as two:
            gate.too_much(one)
            seen.append(gate.places)
            gate.too_much(two)  # was under way already when the places were halved
            seen.append(gate.places)
        async with gate.place() as three:
            gate.too_much(three)
            seen.append(gate.places)
        return seen

    assert asyncio.run(run()) == [8, 8, 4]


def test_there_is_always_one_place() -> None:
    async def run() -> int:
        gate = Gate(2)
        for _ in range(5):
            async with gate.place() as ticket:
                gate.too_much(ticket)
        return gate.places

    assert asyncio.run(run()) == 1


def test_places_come_back_one_for_a_round_of_answers_and_no_more_than_there_were() -> None:
    async def run() -> list[int]:
        gate = Gate(8)
        async with gate.place() as ticket:
            gate.too_much(ticket)
        counts = []
        for answers in (4, 1, 5, 200):
            for _ in range(answers):
                gate.went_well()
            counts.append(gate.places)
        return counts

    # 4 + 1/4 + 1/4.25 + ... : four answers make nearly one place, the fifth completes it
    assert asyncio.run(run()) == [4, 5, 6, 8]


def test_places_are_given_in_turn_and_a_cancelled_wait_loses_none() -> None:
    async def run() -> list[str]:
        gate = Gate(1)
        order: list[str] = []

        async def work(name: str) -> None:
            async with gate.place():
                order.append(name)
                await asyncio.sleep(0)

        async with gate.place():
            tasks = [asyncio.create_task(work(name)) for name in "abcd"]
            await asyncio.sleep(0)
            tasks[1].cancel()
            await asyncio.sleep(0)
        # The turn may already have been given to the first one when it is cancelled, too.
        await asyncio.gather(*tasks, return_exceptions=True)
        assert gate.busy == 0
        return order

    assert asyncio.run(run()) == ["a", "c", "d"]


def test_turn_that_comes_to_somebody_cancelled_goes_to_the_next() -> None:
    async def run() -> bool:
        gate = Gate(1)
        entered = asyncio.Event()

        async def work() -> None:
            async with gate.place():
                entered.set()

        async with gate.place():
            first, second = asyncio.create_task(work()), asyncio.create_task(work())
            await asyncio.sleep(0)
        first.cancel()  # its turn has been called, but it has not run since
        with pytest.raises(asyncio.CancelledError):
            await first
        await asyncio.wait_for(second, 1)
        return entered.is_set()

    assert asyncio.run(run())


def test_server_never_sees_more_than_the_places() -> None:
    async def work(bench: Bench) -> int:
        verifier = bench.verifier(concurrency=3)
        votes = await asyncio.gather(*(verifier.verify(make_task(f"claim number {n}")) for n in range(12)))
        assert {vote.outcome for vote in votes} == {"ok"}
        return bench.server.peak

    assert on_bench(r.answer(delay_s=0.02), work) == 3


def test_votes_come_through_a_server_that_allows_two_at_a_time() -> None:
    async def work(bench: Bench) -> list[str]:
        def script(request: Request) -> Reply:
            if bench.server._busy > 2:  # the fake counts the request at hand as well
                return r.rate_limited("1")(request)
            return r.answer(delay_s=0.01)(request)

        bench.server.script = script
        verifier = bench.verifier(concurrency=16, retries=12)
        votes = await asyncio.gather(*(verifier.verify(make_task(f"claim number {n}")) for n in range(24)))
        assert bench.providers.lane(verifier.settings).gate.places < 16
        return [vote.outcome for vote in votes]

    assert on_bench(r.answer(), work) == ["ok"] * 24
