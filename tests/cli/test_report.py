from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from fakes.reporting import ROWS
from fakes.runs import write_run
from fakes.vote_tables import letters
from typer.testing import CliRunner, Result

from parcel_agents.cli import compare, report
from parcel_agents.eval.replay import plots

app = typer.Typer()
app.command("report")(report.report)
app.command("compare")(compare.compare)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "first", letters(ROWS, names=("checks", "model")))


@pytest.fixture
def other(tmp_path: Path) -> Path:
    rows = [row.replace("S SS", "S S-").replace("R SR", "R RR") for row in ROWS]
    return write_run(tmp_path / "second", letters(rows, names=("checks", "model")))


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def rows(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_text_has_the_papers_tables_and_what_to_compare_with(run: Path) -> None:
    result = invoke("report", run)
    assert result.exit_code == 0, result.output
    assert "first: 6 labelled claims about 2 opinions" in result.stdout
    for number in range(2, 8):
        assert f"\nTable {number}. " in result.stdout
    assert "note: 2 of 12 votes are missing (checks 1, model 1)" in result.stdout
    assert "majority class" in result.stdout
    assert "claims that every verifier gave a label" in result.stdout


def test_json_has_every_figure_with_its_interval_per_verifier_and_policy(run: Path) -> None:
    found = rows(invoke("report", run, "--json", "--policy", "plurality"))
    assert [row["row"] for row in found] == ["run", "verifier", "verifier", "policy", "policy", "baseline"]
    assert {row["schema_version"] for row in found} == {1}
    head, first = found[0], found[1]
    assert head["majority_class"] == 0.5
    assert head["claim_only_baseline"] is None
    assert [hard["claims"] for hard in head["hard_claims"]] == [3, 0]
    assert first["name"] == "checks"
    for name in ("accuracy", "macro_f1", "fer", "fer_refuted", "fer_not_found", "cost_usd", "latency_s"):
        low, high = first[f"{name}_interval"]
        assert low <= first[name] <= high
    assert first["accuracy"] == 0.5
    assert first["per_class"]["supported"]["precision"] == 0.5
    assert first["per_strategy"]["refuted"]["logic_reversal"]["claims"] == 2
    assert first["per_strategy"]["refuted"]["logic_reversal"]["accuracy"] == 0.5
    assert first["confusion"]["refuted"]["none"]["claims"] == 1
    assert first["confusion"]["refuted"]["supported"]["percent"] == pytest.approx(100 / 3)
    assert first["outcomes"]["timeout"]["claims"] == 1
    assert first["answered"]["claims"] == 4
    assert first["answered_by_all"]["claims"] == 3


def test_the_same_seed_gives_the_same_report(run: Path) -> None:
    one, again, differing = (invoke("report", run, "--json", "--seed", seed).stdout for seed in ("1", "1", "2"))
    assert one == again
    assert [line for line in one.splitlines() if '"baseline"' in line]
    assert differing.count("\n") == one.count("\n")


def test_tables_are_written_in_three_formats(run: Path, tmp_path: Path) -> None:
    result = invoke("report", run, "--tables", tmp_path / "out" / "tables")
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    written = sorted(path.name for path in (tmp_path / "out" / "tables").iterdir())
    assert [name for name in written if name.startswith("table2")] == ["table2.csv", "table2.tex", "table2.txt"]
    with (tmp_path / "out" / "tables" / "table3.csv").open() as file:
        assert next(csv.DictReader(file))["name"] == "checks"


def test_the_page_is_written(run: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = invoke("report", run, "--html", tmp_path / "report.html")
    assert result.exit_code == 0, result.output
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<svg" in html
    assert "effective votes" in html or "The majority is right" in html


def test_the_page_without_matplotlib_says_what_to_install(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plots, "find_spec", lambda _: None)
    result = invoke("report", run, "--html", tmp_path / "report.html")
    assert result.exit_code == 3
    assert "pip install 'parcel-agents[plots]'" in result.stderr
    assert not (tmp_path / "report.html").exists()


def test_runs_on_other_claims_are_reported_one_after_the_other(run: Path, tmp_path: Path) -> None:
    third = write_run(tmp_path / "third", letters(ROWS[:4]))
    result = invoke("report", run, third)
    assert result.exit_code == 0, result.output
    assert "2 different sets of claims" in result.stderr
    assert result.stdout.count("\nTable 2. ") == 2


def test_runs_on_the_same_claims_share_their_tables(run: Path, other: Path) -> None:
    names = [row["name"] for row in rows(invoke("report", run, other, "--json"))[1:]]
    assert names[:2] == ["first: checks", "first: model"]
    assert "second: majority" in names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "is no run folder"),
        (["first", "--policy", "nobody"], "unknown policy 'nobody'"),
        (["first", "--subset", "contrast"], "no claim of the subset 'contrast'"),
        (["first", "first"], "is named twice"),
        (["first", "--tables", "first/run.json/x"], "cannot be written"),
    ],
)
def test_bad_input_is_told_with_status_2(
    run: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(run.parent)
    result = invoke("report", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_compare_shows_differences_and_lists_the_claims(run: Path, other: Path) -> None:
    result = invoke("compare", run, other, "--list", "5", "--of", "checks")
    assert result.exit_code == 0, result.output
    assert "second against first, on 6 claims about 2 opinions" in result.stdout
    # checks: right on 3 of 6, then on 4.
    assert "0.500 > 0.667" in result.stdout
    assert "+0.167" in result.stdout
    assert "checks: 1 claims changed" in result.stdout
    assert "c1 (opinion o1; is refuted, logic_reversal): second is right" in result.stdout
    assert "first: supported (checks supported, model refuted)" in result.stdout


def test_compare_json_lists_all_changed_claims(run: Path, other: Path) -> None:
    found = rows(invoke("compare", run, other, "--json"))
    pair = next(row for row in found if row["row"] == "pair" and row["name"] == "checks")
    assert pair["accuracy_gain"] == pytest.approx(1 / 6)
    assert pair["fer_gain"] == pytest.approx(-1 / 5)
    assert (pair["only_first_right"], pair["only_second_right"]) == (0, 1)
    changed = [row for row in found if row["row"] == "changed" and row["name"] == "checks"]
    assert [(row["claim_id"], row["first"], row["second"]) for row in changed] == [("c1", "supported", "refuted")]


def test_compare_says_which_names_there_are(run: Path, other: Path) -> None:
    result = invoke("compare", run, other, "--list", "1", "--of", "nobody")
    assert result.exit_code == 2
    assert "'nobody': not in both runs; known: " in result.stderr


def test_compare_of_runs_without_common_claims_is_an_error(run: Path, tmp_path: Path) -> None:
    table = letters(ROWS).rows(np.arange(6) < 3)
    claims = tuple(claim.model_copy(update={"id": f"x{claim.id}"}) for claim in table.claims)
    from dataclasses import replace

    result = invoke("compare", run, write_run(tmp_path / "third", replace(table, claims=claims)))
    assert result.exit_code == 2
    assert "share no labelled claim" in result.stderr
