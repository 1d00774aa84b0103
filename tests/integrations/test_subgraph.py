from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any, TypedDict

import pytest
from fakes.drafting import ABSENT, BROKEN, FALSE, OPINION, TRUE, ByWords, context
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send, interrupt

from parcel_agents import averify, build_verify_graph, verify
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.graphs.verify import resolve
from parcel_agents.types import Claim, Verdict

GIVEN: Any = {"claim": TRUE, "opinion_id": OPINION.id}
THREAD: Any = {"configurable": {"thread_id": "t"}}


class Shared(TypedDict, total=False):
    """Has the verify graph's own fields, which is then a node as it is."""

    claim: str
    opinion_id: str
    verdict: dict[str, Any]
    note: str


class Own(TypedDict, total=False):
    """Has other fields; a node of its own asks the verify graph."""

    sentence: str
    case: str
    label: str | None


def shared(made: VerifyContext, *, person: bool = False, **settings: Any) -> Any:
    def note(state: Shared) -> dict[str, Any]:
        answer = interrupt(state["verdict"]["label"]) if person else ""
        return {"note": f"{state['verdict']['label']}{answer}"}

    builder: Any = StateGraph(Shared)
    builder.add_node("verify", build_verify_graph(made))
    builder.add_node("note", note)
    builder.add_edge(START, "verify")
    builder.add_edge("verify", "note")
    builder.add_edge("note", END)
    return builder.compile(**settings)


def own(made: VerifyContext, **settings: Any) -> Any:
    graph = build_verify_graph(made)

    async def check(state: Own) -> dict[str, Any]:
        found = await graph.ainvoke({"claim": state["sentence"], "opinion_id": state["case"]})
        return {"label": found["verdict"]["label"]}

    builder: Any = StateGraph(Own)
    builder.add_node("check", check)
    builder.add_edge(START, "check")
    builder.add_edge("check", END)
    return builder.compile(**settings)


def test_with_shared_fields_it_is_a_node_for_both_kinds_of_callers() -> None:
    graph = shared(context())
    assert graph.invoke(GIVEN)["note"] == "supported"
    assert asyncio.run(graph.ainvoke(GIVEN))["note"] == "supported"


def test_with_other_fields_a_node_asks_it() -> None:
    found = asyncio.run(own(context()).ainvoke({"sentence": FALSE, "case": OPINION.id}))
    assert found["label"] == "refuted"


def told(graph: Any, given: Any) -> list[dict[str, Any]]:
    async def inside() -> list[dict[str, Any]]:
        return [event async for _, event in graph.astream(given, stream_mode="custom", subgraphs=True)]

    return asyncio.run(inside())


@pytest.mark.parametrize("kind", ["shared", "own"])
def test_its_events_reach_the_parents_stream(kind: str) -> None:
    made = context(ByWords("a"), ByWords("b"))
    given = GIVEN if kind == "shared" else {"sentence": TRUE, "case": OPINION.id}
    events = told(shared(made) if kind == "shared" else own(made), given)
    assert [event["event"] for event in events] == ["tier", "vote", "vote", "resolved"]
    assert {event["source"] for event in events} == {"parcel_agents"}
    assert len({event["claim_id"] for event in events}) == 1
    assert events[0]["verifiers"] == ["a", "b"]
    assert {(event["verifier"], event["outcome"], event["label"]) for event in events[1:3]} == {
        ("a", "ok", "supported"),
        ("b", "ok", "supported"),
    }
    assert events[3]["label"] == "supported"
    assert json.loads(json.dumps(events)) == events


def test_a_stream_of_a_synchronous_caller_has_the_same_events() -> None:
    graph = build_verify_graph(context())
    assert [event["event"] for event in graph.stream(GIVEN, stream_mode="custom")] == ["tier", "vote", "resolved"]
    updates = [next(iter(update)) for update in graph.stream(GIVEN, stream_mode="updates")]
    assert updates == ["prepare", "retrieve", "verify", "resolve", "certify"]


def test_a_failed_verifier_is_told_as_failed() -> None:
    events = told(build_verify_graph(context()), {"claim": BROKEN, "opinion_id": OPINION.id})
    assert (events[1]["outcome"], events[1]["label"]) == ("error", None)
    assert events[2]["label"] is None


def test_updates_of_the_parent_hold_the_verdict() -> None:
    async def inside() -> list[Any]:
        return [update async for update in shared(context()).astream(GIVEN, stream_mode="updates")]

    first, second = asyncio.run(inside())
    assert Verdict.model_validate(first["verify"]["verdict"]).label == "supported"
    assert second == {"note": {"note": "supported"}}


def test_a_node_that_is_called_outside_a_graph_tells_nobody() -> None:
    vote = {"verifier": "words", "outcome": "ok", "label": "not_found"}
    state: Any = {"claim_id": "1", "claim": TRUE, "opinion_id": OPINION.id, "votes": [vote], "tier": 0}
    assert asyncio.run(resolve(state, context=context()))["resolution"]["label"] == "not_found"


