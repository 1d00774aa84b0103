"""The graph of one decision: claims are written, sifted and read blind. It is checkpointed by itself, so that a killed
command goes on in the midst of a decision.

    START -> write_supported -> write (a Send per strategy) -> sift -> read_blind (a Send per claim) -> record -> END
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from parcel_agents.generation import orders
from parcel_agents.generation.blind import compare
from parcel_agents.generation.duplicates import find_duplicates
from parcel_agents.generation.model import FINAL, STRATEGIES, Candidate, DecisionRecord, Dropped, Status, WritingFailure
from parcel_agents.generation.writing import Order
from parcel_agents.graphs.generate_state import DecisionState, GenerateContext, OrderTask, ReadingTask
from parcel_agents.graphs.state import Json
from parcel_agents.graphs.verify import ask
from parcel_agents.providers.cost import add_usage
from parcel_agents.types import Claim, Usage, Vote
from parcel_agents.verifiers import Task

DecisionGraph = CompiledStateGraph[DecisionState, None, DecisionState, DecisionState]


async def write_supported(state: DecisionState, *, context: GenerateContext) -> Json:
    """True claims about the decision, which the false ones start from."""
    task = OrderTask(
        opinion_id=state["opinion_id"], kind="supported", wanted=state["orders"]["supported"], true_claims=[]
    )
    return await write(task, context=context)


def each_strategy(state: DecisionState) -> list[Send] | str:
    """One task per kind of claim that is still to be written; none where there is nothing to start from."""
    first = state["written"][0]
    true_claims = [candidate["claim"] for candidate in first["candidates"]]
    others = {kind: wanted for kind, wanted in state["orders"].items() if kind != "supported"}
    if not true_claims or not others:
        return "sift"
    return [
        Send("write", OrderTask(opinion_id=state["opinion_id"], kind=kind, wanted=wanted, true_claims=true_claims))
        for kind, wanted in others.items()
    ]


async def write(task: OrderTask, *, context: GenerateContext) -> Json:
    """Claims of one kind that are fit for the set."""
    assert context.writer is not None
    opinion_id, kind = task["opinion_id"], task["kind"]
    placed = Order(
        opinion_id=opinion_id,
        opinion=context.opinions[opinion_id],
        kind=kind,
        wanted=task["wanted"],
        usage_types=context.wanted.usage_types,
        true_claims=tuple(task["true_claims"]) if kind in STRATEGIES else (),
    )
    made = await orders.fill(context.writer, placed, context.index(opinion_id))
    context.on_request()
    return {
        "written": [
            {
                "kind": kind,
                "candidates": [one.model_dump(mode="json") for one in made.candidates],
                "dropped": [one.model_dump(mode="json") for one in made.dropped],
                "failure": made.failure.model_dump(mode="json") if made.failure else None,
                "usage": made.usage.model_dump(mode="json"),
                "cost_usd": made.cost_usd,
                "requests": made.requests,
            }
        ]
    }


async def sift(state: DecisionState, *, context: GenerateContext) -> Json:
    """Drop what says the same twice, over all kinds."""
    # Orders come back in any order; the set must not depend on it.
    written = sorted(state["written"], key=lambda one: (one["kind"] != "supported", one["kind"]))
    candidates = [Candidate.model_validate(one) for result in written for one in result["candidates"]]
    dropped = dict(find_duplicates(candidates))
    kept = [one.model_dump(mode="json") for place, one in enumerate(candidates) if place not in dropped]
    return {"sifted": {"candidates": kept, "dropped": [one.model_dump(mode="json") for one in dropped.values()]}}


def each_claim(state: DecisionState, *, context: GenerateContext) -> list[Send] | str:
    """One task per claim for the blind reader, who is told the claim and nothing else of it."""
    candidates = state["sifted"]["candidates"]
    if context.reader is None or not candidates:
        return "record"
    return [
        Send("read_blind", ReadingTask(opinion_id=state["opinion_id"], place=place, claim=one["claim"]))
        for place, one in enumerate(candidates)
    ]


async def read_blind(task: ReadingTask, *, context: GenerateContext) -> Json:
    """The blind reader's vote on one claim."""
    assert context.reader is not None
    index = context.index(task["opinion_id"])
    vote = await ask(context.reader, Task(Claim.of(task["claim"]), index.opinion, index, ()))
    context.on_request()
    return {"readings": [{"place": task["place"], "vote": vote.model_dump(mode="json")}]}


async def record(state: DecisionState, *, context: GenerateContext) -> Json:
    """What came of the decision."""
    written = state["written"]
    failures = tuple(WritingFailure.model_validate(one["failure"]) for one in written if one["failure"])
    candidates = [Candidate.model_validate(one) for one in state["sifted"]["candidates"]]
    votes = {one["place"]: Vote.model_validate(one["vote"]) for one in state.get("readings", [])}
    read = context.reader is not None
    # A reading that is not there fails the decision; it must not pass for agreement.
    results = [compare(one, votes[place]) if read else one for place, one in enumerate(candidates)]
    refused = next((one for one in failures if one.kind == "supported"), None)
    status: Status = "done" if refused is None or candidates else "excluded" if refused.outcome in FINAL else "failed"
    made = make_record(
        context,
        state["opinion_id"],
        status,
        reason=f"{refused.outcome}: {refused.detail}" if refused and not candidates else "",
        candidates=tuple(one for one in results if isinstance(one, Candidate)),
        review=tuple(one for one in results if not isinstance(one, Candidate)),
        dropped=tuple(
            Dropped.model_validate(one) for result in [*written, state["sifted"]] for one in result["dropped"]
        ),
        failures=failures,
        usage=_sum(
            [*(Usage.model_validate(one["usage"]) for one in written), *(vote.usage for vote in votes.values())]
        ),
        cost_usd=sum(one["cost_usd"] for one in written) + sum(vote.cost_usd for vote in votes.values()),
        requests=sum(one["requests"] for one in written) + sum(vote.attempts for vote in votes.values()),
    )
    return {"record": made.model_dump(mode="json")}


def build_decision(context: GenerateContext) -> DecisionGraph:
    """The compiled graph of one decision."""
    builder: Any = StateGraph(DecisionState)
    builder.add_node("write_supported", partial(write_supported, context=context))
    builder.add_node("write", partial(write, context=context))
    builder.add_node("sift", partial(sift, context=context))
    builder.add_node("read_blind", partial(read_blind, context=context))
    builder.add_node("record", partial(record, context=context))
    builder.add_edge(START, "write_supported")
    builder.add_conditional_edges("write_supported", each_strategy, ["write", "sift"])
    builder.add_edge("write", "sift")
    builder.add_conditional_edges("sift", partial(each_claim, context=context), ["read_blind", "record"])
    builder.add_edge("read_blind", "record")
    builder.add_edge("record", END)
    graph: DecisionGraph = builder.compile(name="decision", checkpointer=context.checkpointer)
    return graph


def make_record(context: GenerateContext, opinion_id: str, status: Status, **fields: Any) -> DecisionRecord:
    """The record of a decision; one that is done has its file copied into the set."""
    opinion = context.opinions.get(opinion_id)
    name = context.folder.keep_opinion(context.files[opinion_id], opinion_id) if status == "done" else ""
    known = {"characters": len(opinion.text)} if opinion else {}
    return DecisionRecord(opinion_id=opinion_id, file=name, status=status, **{**known, **fields})


def _sum(usages: Iterable[Usage]) -> Usage:
    total = Usage()
    for usage in usages:
        total = add_usage(total, usage)
    return total
