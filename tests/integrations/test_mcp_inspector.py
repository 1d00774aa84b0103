"""The MCP server as the MCP Inspector's command line sees it: a client of another language, and nobody's fake.

The Inspector is the executable that MCP_INSPECTOR names, or `mcp-inspector` of the PATH; nothing is fetched here.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fakes.briefs import BRIEF, CLAIM, make_folders

INSPECTOR = os.environ.get("MCP_INSPECTOR") or shutil.which("mcp-inspector")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("node") is None, reason="needs Node"),
    pytest.mark.skipif(
        INSPECTOR is None, reason="needs the MCP Inspector; MCP_INSPECTOR names its executable (docs/embedding.md)"
    ),
]
SERVER = [sys.executable, "-c", "from parcel_agents.cli import main; main()", "mcp"]
CITE = "opinion=People v Marlowe, 47 NY3d 910 (2024)"
# A panel that loads no embedding model. The Inspector takes --config for its own, so that it goes by the environment.
CONFIG = """[settings]
retriever = "bm25"
panel = "quick"
[panel.quick]
policy = "majority"
[[panel.quick.tier]]
verifiers = ["checks", "similarity"]
"""

Ask = Callable[..., Any]


def environment(folder: Path) -> dict[str, str]:
    """Of the server and the Inspector, which keeps files in its user's home."""
    (folder / "quick.toml").write_text(CONFIG)
    return {**os.environ, "HOME": str(folder), "PARCEL_AGENTS_CONFIG": str(folder / "quick.toml")}


def inspect(target: list[str], folder: Path, *arguments: str, settings: tuple[str, ...] = ()) -> Any:
    """The JSON that the Inspector prints; its exit status differs between versions where a tool answers an error."""
    assert INSPECTOR is not None
    done = subprocess.run(
        [INSPECTOR, "--cli", *settings, *target, "--method", *arguments],
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "Traceback" not in done.stdout + done.stderr
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise AssertionError(f"no JSON: {done.stdout!r} {done.stderr!r}") from None


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Asks one server over HTTP."""
    folder = tmp_path_factory.mktemp("inspected")
    opinions, briefs = make_folders(folder)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    server = subprocess.Popen(
        [*SERVER, "--opinions", str(opinions), "--briefs", str(briefs), "--transport", "http", "--port", str(port)],
        env=environment(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(600):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert server.poll() is None
            time.sleep(0.1)
        yield lambda *arguments: inspect([f"http://127.0.0.1:{port}/mcp"], folder, *arguments)
    finally:
        server.kill()
        server.wait()


def call(ask: Ask, tool: str, *pairs: str) -> Any:
    more = ("--tool-arg", *pairs) if pairs else ()
    return ask("tools/call", "--tool-name", tool, *more)


def test_over_stdio(tmp_path: Path) -> None:
    opinions, _ = make_folders(tmp_path)
    # The Inspector gives a server that it starts little of its own environment.
    passed = {key: environment(tmp_path)[key] for key in ("PARCEL_AGENTS_CONFIG", "PARCEL_AGENTS_CACHE_DIR")}
    settings = tuple(word for key, value in passed.items() for word in ("-e", f"{key}={value}"))
    # It would take -c for an option of its own.
    script = tmp_path / "server.py"
    script.write_text("from parcel_agents.cli import main\n\nmain()\n")
    target = [sys.executable, str(script), "mcp", "--opinions", str(opinions)]

    def over_stdio(*arguments: str) -> Any:
        return inspect(target, tmp_path, *arguments, settings=settings)

    tools = [tool["name"] for tool in over_stdio("tools/list")["tools"]]
    assert tools == ["verify_claim", "check_brief", "search_opinion", "find_citation"]
    told = call(over_stdio, "verify_claim", f"claim={CLAIM}", CITE)
    assert told["structuredContent"]["status"] == "supported"


def test_a_claim_is_checked_and_its_trace_read(ask: Ask) -> None:
    told = call(ask, "verify_claim", f"claim={CLAIM}", CITE)
    assert (told["structuredContent"]["status"], told["structuredContent"]["may_cite"]) == ("supported", True)
    (read,) = ask("resources/read", "--uri", told["structuredContent"]["trace"])["contents"]
    assert json.loads(read["text"])["traces"][0]["status"] == "supported"
    assert [one["uri"] for one in ask("resources/list")["resources"]] == ["traces://latest", "opinions://list"]


def test_an_opinion_that_is_not_at_hand_could_not_be_checked(ask: Ask) -> None:
    told = call(ask, "verify_claim", f"claim={CLAIM}", "opinion=People v Hathersage, 4 NY3d 77")
    assert (told["structuredContent"]["status"], told["structuredContent"]["may_cite"]) == ("could_not_check", False)
    assert "not at hand" in told["content"][0]["text"]


@pytest.mark.parametrize(
    ("tool", "pairs", "words"),
    [
        ("verify_claim", [], "claim"),
        ("verify_claim", [f"claim={CLAIM}"], "opinion"),
        ("search_opinion", [CITE, "query=silent record", "k=two"], "integer"),
        ("search_opinion", [CITE, "query=silent record", "k=99"], "1 to 20"),
        ("check_brief", ["text=No citation here"], "cites no decision"),
        ("check_brief", ["file=../secret.txt"], "is no file of the folder"),
    ],
)
def test_arguments_that_make_no_sense_are_a_tool_error(ask: Ask, tool: str, pairs: list[str], words: str) -> None:
    told = call(ask, tool, *pairs)
    assert told["isError"] is True
    assert words in told["content"][0]["text"]


def test_an_opinion_is_searched_and_a_brief_checked(ask: Ask) -> None:
    found = call(ask, "search_opinion", CITE, "query=silent record", "k=1")
    assert "a silent record counts against them" in found["structuredContent"]["passages"][0]["text"]
    assert "Nowhere" in call(ask, "find_citation", CITE, "name_or_cite=People v Rowan")["content"][0]["text"]
    brief = call(ask, "check_brief", f"text={BRIEF}")["structuredContent"]
    assert [row["status"] for row in brief["claims"]] == ["supported", "not_at_hand", "not_matched"]
