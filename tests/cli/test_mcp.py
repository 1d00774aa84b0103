from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakes.briefs import BRIEF, CLAIM, make_folders
from mcp import Client, StdioServerParameters
from typer.testing import CliRunner

from parcel_agents.cli import app

COMMAND = [sys.executable, "-c", "from parcel_agents.cli import main; main()", "mcp"]
REFERENCE = "People v Marlowe, 47 NY3d 910 (2024)"


async def use(client: Client) -> None:
    """What a client does; the same over every transport."""
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == ["verify_claim", "check_brief", "search_opinion", "find_citation"]
    told: list[float] = []

    async def heard(done: float, total: float | None, message: str | None) -> None:
        told.append(done)

    asked = {"claim": CLAIM, "opinion": REFERENCE}
    result = await client.call_tool("verify_claim", asked, progress_callback=heard)
    assert result.structured_content is not None
    assert result.structured_content["status"] == "supported", result
    # The last step may be overtaken by the answer.
    assert told[0] == 0
    read: Any = await client.read_resource(result.structured_content["trace"])
    assert json.loads(read.contents[0].text)["traces"][0]["status"] == "supported"
    brief = (await client.call_tool("check_brief", {"text": BRIEF})).structured_content
    assert brief is not None
    assert [row["status"] for row in brief["claims"]] == ["supported", "not_at_hand", "not_matched"]
    refused = await client.call_tool("check_brief", {"file": "../../etc/passwd"})
    assert refused.is_error


# A panel that loads no embedding model: each of these tests starts a process.
CONFIG = """[settings]
retriever = "bm25"
panel = "quick"

[panel.quick]
about = "Repeats a sentence of the opinion, or not."
policy = "majority"
[[panel.quick.tier]]
verifiers = ["similarity"]
"""


def start(tmp_path: Path, *more: str) -> list[str]:
    """The arguments of a server over a folder of one opinion."""
    opinions, briefs = make_folders(tmp_path)
    config = tmp_path / "quick.toml"
    config.write_text(CONFIG)
    return [*COMMAND[1:], "--opinions", str(opinions), "--briefs", str(briefs), "--config", str(config), *more]


def environment() -> dict[str, str]:
    return {key: os.environ[key] for key in ("PARCEL_AGENTS_CACHE_DIR", "HF_HUB_OFFLINE", "PATH")}


def test_over_stdio(tmp_path: Path) -> None:
    parameters = StdioServerParameters(command=COMMAND[0], args=start(tmp_path), env=environment())

    async def inside() -> None:
        async with Client(parameters, read_timeout_seconds=60) as client:
            await use(client)

    asyncio.run(inside())


def test_stdout_holds_the_protocol_alone(tmp_path: Path) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
    call = {"name": "verify_claim", "arguments": {"claim": CLAIM, "opinion": REFERENCE}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    server = subprocess.Popen(
        [COMMAND[0], *start(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment()},
        text=True,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        for line in lines:
            server.stdin.write(json.dumps(line) + "\n")
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        server.stdin.close()
        rest = server.stdout.read()
        assert server.wait(20) == 0
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
        assert server.stderr is not None
        server.stderr.close()
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["structuredContent"]["status"] == "supported"
    assert rest == ""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    server = subprocess.Popen(
        [COMMAND[0], *start(tmp_path, "--transport", "http", "--port", str(port))],
        env={**os.environ, **environment()},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(300):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert server.poll() is None
            time.sleep(0.1)
        yield port
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def test_over_http_and_for_this_machine_alone(served: int) -> None:
    async def inside() -> None:
        async with Client(f"http://127.0.0.1:{served}/mcp", read_timeout_seconds=60) as client:
            await use(client)

    asyncio.run(inside())
    for headers, status in (({"Host": f"evil.example:{served}"}, 421), ({"Origin": "http://evil.example"}, 403)):
        request = urllib.request.Request(
            f"http://127.0.0.1:{served}/mcp",
            data=b"{}",
            headers={"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers},
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=10)
        assert refused.value.code == status
        refused.value.close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--opinions", "nowhere"], "is no folder"),
        (["--opinions", ".", "--briefs", "nowhere"], "is no folder"),
        (["--opinions", ".", "--panel", "nobody"], "unknown panel"),
        ([], "--opinions"),
    ],
)
def test_wrong_usage_is_said_at_the_start(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(app, ["mcp", *arguments])
    assert result.exit_code == 2
    assert words in result.output
