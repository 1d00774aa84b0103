from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from fakes.runs import write_run
from fakes.tables import table_of
from typer.testing import CliRunner

from parcel_agents.cli import app
from parcel_agents.ensemble.ballots import FAILED, NOT_FOUND, REFUTED, SUPPORTED
from parcel_agents.ensemble.policy_file import read_policy_file
from parcel_agents.eval.synthetic import paper_like_votes

S, R, N, F = SUPPORTED, REFUTED, NOT_FOUND, FAILED


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three models with votes of the paper's size."""
    return write_run(
        tmp_path_factory.mktemp("runs") / "paper", paper_like_votes(np.random.default_rng(5)).columns([0, 3, 6])
    )


@pytest.fixture
def small(tmp_path: Path) -> Path:
    rows = [[S, S], [R, R], [N, F], [S, N], [R, S], [N, N]]
    return write_run(tmp_path / "small", table_of(rows, [S, R, N, S, R, N], opinions=[0, 0, 1, 1, 2, 2]))


def rows_of(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_best_single_verifier_the_majority_and_the_oracle_stand_side_by_side(paper: Path) -> None:
    result = invoke("replay", paper)
    assert result.exit_code == 0, result.output
    for words in ("best single: model-1", "majority of all", "dawid_skene of all", "oracle", "effective votes"):
        assert words in result.stdout
    assert "classifier that\nsees the claim's words" in result.stdout


def test_json_has_a_row_per_combination_with_its_intervals(small: Path) -> None:
    rows = rows_of(invoke("replay", small, "--policy", "plurality", "--json"))
    combinations = [row for row in rows if row["row"] == "combination"]
    # Three subsets of two verifiers, under plurality and the majority that is always there.
    assert len(combinations) == 6
    first = next(row for row in combinations if row["name"] == "v0")
    # v0 is right on all six, v1 on three.
    assert (first["accuracy"], first["accuracy_interval"]) == (1.0, [1.0, 1.0])
    second = next(row for row in combinations if row["name"] == "v1")
    assert (second["accuracy"], second["fer"]) == (pytest.approx(3 / 6), pytest.approx(1 / 4))
    run = next(row for row in rows if row["row"] == "run")
    assert (run["best_single"], run["claims"], run["opinions"]) == ("v0", 6, 3)
    assert any("v1 has no vote on 1 of 6 claims (1 timeout)" in note for note in run["notes"])
    assert run["claim_only_baseline"] is None  # three opinions are too few, and JSON knows no nan
    assert {row["row"] for row in rows} == {
        "run", "combination", "oracle", "against_best_single", "independence", "reach"
    }  # fmt: skip
    assert all(row["schema_version"] == 1 for row in rows)


def test_the_front_is_shown_with_cascades(paper: Path) -> None:
    result = invoke("replay", paper, "--pareto")
    assert result.exit_code == 0, result.output
    assert "are not beaten in cost, FER and accuracy together" in result.stdout
    assert "cascade of model-7 > " in result.stdout


def test_verifiers_can_be_chosen(paper: Path) -> None:
    rows = rows_of(invoke("replay", paper, "--verifier", "model-4", "--policy", "majority", "--json"))
    assert [row["name"] for row in rows if row["row"] == "combination"] == ["model-4"]
    result = invoke("replay", paper, "--verifier", "gpt")
    assert (result.exit_code, "no verifier 'gpt'; it has model-1" in result.stderr) == (2, True)


def test_a_bound_on_false_support_says_what_it_costs(paper: Path) -> None:
    result = invoke("replay", paper, "--max-fer", "0.06")
    assert result.exit_code == 0, result.output
    assert "What is guaranteed" in result.stdout
    assert "supported claims called Supported" in result.stdout
    (row,) = rows_of(invoke("replay", paper, "--max-fer", "0.06", "--json"))
    assert row["after"]["fer"] <= 0.06
    assert row["after"]["supported_recall"] <= row["before"]["supported_recall"]


def test_a_bound_that_the_claims_cannot_show_is_refused_with_the_number_needed(paper: Path) -> None:
    result = invoke("replay", paper, "--max-fer", "0.02")
    assert result.exit_code == 2
    assert "it takes 183 such opinions, about 5484 unsupported claims" in result.stderr


def test_a_picture_is_drawn(paper: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "front.png"
    result = invoke("replay", paper, "--policy", "majority", "--plot", picture)
    assert result.exit_code == 0, result.output
    assert picture.read_bytes().startswith(b"\x89PNG")
    result = invoke("replay", paper, "--policy", "majority", "--plot", tmp_path / "front.doc")
    assert (result.exit_code, "name a file that ends in .png" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--policy", "dice"], "unknown policy 'dice'; known: dawid_skene, majority"),
        (["--max-fer", "2"], "max-fer is 2.0; it must lie between 0 and 1"),
    ],
)
def test_bad_options_are_refused(small: Path, arguments: list[str], message: str) -> None:
    result = invoke("replay", small, *arguments)
    assert (result.exit_code, message in " ".join(result.stderr.split())) == (2, True)


def test_no_run_no_replay(tmp_path: Path) -> None:
    result = invoke("replay", tmp_path)
    assert (result.exit_code, "is no run folder" in result.stderr) == (2, True)


def test_a_policy_is_fitted_and_written(paper: Path, tmp_path: Path) -> None:
    out = tmp_path / "policy.json"
    result = invoke(
        "train", "policy", paper, "--policy", "dawid_skene", "--tier", "model-7", "--tier", "model-4,model-1",
        "--cascade-fer", "0.05", "--max-fer", "0.1", "--out", out,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "Cascade: a tier's decision stands from a score of" in result.stdout
    assert "What is guaranteed" in result.stdout
    assert f"policy = '{out}'" in result.stderr
    file = read_policy_file(out)
    assert (file.policy, file.tiers) == ("dawid_skene", (("model-7",), ("model-4", "model-1")))
    assert file.risk is not None
    assert file.verifiers["model-1"].kind == "fake"


def test_a_policy_file_is_named_so_that_a_panel_can_tell(small: Path, tmp_path: Path) -> None:
    result = invoke("train", "policy", small, "--out", tmp_path / "policy.txt")
    assert (result.exit_code, "ends in .json" in result.stderr) == (2, True)


def test_the_speed_of_replay_is_measured() -> None:
    (row,) = rows_of(invoke("bench", "replay", "--json"))
    assert row["claims_x_subsets_x_policies_per_second"] > 0
