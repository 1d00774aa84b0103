"""Money: what a call costs, the cap, the estimate."""

from __future__ import annotations

import asyncio

import pytest
from fakes import replies as r
from fakes.llm import Bench, make_task, on_bench
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.errors import ConfigError
from parcel_agents.providers import Account, CostCapError, Estimate, ModelSpec
from parcel_agents.providers.cost import check_prices, cost_usd, estimate_call
from parcel_agents.types import Usage

PRICED = ModelSpec(model="openai:m", input_price=2.0, cached_price=0.5, output_price=10.0, max_output_tokens=100)


def test_cost_worked_by_hand() -> None:
    usage = Usage(input_tokens=1_000_000, cached_tokens=400_000, output_tokens=50_000)
    # 600,000 at $2 + 400,000 at $0.50 + 50,000 at $10, for a million each: 1.2 + 0.2 + 0.5
    assert cost_usd(PRICED, usage) == pytest.approx(1.9)
    # Without a price of its own, cached input costs what input costs: 2 + 0.5
    assert cost_usd(PRICED.model_copy(update={"cached_price": None}), usage) == pytest.approx(2.5)
    assert cost_usd(ModelSpec(model="openai:m"), usage) == 0


def test_cap_needs_prices() -> None:
    unpriced = ModelSpec(model="openai:free")
    check_prices(None, [PRICED, unpriced])
    check_prices(1.0, [PRICED, ModelSpec(model="openai:local", input_price=0, output_price=0)])
    with pytest.raises(ConfigError, match="set input_price and output_price for openai:free"):
        check_prices(1.0, [PRICED, unpriced])


def test_calls_under_way_are_waited_for_before_the_cap_is_called() -> None:
    async def run() -> list[str]:
        account = Account(1.0)
        events = []
        first = await account.reserve(0.8)
        second = asyncio.create_task(account.reserve(0.8))
        await asyncio.sleep(0)
        events.append("waits" if not second.done() else "went on")
        account.settle(first, 0.1)
        await second
        events.append(f"spent {account.spent_usd}, reserved {account.reserved_usd}")
        account.settle(second.result(), 0.5)
        with pytest.raises(CostCapError, match=r"cap of \$1\.00: \$0\.6000 is spent and the next call may cost"):
            await account.reserve(0.5)
        return events

    assert asyncio.run(run()) == ["waits", "spent 0.1, reserved 0.8"]


@given(
    cap=st.floats(0.01, 5), calls=st.lists(st.tuples(st.floats(0.01, 1), st.floats(0, 1)), max_size=30)
)  # each call: the most it can cost, and the share of that which it does cost
def test_cap_is_never_crossed(cap: float, calls: list[tuple[float, float]]) -> None:
    account = Account(cap)

    async def call(most: float, share: float) -> None:
        reserved = await account.reserve(most)
        await asyncio.sleep(0)
        account.settle(reserved, most * share)
        assert account.spent_usd + account.reserved_usd <= cap + 1e-9

    async def run() -> None:
        results = await asyncio.gather(*(call(*one) for one in calls), return_exceptions=True)
        assert all(result is None or isinstance(result, CostCapError) for result in results)

    asyncio.run(run())
    assert account.reserved_usd == pytest.approx(0, abs=1e-9)


def test_run_stops_before_its_cap() -> None:
    async def work(bench: Bench) -> tuple[int, float]:
        verifier = bench.verifier(max_output_tokens=100)
        # A vote costs (400 + 600/2 + 2*50)/1e6 = $0.0008; the most it can cost is about $0.0016.
        votes = [verifier.verify(make_task(f"claim number {number}")) for number in range(20)]
        results = await asyncio.gather(*votes, return_exceptions=True)
        stopped = [result for result in results if isinstance(result, CostCapError)]
        assert stopped
        assert len(stopped) + len(bench.server.requests) == 20
        return len(bench.server.requests), bench.providers.account.spent_usd

    requests, spent = on_bench(r.answer(), work, max_cost_usd=0.005)
    assert 3 <= requests <= 6
    assert spent == pytest.approx(requests * 0.0008)
    assert spent <= 0.005


def test_call_that_was_cut_off_counts_as_paid_for() -> None:
    async def work(bench: Bench) -> float:
        await bench.verifier(timeout_s=1, retries=0).verify(make_task())
        return bench.providers.account.spent_usd

    assert on_bench(r.hang(), work) > 0


def test_estimate_worked_by_hand() -> None:
    # 4,000 bytes are about 1,001 tokens, at most 1,333 and 500 for the frame; the answer 50 tokens, at most 100
    estimate = estimate_call(PRICED, 4_000, 50)
    assert (estimate.input_tokens, estimate.output_tokens) == (1_001, 50)
    assert estimate.cost_usd == pytest.approx((1_001 * 2 + 50 * 10) / 1e6)
    assert estimate.most_usd == pytest.approx((1_833 * 2 + 100 * 10) / 1e6)
    unpriced = estimate_call(ModelSpec(model="openai:free"), 4_000, 50)
    total = estimate + unpriced + Estimate(votes=1, cached_votes=1)
    assert (total.votes, total.cached_votes, total.input_tokens) == (3, 1, 2_002)
    assert (total.cost_usd, total.unpriced) == (estimate.cost_usd, ("openai:free",))
