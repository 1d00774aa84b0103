"""The generator's graph: from decisions and briefs to claims of every class (PARCEL, section 3.3).

    START -> read_decisions -> find_exemplars -> order -> make (a Send per decision) -> END

`make` runs the graph of `generate_decision`. A decision that fails is recorded as failed, and leaves the others whole.
A node raises only where the whole run has to stop, because a key is not accepted, or a quota or the cap on costs is
used up; the decisions that are done stay done.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import numpy as np
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from parcel_agents.generation import exemplars, orders
from parcel_agents.generation.decisions import Decision, has_separate_opinion, load_decisions
from parcel_agents.generation.model import FINAL, DecisionRecord, Exemplars
from parcel_agents.graphs.generate_decision import DecisionGraph, build_decision, make_record
from parcel_agents.graphs.generate_state import DecisionState, GenerateContext, GenerateState
from parcel_agents.graphs.state import Json
from parcel_agents.providers import RunStoppedError
from parcel_agents.providers.cost import add_usage

GenerateGraph = CompiledStateGraph[GenerateState, None, GenerateState, GenerateState]


async def read_decisions(state: GenerateState, *, context: GenerateContext) -> Json:
    """Read the decisions that are not done; what cannot be used is recorded as excluded."""
    pending: list[str] = []
    decisions = load_decisions(context.files)
    while (one := await asyncio.to_thread(next, decisions, None)) is not None:
        if one.opinion is None or one.unfit:
            _exclude(context, one)
            continue
        context.opinions[one.id] = one.opinion
        if not is_complete(context.folder.record(one.id)):
            pending.append(one.id)
    return {"pending": pending}


async def find_exemplars(state: GenerateState, *, context: GenerateContext) -> Json:
    """Harvest parentheticals, have them rated, and choose those that are shown to the writer.

    Once for a set; but a rating that failed is asked for again, as long as there is something to write.
    """
    chosen = context.folder.exemplars()
    if chosen is None or (state["pending"] and chosen.asked_again):
        chosen = (await _choose(context)).after(chosen)
        context.folder.keep_exemplars(chosen)
        context.on_request()
    context.writer = await asyncio.to_thread(context.make_writer, context.opinions, chosen)
    return {}


async def _choose(context: GenerateContext) -> Exemplars:
    claims: list[str] = []
    rated = exemplars.Rated({})
    if context.rater is not None:
        texts = [*context.briefs, *(opinion.text for opinion in context.opinions.values())]
        claims = await asyncio.to_thread(exemplars.harvest_all, texts)
        rated = await exemplars.rate(exemplars.usable(claims), context.rater)
    return exemplars.choose_exemplars(claims, rated, np.random.default_rng(context.seed))


async def order(state: GenerateState, *, context: GenerateContext) -> Json:
    """Say how many claims of each kind each decision is to give."""
    separate = {id: has_separate_opinion(opinion) for id, opinion in context.opinions.items()}
    assert context.writer is not None
    allot = orders.allot if context.writer.learns else orders.everything
    allotted = allot(context.wanted, separate)
    return {"orders": {id: allotted[id] for id in state["pending"]}}


def each_decision(state: GenerateState) -> list[Send] | str:
    """One task per decision that is to be worked on."""
    tasks = [Send("make", {"opinion_id": id, "orders": state["orders"][id]}) for id in state["pending"]]
    return tasks or END


async def make(task: DecisionState, *, context: GenerateContext, graph: DecisionGraph) -> Json:
    """Work on one decision; whatever goes wrong is recorded.

    Raises:
        RunStoppedError: going on would be in vain, or cost more than was allowed.
    """
    opinion_id = task["opinion_id"]
    async with context.slots:
        try:
            record = await _run(graph, task, context)
        except RunStoppedError:
            raise
        except Exception as error:  # noqa: BLE001 - one decision's fault must not lose the others
            record = make_record(context, opinion_id, "failed", reason=f"{type(error).__name__}: {error}")
        record = _with_earlier(context.folder.record(opinion_id), record)
        context.folder.keep_record(record)
        if context.checkpointer is not None:
            await context.checkpointer.adelete_thread(opinion_id)
        context.forget(opinion_id)
        context.on_record(record)
    return {"done": [opinion_id]}


async def _run(graph: DecisionGraph, task: DecisionState, context: GenerateContext) -> DecisionRecord:
    """The decision's graph, from where it was left."""
    config: Any = {"configurable": {"thread_id": task["opinion_id"]}}
    left = await graph.aget_state(config) if context.checkpointer is not None else None
    if left is not None and left.values and not left.next:
        # A kill came between the end of the work and its record, or between the record and the end of the checkpoints.
        if "record" in left.values and context.folder.record(task["opinion_id"]) is None:
            return DecisionRecord.model_validate(left.values["record"])
        assert context.checkpointer is not None
        await context.checkpointer.adelete_thread(task["opinion_id"])
    state = await graph.ainvoke(None if left is not None and left.next else task, config)
    return DecisionRecord.model_validate(state["record"])


def _with_earlier(earlier: DecisionRecord | None, record: DecisionRecord) -> DecisionRecord:
    """The record of a decision that was worked on again, with what was spent on it before.

    What was made before stays where nothing came of it this time, or more requests failed.
    """
    if earlier is None:
        return record
    worse = record.status != "done" or len(record.failures) > len(earlier.failures)
    stays = earlier if earlier.status == "done" and worse else record
    return stays.model_copy(
        update={
            "usage": add_usage(earlier.usage, record.usage),
            "cost_usd": earlier.cost_usd + record.cost_usd,
            "requests": earlier.requests + record.requests,
        }
    )


def is_complete(record: DecisionRecord | None) -> bool:
    """True if nothing is to be asked again about a decision."""
    if record is None or record.status == "failed":
        return False
    asked_again = any(failure.outcome not in FINAL for failure in record.failures)
    unread = any(one.outcome not in FINAL | {"ok"} for one in record.review)
    return not (asked_again or unread)


def _exclude(context: GenerateContext, decision: Decision) -> None:
    size = len(decision.opinion.text) if decision.opinion else 0
    record = make_record(context, decision.id, "excluded", reason=decision.unfit, characters=size)
    context.folder.keep_record(record)
    context.on_record(record)


def build(context: GenerateContext) -> GenerateGraph:
    """The compiled graph of the whole; invoke it with an empty state."""
    builder: Any = StateGraph(GenerateState)
    builder.add_node("read_decisions", partial(read_decisions, context=context))
    builder.add_node("find_exemplars", partial(find_exemplars, context=context))
    builder.add_node("order", partial(order, context=context))
    builder.add_node("make", partial(make, context=context, graph=build_decision(context)))
    builder.add_edge(START, "read_decisions")
    builder.add_edge("read_decisions", "find_exemplars")
    builder.add_edge("find_exemplars", "order")
    builder.add_conditional_edges("order", each_decision, ["make", END])
    builder.add_edge("make", END)
    graph: GenerateGraph = builder.compile(name="generate")
    return graph
