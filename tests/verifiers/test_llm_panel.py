"""LLM verifiers in a panel: through the graph, with keys from the environment, to verdicts."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from fakes import replies as r
from fakes.llm import DISSENT, ENVIRON, MAJORITY, make_opinion
from fakes.server import FakeServer, Reply, Request

from parcel_agents.config import load_config
from parcel_agents.errors import ConfigError
from parcel_agents.providers import AuthError, CostCapError
from parcel_agents.types import Verdict

CLAIMS = [f"(holding that the operator must answer for fall number {number})" for number in range(6)]


def run(server: FakeServer, folder: Path, toml: str, claims: list[str] = CLAIMS, **settings: Any) -> list[Verdict]:
    """Verdicts of a panel of three models, written in TOML as a user would."""
    from parcel_agents.api import averify, make_context

    text = f'[panel.mine]\n[[panel.mine.tier]]\nverifiers = ["a", "b", "c"]\n[settings]\nretriever = "bm25"\n{toml}'
    for name in "abc":
        text += f"""
            [verifier.{name}]
            kind = "llm"
            model = "openai:{name}"
            base_url = "{server.openai_url}"
            api_key_env = "FAKE_KEY"
            retries = 0
            """
        text += "\n".join(f"{key} = {value}" for key, value in settings.items()) + "\n"
    path = folder / "panel.toml"
    path.write_text(text)
    config = load_config(path, environ={}, panel="mine", cache_dir=folder)
    context = make_context(config=config, environ=ENVIRON)
    return asyncio.run(averify(make_opinion(), claims, context=context))


def test_three_models_agree(tmp_path: Path) -> None:
    with FakeServer(r.answer("supported", ["p1"])) as server:
        verdicts = run(server, tmp_path, "")
    assert [(verdict.label, verdict.evidence[0].text) for verdict in verdicts] == [("supported", MAJORITY)] * 6
    assert all(vote.latency_s > 0 and vote.read == ("p1", "p2") for verdict in verdicts for vote in verdict.votes)
    assert len(server.requests) == 18


def test_failing_model_is_a_missing_vote_and_its_siblings_stay(tmp_path: Path) -> None:
    def script(request: Request) -> Reply:
        return (r.error(500) if request.model == "b" else r.answer("refuted", ["p2"]))(request)

    with FakeServer(script) as server:
        verdicts = run(server, tmp_path, "")
    assert {verdict.label for verdict in verdicts} == {"refuted"}
    assert [[vote.outcome for vote in verdict.votes] for verdict in verdicts] == [["ok", "error", "ok"]] * 6
    assert verdicts[0].evidence[0].text == DISSENT


def test_bad_key_stops_the_run_with_one_line(tmp_path: Path) -> None:
    with FakeServer(r.bad_key) as server, pytest.raises(AuthError, match="does not accept the key in FAKE_KEY"):
        run(server, tmp_path, "concurrency = 4", concurrency=4)
    assert len(server.requests) <= 4


def test_answers_are_kept_between_runs(tmp_path: Path) -> None:
    with FakeServer(r.answer("not_found", [])) as server:
        first = run(server, tmp_path, "")
        again = run(server, tmp_path, "")
        assert len(server.requests) == 18
        assert [verdict.label for verdict in first] == [verdict.label for verdict in again] == ["not_found"] * 6
        assert {vote.cached for verdict in again for vote in verdict.votes} == {True}
        run(server, tmp_path, "answer_cache = false")
        assert len(server.requests) == 36


def test_paper_protocol_gives_verdicts_without_evidence(tmp_path: Path) -> None:
    with FakeServer(r.text('{"label": "supported"}')) as server:
        verdict = run(server, tmp_path, "", CLAIMS[:1], protocol='"label"', context='"full"')[0]
    assert (verdict.label, verdict.status) == ("supported", "decided")
    assert "nobody was asked for the passage" in verdict.reason
    assert {evidence.relation for evidence in verdict.evidence} == {"nearest"}


def test_cap_stops_the_run_before_it_is_crossed(tmp_path: Path) -> None:
    prices: dict[str, Any] = {"input_price": 1, "output_price": 2, "max_output_tokens": 60}
    with FakeServer(r.answer()) as server:
        with pytest.raises(CostCapError, match=r"before the cap of \$0\.01"):
            run(server, tmp_path, "max_cost_usd = 0.01", **prices)
        # A vote costs (1,000 + 2*50)/1e6 = $0.0011
        assert 0 < len(server.requests) * 0.0011 <= 0.01
        with pytest.raises(ConfigError, match="set input_price and output_price for openai:a, openai:b, openai:c"):
            run(server, tmp_path, "max_cost_usd = 0.01")


def test_paper_panel_is_made_without_keys_and_without_asking(tmp_path: Path) -> None:
    from parcel_agents.api import make_context

    context = make_context(
        panel="paper", config=load_config(environ={}, retriever="bm25", cache_dir=tmp_path), environ={}
    )
    assert {verifier.settings.protocol for verifier in context.verifiers} == {"label"}  # type: ignore[attr-defined]
    assert "gemini-3-flash-preview" in [verifier.name for verifier in context.verifiers]
