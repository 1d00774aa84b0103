"""The verifier `agent`: a model reads the opinion with tools, and gives a label when it has read enough.

[verifier.agent-glm]
kind = "agent"
model = "openai:z-ai/glm-4.7"    # a model that can call tools, on a server that lets it
max_steps = 8
max_tokens_total = 60_000
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from parcel_agents.providers import Estimate, ModelSpec, Providers
from parcel_agents.providers.cache import CacheKey, Explanation, StoredAnswer, make_key
from parcel_agents.providers.spec import check_settings
from parcel_agents.types import LABELS, EvidenceRef, Label, Opinion, Relation, Vote
from parcel_agents.verifiers.agent_graph import (
    AgentContext,
    AgentState,
    begin,
    build,
    verdict_form,
)
from parcel_agents.verifiers.agent_prompt import load_agent_prompt
from parcel_agents.verifiers.base import Task

_RELATIONS: dict[Label, Relation] = {"supported": "supports", "refuted": "contradicts", "not_found": "nearest"}
_NODES_A_STEP = 2
_KEPT = {"outcome", "label", "reason", "evidence", "read", "tool_calls", "model", "prompt", "rung"}
"""What of a vote is kept; a vote from the cache has cost nothing."""


class AgentSettings(ModelSpec):
    """A `[verifier.NAME]` table of kind `agent`."""

    max_steps: int = Field(default=8, ge=1, le=100)
    """Calls to the model for one vote, the verdict included."""
    max_tokens_total: int = Field(default=60_000, ge=1)
    """Tokens of one vote over all its calls; what was read before is sent, and counts, with every call again."""


@dataclass(frozen=True)
class AgentVerifier:
    """See the module."""

    name: str
    settings: AgentSettings
    providers: Providers
    casts: frozenset[Label] = frozenset(LABELS)

    async def verify(self, task: Task) -> Vote:
        """See `Verifier.verify`.

        Raises:
            RunStoppedError: the key is not accepted, the quota is used up, or the cap on costs is reached.
        """
        return await self._vote_on(task, use_cache=True)

    async def verify_afresh(self, task: Task) -> Vote:
        """The vote without the answer cache, for `doctor`."""
        return await self._vote_on(task, use_cache=False)

    def key(self, task: Task) -> CacheKey:
        """What the answer cache knows a conversation by: all that it starts from, and the opinion it reads."""
        prompt, settings = load_agent_prompt(), self.settings
        messages = prompt.begin(task.claim, steps=settings.max_steps)
        return make_key(
            model=settings.model,
            base_url=settings.url,
            messages={
                **{str(message.type): str(message.content) for message in messages},
                "opinion": task.opinion.model_dump_json(exclude={"source"}),
            },
            parameters={
                **settings.sent_parameters(),
                "max_steps": settings.max_steps,
                "max_tokens_total": settings.max_tokens_total,
            },
            prompt=prompt.id,
            repeat=0,
        )

    def explain(self, task: Task) -> Explanation | None:
        """Why the cache has, or has not, the vote on this claim; None without a cache."""
        cache = self.providers.cache
        return None if cache is None else cache.explain(self.key(task))

    async def _vote_on(self, task: Task, *, use_cache: bool) -> Vote:
        if not task.opinion.passages:
            # Whoever has read nothing has found nothing, which is not the label `not_found`.
            return Vote(verifier=self.name, outcome="ok", reason="there is no passage to read")
        key, cache = self.key(task), self.providers.cache
        if use_cache and cache is not None and (stored := cache.get(key)) is not None:
            return Vote.model_validate({**stored.fields, "verifier": self.name, "cached": True})
        vote = await self._converse(task)
        if cache is not None and vote.outcome == "ok":
            cache.put(key, StoredAnswer(vote.model_dump(mode="json", include=_KEPT), "function_calling"))
        return vote

    async def _converse(self, task: Task) -> Vote:
        prompt = load_agent_prompt()
        context = AgentContext(
            task=task,
            prompt=prompt,
            caller=self.providers.caller(self.settings),
            chat=self.providers.chat(self.settings, verdict_form(prompt)),
            max_steps=self.settings.max_steps,
            max_tokens=self.settings.max_tokens_total,
        )
        state = begin(prompt.begin(task.claim, steps=self.settings.max_steps))
        config = {"recursion_limit": _NODES_A_STEP * self.settings.max_steps + 5}
        try:
            async with asyncio.timeout(self.settings.deadline_s):
                # Streamed, so that what was read and spent is known even if the deadline cuts the conversation off.
                async for latest in build(context).astream(state, config, stream_mode="values"):
                    state = latest
        except TimeoutError:
            reason = f"no vote within the deadline of {self.settings.deadline_s:g} s"
            return self._vote(state, outcome="timeout", reason=reason)
        return self._vote_of(state, task.opinion)

    def estimate(self, tasks: Sequence[Task]) -> Estimate:
        """What the votes may use at most, since how far an agent reads cannot be told before it does."""
        cache = self.providers.cache
        kept = sum(cache is not None and cache.get(self.key(task)) is not None for task in tasks)
        tokens = (len(tasks) - kept) * self.settings.max_tokens_total
        most = tokens * max(self.settings.input_price or 0.0, self.settings.output_price or 0.0) / 1e6
        unpriced = () if self.settings.priced else (self.settings.model,)
        return Estimate(
            votes=len(tasks),
            cached_votes=kept,
            input_tokens=tokens,
            cost_usd=most,
            most_usd=most,
            unpriced=unpriced,
        )

    def _vote_of(self, state: AgentState, opinion: Opinion) -> Vote:
        answer, failure = state["answer"], state["failure"]
        if answer is None:
            detail = failure.detail if failure else "no answer and no reason"
            return self._vote(state, outcome=failure.outcome if failure else "error", reason=detail)
        shown = frozenset(state["shown"])
        return self._vote(
            state,
            outcome="ok",
            label=answer.label,
            reason=answer.reason,
            evidence=tuple(_ref(opinion, id, _RELATIONS[answer.label]) for id in answer.passages),
            read=tuple(passage.id for passage in opinion.passages if passage.id in shown),
        )

    def _vote(self, state: AgentState, *, reason: str, **said: Any) -> Vote:
        spent = state["spent"]
        return Vote(
            verifier=self.name,
            reason=reason,
            tool_calls=tuple(state["calls"]),
            usage=spent.usage,
            cost_usd=spent.cost_usd,
            attempts=spent.requests,
            model=self.settings.model,
            prompt=load_agent_prompt().id,
            rung="function_calling",
            **said,
        )


def make_agent_verifier(name: str, *, providers: Providers, **settings: Any) -> AgentVerifier:
    """The verifier that a `[verifier.NAME]` table of kind `agent` describes.

    Raises:
        ConfigError: a setting is unknown or not allowed.
        MissingDependencyError: the library that speaks to the model's provider is not installed.
    """
    checked = check_settings(AgentSettings, name, settings)
    # Not to ask with, but to be known: the library is looked for now, and the price before the run.
    providers.asker(checked)
    return AgentVerifier(name, checked, providers)


def _ref(opinion: Opinion, id: str, relation: Relation) -> EvidenceRef:
    passage = opinion.passage(id)
    return EvidenceRef(passage=id, start=passage.start, end=passage.end, relation=relation)
