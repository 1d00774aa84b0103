"""A drafting agent that revises until every citation is Supported, or marked by a person.

    begin -> write -> check (the verify graph, one task per citation) -> judge
    judge -+-> write (again, told what was found)
           +-> ask_person (an interrupt) -> finish -> END

The drafter is a function here, so that the example runs offline; put a model's chain in its place. What a person leaves
open is marked in the text: nothing but a Supported citation ever stands unmarked.

Run it with `python examples/drafting_agent.py`.
"""

from __future__ import annotations

import asyncio
import operator
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Overwrite, Send, interrupt

from parcel_agents import Opinion, build_verify_graph, make_context

MAX_ROUNDS = 3


class Citation(TypedDict):
    """A claim of the draft, the opinion that it cites, and what became of it."""

    id: str
    claim: str
    opinion_id: str
    verdict: dict[str, Any] | None


class DraftState(TypedDict, total=False):
    """Not the state of the verify graph: plain JSON of the drafter's own."""

    question: str
    citations: list[Citation]
    checked: Annotated[list[tuple[str, dict[str, Any]]], operator.add]
    rounds: int
    decisions: dict[str, str]
    text: str


Drafter = Callable[[str, list[Citation]], list[Citation]]
"""Writes citations for a question; of those of the round before it is told the verdicts."""


def supported(citation: Citation) -> bool:
    """The one rule: everything but Supported is open, also what could not be checked."""
    return citation["verdict"] is not None and citation["verdict"]["label"] == "supported"


def key(citation: Citation) -> str:
    """What a verdict is about: the same words of another opinion are another claim."""
    return f"{citation['id']}:{citation['opinion_id']}:{citation['claim']}"


def build(drafter: Drafter, verify: Any, checkpointer: Any = None) -> Any:
    """The drafting graph around a verify graph."""

    def begin(state: DraftState) -> dict[str, Any]:
        # A thread may be asked again: nothing of the question before stays.
        return {"citations": [], "checked": Overwrite([]), "rounds": 0, "decisions": {}, "text": ""}

    def write(state: DraftState) -> dict[str, Any]:
        before = state["citations"]
        kept = [one for one in before if supported(one)]
        wanted = drafter(state["question"], before)
        known = {one["id"] for one in kept}
        return {
            # A verdict that comes from the drafter, perhaps of another wording, is none.
            "citations": kept + [{**one, "verdict": None} for one in wanted if one["id"] not in known],
            "rounds": state["rounds"] + 1,
        }

    def each_open(state: DraftState) -> list[Send] | str:
        tasks = [Send("check", one) for one in state["citations"] if not supported(one)]
        return tasks or "judge"

    async def check(citation: Citation) -> dict[str, Any]:
        # The verify graph has a state of its own; its events reach whoever streams this graph.
        given = {"claim": citation["claim"], "opinion_id": citation["opinion_id"]}
        found = await verify.ainvoke(given)
        return {"checked": [(key(citation), found["verdict"])]}

    def judge(state: DraftState) -> dict[str, Any]:
        verdicts = dict(state.get("checked", []))
        return {"citations": [{**one, "verdict": verdicts.get(key(one), one["verdict"])} for one in state["citations"]]}

    def next_step(state: DraftState) -> str:
        if all(supported(one) for one in state["citations"]):
            return "finish"
        return "write" if state["rounds"] < MAX_ROUNDS else "ask_person"

    def ask_person(state: DraftState) -> dict[str, Any]:
        left = [one for one in state["citations"] if not supported(one)]
        asked = [{"id": one["id"], "claim": one["claim"], "verdict": one["verdict"]} for one in left]
        return {"decisions": interrupt({"question": "mark or drop these citations?", "open": asked})}

    def finish(state: DraftState) -> dict[str, Any]:
        decisions = state.get("decisions", {})
        lines = []
        for one in state["citations"]:
            if supported(one):
                lines.append(one["claim"])
            elif decisions.get(one["id"]) != "drop":
                lines.append(f"{one['claim']} [NOT VERIFIED]")
        return {"text": "\n".join(lines)}

    builder: Any = StateGraph(DraftState)
    for node in (begin, write, check, judge, ask_person, finish):
        builder.add_node(node.__name__, node)
    builder.add_edge(START, "begin")
    builder.add_edge("begin", "write")
    builder.add_conditional_edges("write", each_open, ["check", "judge"])
    builder.add_edge("check", "judge")
    builder.add_conditional_edges("judge", next_step, ["write", "ask_person", "finish"])
    builder.add_edge("ask_person", "finish")
    builder.add_edge("finish", END)
    return builder.compile(checkpointer=checkpointer, name="drafting_agent")


def fake_drafter(opinion_id: str) -> Drafter:
    """Stands for a model: its first claims are wrong; told so, it quotes one right and cannot save the other."""
    drafts = {
        "burden": [
            "(holding that the defendant bears the burden of proving that each limit was passed over)",
            "(the People bear the burden of proving that each limit was observed, and a silent record counts against"
            " them)",
        ],
        "weight": ["(noting that the eleven mesh bags held roughly 640 pounds of oysters)"],
    }

    def write(question: str, before: list[Citation]) -> list[Citation]:
        done = {one["id"] for one in before}
        return [
            Citation(id=id, claim=versions[-1] if id in done else versions[0], opinion_id=opinion_id, verdict=None)
            for id, versions in drafts.items()
        ]

    return write


async def main() -> str:
    """Draft, show the events, answer the interrupt as a person might, and return the text."""
    opinion = Opinion.load(Path(str(files("parcel_agents"))) / "examples" / "opinions" / "people_v_marlowe.md")
    verify = build_verify_graph(make_context(opinions=[opinion]))
    graph = build(fake_drafter(opinion.id), verify, InMemorySaver())
    config = {"configurable": {"thread_id": "draft-1"}}
    given: Any = {"question": "May a locker be searched?"}
    async for event in graph.astream(given, config, stream_mode="custom", subgraphs=True):
        if event[-1]["event"] == "resolved":
            print(event[-1]["label"], "-", event[-1]["reason"])  # noqa: T201 - an example
    state = await graph.aget_state(config)
    open_ = state.tasks[0].interrupts[0].value["open"]
    print("asked about:", [one["id"] for one in open_])  # noqa: T201
    done = await graph.ainvoke(Command(resume={one["id"]: "mark" for one in open_}), config)
    return str(done["text"])


if __name__ == "__main__":
    print(asyncio.run(main()))  # noqa: T201
