"""The bench on which models are asked again: verifiers, searchable opinions, and places for so many at a time."""

from __future__ import annotations

import asyncio

from parcel_agents.errors import ConfigError
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.graphs.verify import ask
from parcel_agents.hard.causes.leakage import Bench, knowing
from parcel_agents.types import Claim, Opinion, Vote
from parcel_agents.verifiers import Task, Verifier


def make_bench(context: VerifyContext) -> Bench:
    """The models of a panel, asked under its limits on time, on requests and on costs.

    Raises:
        ConfigError: no verifier of the panel asks a model.
    """
    verifiers = knowing(context.verifiers)
    if not verifiers:
        names = ", ".join(one.name for one in context.verifiers)
        raise ConfigError(
            f"the panel asks no model that could know the law ({names}); name one with --diagnose that does"
        )

    async def task(claim: Claim, opinion: Opinion) -> Task:
        def search() -> Task:
            index = context.retriever.index(opinion)
            return Task(claim, opinion, index, index.search(claim.text, context.top_k))

        return await asyncio.to_thread(search)

    async def vote(verifier: Verifier, given: Task) -> Vote:
        async with context.slots:
            try:
                async with asyncio.timeout(context.deadline_s):
                    return await ask(verifier, given)
            except TimeoutError:
                late = f"no vote within the deadline of {context.deadline_s:g} s"
                return Vote(verifier=verifier.name, outcome="timeout", reason=late)

    return Bench(verifiers, task, vote)
