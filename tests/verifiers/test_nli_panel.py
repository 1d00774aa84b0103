"""The panel `local-nli`: what its policy makes of its verifiers' votes, and how a missing model shows."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from fakes.nli import make_nli_model
from typer.testing import CliRunner

from parcel_agents import ensemble
from parcel_agents.cli import app
from parcel_agents.config import load_config
from parcel_agents.ensemble.ballots import Member
from parcel_agents.ensemble.base import make_policy
from parcel_agents.types import Label, Vote
from parcel_agents.verifiers import make_verifier
from parcel_agents.verifiers.doctor import examine
from parcel_agents.verifiers.nli import make_nli_verifier

PANEL = "local-nli"
S, R, N = "supported", "refuted", "not_found"


@pytest.mark.parametrize(
    ("checks", "nli", "label"),
    [
        (None, S, S),
        (None, R, R),
        (N, S, None),  # an objection of the checks stands against support
        (R, S, None),
        (N, None, N),
        (R, R, R),
        (None, None, None),
    ],
)
def test_what_the_panel_makes_of_votes(checks: Label | None, nli: Label | None, label: Label | None) -> None:
    config = load_config(environ={})
    panel = config.get_panel(PANEL)
    verifiers = [make_verifier(name, config.verifier[name]) for name in panel.verifiers]
    members = [Member(one.name, one.casts) for one in verifiers]
    given = {"checks": checks, "nli": nli}
    votes = [Vote(verifier=name, outcome="ok", label=given[name]) for name in panel.verifiers]
    resolution = ensemble.resolve(make_policy(panel.policy, **panel.settings), members, votes)
    assert resolution is not None
    assert resolution.label == label


def verify(tmp_path: Path, opinion: Path, model: str | None = None) -> tuple[int, str]:
    config = tmp_path / "mine.toml"
    table = f'[verifier.nli]\nkind = "nli"\nmodel = "{model}"\n' if model else ""
    config.write_text(f'[settings]\nretriever = "bm25"\n{table}', encoding="utf-8")
    claim = "(holding that an officer may open any closed compartment of a vessel)"
    done = CliRunner().invoke(app, ["verify", str(opinion), claim, "--panel", PANEL, "--config", str(config)])
    return done.exit_code, " ".join(done.output.split())


def test_a_model_that_was_not_downloaded_is_could_not_check_and_no_verdict(
    tmp_path: Path, example_opinion: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    status, text = verify(tmp_path, example_opinion, "quist/not-downloaded")
    assert status == 3
    assert "hf download quist/not-downloaded" in text
    assert not {"supported", "refuted", "not found"} & set(text.lower().split(": "))


def test_a_path_that_is_not_there_is_wrong_usage(tmp_path: Path, example_opinion: Path) -> None:
    status, text = verify(tmp_path, example_opinion, "./nowhere")
    assert status == 2
    assert "there is no folder './nowhere'" in text


def test_the_panel_votes_with_a_local_model(tmp_path: Path, example_opinion: Path) -> None:
    status, text = verify(tmp_path, example_opinion, make_nli_model(tmp_path / "m", window=512))
    assert status == 1
    assert "REFUTED" in text  # of `never`, which the example has
    assert "nli: a sentence contradicts the claim (1.00)" in text


def test_the_doctor_examines_a_local_model(tmp_path: Path) -> None:
    path = make_nli_model(tmp_path / "m", window=512)
    found = asyncio.run(examine(make_nli_verifier("nli", model=path)))
    # The example says `never` of what the doctor's claim allows.
    assert (found.outcome, found.label, found.right, found.base_url) == ("ok", "refuted", True, "this machine")
    assert found.cost_usd == 0
    assert found.parameters == {"top_sentences": 16, "entails_at": 0.9, "contradicts_at": 0.9}


def test_the_doctor_says_what_to_download() -> None:
    found = asyncio.run(examine(make_nli_verifier("nli", model="quist/not-downloaded")))
    assert (found.outcome, found.label, found.right) == ("error", None, False)
    assert "hf download quist/not-downloaded" in found.reason
