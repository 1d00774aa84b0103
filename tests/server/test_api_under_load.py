"""A real `serve` in front of a fake provider: many clients at once, and the end while they wait."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from fakes.checks import MARLOWE
from fakes.llm import ENVIRON
from fakes.replies import answer
from fakes.server import FakeServer, Reply, Request

CLIENTS = 200
ROUNDS = 4
SLOW = 9_999
LABELS = ("supported", "refuted", "not_found")
SENT = {"text": MARLOWE, "format": "markdown"}
_NUMBER = re.compile(r"locker number (\d+)")


def by_number(request: Request) -> Reply:
    """The label that goes with the number in the claim, after a moment; after a long one from `SLOW` on."""
    found = _NUMBER.search(request.user)
    assert found
    number = int(found[1])
    return answer(LABELS[number % 3], passages=("p3",), delay_s=0.2 if number < SLOW else 8)(request)


@dataclass
class Serving:
    process: subprocess.Popen[str]
    address: str

    @property
    def memory_mb(self) -> float:
        """Resident memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found
        return int(found[1]) / 1024


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    with FakeServer(by_number) as provider, socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        held.close()
        config = tmp_path / "panel.toml"
        config.write_text(
            f"""
            [settings]
            panel = "fake"
            retriever = "bm25"
            concurrency = 200
            answer_cache = false
            [panel.fake]
            [[panel.fake.tier]]
            verifiers = ["model"]
            [verifier.model]
            kind = "llm"
            model = "openai:fake"
            base_url = "{provider.openai_url}"
            api_key_env = "FAKE_KEY"
            concurrency = 200
            """
        )
        code = "from parcel_agents.cli import main; main()"
        process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                code,
                "serve",
                "--folder",
                tmp_path / "jobs",
                "--config",
                config,
                "--port",
                str(port),
            ],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **ENVIRON},
        )
        assert process.stderr is not None
        assert "in a browser" in process.stderr.readline()
        try:
            yield Serving(process, f"http://127.0.0.1:{port}")
        finally:
            process.kill()
            process.wait()


async def _ask(client: httpx.AsyncClient, numbers: range) -> list[httpx.Response]:
    async def one(number: int) -> httpx.Response:
        claim = f"(holding that the locker number {number} may be opened)"
        while True:
            found = await client.post("/v1/verify", json={"opinion": SENT, "claims": [claim]})
            if found.status_code != 429:
                return found
            await asyncio.sleep(float(found.headers["retry-after"]))

    return await asyncio.gather(*(one(number) for number in numbers))


def _client(serving: Serving) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=CLIENTS, max_keepalive_connections=CLIENTS)
    return httpx.AsyncClient(base_url=serving.address, timeout=60, limits=limits)


@pytest.mark.slow
def test_two_hundred_clients_get_each_the_right_answer(serving: Serving) -> None:
    async def use() -> list[float]:
        memory = []
        async with _client(serving) as client:
            for round_ in range(ROUNDS):
                numbers = range(round_ * CLIENTS, (round_ + 1) * CLIENTS)
                for number, found in zip(numbers, await _ask(client, numbers), strict=True):
                    (told,) = found.json()["claims"]
                    assert (found.status_code, told["verdict"]["label"]) == (200, LABELS[number % 3])
                    assert f"number {number} " in told["verdict"]["claim"]
                memory.append(serving.memory_mb)
        return memory

    memory = asyncio.run(use())
    # The first rounds load libraries and fill what is kept on purpose.
    assert memory[-1] < 1.1 * memory[1], memory


@pytest.mark.slow
def test_nobody_is_left_without_an_answer_at_the_end(serving: Serving) -> None:
    async def use() -> list[httpx.Response]:
        async with _client(serving) as client, _client(serving) as watcher:
            await _ask(client, range(1))
            asked = asyncio.ensure_future(_ask(client, range(SLOW, SLOW + CLIENTS)))
            # Who has no connection yet when the server ends is refused one, and knows it.
            while (await watcher.get("/v1/status")).json()["verifying"] < CLIENTS:
                assert not asked.done()
            serving.process.send_signal(signal.SIGTERM)
            return await asked

    answers = asyncio.run(use())
    assert serving.process.wait(timeout=30) == 0
    for number, found in enumerate(answers, SLOW):
        if found.status_code == 503:
            assert found.headers["content-type"] == "application/problem+json"
        else:
            assert (found.status_code, found.json()["claims"][0]["verdict"]["label"]) == (200, LABELS[number % 3])
