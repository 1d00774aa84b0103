from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fakes import replies as r
from fakes.generating import invoke, workshop
from fakes.generator import FakeAuthor, decision, kind_of, write_decisions
from typer.testing import Result

from parcel_agents.eval.datasets import load_dataset

BRIEF = """
The law is settled. See Matter of Corvin, 12 NY3d 34, 36 (2009) (holding that leave to board reaches the open deck
and nothing else); Matter of Pell, 14 NY3d 90 (2010) (reasoning that a cabin is closed to all but its owner).
"""


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FAKE_KEY", "sk-not-a-real-key")
    monkeypatch.setenv("PARCEL_AGENTS_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def decisions(tmp_path: Path) -> Path:
    return write_decisions(tmp_path / "decisions", 2)


def row(result: Result) -> dict[str, Any]:
    (line,) = result.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_run_and_report_work_on_what_generate_made(tmp_path: Path) -> None:
    with workshop(tmp_path, decisions=2) as shop:
        result = shop.generate("--contrast")
        assert result.exit_code == 0, result.output
        assert f"the set is in {shop.out}" in result.stderr
        assert "written by: openai:writer" in (shop.out / "CARD.md").read_text()
        run = invoke("run", shop.out, "--out", tmp_path / "run", "--config", tmp_path / "models.toml",
                     "--panel", "checks-only", "--json")  # fmt: skip
        assert run.exit_code == 0, run.output
        number = len(shop.lines("claims.jsonl")) + len(shop.lines("claims_contrast.jsonl"))
        assert number == 24
        assert row(run)["claims"] == number
        report = invoke("report", tmp_path / "run", "--resamples", 100)
        assert report.exit_code == 0, report.output


def test_a_set_by_rules_says_so_in_every_line_and_on_its_card(tmp_path: Path, decisions: Path) -> None:
    out = tmp_path / "out"
    result = invoke("generate", decisions, "--out", out, "--offline", "--per-opinion", "3")
    assert result.exit_code == 0, result.output
    assert "Made by rules alone" in (out / "CARD.md").read_text()
    assert load_dataset(out).name == "out"
    rows = [json.loads(line) for line in (out / "claims.jsonl").read_text().splitlines()]
    assert rows
    assert {one["made_by"] for one in rows} == {"rules"}
    assert json.loads((out / "generate.json").read_text())["blind"] is None
    assert not (out / "review.jsonl").exists()
    # A second time it is the same set.
    before = (out / "claims.jsonl").read_bytes()
    assert invoke("generate", decisions, "--out", out, "--offline", "--per-opinion", "3").exit_code == 0
    assert (out / "claims.jsonl").read_bytes() == before


def test_as_json_it_prints_the_card_as_one_object(tmp_path: Path) -> None:
    with workshop(tmp_path) as shop:
        card = row(shop.generate("--json"))
    assert (card["schema_version"], card["complete"], card["stopped"]) == (1, True, None)
    assert card["out"] == str(shop.out)
    there = json.loads((shop.out / "card.json").read_text())
    assert {name: card[name] for name in there} == there


def test_a_dry_run_asks_nobody_and_makes_nothing(tmp_path: Path) -> None:
    (tmp_path / "briefs").mkdir()
    (tmp_path / "briefs" / "brief.txt").write_text(BRIEF * 3)
    with workshop(tmp_path, decisions=2) as shop:
        (shop.decisions / "short.md").write_text(decision("Abara")[:1500])
        (shop.decisions / "twin.md").write_text(decision("Quist", dissent=False))
        more = ("--dry-run", "--contrast", "--briefs", tmp_path / "briefs")
        text = shop.generate(*more)
        assert text.exit_code == 0, text.output
        assert "2 decisions, 2 excluded" in text.stdout
        assert "about $" in text.stdout
        plan = row(shop.generate(*more, "--json"))
        assert shop.server.requests == []
        assert not shop.out.exists()
        assert (plan["schema_version"], plan["decisions"], plan["excluded"]) == (1, 2, 2)
        assert plan["total"]["cost_usd"] > 0
        assert plan["total"]["input_tokens"] > plan["writing"]["input_tokens"] > 0
        # What was planned is what is asked, where nothing has to be asked twice.
        assert shop.generate(*more[1:]).exit_code == 0
        asked = shop.asked()
        assert asked.pop("rate") == plan["rating"]["requests"] == 1
        assert asked.pop("check") == plan["blind"]["requests"] == plan["claims"]
        assert sum(asked.values()) == plan["writing"]["requests"]
        spent = json.loads((shop.out / "card.json").read_text())["spent"]
        assert plan["total"]["requests"] == spent["requests"]
        assert json.loads((shop.out / "exemplars.json").read_text())["harvested"] == plan["parentheticals"]


def test_a_dry_run_of_rules_needs_no_model(decisions: Path) -> None:
    result = invoke("generate", decisions, "--offline", "--dry-run")
    assert result.exit_code == 0, result.output
    assert "no model is asked" in result.stdout
    assert row(invoke("generate", decisions, "--offline", "--dry-run", "--json"))["total"]["requests"] == 0


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ([], "--model, or have claims made by rules alone with --offline"),
        (["--offline", "--model", "openai:m"], "--model, or have claims made by rules alone with --offline"),
        (["--offline", "--blind", "openai:m"], "leave --blind out"),
        (["--offline", "--share", "logic_reversal"], "not of the form STRATEGY=NUMBER"),
        (["--offline", "--share", "logic_reversal=many"], "not of the form STRATEGY=NUMBER"),
        (["--offline", "--share", "ghosts=1"], "unknown strategy 'ghosts'"),
        (["--offline", "--share", "missing_detail=-1"], "must be zero or more"),
        (["--offline", "--briefs", "no-such-folder"], "no-such-folder: does not exist"),
        (["--model", "gpt"], "unknown model 'gpt'; give provider:name"),
        (["--model", "openai:m", "--blind", "checks"], "[verifier.checks] is of kind 'checks'"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_made(
    tmp_path: Path, decisions: Path, more: list[str], words: str
) -> None:
    result = invoke("generate", decisions, "--out", tmp_path / "out", *more)
    assert result.exit_code == 2, result.output
    assert words in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("more", [["--per-opinion", "0"], ["--seed", "-1"], ["--max-cost", "0"]])
def test_numbers_out_of_range_are_refused(tmp_path: Path, decisions: Path, more: list[str]) -> None:
    result = invoke("generate", decisions, "--out", tmp_path / "out", "--offline", *more)
    assert result.exit_code == 2, result.output
    assert not (tmp_path / "out").exists()


def test_a_folder_for_the_set_is_asked_for(decisions: Path) -> None:
    result = invoke("generate", decisions, "--offline")
    assert result.exit_code == 2
    assert "name one with --out" in result.stderr


def test_a_set_does_not_lie_among_its_decisions(decisions: Path) -> None:
    result = invoke("generate", decisions, "--offline", "--out", decisions / "out")
    assert result.exit_code == 2
    assert "put --out elsewhere" in result.stderr
    assert not (decisions / "out").exists()


def test_a_folder_of_something_else_is_refused(tmp_path: Path, decisions: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    result = invoke("generate", decisions, "--offline", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "holds other files; name a new folder with --out" in result.stderr
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("given", ["empty", "missing"])
def test_decisions_that_are_not_there_are_told(tmp_path: Path, given: str) -> None:
    (tmp_path / "empty").mkdir()
    result = invoke("generate", tmp_path / given, "--offline", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert str(tmp_path / given) in result.stderr


def test_files_of_one_name_keep_ids_of_their_own(tmp_path: Path, decisions: Path) -> None:
    other = write_decisions(tmp_path / "other", 1)
    (other / "marlowe.md").write_text(decision("Vole"))
    result = invoke("generate", decisions, other, "--offline", "--out", tmp_path / "out", "--per-opinion", "2")
    assert result.exit_code == 0, result.output
    names = {file.name for file in (tmp_path / "out" / "opinions").iterdir()}
    assert {"marlowe.md", "quist.md"} < names
    assert len(names) == 3


def test_a_cap_needs_prices(tmp_path: Path) -> None:
    with workshop(tmp_path) as shop:
        text = (
            (tmp_path / "models.toml").read_text().replace("input_price = 1.0\n", "").replace("output_price = 2.0", "")
        )
        (tmp_path / "models.toml").write_text(text)
        result = shop.generate("--max-cost", "1")
        assert result.exit_code == 2
        assert "--max-cost cannot hold without prices" in result.stderr
        assert shop.server.requests == []


def test_a_brief_that_cannot_be_read_is_told_and_the_others_are_used(tmp_path: Path) -> None:
    briefs = tmp_path / "briefs"
    briefs.mkdir()
    (briefs / "a.txt").write_text(BRIEF)
    (briefs / "b.pdf").write_bytes(b"%PDF-1.7 and then nothing")
    with workshop(tmp_path) as shop:
        result = shop.generate("--briefs", briefs)
        assert result.exit_code == 0, result.output
        assert "b.pdf" in result.stderr
        # The brief has two, of which one stands in the decision as well.
        (rated,) = [request for request in shop.server.requests if kind_of(request) == "rate"]
        assert "a cabin is closed to all" in rated.user
        assert json.loads((shop.out / "exemplars.json").read_text())["harvested"] == 2


def test_one_model_that_writes_and_reads_is_told(tmp_path: Path) -> None:
    with workshop(tmp_path, FakeAuthor(lambda author, request: r.bad_key(request))) as shop:
        result = shop.generate("--blind", "writer")
        assert "openai:writer writes and reads blind" in result.stderr


def test_answers_from_before_are_used_again_unless_that_is_unwanted(tmp_path: Path) -> None:
    with workshop(tmp_path) as shop:
        command = ["generate", shop.decisions, "--config", tmp_path / "models.toml", "--model", "writer",
                   "--blind", "reader", "--per-opinion", "2"]  # fmt: skip
        assert invoke(*command, "--out", tmp_path / "one").exit_code == 0
        asked = len(shop.server.requests)
        assert invoke(*command, "--out", tmp_path / "two").exit_code == 0
        assert len(shop.server.requests) == asked
        one, two = ((tmp_path / name / "claims.jsonl").read_bytes() for name in ("one", "two"))
        assert one == two
        # Another seed is another answer.
        assert invoke(*command, "--out", tmp_path / "three", "--seed", "1").exit_code == 0
        assert shop.asked(asked)["supported"] == 1


def test_help_names_what_is_needed() -> None:
    result = invoke("generate", "--help")
    assert result.exit_code == 0
    for word in ("--model", "--offline", "--blind", "--contrast", "--dry-run", "review.jsonl", "Exit status"):
        assert word in result.stdout
