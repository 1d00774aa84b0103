from __future__ import annotations

import asyncio
import json
import multiprocessing
import random
import signal
import time
import weakref
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fakes import steady

from parcel_agents.api import make_context
from parcel_agents.config import load_config
from parcel_agents.errors import ConfigError, InputError
from parcel_agents.eval.datasets import Dataset, load_dataset
from parcel_agents.eval.runs.opening import choose, dataset_hash, describe, open_run
from parcel_agents.eval.runs.plan import make_plan
from parcel_agents.eval.runs.recording import record_votes
from parcel_agents.eval.runs.summary import summarise
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.providers import AuthError
from parcel_agents.retrievers.bm25 import BM25Retriever
from parcel_agents.store import Run
from parcel_agents.types import LABELS, Label, Opinion, Vote
from parcel_agents.verifiers import Task

steady.register()
KILLS = 50
CALLS_AT_A_TIME = 2


@dataclass
class Bench:
    """A data set of 4 opinions with 5 claims each, a panel of 3 steady verifiers, and a run folder."""

    folder: Path
    data: Dataset
    context: VerifyContext
    config: Path

    @property
    def out(self) -> Path:
        return self.folder / "run"

    def open(self) -> Run:
        config = load_config(self.config, environ={})
        meta = describe(self.data, "data", config, self.context, created=datetime(2026, 1, 2, tzinfo=UTC))
        return open_run(self.out, meta, self.data.claims)

    def record(self) -> Run:
        with self.open() as run:
            asyncio.run(record_votes(run, self.data, self.context))
        return run


def bench(folder: Path, data: Dataset | None = None, **config: Any) -> Bench:
    if not (folder / "data").exists():
        steady.write_dataset(folder / "data")
    file = steady.write_config(folder / "panel.toml", **{"delay_s": 0, **config})
    context = make_context(config=load_config(file, environ={}), environ={})
    return Bench(folder, data or load_dataset(folder / "data"), context, file)


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


def final(run: Run) -> dict[tuple[str, str], dict[str, Any]]:
    """The final votes by pair, without what depends on the machine."""
    return {(row["claim_id"], row["verifier"]): {**row, "latency_s": None} for row in run.rows()}


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


def choose_claims(data: Dataset, count: int) -> Dataset:
    return replace(data, claims=data.claims[:count])


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


def test_a_changed_configuration_is_refused_and_named(tmp_path: Path) -> None:
    made = bench(tmp_path)
    made.record()
    with pytest.raises(ConfigError, match=r"verifier\.v0\.salt is 'other', was not given.*name another folder"):
        bench(tmp_path, salt="other").open()
    with pytest.raises(ConfigError, match=r"settings\.top_k is 2, was 3"):
        bench(tmp_path, top_k=2).open()
    relabelled = made.data.claims[3].model_copy(update={"label": "supported", "strategy": "phantom"})
    changed = replace(made.data, claims=(*made.data.claims[:3], relabelled, *made.data.claims[4:]))
    with pytest.raises(ConfigError, match=r"dataset\.hash is .*; the claim 'o0-3' has another strategy"):
        bench(tmp_path, changed).open()
    with pytest.raises(ConfigError, match=r"there are 7 claims \(claims\), there were 20 \(claims\)"):
        bench(tmp_path, choose_claims(made.data, 7)).open()
    opinions = dict(made.data.opinions)
    opinions["o1"] = opinions["o1"].model_copy(update={"text": opinions["o1"].text.replace("icy", "dry")})
    with pytest.raises(ConfigError, match="the claims are the same, the text or the passages of an opinion are not"):
        bench(tmp_path, replace(made.data, opinions=opinions)).open()


def test_how_verifiers_are_asked_may_change(tmp_path: Path) -> None:
    bench(tmp_path).record()
    with bench(tmp_path, concurrency=9).open():
        pass


def test_verifiers_may_come_and_go_and_their_votes_stay(tmp_path: Path) -> None:
    bench(tmp_path, verifiers=2).record()
    run = bench(tmp_path, verifiers=3).record()
    assert len(list(run.lines())) == 60
    assert run.meta.panel.tiers == (("v0", "v1", "v2"),)
    run = bench(tmp_path, verifiers=1).record()
    assert len(final(run)) == 60
    assert (run.meta.panel.verifiers, list(run.meta.verifiers)) == (("v0",), ["v0", "v1", "v2"])
    assert summarise(run).votes == 20
    # Who has left may come back, as it was.
    with pytest.raises(ConfigError, match=r"verifier\.v2\.salt"):
        bench(tmp_path, verifiers=3, salt="other").open()


def test_the_hash_of_a_data_set_does_not_depend_on_the_order(tmp_path: Path) -> None:
    data = bench(tmp_path).data
    turned = replace(data, claims=data.claims[::-1], opinions=dict(reversed(data.opinions.items())))
    assert dataset_hash(turned) == dataset_hash(data) != dataset_hash(choose_claims(data, 19))