def test_a_task_per_claim_of_one_parent() -> None:
    class Many(TypedDict, total=False):
        claims: list[str]
        verdict: Annotated[list[Any], lambda old, new: [*old, new]]

    builder: Any = StateGraph(Many)
    builder.add_node("verify", build_verify_graph(context()))
    builder.add_conditional_edges(
        START,
        lambda state: [Send("verify", {"claim": claim, "opinion_id": OPINION.id}) for claim in state["claims"]],
        ["verify"],
    )
    found = asyncio.run(builder.compile().ainvoke({"claims": [TRUE, FALSE, ABSENT]}))
    assert [verdict["label"] for verdict in found["verdict"]] == ["supported", "refuted", "not_found"]


def test_the_parents_checkpoints_carry_an_interrupt_and_no_opinion(tmp_path: Any) -> None:
    file = str(tmp_path / "parent.sqlite")
    verifier = ByWords()

    async def asked() -> Any:
        async with AsyncSqliteSaver.from_conn_string(file) as saver:
            return await shared(context(verifier), person=True, checkpointer=saver).ainvoke(GIVEN, THREAD)

    async def answered() -> Any:
        async with AsyncSqliteSaver.from_conn_string(file) as saver:
            # Another process: the graph and its context are made anew.
            graph = shared(context(ByWords()), person=True, checkpointer=saver)
            found = await graph.ainvoke(Command(resume=", seen"), THREAD)
            kept = [one.checkpoint["channel_values"] async for one in saver.alist(None)]
            return found, kept

    assert asyncio.run(asked())["__interrupt__"][0].value == "supported"
    found, kept = asyncio.run(answered())
    assert found["note"] == "supported, seen"
    assert verifier.calls == 1
    assert kept
    assert "gave the applicant no reasons" not in json.dumps([one for one in kept if "verdict" not in one], default=str)


def test_an_interrupted_subgraph_goes_on_where_it_was(tmp_path: Any) -> None:
    verifier = ByWords()
    graph = shared(context(verifier), checkpointer=InMemorySaver())

    async def inside() -> Any:
        # A stop behind the votes: they are not asked for again.
        async for _ in graph.astream(GIVEN, THREAD, subgraphs=True, interrupt_before=["note"]):
            pass
        return await graph.ainvoke(None, THREAD)

    assert asyncio.run(inside())["note"] == "supported"
    assert verifier.calls == 1


@pytest.mark.parametrize("kind", ["node", "graph", "averify"])
def test_cancelling_the_parent_cancels_the_verifiers(kind: str) -> None:
    verifier = ByWords()
    claim = "(a claim that is slow to check)"
    made = context(verifier)

    def work() -> Any:
        if kind == "node":
            return own(made).ainvoke({"sentence": claim, "case": OPINION.id})
        if kind == "graph":
            return shared(made).ainvoke({"claim": claim, "opinion_id": OPINION.id})
        return averify(OPINION, [claim], context=made)

    async def inside() -> None:
        task = asyncio.ensure_future(work())
        while not verifier.calls:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(inside())
    assert verifier.cancelled == 1


def test_averify_inside_a_node_leaves_the_parents_checkpoints_alone() -> None:
    saver = InMemorySaver()
    made = context()

    async def check(state: Own) -> dict[str, Any]:
        verdicts = await averify(OPINION, [state["sentence"], FALSE], context=made)
        return {"label": ", ".join(str(verdict.label) for verdict in verdicts)}

    builder: Any = StateGraph(Own)
    builder.add_node("check", check)
    builder.add_edge(START, "check")
    builder.add_edge("check", END)
    graph = builder.compile(checkpointer=saver)
    found = asyncio.run(graph.ainvoke({"sentence": TRUE, "case": OPINION.id}, THREAD))
    assert found["label"] == "supported, refuted"
    assert {one.config["configurable"]["checkpoint_ns"] for one in saver.list(None)} == {""}


def test_one_context_serves_several_event_loops_at_the_same_time() -> None:
    made = context(ByWords("a"), ByWords("b"))
    made.concurrency = 1

    async def both() -> list[Any]:
        mine = averify(OPINION, [f"{TRUE} {number}" for number in range(10)], context=made)
        theirs = asyncio.to_thread(verify, OPINION, [f"{FALSE} {number}" for number in range(10)], context=made)
        return list(await asyncio.gather(mine, theirs))

    first, second = asyncio.run(both())
    assert {verdict.label for verdict in first} == {"supported"}
    assert {verdict.label for verdict in second} == {"refuted"}


def test_a_thread_that_is_used_again_begins_anew() -> None:
    graph = build_verify_graph(context())
    graph.checkpointer = InMemorySaver()
    found = [graph.invoke({"claim": one, "opinion_id": OPINION.id}, THREAD)["verdict"] for one in (TRUE, BROKEN, FALSE)]
    assert [verdict["label"] for verdict in found] == ["supported", None, "refuted"]
    assert found[1]["error"] is not None
    assert [len(verdict["votes"]) for verdict in found] == [1, 1, 1]
    assert [verdict["claim_id"] for verdict in found] == [Claim.of(one).id for one in (TRUE, BROKEN, FALSE)]
