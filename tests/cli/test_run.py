from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from fakes import replies as r
from fakes import steady
from fakes.server import FakeServer, Reply, Request
from typer.testing import CliRunner, Result

from parcel_agents.cli import app, run_progress
from parcel_agents.cli.run_progress import Meter, duration
from parcel_agents.store import Run

steady.register()


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FAKE_KEY", "sk-not-a-real-key")
    monkeypatch.setenv("PARCEL_AGENTS_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return steady.write_dataset(tmp_path / "data")


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["run", *(str(argument) for argument in arguments)])


def row(result: Result) -> dict[str, Any]:
    (line,) = result.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def models(server: FakeServer, folder: Path, **settings: Any) -> Path:
    """A panel of one model on each wire."""
    lines = ["[settings]", 'retriever = "bm25"', 'panel = "mine"', "concurrency = 4"]
    lines += ["[panel.mine]", "[[panel.mine.tier]]", 'verifiers = ["one", "two"]']
    for name, url in (("one", server.openai_url), ("two", server.google_url)):
        fields = {
            "kind": "llm",
            "model": f"{'openai' if name == 'one' else 'google'}:{name}",
            "base_url": url,
            "api_key_env": "FAKE_KEY",
            "retries": 0,
            "input_price": 1.0,
            "output_price": 2.0,
            **settings,
        }
        lines += [f"[verifier.{name}]", *(f"{key} = {json.dumps(value)}" for key, value in fields.items())]
    path = folder / "models.toml"
    path.write_text("\n".join(lines))
    return path


def test_a_run_of_models_is_recorded_and_the_same_command_asks_nobody(tmp_path: Path, data: Path) -> None:
    out = tmp_path / "run"
    with FakeServer(r.answer("refuted", ["p1"])) as server:
        command = (data, "--out", out, "--config", models(server, tmp_path))
        result = invoke(*command)
        assert result.exit_code == 0, result.output
        assert "40 of 40 votes on 20 claims" in result.stdout
        assert "40 votes: 0 are there, 40 to come" in result.stderr
        assert len(server.requests) == 40
        again = row(invoke(*command, "--json"))
        assert len(server.requests) == 40
    votes = list(Run.open(out).votes())
    assert {(vote.label, vote.outcome, vote.attempts) for _, vote in votes} == {("refuted", "ok", 1)}
    meta = Run.open(out).meta
    assert {vote.prompt for _, vote in votes} == {meta.verifiers["one"].prompt}
    assert (again["complete"], again["stopped"], again["schema_version"]) == (True, None, 1)
    assert [each["verifier"] for each in again["verifiers"]] == ["one", "two"]
    # 20 votes of (400 fresh + 600 cached) at $1 and 50 at $2 a million.
    assert again["verifiers"][0]["cost_usd"] == pytest.approx(20 * 0.0011)
    assert again["cost_usd"] == pytest.approx(40 * 0.0011)


def test_votes_that_failed_give_status_3_and_are_asked_for_again(tmp_path: Path, data: Path) -> None:
    def script(request: Request) -> Reply:
        return (r.error(500) if request.model == "two" and broken else r.answer("refuted", ["p1"]))(request)

    broken = True
    with FakeServer(script) as server:
        command = (data, "--out", tmp_path / "run", "--config", models(server, tmp_path))
        result = invoke(*command)
        assert result.exit_code == 3
        assert "error 20" in result.stdout
        assert "20 votes are missing; the same command asks for them again" in result.stderr
        broken = False
        asked = len(server.requests)
        assert invoke(*command).exit_code == 0
        assert len(server.requests) == asked + 20


def test_a_refused_key_stops_the_run_and_what_was_found_stays(tmp_path: Path, data: Path) -> None:
    def script(request: Request) -> Reply:
        return (r.bad_key if len(server.requests) > 6 and closed else r.answer("refuted", ["p1"]))(request)

    closed = True
    with FakeServer(script) as server:
        command = (data, "--out", tmp_path / "run", "--config", models(server, tmp_path), "--json")
        result = invoke(*command)
        assert result.exit_code == 3
        assert "FAKE_KEY" in row(result)["stopped"]
        assert "sk-not-a-real-key" not in result.output
        assert 0 < row(result)["ok"] < 12
        closed = False
        assert row(invoke(*command))["complete"]


def test_the_cap_is_one_of_the_whole_run(tmp_path: Path, data: Path) -> None:
    with FakeServer(r.answer("refuted", ["p1"])) as server:
        config = models(server, tmp_path, max_output_tokens=100)
        command = (data, "--out", tmp_path / "run", "--config", config, "--max-cost", "0.012", "--json")
        first = invoke(*command)
        assert first.exit_code == 3
        assert "before the cap of $0.01" in row(first)["stopped"]
        spent = row(first)["cost_usd"]
        assert 0.008 < spent <= 0.012
        asked = len(server.requests)
        # Going on is no way around it.
        second = row(invoke(*command))
        assert (second["cost_usd"], len(server.requests)) == (spent, asked)
        assert row(invoke(*command[:-2], "1", "--json"))["complete"]


