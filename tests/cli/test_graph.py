from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from langgraph.graph.state import CompiledStateGraph
from typer.testing import CliRunner

from parcel_agents.cli import app

ROOT = Path(__file__).parents[2]
NODES = {
    "verify": {"prepare", "retrieve", "verify", "resolve", "certify"},
    "generate": {"read_decisions", "find_exemplars", "order", "make"},
    "decision": {"write_supported", "write", "sift", "read_blind", "record"},
    "hard_claims": {"distribute", "relate", "choose", "diagnose", "summarise"},
}


@pytest.mark.parametrize("name", list(NODES))
def test_a_graph_is_drawn(name: str) -> None:
    result = CliRunner().invoke(app, ["graph", name, "--mermaid"])
    assert result.exit_code == 0, result.output
    assert "graph TD;" in result.stdout
    assert all(f"{node}({node})" in result.stdout for node in NODES[name])
    row = json.loads(CliRunner().invoke(app, ["graph", name, "--json"]).stdout)
    assert set(row["nodes"]) - {"__start__", "__end__"} == NODES[name]
    assert row["schema_version"] == 1


def test_a_graph_is_listed_in_plain_text() -> None:
    result = CliRunner().invoke(app, ["graph", "verify"])
    assert "retrieve ..> verify" in result.stdout.splitlines()
    assert "certify --> __end__" in result.stdout.splitlines()


def test_an_unknown_graph_is_wrong_usage() -> None:
    assert CliRunner().invoke(app, ["graph", "nobody"]).exit_code == 2


def targets() -> dict[str, str]:
    found: dict[str, str] = json.loads((ROOT / "langgraph.json").read_text())["graphs"]
    return found


@pytest.mark.parametrize("name", ["verify", "generate", "hard_claims"])
def test_langgraph_json_names_graphs_that_load_by_path_and_run(name: str) -> None:
    path, attribute = targets()[name].split(":")
    # As `langgraph dev` does it: by path, beside the package's own copy of the module.
    spec = importlib.util.spec_from_file_location(f"by_path_{name}", ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    graph: Any = getattr(module, attribute)()
    assert isinstance(graph, CompiledStateGraph)
    inputs: dict[str, dict[str, Any]] = {"generate": {}, "hard_claims": {"k": 2}}
    # That the verify graph runs is tested elsewhere; here its embeddings would take many seconds.
    if name != "verify":
        state = asyncio.run(graph.ainvoke(inputs[name]))
        assert state["done"] == ["people_v_marlowe"] if name == "generate" else state["diagnoses"]


def test_all_three_graphs_are_there() -> None:
    assert list(targets()) == ["verify", "generate", "hard_claims"]
