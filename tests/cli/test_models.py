"""Commands that ask models, with a server on the wire."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fakes import replies as r
from fakes.server import FakeServer, Reply, Request
from typer.testing import CliRunner, Result

from parcel_agents.cli import app

CLAIM = "(holding that the officer may look into any locker)"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FAKE_KEY", "sk-not-a-real-key")
    monkeypatch.setenv("PARCEL_AGENTS_CACHE_DIR", str(tmp_path / "cache"))


def panel(server: FakeServer, folder: Path, **settings: Any) -> Path:
    lines = ["[settings]", 'retriever = "bm25"', "[panel.mine]", "[[panel.mine.tier]]", 'verifiers = ["one", "two"]']
    for name, url in (("one", server.openai_url), ("two", server.google_url)):
        provider = "openai" if name == "one" else "google"
        fields = {
            "kind": "llm",
            "model": f"{provider}:{name}",
            "base_url": url,
            "api_key_env": "FAKE_KEY",
            "retries": 0,
        }
        lines += [
            f"[verifier.{name}]",
            *(f"{key} = {json.dumps(value)}" for key, value in {**fields, **settings}.items()),
        ]
    path = folder / "panel.toml"
    path.write_text("\n".join(lines))
    return path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def rows(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def verify(server: FakeServer, folder: Path, opinion: Path, *options: str, **settings: Any) -> Result:
    return run("verify", opinion, CLAIM, "--panel", "mine", "--config", panel(server, folder, **settings), *options)


def test_two_providers_agree_on_a_verdict(tmp_path: Path, example_opinion: Path) -> None:
    with FakeServer(r.answer("refuted", ["p7"])) as server:
        result = verify(server, tmp_path, example_opinion, "--json")
        assert result.exit_code == 1, result.output
        (row,) = rows(result)
        assert row["label"] == "refuted"
        assert "may open a closed compartment only if" in row["evidence"][0]["text"]
        assert {vote["model"] for vote in row["votes"]} == {"openai:one", "google:two"}
        assert len(server.requests) == 2
        # The same command asks nobody again; --no-cache does.
        assert verify(server, tmp_path, example_opinion, "--json").exit_code == 1
        assert len(server.requests) == 2
        verify(server, tmp_path, example_opinion, "--no-cache")
        assert len(server.requests) == 4


def test_a_refused_key_stops_with_one_line_and_no_label(tmp_path: Path, example_opinion: Path) -> None:
    with FakeServer(r.bad_key) as server:
        result = verify(server, tmp_path, example_opinion, "--json")
    assert result.exit_code == 3
    (row,) = rows(result)
    assert row["label"] is None
    assert "FAKE_KEY" in row["error"]
    assert "sk-not-a-real-key" not in result.output
    assert len(result.stderr.splitlines()) == 1


def test_what_a_model_failed_of_is_shown(tmp_path: Path, example_opinion: Path) -> None:
    with FakeServer(r.error(500)) as server:
        result = verify(server, tmp_path, example_opinion)
    assert result.exit_code == 3
    assert "COULD NOT CHECK" in result.stdout
    assert "500" in result.stdout


def test_an_estimate_asks_nobody(tmp_path: Path, example_opinion: Path) -> None:
    with FakeServer(r.answer("refuted", ["p7"])) as server:
        result = verify(server, tmp_path, example_opinion, "--estimate", "--json", input_price=1.0, output_price=2.0)
        assert server.requests == []
    (row,) = rows(result)
    assert row["votes"] == 2
    # The opinion of some 1,600 words is read whole by both models.
    assert 2_000 < row["input_tokens"] < 20_000
    assert row["cost_usd"] == pytest.approx((row["input_tokens"] + 2 * row["output_tokens"]) / 1e6)


def test_a_cap_on_costs_needs_prices_and_holds(tmp_path: Path, example_opinion: Path) -> None:
    with FakeServer(r.answer("refuted", ["p7"])) as server:
        unpriced = verify(server, tmp_path, example_opinion, "--max-cost", "1")
        assert unpriced.exit_code == 2
        assert "price" in unpriced.stderr
        capped = verify(server, tmp_path, example_opinion, "--max-cost", "0.000001", input_price=1.0, output_price=2.0)
        assert capped.exit_code == 3
        assert "COULD NOT CHECK" in capped.stdout
        assert server.requests == []


def test_the_doctor_tells_right_wrong_and_silent_models_apart(tmp_path: Path) -> None:
    def script(request: Request) -> Reply:
        return (r.answer("refuted", ["p7"]) if request.wire == "openai" else r.answer("supported", ["p7"]))(request)

    with FakeServer(script) as server:
        result = run("doctor", "--panel", "mine", "--config", panel(server, tmp_path), "--json")
    one, two = rows(result)
    assert result.exit_code == 1
    assert (one["label"], one["right"], two["label"], two["right"]) == ("refuted", True, "supported", False)
    assert one["rung"] == "json_schema"
    assert one["usage"]["input_tokens"] > 0
    with FakeServer(r.bad_key) as server:
        result = run("doctor", "--panel", "mine", "--config", panel(server, tmp_path))
    assert result.exit_code == 3
    assert "no answer (auth)" in result.stdout
    assert "sk-not-a-real-key" not in result.output


def test_the_cache_explains_what_differs(tmp_path: Path, example_opinion: Path) -> None:
    with FakeServer(r.answer("refuted", ["p7"])) as server:
        config = panel(server, tmp_path)
        arguments = ("cache", "explain", example_opinion, CLAIM, "--panel", "mine", "--config", config, "--json")
        assert [row["found"] for row in rows(run(*arguments))] == [False, False]
        verify(server, tmp_path, example_opinion)
        assert [row["found"] for row in rows(run(*arguments))] == [True, True]
        panel(server, tmp_path, temperature=0.5)
        changed = rows(run(*arguments))
    assert [row["found"] for row in changed] == [False, False]
    assert all(row["differs"] for row in changed)


def test_a_panel_without_models_has_nothing_to_examine() -> None:
    result = run("doctor", "--panel", "embedded")
    assert result.exit_code == 0
    assert "no model to ask" in result.stderr


def test_the_doctor_and_the_estimate_know_agents(tmp_path: Path, example_opinion: Path) -> None:
    with FakeServer(r.text("I would rather talk.")) as server:
        config = tmp_path / "panel.toml"
        config.write_text(
            f"""
            [panel.mine]
            [[panel.mine.tier]]
            verifiers = ["reader"]
            [settings]
            retriever = "bm25"
            [verifier.reader]
            kind = "agent"
            model = "openai:reader"
            base_url = "{server.openai_url}"
            max_tokens_total = 5000
            """
        )
        (row,) = rows(
            run("verify", example_opinion, CLAIM, "--panel", "mine", "--config", config, "--estimate", "--json")
        )
        assert (row["votes"], row["input_tokens"], row["unpriced"]) == (1, 5000, ["openai:reader"])
        result = run("doctor", "--panel", "mine", "--config", config)
    assert result.exit_code == 3
    assert "does not make tool calls" in result.stdout