def test_a_dry_run_asks_nobody_and_makes_nothing(tmp_path: Path, data: Path) -> None:
    out = tmp_path / "run"
    with FakeServer(r.answer("refuted", ["p1"])) as server:
        config = models(server, tmp_path, rpm=10)
        plan = row(invoke(data, "--dry-run", "--config", config, "--json"))
        assert (plan["votes"], plan["ok"], plan["to_ask"], plan["models"]["votes"]) == (40, 0, 40, 40)
        tokens = plan["models"]["input_tokens"] + 2 * plan["models"]["output_tokens"]
        assert plan["models"]["cost_usd"] == pytest.approx(tokens / 1e6)
        # Each wire has a server of its own: 20 requests of which ten fit into a minute.
        assert (plan["time_s"], plan["time_by"]) == (60.0, "limits")
        said = invoke(data, "--dry-run", "--config", config, "--out", out)
        assert said.exit_code == 0
        assert "time: at least 0:01:00, by the limits" in said.stdout
        assert server.requests == []
        assert not out.exists()
        assert invoke(data, "--out", out, "--config", models(server, tmp_path)).exit_code == 0
        plan = row(invoke(data, "--dry-run", "--config", config, "--out", out, "--json"))
        assert (plan["ok"], plan["to_ask"], plan["models"]["input_tokens"]) == (40, 0, 0)
        # Answers are kept; a run in another folder pays for none.
        plan = row(invoke(data, "--dry-run", "--config", config, "--json"))
        assert (plan["to_ask"], plan["models"]["cached_votes"], plan["models"]["cost_usd"]) == (40, 40, 0.0)
        assert len(server.requests) == 40


def test_a_changed_setting_is_refused_and_an_operational_one_is_not(tmp_path: Path, data: Path) -> None:
    with FakeServer(r.answer("refuted", ["p1"])) as server:
        command = (data, "--out", tmp_path / "run", "--config", models(server, tmp_path))
        assert invoke(*command).exit_code == 0
        operational = {"rpm": 50, "retries": 2, "timeout_s": 9, "deadline_s": 99, "concurrency": 3, "input_price": 5.0}
        models(server, tmp_path, **operational)
        assert invoke(*command).exit_code == 0
        models(server, tmp_path, temperature=0.5)
        for options in ((), ("--dry-run",)):
            result = invoke(*command, *options)
            assert result.exit_code == 2
            assert "verifier.one.temperature is 0.5, was not given" in result.stderr
            assert len(result.stderr.splitlines()) == 2  # what the data set is, and the one error


def test_bad_input_gives_status_2(tmp_path: Path, data: Path) -> None:
    config = steady.write_config(tmp_path / "panel.toml")
    out = tmp_path / "run"
    for arguments, said in (
        ((data, "--config", config), "name one with --out"),
        ((data, "--config", config, "--out", data), "holds 'claims.jsonl' and no run.json"),
        ((tmp_path, "--config", config, "--out", out), "is no data set folder"),
        ((data, "--config", config, "--out", out, "--subset", "hard"), "has no subset 'hard'; known: claims"),
        ((data, "--config", config, "--out", out, "--panel", "none"), "unknown panel 'none'"),
    ):
        result = invoke(*arguments)
        assert (result.exit_code, said in result.stderr) == (2, True), result.output
    assert not out.exists()


def test_a_damaged_votes_file_gives_status_2_and_a_torn_line_is_repaired(tmp_path: Path, data: Path) -> None:
    out = tmp_path / "run"
    command = (data, "--config", steady.write_config(tmp_path / "panel.toml"), "--out", out)
    assert invoke(*command).exit_code == 0
    votes = out / "votes.jsonl"
    whole = votes.read_bytes()
    votes.write_bytes(whole[:-20])
    result = invoke(*command)
    assert (result.exit_code, len(votes.read_bytes().splitlines())) == (0, 60)
    assert "torn" in result.stderr
    assert "59 are there, 1 to come" in result.stderr
    votes.write_bytes(whole.replace(b'{"claim_id"', b"claim_id", 1))
    result = invoke(*command)
    assert result.exit_code == 2
    assert "votes.jsonl:1: is no JSON" in result.stderr


def test_unusable_claims_are_named_and_recorded(tmp_path: Path, data: Path) -> None:
    with (data / "claims.jsonl").open("a") as file:
        file.write(json.dumps({"id": "bad", "opinion_id": "o1", "claim": "word"}) + "\n")
    out = tmp_path / "run"
    result = invoke(data, "--config", steady.write_config(tmp_path / "panel.toml"), "--out", out)
    assert result.exit_code == 3
    assert "claim 'bad' cannot be verified: too short" in result.stderr
    assert [vote.outcome for id, vote in Run.open(out).votes() if id == "bad"] == ["error"] * 3


