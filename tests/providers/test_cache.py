"""Answers kept: by what they are found, what is never kept, and several users of one file."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from fakes import replies as r
from fakes.llm import KEY, MAJORITY, Bench, make_task, on_bench
from fakes.server import Script

from parcel_agents.errors import InputError
from parcel_agents.providers import AnswerCache
from parcel_agents.providers.cache import CacheKey, StoredAnswer, make_key

QUESTION: dict[str, Any] = {
    "model": "openai:some-model",
    "base_url": "http://127.0.0.1/v1",
    "messages": {"instructions": "what to do", "opinion and claim": "an opinion and a claim"},
    "parameters": {"temperature": 0.0},
    "prompt": "evidence_v1@0123",
    "repeat": 0,
}
ANSWER = StoredAnswer({"label": "supported", "passages": ["p1"], "reason": "Es steht dort: § 12 – so."}, "json_schema")


def key(**changes: Any) -> CacheKey:
    return make_key(**{**QUESTION, **changes})


@pytest.fixture
def cache(tmp_path: Path) -> AnswerCache:
    return AnswerCache(tmp_path / "below" / "answers.sqlite")


def test_answer_comes_back_as_it_was(cache: AnswerCache) -> None:
    assert cache.get(key()) is None
    cache.put(key(), ANSWER)
    assert cache.get(key()) == ANSWER
    assert AnswerCache(cache.path).get(key()) == ANSWER


CHANGES: dict[str, dict[str, Any]] = {
    "model": {"model": "openai:other"},
    "base_url": {"base_url": "http://127.0.0.2/v1"},
    "instructions": {"messages": {"instructions": "what else", "opinion and claim": "an opinion and a claim"}},
    "opinion and claim": {"messages": {"instructions": "what to do", "opinion and claim": "an opinion, a claim"}},
    "parameter temperature": {"parameters": {"temperature": 0.1}},
    "parameter seed": {"parameters": {"temperature": 0.0, "seed": 1}},
    "prompt": {"prompt": "evidence_v2@0123"},
    "repeat": {"repeat": 1},
}


@pytest.mark.parametrize(("part", "change"), CHANGES.items(), ids=CHANGES)
def test_whatever_could_change_an_answer_is_part_of_its_key(
    cache: AnswerCache, part: str, change: dict[str, Any]
) -> None:
    cache.put(key(), ANSWER)
    assert cache.get(key(**change)) is None
    explained = cache.explain(key(**change))
    assert not explained.found
    assert list(explained.differs) == [part]
    assert part in str(explained)


def test_explanation_names_the_nearest_of_several(cache: AnswerCache) -> None:
    assert "empty" in str(cache.explain(key()))
    cache.put(key(model="openai:other", repeat=3), ANSWER)
    cache.put(key(repeat=2), ANSWER)
    cache.put(key(model="google:third", repeat=4), ANSWER)
    assert cache.explain(key()).differs == {"repeat": ("0", "2")}
    assert str(cache.explain(key())) == "not found among 3 answers; the nearest differs in: repeat is 0, stored is 2"
    assert cache.explain(key(repeat=2)).found


def test_second_vote_is_not_asked_for(cache: AnswerCache) -> None:
    async def work(bench: Bench) -> int:
        verifier = bench.verifier()
        first = await verifier.verify(make_task())
        again = await verifier.verify(make_task())
        assert (again.label, again.evidence, again.reason) == (first.label, first.evidence, first.reason)
        assert (again.cost_usd, again.usage.input_tokens) == (0.0, 0)
        assert first.cost_usd > 0
        # Another claim, another repeat and another temperature are other questions.
        await verifier.verify(make_task("(noting that the pier was dry)"))
        await bench.verifier(repeat=1).verify(make_task())
        await bench.verifier(temperature=0.3).verify(make_task())
        return len(bench.server.requests)

    assert on_bench(r.answer(), work, cache=cache) == 4


def test_rung_is_no_part_of_the_question(cache: AnswerCache) -> None:
    async def work(bench: Bench) -> int:
        await bench.verifier(structured="line").verify(make_task())
        await bench.verifier(structured="json_mode").verify(make_task())
        return len(bench.server.requests)

    assert on_bench(r.answer(), work, cache=cache) == 1


NOT_KEPT: dict[str, Script] = {
    "refusal": r.refusal("no"),
    "cut": r.finishes("length"),
    "500": r.error(500),
    "429": r.rate_limited(),
    "prose": r.text("hm"),
    "unknown passage": r.answer("supported", ["p77"]),
    "label outside the set": r.answer("maybe"),
}


@pytest.mark.parametrize("script", NOT_KEPT.values(), ids=NOT_KEPT)
def test_only_answers_are_kept(cache: AnswerCache, script: Script) -> None:
    async def work(bench: Bench) -> str:
        verifier = bench.verifier(retries=0)
        assert (await verifier.verify(make_task())).outcome != "ok"
        assert len(cache) == 0
        bench.server.script = r.answer()
        return (await verifier.verify(make_task())).outcome

    assert on_bench(script, work, cache=cache) == "ok"


def test_file_holds_neither_key_nor_opinion(cache: AnswerCache) -> None:
    async def work(bench: Bench) -> None:
        await bench.verifier().verify(make_task("(holding something very particular)"))

    on_bench(r.answer(), work, cache=cache)
    cache.close()
    held = b"".join(path.read_bytes() for path in cache.path.parent.iterdir())
    assert b"supported" in held
    for secret in (KEY, MAJORITY[:40], "very particular"):
        assert secret.encode() not in held


def _write(path: Path, worker: int, count: int) -> None:
    cache = AnswerCache(path)
    for number in range(count):
        cache.put(key(repeat=number), StoredAnswer({"label": str(number), "by": worker}, "line"))
        cache.put(key(repeat=1_000 * worker + number), ANSWER)


def test_processes_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    fork = multiprocessing.get_context("fork")
    workers = [fork.Process(target=_write, args=(path, worker, 40)) for worker in (1, 2, 3, 4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    assert [worker.exitcode for worker in workers] == [0, 0, 0, 0]
    cache = AnswerCache(path)
    assert len(cache) == 40 + 4 * 40
    assert all(cache.get(key(repeat=number)).fields["label"] == str(number) for number in range(40))  # type: ignore[union-attr]


def test_threads_share_a_cache(cache: AnswerCache) -> None:
    failures: list[Exception] = []

    def work(worker: int) -> None:
        try:
            _write(cache.path, worker, 30)
            for number in range(30):
                assert cache.get(key(repeat=1_000 * worker + number)) == ANSWER
        except Exception as error:  # noqa: BLE001 - reported below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(worker,)) for worker in (1, 2, 3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert failures == []
    assert len(cache) == 30 + 4 * 30


def test_later_answer_takes_the_place_of_the_first(cache: AnswerCache) -> None:
    cache.put(key(), StoredAnswer({"label": "refuted"}, "line"))
    cache.put(key(), ANSWER)
    assert cache.get(key()) == ANSWER
    assert len(cache) == 1


def test_file_that_is_no_cache_is_named_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    path.write_text("this is a letter, not a database, and it is long enough to be read as one " * 20)
    with pytest.raises(InputError, match=r"answers\.sqlite cannot be used .*--no-cache"):
        AnswerCache(path).get(key())


def test_file_of_another_version_is_refused(cache: AnswerCache) -> None:
    cache.put(key(), ANSWER)
    cache.close()
    with sqlite3.connect(cache.path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(InputError, match="another version, 99"):
        cache.get(key())
