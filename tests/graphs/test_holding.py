"""What a context knows of opinions that come and go."""

from __future__ import annotations

import asyncio
import gc
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fakes.drafting import OPINION, TEXT, TRUE, context
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.api import averify, verify
from parcel_agents.graphs import state
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Opinion


def others(number: int) -> list[Opinion]:
    return [parse_opinion(f"{TEXT}\nThe berth has the number {n}.\n", suffix=".md") for n in range(number)]


def bare() -> VerifyContext:
    made = context()
    made.opinions.clear()
    return made


def test_the_last_opinions_stay_known_and_those_added_for_good_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "KEPT_OPINIONS", 3)
    made = context()
    several = others(6)
    for one in several:
        verify(one, [TRUE], context=made)
    assert set(made.opinions) == {OPINION.id, *(one.id for one in several[-3:])}
    assert set(made._indexes) == {one.id for one in several[-3:]}
    verify(OPINION, [TRUE], context=made)
    made.add(several[-1])
    for one in others(10)[6:]:
        verify(one, [TRUE], context=made)
    assert {OPINION.id, several[-1].id} <= set(made.opinions)
    assert len(made.opinions) == 2 + 3


def test_what_is_asked_about_just_now_is_not_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "KEPT_OPINIONS", 1)
    made = bare()
    several = others(8)

    async def all_at_once() -> list[Any]:
        return await asyncio.gather(*(averify(one, [TRUE], context=made) for one in several))

    found = asyncio.run(all_at_once())
    assert [verdict.label for (verdict,) in found] == ["supported"] * 8
    assert [verdict.opinion_id for (verdict,) in found] == [one.id for one in several]
    assert len(made.opinions) == 1


def test_an_index_is_let_go_with_its_opinion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "KEPT_OPINIONS", 0)
    made = bare()
    (one,) = others(1)
    with made.holding(one):
        index = weakref.ref(asyncio.run(made.index(one.id)))
    gc.collect()
    assert index() is None
    assert one.id not in made.opinions


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), max_size=40))
def test_nothing_that_is_held_is_ever_missing(steps: list[tuple[int, bool]]) -> None:
    """Whatever is taken and given back, in any order: who holds an opinion finds it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(state, "KEPT_OPINIONS", 2)
        made = bare()
        several = [OPINION, *others(4)]
        held: list[tuple[Opinion, Any]] = []
        for number, take in steps:
            if take:
                hold = made.holding(several[number])
                hold.__enter__()
                held.append((several[number], hold))
            elif held:
                held.pop(number % len(held))[1].__exit__(None, None, None)
            assert {one.id for one, _ in held} <= set(made.opinions)
            assert len(made.opinions) <= 2 + len({one.id for one, _ in held})


def test_many_threads_may_ask_about_many_opinions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each thread has a loop of its own, and what one lets go the others may be looking up."""
    monkeypatch.setattr(state, "KEPT_OPINIONS", 0)
    made = bare()
    several = others(8)

    def ask(one: Opinion) -> list[str | None]:
        return [asyncio.run(averify(one, [TRUE], context=made))[0].label for _ in range(10)]

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(ask, several))
    finally:
        sys.setswitchinterval(before)
    assert found == [["supported"] * 10] * 8
    assert not made.opinions
