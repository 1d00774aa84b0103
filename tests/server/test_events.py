"""Progress as it happens, over a real server and as a stream of events."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
from fakes.checks import Slow, listening, serving

from parcel_agents.server.events import events_of
from parcel_agents.server.record import JobRecord


def told(record: JobRecord, seen: int = 0) -> list[dict[str, Any]]:
    async def run() -> list[str]:
        return [event async for event in events_of(record, seen, is_over=lambda: False, look=0.01)]

    return [
        json.loads(line.removeprefix("data: "))
        for event in asyncio.run(run())
        for line in event.splitlines()
        if line.startswith("data: ")
    ]


def test_a_finished_job_is_told_at_once(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        (event,) = told(server.checked())
    assert event["ended"]
    assert event["words"].startswith("Finished: 3 of 3 citations checked")
    assert (event["done"], event["total"], len(event["claims"])) == (3, 3, 4)
    assert event["claims"][0] == {"number": 4, "status": "not_at_hand", "mark": "–", "word": "Opinion not at hand"}


def test_a_browser_that_comes_again_is_told_what_it_missed(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = server.checked()
        assert [len(told(record, seen)[0]["claims"]) for seen in (0, 3, 4, 99, -1)] == [4, 1, 0, 0, 4]


def test_events_end_with_the_app(tmp_path: Path) -> None:
    async def run(record: JobRecord) -> list[str]:
        looks = iter([False, False, True])
        return [event async for event in events_of(record, 0, is_over=lambda: next(looks), look=0.01)]

    with serving(tmp_path, slow=Slow()) as server:
        record = server.begin()
        server.wait(record, "checking", claims=1)
        events = asyncio.run(run(record))
    assert events[0] == "retry: 1000\n\n"
    assert events[1].startswith("id: 1\nevent: progress\ndata: ")
    assert len(events) == 2


def test_claims_are_told_one_by_one(tmp_path: Path) -> None:
    slow = Slow()
    with serving(tmp_path, slow=slow) as server, listening(server) as address:
        record = server.begin()
        server.wait(record, "checking", claims=1)
        words = []
        with httpx.stream("GET", f"{address}/jobs/{record.job.id}/events?seen=x", timeout=20) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            assert answer.headers["cache-control"] == "no-store"
            for line in answer.iter_lines():
                if line.startswith("data: "):
                    words.append(json.loads(line[6:])["words"].replace(";", ",").partition(",")[0])
                    slow.let.release()
        assert words == [f"{n} of 3 citations checked" for n in range(3)] + ["Finished: 3 of 3 citations checked"]


def test_the_app_ends_while_somebody_listens(tmp_path: Path) -> None:
    with serving(tmp_path, slow=Slow()) as server, listening(server) as address:
        record = server.begin()
        server.wait(record, "checking")
        with httpx.stream("GET", f"{address}/jobs/{record.job.id}/events", timeout=20) as answer:
            lines = answer.iter_lines()
            next(lines)
            server.jobs.say_stopping()
            list(lines)
