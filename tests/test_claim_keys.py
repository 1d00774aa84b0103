from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parcel_agents.api import make_context
from parcel_agents.claim_keys import claim_key, panel_id
from parcel_agents.config import Config, VerifierConfig, load_config
from parcel_agents.store import VerifierMeta

PANEL = """
[panel.mine]
policy = "majority"
[[panel.mine.tier]]
verifiers = ["checks", "model"]
[verifier.model]
kind = "llm"
model = "openai:fake"
base_url = "http://localhost:1/v1"
api_key_env = "NOBODYS_KEY"
{more}
[settings]
panel = "mine"
retriever = "bm25"
"""


def loaded(folder: Path, more: str = "", panel: str = PANEL, **settings: Any) -> Config:
    path = folder / "panel.toml"
    path.write_text(panel.format(more=more))
    return load_config(path, environ={}, **settings)


def key(config: Config, opinion: str = "one", claim: str = "(holding that it is so)", **options: Any) -> str:
    return claim_key(make_context(config=config, environ={"NOBODYS_KEY": "k"}, **options), opinion, claim)


def test_the_same_check_has_the_same_key_in_every_process(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from parcel_agents.api import make_context; "
        "from parcel_agents.claim_keys import claim_key; from parcel_agents.config import load_config; "
        f"config = load_config(Path({str(tmp_path / 'panel.toml')!r}), environ={{}}); "
        "print(claim_key(make_context(config=config, environ={'NOBODYS_KEY': 'other'}), 'one', "
        "'(holding that it is so)'))"
    )
    mine = key(loaded(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == mine


def test_another_claim_or_opinion_is_another_key(tmp_path: Path) -> None:
    config = loaded(tmp_path)
    keys = [key(config), key(config, opinion="two"), key(config, claim="(holding that it is not so)")]
    assert len(set(keys)) == 3


@pytest.mark.parametrize(
    "change",
    [
        {"more": "temperature = 0.5"},
        {"top_k": 3},
        {"retriever": "dense"},
        {"fail_closed": True},
        {"panel": PANEL.replace("majority", "unanimous")},
        {"panel": PANEL.replace("openai:fake", "openai:better")},
        {"panel": PANEL.replace('"checks", "model"', '"model"')},
    ],
)
def test_whatever_verdicts_depend_on_changes_the_key(tmp_path: Path, change: dict[str, Any]) -> None:
    assert key(loaded(tmp_path, **change)) != key(loaded(tmp_path))


def test_a_context_that_is_changed_has_other_keys_and_one_made_by_hand_none(tmp_path: Path) -> None:
    made = make_context(config=loaded(tmp_path), environ={"NOBODYS_KEY": "k"})
    changed = [replace(made, fail_closed=True), replace(made, top_k=3), made]
    assert len({claim_key(one, "one", "x") for one in changed}) == 3
    assert claim_key(replace(made, panel_id=""), "one", "x") == ""


def test_a_setting_that_descriptions_hide_changes_the_key(tmp_path: Path) -> None:
    config = loaded(tmp_path)
    described = {"model": VerifierMeta(kind="plugin", casts=("supported",), settings={"headers": "***"}, prompt=None)}

    def of(deployment: str) -> str:
        table = VerifierConfig.model_validate({"kind": "plugin", "headers": {"deployment": deployment}})
        changed = config.model_copy(update={"verifier": {**config.verifier, "model": table}})
        return panel_id(changed, "mine", described)

    assert of("north") == of("north") != of("south")


def test_how_fast_a_model_is_asked_does_not(tmp_path: Path) -> None:
    assert key(loaded(tmp_path, "rpm = 10", concurrency=2)) == key(loaded(tmp_path))


def test_a_fitted_policy_that_was_fitted_anew_changes_the_key(tmp_path: Path) -> None:
    fitted = tmp_path / "policy.json"
    panel = PANEL.replace('"majority"', '"policy.json"').replace('"checks", "model"', '"checks", "combined"')
    told = '{{"policy": "{}", "tiers": [["checks", "combined"]]}}'
    fitted.write_text(told.format("majority"))
    before = key(loaded(tmp_path, panel=panel))
    fitted.write_text(told.format("plurality"))
    assert key(loaded(tmp_path, panel=panel)) != before
