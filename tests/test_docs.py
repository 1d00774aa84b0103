"""The code and the commands of the documentation run, and its pictures show the graphs."""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
import xml.etree.ElementTree as ET
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from fakes.checks import listening, serving
from fakes.documents import ROOT, blocks, commands, named, run
from fakes.generator import write_decisions

from parcel_agents.integrations.studio import GRAPHS

BRIEF = (ROOT / "parcel_agents" / "examples" / "brief.txt").read_text()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, example_opinion: Path) -> Path:
    """The current folder, with the example's opinion in `opinions/`."""
    (tmp_path / "opinions").mkdir()
    shutil.copy(example_opinion, tmp_path / "opinions" / example_opinion.name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def execute(page: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the Python of a page in one module; its names."""
    module = ModuleType(f"{Path(page).stem}_page")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for block in blocks(page, "python"):
        exec(compile(block, str(ROOT / page), "exec", dont_inherit=True), module.__dict__)
    return module.__dict__


def test_the_code_of_embedding_runs_in_order(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(blocks("docs/embedding.md", "python")) == 4
    execute("docs/embedding.md", monkeypatch)


def test_the_code_of_the_http_page_runs_against_a_server(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "brief.txt").write_text(BRIEF)
    with (
        serving(folder / "jobs", opinions=folder / "opinions") as server,
        listening(server) as address,
        monkeypatch.context() as patched,
    ):
        patched.setattr(httpx, "Client", partial(_client_at, address, httpx.Client))
        found = execute("docs/http.md", monkeypatch)
        assert found["again"]["opinion"]["known"] == "by id, sent before"
        assert set(found["run"]["counts"]) > {"supported", "not_found", "not_at_hand"}


def _client_at(address: str, make: Any, *, base_url: str, timeout: float) -> Any:
    assert base_url == "http://127.0.0.1:8765/v1"
    return make(base_url=f"{address}/v1", timeout=timeout)


def test_the_statuses_of_the_http_page_are_those_of_its_answers() -> None:
    from parcel_agents.integrations.wording import VERDICTS

    rows = re.findall(r"^\| `(\w+)` \| (\w+) \|", (ROOT / "docs/http.md").read_text(), re.MULTILINE)
    assert rows == [(status, str(status == "supported").lower()) for status in VERDICTS]


@pytest.mark.slow
def test_the_commands_and_the_code_of_the_researchers_page_run_in_order(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "docs/researcher.md"
    write_decisions(folder / "decisions", 8)
    (folder / "claims.csv").write_text(blocks(page, "csv")[0].lstrip())
    (folder / "panels.toml").write_text(named(page, "toml", "panels.toml"))
    said = {" ".join(command): run(command) for command in commands(page)}
    assert len(said) == 13
    names = {command.split()[1] for command in said}
    assert names == {"generate", "run", "report", "compare", "replay", "train", "hard"}
    assert "claim only" in said["parcel-agents report runs/mine --resamples 200"]
    assert not (folder / "runs" / "models").exists()
    (shown,) = [block for block in blocks(page, "text") if block.lstrip().startswith("error:")]
    refused = run("parcel-agents train policy runs/mine --max-fer 0.05 --out refused.json".split(), status=2)
    assert all(part in " ".join(refused.split()) for part in " ".join(shown.split()).split(" ... "))
    found = execute(page, monkeypatch)
    assert len(found["false_support"]) == 0
    assert {"checks", "majority", "claim only", "majority class"} <= set(found["figures"].name)


def test_the_commands_of_the_lawyers_page_give_the_answers_that_it_shows(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "docs/lawyer.md"
    # The same answers as with embeddings, which would take ten seconds to load.
    monkeypatch.setenv("PARCEL_AGENTS_RETRIEVER", "bm25")
    (folder / "brief.txt").write_text(BRIEF)
    brief, verify, shown = (
        run(command, status=status) for command, status in zip(commands(page), (1, 1, 0), strict=True)
    )
    (block,) = [block for block in blocks(page, "text") if "SUPPORTED" in block]
    promised = [tuple(re.split(r" {2,}", line, maxsplit=1)) for line in block.strip().splitlines()]
    answers = dict(re.findall(r"^([A-Z][A-Z ]+?) {2,}(\(.*)$", brief, re.MULTILINE))
    assert list(answers) == [answer for answer, _ in promised]
    for answer, claim in promised:
        assert answers[answer].startswith(claim.split("...")[0].rstrip(" )")), answer
    assert (folder / "checked.html").is_file()
    assert verify.startswith("NOT FOUND")
    assert "dissent (Quist, J.)" in shown


def test_the_lawyers_page_names_every_answer() -> None:
    from parcel_agents.traces.words import STATUS_WORDS

    rows = re.findall(r"^\| ([^|]+?) \|", (ROOT / "docs/lawyer.md").read_text(), re.MULTILINE)
    assert rows[1:][-len(STATUS_WORDS) :] == [words.word for words in STATUS_WORDS.values()]


@pytest.mark.parametrize("name", list(GRAPHS))
def test_a_graph_is_shown_as_it_is_drawn(name: str) -> None:
    drawn = run(["parcel-agents", "graph", name, "--mermaid"])
    assert drawn in [block.lstrip("\n") for block in blocks("docs/graphs.md", "mermaid")]
    assert f'<img src="pictures/{name}.svg"' in (ROOT / "docs/graphs.md").read_text()


@pytest.mark.parametrize("name", list(GRAPHS))
def test_the_picture_of_a_graph_has_its_nodes_and_ways(name: str) -> None:
    text = (ROOT / "docs/pictures" / f"{name}.svg").read_text()
    root = ET.fromstring(text)
    drawn = GRAPHS[name]().get_graph()
    labels = {"".join(one.itertext()).strip() for one in root.iter("{http://www.w3.org/2000/svg}text")}
    assert labels - {""} == set(drawn.nodes)
    ways = {one.get("data-id") for one in root.iter() if one.get("data-edge") == "true"}
    assert ways == {f"L_{edge.source}_{edge.target}_0" for edge in drawn.edges}
    assert "foreignObject" not in text
    assert "file:" not in text


@pytest.mark.parametrize(
    "page",
    [
        "docs/embedding.md",
        "docs/extending.md",
        "docs/http.md",
        "docs/researcher.md",
        "docs/lawyer.md",
        "docs/graphs.md",
    ],
)
def test_the_code_of_a_page_can_be_read(page: str) -> None:
    for block in blocks(page, "python"):
        compile(block, page, "exec")
    for block in blocks(page, "toml"):
        tomllib.loads(block)