def test_subsets_are_chosen_by_name(tmp_path: Path) -> None:
    folder = steady.write_dataset(tmp_path / "data")
    row = {"id": "x", "opinion_id": "o1", "claim": "(holding that ferries sink)"}
    (folder / "claims_hard.jsonl").write_text(json.dumps(row))
    data = load_dataset(folder)
    assert [len(choose(data, names).claims) for names in ([], ["claims"], ["hard"], ["claims", "hard"])] == [
        21,
        20,
        1,
        21,
    ]
    assert list(choose(data, ["hard"]).opinions) == ["o1"]
    with pytest.raises(InputError, match="has no subset 'soft'; known: claims, hard"):
        choose(data, ["soft"])


def test_secrets_and_operational_settings_are_not_written_down(tmp_path: Path) -> None:
    key = "sk-0123456789abcdef"
    (tmp_path / "llm.toml").write_text(
        f"""
        [panel.mine]
        [[panel.mine.tier]]
        verifiers = ["glm"]
        [verifier.glm]
        kind = "llm"
        model = "openai:glm"
        base_url = "http://127.0.0.1:1/v1/"
        api_key_env = "SOME_KEY"
        rpm = 5
        temperature = 0.5
        max_output_tokens = 8192
        parameters = {{ extra_headers = {{ x = "{key}" }}, note = "Bearer {key}", top_p = 0.5 }}
        """
    )
    config = load_config(tmp_path / "llm.toml", environ={}, panel="mine", retriever="bm25", cache_dir=tmp_path)
    context = make_context(config=config, environ={})
    data = bench(tmp_path / "d").data
    meta = describe(data, "data", config, context, created=datetime(2026, 1, 2, tzinfo=UTC))
    said = meta.verifiers["glm"]
    # A default that is written out (8,192 tokens) is as good as none.
    assert said.settings == {
        "model": "openai:glm",
        "base_url": "http://127.0.0.1:1/v1",
        "temperature": 0.5,
        "parameters": {"extra_headers": "***", "note": "***", "top_p": 0.5},
    }
    assert said.prompt is not None
    assert said.prompt.startswith("evidence_v1@")
    assert key not in meta.model_dump_json()
    plan = make_plan(None, data, context)
    # Twenty requests of which five fit into each minute.
    assert (plan.to_ask, plan.models.votes, plan.time_s, plan.time_by) == (20, 20, 180.0, "limits")


def test_a_plan_knows_what_is_there_and_how_long_votes_take(tmp_path: Path) -> None:
    made = bench(tmp_path, delay_s=0.02)
    plan = make_plan(None, made.data, made.context)
    assert (plan.votes, plan.ok, plan.to_ask, plan.time_s) == (60, 0, 60, None)
    with made.open() as run:
        for claim in made.data.claims[:10]:
            for name in ("v0", "v1", "v2"):
                run.append(claim.id, Vote(verifier=name, outcome="ok", latency_s=2.0))
        run.append(made.data.claims[10].id, Vote(verifier="v0", outcome="timeout", latency_s=60.0))
        plan = make_plan(run, made.data, made.context)
    assert (plan.votes, plan.ok, plan.to_ask) == (60, 30, 30)
    # Thirty votes of two seconds in four places.
    assert (plan.time_s, plan.time_by) == (15.0, "latency")


@pytest.mark.slow
def test_fifty_kills_at_random_moments_leave_the_votes_of_an_unbroken_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steady.write_dataset(tmp_path / "data", opinions=20, claims=20)
    log = tmp_path / "calls"
    config = steady.write_config(tmp_path / "panel.toml", verifiers=5, concurrency=CALLS_AT_A_TIME, log=str(log))
    arguments = ["run", str(tmp_path / "data"), "--config", str(config), "--out"]
    # Processes of their own, forked by one that has loaded the libraries: to load them takes longer than the work.
    monkeypatch.setenv("PYTHONPATH", str(Path(steady.__file__).parents[1]))
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["fakes.steady_ready"])

    def start(out: str) -> Any:
        process = processes.Process(target=steady.main, args=([*arguments, str(tmp_path / out)],))
        process.start()
        return process

    unbroken = start("unbroken")
    unbroken.join(60)
    assert unbroken.exitcode == 0
    assert log.stat().st_size == 2_000
    rng = random.Random(20260102)
    votes = tmp_path / "killed" / "votes.jsonl"
    sizes = [0]
    for number in range(KILLS):
        process = start("killed")
        # A fifth of the kills come at any moment from the start on, the rest while votes are being written.
        until = time.monotonic() + (rng.uniform(0, 0.5) if number % 5 == 0 else 30)
        while time.monotonic() < until and (not votes.exists() or votes.stat().st_size == sizes[-1]):
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.05))
        process.kill()
        process.join(10)
        assert process.exitcode == -signal.SIGKILL
        sizes.append(votes.stat().st_size if votes.exists() else 0)
    # Every kill met a run that was not done, and most of them one at work.
    assert len(set(sizes)) > KILLS / 2
    last = start("killed")
    last.join(60)
    assert last.exitcode == 0
    expected, found = final(Run.open(tmp_path / "unbroken")), final(Run.open(tmp_path / "killed"))
    assert len(expected) == 2_000
    assert found == expected
    # A kill costs the calls in flight and nothing else.
    assert log.stat().st_size <= 2 * 2_000 + KILLS * CALLS_AT_A_TIME
