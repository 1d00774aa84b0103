"""Recording the votes of a panel."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from fakes import steady
from fakes.recording import Bench, bench, choose_claims, final

from parcel_agents.eval.runs.recording import record_votes
from parcel_agents.eval.runs.summary import summarise
from parcel_agents.providers import AuthError
from parcel_agents.retrievers.bm25 import BM25Retriever
from parcel_agents.types import LABELS, Label, Opinion, Vote
from parcel_agents.verifiers import Task

steady.register()


@dataclass
class Watching:
    """Votes as a function says, and counts who asked."""

    name: str
    answer: Callable[[Task], Vote | None] = lambda task: None
    delay_s: float = 0.0
    asked: Counter[str] = field(default_factory=Counter)
    casts: frozenset[Label] = frozenset(LABELS)

    async def verify(self, task: Task) -> Vote:
        self.asked[task.claim.id] += 1
        await asyncio.sleep(self.delay_s)
        return self.answer(task) or Vote(verifier=self.name, outcome="ok", label="refuted")


def watched(folder: Path, verifier: Watching) -> Bench:
    made = bench(folder, verifiers=1)
    return replace(made, context=replace(made.context, tiers=((verifier,),)))


def test_every_verifier_votes_on_every_claim(tmp_path: Path) -> None:
    run = bench(tmp_path).record()
    assert Counter(verifier for _, verifier in final(run)) == {"v0": 20, "v1": 20, "v2": 20}
    assert {row["outcome"] for row in run.rows()} == {"ok"}
    assert all(row["latency_s"] > 0 for row in run.rows())
    summary = summarise(run)
    assert (summary.votes, summary.ok, summary.complete) == (60, 60, True)


def test_verifiers_of_later_tiers_are_asked_too(tmp_path: Path) -> None:
    made = bench(tmp_path)
    first, *others = made.context.verifiers
    run = replace(made, context=replace(made.context, tiers=((first,), tuple(others)))).record()
    assert len(final(run)) == 60


def test_a_complete_run_asks_nobody_and_indexes_nothing(tmp_path: Path) -> None:
    verifier = Watching("v0")
    made = watched(tmp_path, verifier)
    made.record()

    class Nothing:
        name = "nothing"

        def index(self, opinion: object) -> Any:
            raise AssertionError("there is nothing to index")

    replace(made, context=replace(made.context, retriever=Nothing())).record()
    assert set(verifier.asked.values()) == {1}


def test_embeddings_do_not_depend_on_where_a_run_was_killed(tmp_path: Path) -> None:
    prepared: list[list[str]] = []

    class Noting(BM25Retriever):
        def index(self, opinion: Opinion) -> Any:
            index = super().index(opinion)
            index.prepare = lambda queries: prepared.append(list(queries))  # type: ignore[method-assign]
            return index

    made = watched(tmp_path, Watching("v0"))
    made = replace(made, context=replace(made.context, retriever=Noting()))
    with made.open() as run:
        for claim in made.data.claims[:8]:
            run.append(claim.id, Vote(verifier="v0", outcome="ok"))
    made.record()
    assert prepared == [[claim.claim for claim in made.data.claims[start : start + 5]] for start in (5, 10, 15)]


def test_votes_that_failed_are_asked_for_again_and_others_are_not(tmp_path: Path) -> None:
    def moody(task: Task) -> Vote | None:
        outcomes = {"o0-0": "refused", "o1-1": "timeout", "o2-2": "context_overflow"}
        outcome: Any = outcomes.get(task.claim.id)
        return Vote(verifier="v0", outcome=outcome) if outcome and verifier.asked[task.claim.id] == 1 else None

    verifier = Watching("v0", moody)
    made = watched(tmp_path, verifier)
    (summary,) = summarise(made.record()).verifiers
    assert (summary.ok, summary.failed, summary.missing) == (17, {"refused": 1, "timeout": 1, "context_overflow": 1}, 0)
    (summary,) = summarise(made.record()).verifiers
    assert (summary.ok, summary.failed) == (20, {})
    assert verifier.asked == {**dict.fromkeys(verifier.asked, 1), "o0-0": 2, "o1-1": 2, "o2-2": 2}


def test_a_verifier_that_raises_or_hangs_gives_a_vote_that_says_so(tmp_path: Path) -> None:
    raising = bench(tmp_path, raises="o1-3").record()
    assert [row["reason"] for row in raising.rows() if row["outcome"] == "error"] == [
        "RuntimeError: no luck with o1-3"
    ] * 3
    hanging = watched(tmp_path / "hanging", Watching("v0", delay_s=5))
    few = choose_claims(hanging.data, 2)
    run = replace(hanging, data=few, context=replace(hanging.context, deadline_s=0.05)).record()
    assert [(row["outcome"], row["reason"]) for row in run.rows()] == [
        ("timeout", "no vote within the deadline of 0.05 s")
    ] * 2


def test_a_claim_that_cannot_be_verified_has_a_vote_that_says_why_and_nobody_is_asked(tmp_path: Path) -> None:
    verifier = Watching("v0")
    made = watched(tmp_path, verifier)
    bad = made.data.claims[0].model_copy(update={"claim": "(this)"})
    made = replace(made, data=replace(made.data, claims=(bad, *made.data.claims[1:])))
    for _ in range(2):
        run = made.record()
        (row,) = (row for row in run.lines() if row["claim_id"] == bad.id)
        assert (row["outcome"], row["label"]) == ("error", None)
        assert row["reason"].startswith("the claim cannot be verified: too short for a claim (1 of at least 2 words)")
    assert bad.id not in verifier.asked
    assert not summarise(run).complete


def test_what_stops_the_run_leaves_the_votes_that_were_paid_for(tmp_path: Path) -> None:
    def stop(task: Task) -> Vote | None:
        if task.claim.id == "o1-0":
            raise AuthError("no key")
        return None

    verifier = Watching("v0", stop, delay_s=0.02)
    made = watched(tmp_path, verifier)
    with made.open() as run, pytest.raises(AuthError):
        asyncio.run(record_votes(run, made.data, made.context))
    # The three calls that were under way have ended, and none has begun after them.
    assert len(final(run)) == verifier.asked.total() - 1 < 12
    assert all(row["outcome"] == "ok" for row in run.rows())
    verifier.answer = lambda task: None
    assert summarise(made.record()).complete


def test_the_places_stay_used_across_opinions(tmp_path: Path) -> None:
    busy: list[int] = []
    now = 0

    class Counting(Watching):
        async def verify(self, task: Task) -> Vote:
            nonlocal now
            now += 1
            busy.append(now)
            await asyncio.sleep(0.03)
            now -= 1
            return Vote(verifier=self.name, outcome="ok")

    # Five claims an opinion and four places: one opinion at a time would leave three places empty at its last claim.
    made = watched(tmp_path, Counting("v0"))
    started = time.perf_counter()
    made.record()
    assert max(busy) == 4
    assert busy.count(4) >= 14
    assert time.perf_counter() - started < 4 * 2 * 0.03 + 1


def test_indexes_of_finished_opinions_go_away(tmp_path: Path) -> None:
    indexes: list[weakref.ref[Any]] = []
    alive: list[int] = []
    steady.write_dataset(tmp_path / "data", opinions=40, claims=2)

    def look(task: Task) -> None:
        if not indexes or indexes[-1]() is not task.index:
            indexes.append(weakref.ref(task.index))
        alive.append(len({id(index()) for index in indexes if index() is not None}))

    made = watched(tmp_path, Watching("v0", look))
    made.record()
    assert len(indexes) >= 40
    # Four claims at work and eight made ready are six opinions, and one is being made.
    assert max(alive) <= 8
