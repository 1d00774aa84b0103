"""The graph of hard claims: which claims verifiers fail together, how they hang together, and why.

    START -> distribute -> relate -> choose -> diagnose (a Send per claim) -> summarise -> END

It works on recorded votes. Where the context has the opinions, each hard claim is diagnosed by its text as well; where
it has a bench, models are asked again (see `causes.leakage`). A cause whose diagnosis raises is written down as failed
for that claim, and nothing else is lost. Beside the hard claims some others of the same labels go the same way, so that
a cause that applies to everything is seen to explain nothing.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from parcel_agents.hard.causes import OFFLINE, untold
from parcel_agents.hard.causes.leakage import knowledge_leakage, probe
from parcel_agents.hard.choosing import controls_for, hardest_first
from parcel_agents.hard.claim import HardClaim
from parcel_agents.hard.cofailure import CoFailure, co_failures
from parcel_agents.hard.communities import communities
from parcel_agents.hard.covers import covers
from parcel_agents.hard.distribution import distribution
from parcel_agents.hard.patterns import failing_patterns
from parcel_agents.hard.plain import plain
from parcel_agents.hard.state import DiagnoseTask, HardContext, HardInput, HardState, Json
from parcel_agents.hard.summary import summarise as sum_up
from parcel_agents.hard.worth import worths
from parcel_agents.providers import RunStoppedError

HardClaimsGraph = CompiledStateGraph[HardState, None, HardInput, HardState]


def distribute(state: HardState, *, context: HardContext) -> Json:
    """Table 7: how many claims at least k verifiers fail, overall, by label and by strategy."""
    return {"distribution": plain(distribution(context.failures, context.groups, context.shares))}


def relate(state: HardState, *, context: HardContext) -> Json:
    """Who fails together, which claims do, which panels cover all claims, and who would help most."""
    failures, hard = context.failures, context.failures.hard(state["k"])
    found = communities(failing_patterns(failures), np.flatnonzero(hard), seed=context.seed)
    return {
        "failure_graph": {
            "pairs": [_with_lift(pair) for pair in co_failures(failures)],
            "communities": [
                {
                    "claims": [context.claims[row].id for row in one.claims],
                    "share_failing": one.share_failing,
                    "core": list(one.core),
                }
                for one in found.communities
            ],
            "agreement": found.agreement,
            "covers": plain(covers(failures)),
            "worth": plain(worths(context.ballots, failures.gold, hard, context.panel)),
        }
    }


def choose(state: HardState, *, context: HardContext) -> Json:
    """The hard claims, the hardest first; those that are diagnosed, their controls, and the votes on all of these."""
    hard = context.failures.hard(state["k"])
    opinions = [claim.opinion_id for claim in context.claims]
    ranked = hardest_first(context.failures, context.ballots, state["k"], opinions)
    chosen = ranked[: context.limit]
    # Without opinions nothing can be told of claims that nobody fails.
    most = context.max_controls if context.opinions else 0
    controls = controls_for(context.failures, hard, chosen, most, context.seed).tolist()
    rows: dict[str, list[int]] = {"hard": ranked, "diagnosed": chosen, "controls": controls}
    ids = {name: [context.claims[row].id for row in places] for name, places in rows.items()}
    context.votes = dict(context.read_votes([*ids["diagnosed"], *ids["controls"]]))
    return {**ids}


def fan_out(state: HardState, *, context: HardContext) -> list[Send] | str:
    """One task per claim; those about one opinion on end, so that what is found of its text serves them all."""
    tasks = [DiagnoseTask(claim_id=id, role="hard") for id in state["diagnosed"]]
    tasks += [DiagnoseTask(claim_id=id, role="control") for id in state["controls"]]
    row_of = context.row_of
    tasks.sort(key=lambda task: context.claims[row_of[task["claim_id"]]].opinion_id)
    return [Send("diagnose", task) for task in tasks] or "summarise"


async def diagnose(task: DiagnoseTask, *, context: HardContext) -> Json:
    """Every cause of one claim: those that apply, those that could not be told, and those that raised."""
    hard = _hard_claim(task["claim_id"], context)
    causes: list[Json] = []
    failed: dict[str, str] = {}
    unknown: list[str] = [*untold(hard)]
    for name, find in OFFLINE.items():
        if name in unknown:
            continue
        try:
            cause = find(hard)
        except Exception as error:  # noqa: BLE001 - one diagnosis's fault must not cancel the others
            failed[name] = f"{type(error).__name__}: {error}"
            continue
        causes += [cause.model_dump(mode="json")] if cause is not None else []
    probes: list[Json] = []
    if context.bench is None or task["role"] == "control":
        unknown.append("knowledge_leakage")
    elif context.stopped is not None:
        failed["knowledge_leakage"] = context.stopped
    else:
        try:
            asked = await probe(hard, context.bench)
        except RunStoppedError as error:
            context.stopped = failed["knowledge_leakage"] = str(error)
        except Exception as error:  # noqa: BLE001 - as above
            failed["knowledge_leakage"] = f"{type(error).__name__}: {error}"
        else:
            leak = knowledge_leakage(asked)
            missing = dict.fromkeys(one.verifier for one in asked if one.outcome != "ok")
            if leak is None and missing:
                # Who has not answered has not shown that it only reads.
                failed["knowledge_leakage"] = f"no answer from {', '.join(missing)}"
            causes += [leak.model_dump(mode="json")] if leak is not None else []
            probes = [one.model_dump(mode="json") for one in asked]
    found = {**task, "causes": causes, "failed": failed, "unknown": unknown, "probes": probes}
    return {"diagnoses": [found]}


def summarise(state: HardState, *, context: HardContext) -> Json:
    """How often each cause applies, and how often each model knew."""
    claims = {claim.id: claim for claim in context.claims}
    return {"summary": plain(sum_up(state.get("diagnoses", []), claims))}


def _hard_claim(claim_id: str, context: HardContext) -> HardClaim:
    row = context.row_of[claim_id]
    claim = context.claims[row]
    opinion = context.opinions.get(claim.opinion_id)
    located = context.locate(opinion, claim.evidence) if opinion is not None and claim.evidence else None
    ordinary = context.ordinary if opinion is not None else frozenset()
    return HardClaim(claim, context.votes.get(claim_id, ()), opinion, located, ordinary)


def _with_lift(pair: CoFailure) -> Json:
    return {**plain(pair), "lift": plain(pair.lift), "lift_by_label": plain(pair.lift_by_label)}


def build(context: HardContext) -> HardClaimsGraph:
    """The compiled graph. Its input is `{"k": 3}`; its output is the whole state."""
    builder: Any = StateGraph(HardState, input_schema=HardInput, output_schema=HardState)
    builder.add_node("distribute", partial(distribute, context=context))
    builder.add_node("relate", partial(relate, context=context))
    builder.add_node("choose", partial(choose, context=context))
    builder.add_node("diagnose", partial(diagnose, context=context))
    builder.add_node("summarise", partial(summarise, context=context))
    builder.add_edge(START, "distribute")
    builder.add_edge("distribute", "relate")
    builder.add_edge("relate", "choose")
    builder.add_conditional_edges("choose", partial(fan_out, context=context), ["diagnose", "summarise"])
    builder.add_edge("diagnose", "summarise")
    builder.add_edge("summarise", END)
    graph: HardClaimsGraph = builder.compile(name="hard_claims")
    return graph
