from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from parcel_agents.cli import app
from parcel_agents.types import Opinion, Verdict

GOOD = (
    "(explaining that the People bear the burden of proving that each limit was observed,"
    " and that a silent record counts against them)"
)
PHANTOM = "(citing People v Hathersage for the rule of the open deck)"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def rows(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_all_supported_leaves_with_0(example_opinion: Path) -> None:
    result = run("verify", example_opinion, GOOD)
    assert result.exit_code == 0, result.output
    assert "SUPPORTED" in result.stdout
    assert "97 NY3d at 214" in result.stdout
    assert "majority (Ferris, J.)" in result.stdout


def test_a_claim_not_supported_leaves_with_1(example_opinion: Path) -> None:
    result = run("verify", example_opinion, GOOD, PHANTOM)
    assert result.exit_code == 1
    assert "NOT FOUND" in result.stdout
    assert "Hathersage" in result.stdout
    assert "2 claims: 1 supported, 1 not found" in result.stderr


def test_json_rows_are_verdicts_in_the_order_of_the_claims(example_opinion: Path, example_claims: Path) -> None:
    result = run("verify", example_opinion, "--claims", example_claims, "--json")
    assert result.exit_code == 1
    verdicts = [Verdict.model_validate(row) for row in rows(result)]
    wanted = [json.loads(line)["id"] for line in example_claims.read_text().splitlines()]
    assert [verdict.claim_id for verdict in verdicts] == wanted
    opinion = Opinion.load(example_opinion)
    for verdict in verdicts:
        assert verdict.schema_version == 1
        for evidence in verdict.evidence:
            assert opinion.text[evidence.start : evidence.end] == evidence.text


def test_the_embedded_panel_makes_no_false_entailment_on_the_example(
    example_opinion: Path, example_claims: Path
) -> None:
    gold = {row["id"]: row["label"] for row in map(json.loads, example_claims.read_text().splitlines())}
    found = {
        row["claim_id"]: row["label"]
        for row in rows(run("verify", example_opinion, "--claims", example_claims, "--json"))
    }
    decided = {id: label for id, label in found.items() if label}
    assert len(decided) >= 4
    assert {id for id, label in decided.items() if label == "supported"} <= {
        id for id, label in gold.items() if label == "supported"
    }
    not_found = [gold[id] for id, label in decided.items() if label == "not_found"]
    assert len(not_found) >= 2
    assert set(not_found) == {"not_found"}


def test_no_line_of_a_broken_claims_file_is_lost(example_opinion: Path, tmp_path: Path) -> None:
    claims = write(
        tmp_path / "claims.jsonl",
        json.dumps({"id": "good", "claim": GOOD}),
        "{broken",
        json.dumps({"id": "empty"}),
        json.dumps(["a", "list"]),
        json.dumps({"id": "good", "claim": PHANTOM}),
        json.dumps({"id": "other", "claim": PHANTOM, "opinion_id": "another_case"}),
        json.dumps({"id": "short", "claim": "(affirmed)"}),
        json.dumps({"id": 8, "claim": PHANTOM}),
    )
    result = run("verify", example_opinion, "--claims", claims, "--json")
    assert result.exit_code == 2
    found = rows(result)
    assert len(found) == 8
    assert [row["label"] for row in found] == ["supported", None, None, None, None, None, None, "not_found"]
    assert all(row["error"] for row in found[1:7])
    for number, words in (
        (2, "not JSON"),
        (3, "'claim' is missing"),
        (4, "no JSON object"),
        (5, "stands already"),
        (6, "another_case"),
        (7, "too short"),
    ):
        assert any(f"claims.jsonl:{number}" in line and words in line for line in result.stderr.splitlines()), words


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_claims_file_without_claims_is_an_error(example_opinion: Path, tmp_path: Path, content: str) -> None:
    path = tmp_path / "claims.jsonl"
    path.write_text(content)
    result = run("verify", example_opinion, "--claims", path)
    assert result.exit_code == 2
    assert "holds no claims" in result.stderr


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.md", b"", "is empty"),
        ("binary.txt", b"\x00\x01\x02" * 100, "binary"),
        ("none.html", b"<html><body></body></html>", "no opinion in it"),
        ("data.json", b'{"title": "x"}', "'text' or 'html'"),
        ("opinion.xyz", b"some words", ".xyz"),
    ],
)
@pytest.mark.parametrize("command", ["verify", "search", "opinion"])
def test_an_unreadable_opinion_is_one_line_and_2(
    tmp_path: Path, command: str, name: str, content: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    result = run(command, path, *([] if command == "opinion" else [GOOD]))
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ")
    assert name in line
    assert words in line


def test_wrong_usage_is_2(example_opinion: Path, tmp_path: Path) -> None:
    assert run("verify", example_opinion).exit_code == 2
    assert run("verify", tmp_path / "missing.md", GOOD).exit_code == 2
    assert run("verify", example_opinion, GOOD, "--panel", "nobody").exit_code == 2
    assert run("search", example_opinion, "  ").exit_code == 2
    assert run("no-such-command").exit_code == 2


def test_could_not_check_leaves_with_3(example_opinion: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from parcel_agents.registry import VERIFIERS

    class Broken:
        casts = frozenset({"supported"})

        def __init__(self, name: str) -> None:
            self.name = name

        async def verify(self, task: object) -> None:
            raise RuntimeError("no answer")

    monkeypatch.setitem(VERIFIERS._targets, "broken", Broken)
    config = write(
        tmp_path / "p.toml", "[panel.mine]", "[[panel.mine.tier]]", "verifiers=['b']", "[verifier.b]", "kind='broken'"
    )
    result = run("verify", example_opinion, GOOD, "--panel", "mine", "--config", config)
    assert result.exit_code == 3
    assert "COULD NOT CHECK" in result.stdout
    assert "SUPPORTED" not in result.stdout


def test_search_rows_say_where_and_whose(example_opinion: Path) -> None:
    result = run("search", example_opinion, "burden of proving each limit", "--json", "-k", "3")
    found = rows(result)
    assert [row["rank"] for row in found] == [1, 2, 3]
    opinion = Opinion.load(example_opinion)
    for row in found:
        assert opinion.text[row["start"] : row["end"]] == row["text"]
        assert {"bm25", "dense"} <= row["scores"].keys()
    assert "The People bear the burden" in found[0]["text"]
    assert found[0]["page"] == "97 NY3d at 214"


@pytest.mark.parametrize("retriever", ["bm25", "dense", "hybrid"])
def test_search_takes_any_retriever(example_opinion: Path, retriever: str) -> None:
    result = run("search", example_opinion, "burden of proving each limit", "--retriever", retriever)
    assert result.exit_code == 0
    assert result.stdout.startswith("  1. [majority (Ferris, J.), 97 NY3d at 214")


def test_opinion_shows_how_a_file_is_read(example_opinion: Path) -> None:
    (row,) = rows(run("opinion", example_opinion, "--json"))
    assert (row["name"], row["citation"]) == ("People v Marlowe", "97 NY3d 210")
    assert [part["kind"] for part in row["parts"] if not part["footnote"]] == [
        "front",
        "majority",
        "dissent",
        "concurrence",
        "closing",
    ]
    for passage in row["passages"]:
        assert row["text"][passage["start"] : passage["end"]] == passage["text"]
    assert "dissent (Quist, J.), footnote 1" in run("opinion", example_opinion).stdout


def test_the_command_line_starts_without_heavy_libraries() -> None:
    heavy = {"torch", "langgraph", "sklearn", "transformers", "numpy"}
    code = f"import sys, parcel_agents.cli; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
