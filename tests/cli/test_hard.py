"""`parcel-agents hard`, with models on the wire where it asks any."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from fakes import replies as r
from fakes.runs import write_run
from fakes.server import FakeServer, Reply, Request
from fakes.vote_tables import letters
from typer.testing import CliRunner, Result

from parcel_agents.cli import app
from parcel_agents.ensemble.ballots import FAILED
from parcel_agents.eval.datasets import Dataset, load_dataset
from parcel_agents.eval.runs.opening import dataset_hash
from parcel_agents.eval.vote_table import read_votes
from parcel_agents.store import Run

RULE = "We hold that an officer may not open the stern locker of a moored boat before the owner has been asked."
FILLER = (
    "The gulls of Hathersage walked about on the mud, as they do there in spring, whatever anybody might say of it."
)
CLAIMS = {
    "c0": (
        "(holding that an officer may open the stern locker of a moored boat before the owner has been asked)",
        "refuted",
    ),
    "c1": ("(appeal from a conviction for sounding a false distress signal from a private vessel)", "not_found"),
    "c2": (f"(holding that {RULE.removeprefix('We hold that ').rstrip('.')})", "supported"),
}
VOTES = ("quist R SSS logic_reversal", "quist N SSN phantom_citation", "quist S SSS")


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FAKE_KEY", "sk-not-a-real-key")
    monkeypatch.setenv("PARCEL_AGENTS_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "opinions").mkdir(parents=True)
    text = (
        f"# Quist v Marlowe\n\nOPINION OF THE COURT\n\nFerris, J.\n\nDefendant was convicted of a violation of Harbor "
        f"Law § 212 (3) (b). {FILLER}\n\n{RULE}\n\nOrder affirmed.\n"
    )
    (folder / "opinions" / "quist.md").write_text(text)
    strategies = ("logic_reversal", "phantom_citation", None)
    lines = [
        {"id": id, "opinion_id": "quist", "claim": claim, "label": label, "strategy": strategy}
        for (id, (claim, label)), strategy in zip(CLAIMS.items(), strategies, strict=True)
    ]
    lines[2]["evidence"] = RULE
    (folder / "claims.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return folder


@pytest.fixture
def votes(tmp_path: Path, dataset: Path) -> Path:
    """Votes of three models on the data set: the first two support everything, the third two of three."""
    return votes_on(load_dataset(dataset), tmp_path / "run", VOTES)


def votes_on(data: Dataset, run: Path, rows: tuple[str, ...]) -> Path:
    """A run over a data set, with a row of votes for each of its claims."""
    table = replace(letters(rows, names=("one", "two", "three")), claims=data.claims)
    return write_run(run, table, data_hash=dataset_hash(data))


def hard(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["hard", *map(str, arguments)])


def rows(result: Result, kind: str) -> list[dict[str, Any]]:
    return [row for row in map(json.loads, result.stdout.splitlines()) if row["row"] == kind]


def panel(server: FakeServer, folder: Path, **settings: Any) -> Path:
    lines = ["[settings]", 'retriever = "bm25"', "[panel.mine]", "[[panel.mine.tier]]"]
    lines.append('verifiers = ["checks", "remembers", "reads"]')
    for name in ("remembers", "reads"):
        fields = {"kind": "llm", "model": f"openai:{name}", "base_url": server.openai_url, "api_key_env": "FAKE_KEY"}
        fields |= {"retries": 0, **settings}
        lines += [f"[verifier.{name}]", *(f"{key} = {json.dumps(value)}" for key, value in fields.items())]
    path = folder / "panel.toml"
    path.write_text("\n".join(lines))
    return path


def script(request: Request) -> Reply:
    """One model says Supported whatever it sees, the other only what stands in the text."""
    knows = request.model == "remembers" or RULE in request.user
    return r.answer("supported" if knows else "not_found", ["p1"])(request)


def test_recorded_votes_are_enough_for_the_numbers(votes: Path) -> None:
    result = hard(votes, "--k", "2")
    assert result.exit_code == 0, result.output
    assert "2 of 3 claims (66.67%) fail at least 2 of the 3 verifiers; 1 (33.33%) fail all of them." in result.stdout
    assert "the opinions are not at hand" in result.stdout
    assert "\nTable 7. Hard claims: how many of the 3 at least k of the 3 verifiers fail" in result.stdout


def test_with_the_opinions_each_hard_claim_is_diagnosed(votes: Path, dataset: Path) -> None:
    result = hard(votes, "--k", "2", "--dataset", dataset, "--json")
    assert result.exit_code == 0, result.output
    found = {row["claim_id"]: {cause["name"]: cause for cause in row["causes"]} for row in rows(result, "claim")}
    assert list(found) == ["c0", "c1"]
    assert found["c0"]["subtle_edit"]["details"]["kinds"] == ["negation"]
    assert found["c1"]["terms_absent"]["details"]["provisions"] == ["Harbor Law § 212 (3) (b)"]
    (about,) = rows(result, "study")
    assert (about["hard"], about["k"], about["verifiers"]) == (2, 2, ["one", "two", "three"])


def test_a_model_that_answers_from_memory_is_caught_on_the_wire(votes: Path, dataset: Path, tmp_path: Path) -> None:
    with FakeServer(script) as server:
        config = panel(server, tmp_path)
        result = hard(votes, "--k", "2", "--dataset", dataset, "--diagnose", "mine", "--config", config, "--json")
        asked = [request.user for request in server.requests]
    assert result.exit_code == 0, result.output
    # Two claims, two models, without the opinion; nobody pointed to a passage, so there is nothing to mask.
    assert len(asked) == 4
    assert all("The text of the opinion is not available." in text for text in asked)
    assert not [word for text in asked for word in (FILLER, RULE, "Marlowe", "Quist", "Harbor Law") if word in text]
    rates = {(row["verifier"], row["strategy"]): (row["leaks"], row["answered"]) for row in rows(result, "leakage")}
    assert rates["remembers", "all"] == (2, 2)
    assert rates["reads", "all"] == (0, 2)
    assert rates["remembers", "not_found: phantom_citation"] == (1, 1)
    leaks = [cause["details"]["without_opinion"] for row in rows(result, "claim") for cause in row["causes"]
             if cause["name"] == "knowledge_leakage"]  # fmt: skip
    assert leaks == [["remembers"]] * 2


def test_answers_are_kept_so_that_an_interrupted_study_asks_for_the_rest_only(
    votes: Path, dataset: Path, tmp_path: Path
) -> None:
    with FakeServer(script) as server:
        config = panel(server, tmp_path)
        options: list[str | Path] = [
            "--k",
            "2",
            "--dataset",
            dataset,
            "--diagnose",
            "mine",
            "--config",
            config,
            "--json",
        ]
        first = hard(votes, *options, "--limit", "1")
        asked = len(server.requests)
        second = hard(votes, *options)
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert (asked, len(server.requests)) == (2, 4)


def test_table_7_is_that_of_the_report(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", letters(("o1 S SR-", "o1 R --S", "o2 N x.S", "o2 S S-S"), names=("a", "b", "c")))
    report = CliRunner().invoke(app, ["report", str(run), "--json", "--resamples", "100"])
    assert report.exit_code == 0, report.output
    said = next(row["hard_claims"] for line in report.stdout.splitlines() if "hard_claims" in (row := json.loads(line)))
    (group, *_) = rows(hard(run, "--json", "--resamples", "100"), "group")
    assert [(row["k"], row["claims"]) for row in group["rows"]] == [(row["failed_by"], row["claims"]) for row in said]
    (group, *_) = rows(hard(run, "--json", "--wrong-only", "--resamples", "100"), "group")
    # Wrong labels alone: R on the first claim, S on the second and on the third.
    assert [row["claims"] for row in group["rows"]] == [3, 0, 0]
    assert "unlike in table 7 of `report`" in " ".join(hard(run, "--wrong-only").stdout.split())


def test_the_cap_on_costs_stops_the_questions_and_not_the_report(votes: Path, dataset: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    with FakeServer(script) as server:
        config = panel(server, tmp_path, input_price=1.0, output_price=2.0)
        options = ["--dataset", dataset, "--diagnose", "mine", "--config", config, "--max-cost", "0.000001"]
        result = hard(votes, "--k", "2", *options, "--html", page)
        assert server.requests == []
    assert result.exit_code == 3
    assert "error: models were not asked to the end" in result.stderr
    assert "a sentence, slightly changed" in result.stdout
    assert "Models were not asked to the end" in page.read_text()


def test_questions_to_models_need_the_opinions_and_a_model(votes: Path, dataset: Path) -> None:
    assert "name the data set with --dataset" in hard(votes, "--diagnose", "embedded").stderr
    result = hard(votes, "--dataset", dataset, "--diagnose", "embedded")
    assert result.exit_code == 2
    assert "asks no model that could know the law" in result.stderr


def test_another_data_set_is_refused(votes: Path, dataset: Path) -> None:
    (dataset / "claims.jsonl").write_text((dataset / "claims.jsonl").read_text().replace("stern locker", "bow locker"))
    result = hard(votes, "--dataset", dataset)
    assert result.exit_code == 2
    assert "has other claims, or opinions whose text or passages differ" in result.stderr


def test_a_subset_of_the_right_data_set_is_no_other_one(dataset: Path, tmp_path: Path) -> None:
    lines = (dataset / "claims.jsonl").read_text().splitlines()
    (dataset / "claims_contrast.jsonl").write_text(lines[2] + "\n")
    (dataset / "claims.jsonl").write_text("\n".join(lines[:2]) + "\n")
    votes = votes_on(load_dataset(dataset), tmp_path / "run", VOTES)
    result = hard(votes, "--k", "2", "--dataset", dataset, "--subset", "claims", "--json")
    assert result.exit_code == 0, result.output
    (about,) = rows(result, "study")
    assert (about["claims"], about["hard"]) == (2, 2)
    assert not [note for note in about["notes"] if "data" in note or "hash" in note]


def test_a_changed_opinion_is_another_data_set_where_a_claim_has_no_label(dataset: Path, tmp_path: Path) -> None:
    lines = (dataset / "claims.jsonl").read_text().splitlines()
    unlabelled = {**json.loads(lines[2]), "label": None}
    (dataset / "claims.jsonl").write_text("\n".join([*lines[:2], json.dumps(unlabelled)]) + "\n")
    votes = votes_on(load_dataset(dataset), tmp_path / "run", (*VOTES[:2], "quist ? SSS"))
    assert hard(votes, "--k", "2", "--dataset", dataset).exit_code == 0
    opinion = dataset / "opinions" / "quist.md"
    opinion.write_text(opinion.read_text().replace(FILLER, FILLER[:40] + "."))
    result = hard(votes, "--k", "2", "--dataset", dataset)
    assert (result.exit_code, "opinions whose text or passages differ" in result.stderr) == (2, True)


def test_the_graph_goes_into_files_of_every_kind(votes: Path, tmp_path: Path) -> None:
    files = [tmp_path / "graph.graphml", tmp_path / "graph.json", tmp_path / "graph.svg"]
    result = hard(votes, *(word for file in files for word in ("--graph", file)))
    assert result.exit_code == 0, result.output
    assert nx.read_graphml(files[0]).nodes["c:c0"]["gold"] == "refuted"
    assert {node["id"] for node in json.loads(files[1].read_text())["nodes"]} >= {"v:one", "c:c0"}
    assert files[2].read_text().startswith("<svg")
    assert "name a file that ends in" in hard(votes, "--graph", tmp_path / "graph.png").stderr


def test_doubtful_labels_go_to_a_person_and_come_back(votes: Path, dataset: Path, tmp_path: Path) -> None:
    file = votes / "votes.jsonl"
    place = [{"passage": "p1", "start": 0, "end": 9, "relation": "supports"}]
    lines = [json.dumps({**json.loads(line), "evidence": place}) for line in file.read_text().splitlines()]
    file.write_text("\n".join(lines) + "\n")
    to_decide = tmp_path / "decide.jsonl"
    assert hard(votes, "--adjudicate", to_decide, "--dataset", dataset).exit_code == 0
    (row,) = map(json.loads, to_decide.read_text().splitlines())
    assert row["claim_id"] == "c0"
    assert row["evidence"][0]["voice"] == "front"
    to_decide.write_text(json.dumps({**row, "decision": "supported"}) + "\n")
    result = hard(votes, "--adjudicated", to_decide)
    assert (
        "After adjudication: 1 claims decided (0 labels confirmed, 1 changed, 0 excluded), 0 not decided"
        in result.stdout
    )
    assert "0.333 > 0.667" in result.stdout
    (told,) = rows(hard(votes, "--adjudicated", to_decide, "--json"), "adjudicated")
    assert [change["verifier"] for change in told["changes"]] == ["one", "two", "three"]


def test_the_command_line_starts_without_heavy_libraries() -> None:
    heavy = ("networkx", "langgraph", "torch", "numpy", "sklearn")
    code = f"import sys, parcel_agents.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_what_is_said_of_real_decisions_is_so(shared_data: Path, tmp_path: Path) -> None:
    config = tmp_path / "panel.toml"
    lines = ["[settings]", 'retriever = "bm25"', "[panel.quick]", "[[panel.quick.tier]]"]
    config.write_text("\n".join([*lines, 'verifiers = ["checks", "similarity"]']))
    wanted = ["run", shared_data / "parcel_dev", "--out", tmp_path / "run", "--panel", "quick", "--config", config]
    made = CliRunner().invoke(app, [str(word) for word in wanted])
    assert made.exit_code == 0, made.output
    page = tmp_path / "page.html"
    options = ["--k", "1", "--dataset", shared_data / "parcel_dev", "--html", page, "--json"]
    result = hard(tmp_path / "run", *options)
    assert result.exit_code == 0, result.output
    # What is said is counted again here, from the votes themselves.
    table = read_votes(Run.open(tmp_path / "run")).labelled()
    (group, *_) = rows(result, "group")
    wrong = (table.ballots.choices != table.gold[:, None]) & (table.ballots.choices < FAILED)
    assert [row["claims"] for row in group["rows"]] == [int((wrong.sum(axis=1) >= k).sum()) for k in (1, 2)]
    opinions = {path.stem: path.read_text() for path in (shared_data / "parcel_dev" / "opinions").iterdir()}
    letters_of = {name: _letters(text) for name, text in opinions.items()}
    absent = [
        (row, cause) for row in rows(result, "claim") for cause in row["causes"] if cause["name"] == "terms_absent"
    ]
    assert absent
    for row, cause in absent:
        words = set(letters_of[row["opinion_id"]])
        assert not [word for word in cause["details"]["missing"] if word.lower() in words]


def _letters(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()
