from __future__ import annotations

import asyncio
import importlib.util
import sys
from pathlib import Path
from typing import Any

from fakes.drafting import ABSENT, BROKEN, FALSE, OPINION, TRUE, UNCLEAR, context
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from parcel_agents import build_verify_graph

CONFIG: Any = {"configurable": {"thread_id": "d"}}


def load() -> Any:
    path = Path(__file__).parents[2] / "examples" / "drafting_agent.py"
    spec = importlib.util.spec_from_file_location("drafting_agent", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


EXAMPLE = load()


def agent(versions: dict[str, list[str]]) -> Any:
    """A drafter that goes to the next version of what is open at each round."""

    def write(question: str, before: list[Any]) -> list[Any]:
        spoken = {one["id"]: one["claim"] for one in before}
        found = []
        for id, claims in versions.items():
            place = min(claims.index(spoken[id]) + 1, len(claims) - 1) if id in spoken else 0
            found.append({"id": id, "claim": claims[place], "opinion_id": OPINION.id, "verdict": None})
        return found

    return EXAMPLE.build(write, build_verify_graph(context()), InMemorySaver())


def run(graph: Any, given: Any) -> Any:
    return asyncio.run(graph.ainvoke(given, CONFIG))


def test_it_revises_until_all_is_supported_and_asks_nobody() -> None:
    state = run(agent({"a": [FALSE, ABSENT, TRUE], "b": [TRUE]}), {"question": "?"})
    assert "__interrupt__" not in state
    assert state["rounds"] == 3
    assert sorted(state["text"].splitlines()) == [TRUE, TRUE]


def test_what_stays_open_is_put_to_a_person_and_marked_or_dropped() -> None:
    graph = agent({"a": [TRUE], "b": [UNCLEAR], "c": [BROKEN], "d": [FALSE]})
    state = run(graph, {"question": "?"})
    asked = state["__interrupt__"][0].value["open"]
    assert [one["id"] for one in asked] == ["b", "c", "d"]
    state = run(graph, Command(resume={"b": "mark", "d": "drop"}))
    # Whatever the person says nothing of is marked as well.
    assert state["text"].splitlines() == [TRUE, f"{UNCLEAR} [NOT VERIFIED]", f"{BROKEN} [NOT VERIFIED]"]


def test_no_answer_of_a_person_makes_a_claim_supported() -> None:
    graph = agent({"a": [FALSE]})
    run(graph, {"question": "?"})
    assert run(graph, Command(resume={"a": "supported"}))["text"] == f"{FALSE} [NOT VERIFIED]"


def test_the_example_runs_as_it_stands(capsys: Any) -> None:
    text = asyncio.run(EXAMPLE.main())
    said = capsys.readouterr().out
    assert "asked about: ['weight']" in said
    assert text.splitlines()[0].startswith("(the People bear the burden")
    assert text.splitlines()[1].endswith("[NOT VERIFIED]")


def test_a_verdict_that_the_drafter_hands_in_is_none() -> None:
    def write(question: str, before: list[Any]) -> list[Any]:
        told = {"label": "supported"}
        return [{"id": "a", "claim": FALSE, "opinion_id": OPINION.id, "verdict": told}]

    graph = EXAMPLE.build(write, build_verify_graph(context()), InMemorySaver())
    state = asyncio.run(graph.ainvoke({"question": "?"}, CONFIG))
    assert state["__interrupt__"][0].value["open"][0]["verdict"]["label"] == "refuted"


def test_the_same_words_of_another_opinion_are_checked_anew() -> None:
    one, other = ({"id": "a", "claim": TRUE, "opinion_id": id, "verdict": None} for id in ("x", "y"))
    assert EXAMPLE.key(one) != EXAMPLE.key(other)
