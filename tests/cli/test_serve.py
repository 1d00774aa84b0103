"""The command `serve`: what it refuses, and a real process that is ended and started again."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from click.testing import Result
from fakes.checks import BRIEF, FILES
from typer.testing import CliRunner

from parcel_agents.cli import app

PANEL = """
[panel.quick]
policy = "majority"
[[panel.quick.tier]]
verifiers = ["checks", "similarity"]
[settings]
panel = "quick"
retriever = "bm25"
"""


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["serve", *(str(argument) for argument in arguments)])


def test_the_network_needs_a_token(tmp_path: Path) -> None:
    result = invoke("--host", "0.0.0.0", "--folder", tmp_path)
    assert (result.exit_code, "a token is needed" in result.stderr) == (2, True)


def test_a_token_has_to_be_there_and_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUIST_TOKEN", raising=False)
    result = invoke("--token-env", "QUIST_TOKEN", "--folder", tmp_path)
    assert (result.exit_code, "QUIST_TOKEN is not set" in result.stderr) == (2, True)
    monkeypatch.setenv("QUIST_TOKEN", "short")
    result = invoke("--host", "0.0.0.0", "--token-env", "QUIST_TOKEN", "--folder", tmp_path)
    assert (result.exit_code, "at least 16" in result.stderr) == (2, True)


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = invoke("--port", str(port), "--folder", tmp_path)
    assert (result.exit_code, "name another --port" in result.stderr) == (2, True)


def test_an_unknown_panel_is_refused(tmp_path: Path) -> None:
    result = invoke("--panel", "nobody", "--folder", tmp_path)
    assert (result.exit_code, "nobody" in result.stderr) == (2, True)


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.util import find_spec

    monkeypatch.setattr("parcel_agents.server.find_spec", lambda name: None if name == "fastapi" else find_spec(name))
    result = invoke("--folder", tmp_path)
    assert (result.exit_code, "pip install 'parcel-agents[server]'" in result.stderr) == (3, True)


def begin(folder: Path, config: Path, port: int) -> subprocess.Popen[str]:
    code = "from parcel_agents.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "serve", "--folder", folder, "--config", config, "--port", str(port)],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    assert process.stderr is not None
    assert f"open http://127.0.0.1:{port}/ in a browser" in process.stderr.readline()
    return process


@pytest.mark.slow
def test_a_server_is_ended_and_goes_on(tmp_path: Path) -> None:
    config = tmp_path / "panel.toml"
    config.write_text(PANEL)
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    process = begin(tmp_path / "jobs", config, port)
    token = re.search(r'name="csrf" value="(\w+)"', httpx.get(address).text)
    assert token
    files = [("brief", ("brief.txt", BRIEF)), *(("opinions", each) for each in FILES)]
    answer = httpx.post(f"{address}/jobs", data={"csrf": token[1]}, files=files)
    # At once: the job has hardly begun.
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 0
    kept = tmp_path / "jobs" / answer.headers["location"].rpartition("/")[2] / "job.json"
    assert json.loads(kept.read_text())["state"] in ("waiting", "reading", "checking")
    process = begin(tmp_path / "jobs", config, port)
    try:
        until = time.monotonic() + 60
        while json.loads(kept.read_text())["state"] != "done" and time.monotonic() < until:
            time.sleep(0.1)
        assert "Finished: 3 of 3 citations checked" in httpx.get(f"{address}{answer.headers['location']}").text
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0
