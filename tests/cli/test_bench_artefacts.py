"""`parcel-agents bench artefacts`."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from parcel_agents.cli import app


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "claims.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["claim", "label", "decision", "strategy"])
        for number in range(6):
            # As long as a decision, or it would be taken for the name of one.
            decision = f"Ferris moored the ferry at Hathersage. Quist paid {number + 2} dollars for the rope. " * 20
            writer.writerow([f"(holding that Ferris moored ferry {number})", "supported", decision, ""])
            writer.writerow([f"(denying that Ferris moored ferry {number})", "refuted", decision, "logic_reversal"])
    return path


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["bench", "artefacts", *map(str, arguments)])


def test_it_prints_what_the_words_give_away(table: Path) -> None:
    result = invoke(table)
    assert result.exit_code == 0, result.output
    assert re.search(r"guessed right +1\.000 \(1\.000-1\.000\)", result.stdout)
    assert "logic reversal (6)" in result.stdout
    assert "words, median: Supported" in result.stdout
    assert "by chance" in result.stdout


def test_it_prints_json(table: Path) -> None:
    result = invoke(table, "--json", "--seed", "3")
    row = json.loads(result.stdout)
    assert row["main"]["claim_only"]["accuracy"] == 1
    assert row["with_contrast"] is None


def test_a_tiny_data_set_is_no_error() -> None:
    result = invoke(Path(__file__).parents[2] / "parcel_agents" / "examples")
    assert result.exit_code == 0, result.output
    assert "cannot be probed: the claims are about 1 opinion" in result.stdout
    assert "nan" not in result.stdout


def test_what_is_no_data_set_is_bad_input(tmp_path: Path) -> None:
    assert invoke(tmp_path / "none").exit_code == 2