def test_one_subset_is_run_by_name(tmp_path: Path, data: Path) -> None:
    row_ = {"id": "x", "opinion_id": "o1", "claim": "(holding that ferries sink)"}
    (data / "claims_hard.jsonl").write_text(json.dumps(row_))
    out = tmp_path / "run"
    config = steady.write_config(tmp_path / "panel.toml")
    assert invoke(data, "--config", config, "--out", out, "--subset", "hard").exit_code == 0
    assert [(claim.id, claim.subset) for claim in Run.open(out).claims] == [("x", "hard")]


def csv_of(folder: Path) -> Path:
    """Two claims about a decision whose text is in the table, and one that cannot be used."""
    text = "The operator of the tug must answer for the fall. The harbor was quiet that day, and nobody fell. " * 40
    path = folder / "claims.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["gold", "parenthetical", "decision_text"])
        rows.writerow(["Entailed", "(holding that the owner must be asked for the missing equipment first)", text])
        rows.writerow(
            ["Contradicted", "(holding that the owner of a moored vessel need not be asked for anything)", text]
        )
        rows.writerow(["perhaps", "(holding that the label of this line is none of the known ones at all)", text])
    return path


def test_a_table_is_read_and_what_was_understood_is_said_first(tmp_path: Path) -> None:
    table = csv_of(tmp_path)
    refused = invoke(table, "--out", tmp_path / "run", "--map", "label=gold")
    assert refused.exit_code == 2
    assert "claims.csv:4" in refused.stderr
    assert not (tmp_path / "run").exists()
    result = invoke(table, "--out", tmp_path / "run", "--map", "label=gold", "--skip-bad", "--json")
    assert "-> supported (1)" in result.stderr
    assert "left out: " in result.stderr
    assert row(result)["claims"] == 2
    assert [claim.label for claim in Run.open(tmp_path / "run").claims] == ["supported", "refuted"]


@pytest.mark.parametrize(
    ("mapping", "named"),
    [("label", "label"), ("colour=gold", "unknown key 'colour'"), ("label=platinum", "'platinum'")],
)
def test_a_mapping_that_makes_no_sense_is_refused(tmp_path: Path, mapping: str, named: str) -> None:
    result = invoke(csv_of(tmp_path), "--out", tmp_path / "run", "--map", mapping)
    assert result.exit_code == 2
    assert named in result.stderr


def test_a_line_of_progress_comes_where_nobody_is_watching(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_progress, "LINE_EVERY_S", 0.05)
    config = steady.write_config(tmp_path / "panel.toml", delay_s=0.02, raises="o0-1")
    result = invoke(data, "--config", config, "--out", tmp_path / "run")
    lines = [line for line in result.stderr.splitlines() if "a second" in line]
    assert len(lines) > 1
    assert "of 60 votes" in lines[-1]
    assert "3 failed (error 3)" in lines[-1]
    assert lines[-1].endswith(" left")
    assert "$0.0000" in lines[-1]


def test_the_meter_knows_speed_and_time_left() -> None:
    now = 0.0
    meter = Meter(total=1_000, ok=400, to_come=600, clock=lambda: now, cost_usd=1.0)
    assert meter.words() == "400 of 1,000 votes, 0.0 a second, $1.0000, time left unknown"
    for _ in range(100):
        now += 0.1
        meter.count("ok", 0.01)
        meter.per_second()
    meter.count("timeout", 0.0)
    meter.count("timeout", 0.0)
    meter.count("refused", 0.0)
    # 103 votes in ten seconds; 497 are left.
    assert meter.words() == (
        "500 of 1,000 votes, 10.3 a second, $2.0000, 3 failed (timeout 2, refused 1), 0:00:48 left"
    )
    for _ in range(70):
        now += 1.0
        meter.per_second()
    # Nothing has come for more than a minute.
    assert meter.per_second() == 0.0
    assert duration(3_723.4) == "1:02:03"


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    """The command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "fakes.steady", "run", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(Path(steady.__file__).parents[1])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_an_interrupt_leaves_a_summary_and_a_second_process_is_refused(tmp_path: Path, data: Path) -> None:
    out = tmp_path / "run"
    command = (data, "--config", steady.write_config(tmp_path / "panel.toml", delay_s=0.2), "--out", out)
    first = start(*command, "--json")
    votes = out / "votes.jsonl"
    until = time.monotonic() + 60
    while not (votes.exists() and votes.stat().st_size):
        assert time.monotonic() < until
        time.sleep(0.01)
    second = invoke(*command)
    assert second.exit_code == 2
    assert f"another process ({first.pid}) is writing here" in second.stderr
    first.send_signal(signal.SIGINT)
    stdout, stderr = first.communicate(timeout=60)
    assert first.returncode == 3, stderr
    summary = json.loads(stdout)
    assert summary["stopped"] == "interrupted"
    assert 0 < summary["ok"] < 60
    assert invoke(*command).exit_code == 0
