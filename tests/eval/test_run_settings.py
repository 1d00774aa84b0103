"""What a run is bound to, what is planned for it, and what kills leave of it."""

from __future__ import annotations

import json
import multiprocessing
import random
import signal
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fakes import steady
from fakes.recording import bench, choose_claims, final

from parcel_agents.api import make_context
from parcel_agents.config import load_config
from parcel_agents.errors import ConfigError, InputError
from parcel_agents.eval.datasets import load_dataset
from parcel_agents.eval.runs.opening import choose, dataset_hash, describe
from parcel_agents.eval.runs.plan import make_plan
from parcel_agents.eval.runs.summary import summarise
from parcel_agents.store import Run
from parcel_agents.types import Vote

steady.register()
KILLS = 50
CALLS_AT_A_TIME = 2


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
