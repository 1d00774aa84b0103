"""The verify graph: one claim against one opinion.

    START -> prepare -> retrieve -> verify (a Send per verifier of the tier) -> resolve -+-> certify -> END
                                      ^------------ escalate: the next tier -------------+

`prepare` indexes an opinion once however many claims it has. A verifier's failure is a vote whose outcome tells what
happened; the node `verify` raises only where the whole run has to stop, because a key is not accepted, or a quota or
the cap on costs is used up. `resolve` runs when all votes of the tier are in; a policy that can do without the later
tiers ends the claim there.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Overwrite, Send

from parcel_agents import ensemble
from parcel_agents.graphs.certify import certify
from parcel_agents.graphs.events import tell_tier, tell_vote
from parcel_agents.graphs.nodes import Node
from parcel_agents.graphs.state import (
    Json,
    VerifyContext,
    VerifyInput,
    VerifyOutput,
    VerifyState,
    VerifyTask,
    claim_of,
)
from parcel_agents.providers import RunStoppedError
from parcel_agents.types import Claim, Hit, Vote
from parcel_agents.verifiers import Task, Verifier

VerifyGraph = CompiledStateGraph[VerifyState, None, VerifyInput, VerifyOutput]


async def prepare(state: VerifyState, *, context: VerifyContext) -> Json:
    """Index the opinion, and forget what the run before has left in a thread that is used again.

    Raises:
        KeyError: the context does not hold the opinion.
    """
    if state["opinion_id"] not in context.opinions:
        raise KeyError(f"the opinion {state['opinion_id']!r} is not known; add it to the context first")
    await context.index(state["opinion_id"])
    return {"tier": 0, "votes": Overwrite([]), "resolution": None}


async def retrieve(state: VerifyState, *, context: VerifyContext) -> Json:
    """Rank the passages for the claim."""
    index = await context.index(state["opinion_id"])
    hits = await asyncio.to_thread(index.search, state["claim"], context.top_k)
    tell_tier(claim_of(state).id, state["tier"], context)
    return {"hits": [hit.model_dump() for hit in hits]}


def fan_out(state: VerifyState, *, context: VerifyContext) -> list[Send]:
    """One task per verifier of the tier whose turn it is; ids travel, texts do not."""
    return [
        Send(
            "verify",
            VerifyTask(
                claim_id=claim_of(state).id,
                claim=state["claim"],
                opinion_id=state["opinion_id"],
                hits=state["hits"],
                verifier=verifier.name,
            ),
        )
        for verifier in context.tiers[state["tier"]]
    ]


async def verify(task: VerifyTask, *, context: VerifyContext) -> Json:
    """One verifier's vote."""
    verifier = context.verifier(task["verifier"])
    index = await context.index(task["opinion_id"])
    given = Task(
        claim=Claim(id=task["claim_id"], text=task["claim"]),
        opinion=index.opinion,
        index=index,
        hits=tuple(Hit.model_validate(hit) for hit in task["hits"]),
    )
    async with context.slots:
        started = context.clock()
        vote = await ask(verifier, given)
        vote = vote.model_copy(update={"latency_s": context.clock() - started})
    tell_vote(task["claim_id"], vote)
    return {"votes": [vote.model_dump(mode="json")]}


async def resolve(state: VerifyState, *, context: VerifyContext) -> Json:
    """What the policy makes of the votes; nothing but the next tier's turn if it wants that one asked first."""
    votes = [Vote.model_validate(vote) for vote in state["votes"]]
    resolution = ensemble.resolve(context.policy, context.panel, votes, tier=state["tier"])
    if resolution is None:
        tell_tier(claim_of(state).id, state["tier"] + 1, context)
        return {"tier": state["tier"] + 1}
    return {"resolution": resolution.model_dump()}


def escalate(state: VerifyState, *, context: VerifyContext) -> list[Send] | str:
    """The next tier's tasks while there is no resolution, else the way to `certify`."""
    return "certify" if state.get("resolution") is not None else fan_out(state, context=context)


async def ask(verifier: Verifier, task: Task) -> Vote:
    """The verifier's vote; whatever goes wrong is a vote that is missing, and never a label.

    Raises:
        RunStoppedError: asking on would be in vain, or cost more than was allowed.
    """
    try:
        vote = await verifier.verify(task)
    except RunStoppedError:
        raise
    except Exception as error:  # noqa: BLE001 - one verifier's fault must not cancel its siblings
        return Vote(verifier=verifier.name, outcome="error", reason=f"{type(error).__name__}: {error}")
    if vote.verifier != verifier.name or (vote.label is not None and vote.label not in verifier.casts):
        return Vote(
            verifier=verifier.name,
            outcome="error",
            reason=f"gave a vote it may not cast: {vote.label!r} in the name of {vote.verifier!r}",
        )
    known = task.opinion
    if any(not known.has_passage(ref.passage) for ref in vote.evidence):
        return Vote(verifier=verifier.name, outcome="unparseable", reason="points to a passage that is not there")
    return vote


def build(context: VerifyContext) -> VerifyGraph:
    """The compiled graph. It may be a node of another graph whose state has the fields of `VerifyInput`."""
    builder: Any = StateGraph(VerifyState, input_schema=VerifyInput, output_schema=VerifyOutput)
    builder.add_node("prepare", Node(prepare, context=context))
    builder.add_node("retrieve", Node(retrieve, context=context))
    builder.add_node("verify", Node(verify, context=context))
    builder.add_node("resolve", Node(resolve, context=context))
    builder.add_node("certify", Node(certify, context=context))
    builder.add_edge(START, "prepare")
    builder.add_edge("prepare", "retrieve")
    builder.add_conditional_edges("retrieve", partial(fan_out, context=context), ["verify"])
    builder.add_edge("verify", "resolve")
    builder.add_conditional_edges("resolve", partial(escalate, context=context), ["verify", "certify"])
    builder.add_edge("certify", END)
    graph: VerifyGraph = builder.compile(name="verify")
    return graph


def graph_of(context: VerifyContext) -> VerifyGraph:
    """The context's own graph, compiled once; it keeps no checkpoints, whatever graph it is called in."""
    if context.compiled is None:
        graph = build(context)
        graph.checkpointer = False
        context.compiled = graph
    found: VerifyGraph = context.compiled
    return found
