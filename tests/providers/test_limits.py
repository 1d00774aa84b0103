"""Requests and tokens a minute, with a clock that moves when somebody sleeps."""

from __future__ import annotations

import asyncio

import pytest
from fakes.llm import FakeTime
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.providers.limits import Limits


def sent_at(limits: Limits, time: FakeTime, calls: list[tuple[float, int]]) -> list[float]:
    """When each call goes out; a call is how long after the last one it is made, and its tokens."""

    async def run() -> list[float]:
        moments = []
        for gap, tokens in calls:
            time.now += gap
            await limits.wait(tokens)
            moments.append(time.now)
        return moments

    return asyncio.run(run())


def test_requests_beyond_the_limit_wait_for_their_minute() -> None:
    time = FakeTime(now=0)
    limits = Limits(rpm=2, clock=time.clock, sleep=time.sleep)
    assert sent_at(limits, time, [(0, 1)] * 5) == [0, 0, 60, 60, 120]


def test_minute_slides() -> None:
    time = FakeTime(now=0)
    limits = Limits(rpm=2, clock=time.clock, sleep=time.sleep)
    # at 0 and 50; the third fits when the first is a minute old, the fourth when the second is
    assert sent_at(limits, time, [(0, 1), (50, 1), (0, 1), (0, 1)]) == [0, 50, 60, 110]


def test_tokens_wait_too() -> None:
    time = FakeTime(now=0)
    limits = Limits(tpm=1_000, clock=time.clock, sleep=time.sleep)
    assert sent_at(limits, time, [(0, 600), (10, 400), (0, 400), (0, 600)]) == [0, 10, 60, 70]


def test_call_larger_than_a_minute_gets_one_of_its_own() -> None:
    time = FakeTime(now=0)
    limits = Limits(tpm=1_000, clock=time.clock, sleep=time.sleep)
    assert sent_at(limits, time, [(0, 10), (0, 5_000), (0, 10)]) == [0, 60, 120]


def test_true_tokens_take_the_place_of_the_estimate() -> None:
    time = FakeTime(now=0)
    limits = Limits(tpm=1_000, clock=time.clock, sleep=time.sleep)

    async def run() -> float:
        booking = await limits.wait(900)
        limits.settle(booking, 100)
        await limits.wait(900)
        return time.now

    assert asyncio.run(run()) == 0


def test_pause_holds_everybody_back() -> None:
    time = FakeTime(now=0)
    limits = Limits(clock=time.clock, sleep=time.sleep)
    limits.pause(30)
    limits.pause(5)  # a shorter one does not end the longer
    assert sent_at(limits, time, [(0, 1), (0, 1)]) == [30, 30]


def test_pause_that_comes_while_a_call_waits_is_kept_and_the_minute_counted_anew() -> None:
    time = FakeTime(now=0)
    sleeps = 0

    async def sleep(seconds: float) -> None:
        nonlocal sleeps
        sleeps += 1
        time.now += seconds
        if sleeps == 1:
            limits.pause(100)

    limits = Limits(rpm=1, clock=time.clock, sleep=sleep)
    assert sent_at(limits, time, [(0, 1), (0, 1), (0, 1)]) == [0, 160, 220]


def test_stricter_of_two_limits_on_one_key_counts() -> None:
    time = FakeTime(now=0)
    limits = Limits(rpm=5, clock=time.clock, sleep=time.sleep)
    limits.tighten(rpm=1, tpm=None)
    limits.tighten(rpm=9, tpm=None)
    assert sent_at(limits, time, [(0, 1)] * 2) == [0, 60]


def test_call_that_is_given_up_leaves_its_place() -> None:
    time = FakeTime(now=0)

    async def never(_: float) -> None:
        await asyncio.sleep(3600)

    async def run() -> float:
        limits = Limits(tpm=100, clock=time.clock, sleep=never)
        await limits.wait(100)
        waiting = asyncio.create_task(limits.wait(100))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        time.now = 60
        await limits.wait(100)
        return time.now

    assert asyncio.run(run()) == 60


calls = st.lists(st.tuples(st.floats(0, 90), st.integers(0, 700)), max_size=40)


@given(calls=calls, rpm=st.integers(1, 6), tpm=st.integers(500, 2_000))
def test_no_minute_ever_holds_more_than_the_limits(calls: list[tuple[float, int]], rpm: int, tpm: int) -> None:
    time = FakeTime(now=0)
    moments = sent_at(Limits(rpm=rpm, tpm=tpm, clock=time.clock, sleep=time.sleep), time, calls)
    assert moments == sorted(moments)
    for index, end in enumerate(moments):
        # the minute that ends with this call, its beginning left out; a microsecond for sums of floats
        within = [i for i in range(index + 1) if moments[i] > end - 60 + 1e-6]
        assert len(within) <= rpm
        tokens = sum(calls[i][1] for i in within)
        assert tokens <= tpm or len([i for i in within if calls[i][1]]) == 1
