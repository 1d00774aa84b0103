"""The verifier `llm`: one model reads the opinion, or what was retrieved of it, and gives a label.

[verifier.glm]
kind = "llm"
model = "openai:z-ai/glm-4.7"
context = "auto"         # full | evidence | auto
protocol = "evidence"    # evidence: label, passages, reason | label: the paper's, a label on the bare opinion
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal

from pydantic import Field

from parcel_agents.errors import ConfigError
from parcel_agents.providers import Asked, Asker, Estimate, ModelSpec, Providers, Question
from parcel_agents.providers.answers import AnswerForm
from parcel_agents.providers.cache import Explanation
from parcel_agents.providers.cost import estimate_call, estimate_tokens
from parcel_agents.providers.spec import check_settings
from parcel_agents.types import LABELS, EvidenceRef, Label, Opinion, Relation, Vote
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.llm_answer import Answer, Protocol, make_form, read_answer
from parcel_agents.verifiers.prompts import Rendered, Template, load_template, render

PROMPTS: dict[Protocol, str] = {"evidence": "evidence_v1", "label": "label_v1"}
"""The prompt file of each protocol."""
_TYPICAL_OUTPUT: dict[Protocol, int] = {"evidence": 120, "label": 12}
"""Tokens of an answer, for the estimate; reasoning models use more, and the estimate's upper bound covers them."""

_RELATIONS: dict[Label, Relation] = {"supported": "supports", "refuted": "contradicts", "not_found": "nearest"}


class LlmSettings(ModelSpec):
    """A `[verifier.NAME]` table of kind `llm`."""

    context: Literal["full", "evidence", "auto"] = "auto"
    """What the model reads: the whole opinion, the passages retrieved, or the whole where it fits."""
    protocol: Protocol = "evidence"
    prompt: str | None = None
    """A prompt file of the package other than the protocol's own."""
    repeat: int = Field(default=0, ge=0)
    """Another number is another vote of the same model on the same claim, where several are wanted."""

    def template(self) -> Template:
        """The prompt file."""
        return load_template(self.prompt or PROMPTS[self.protocol])


@dataclass(frozen=True)
class LlmVerifier:
    """See the module."""

    name: str
    settings: LlmSettings
    asker: Asker
    casts: frozenset[Label] = frozenset(LABELS)

    @property
    def locates(self) -> bool:
        """Whether its votes point to passages; under the protocol `label` they cannot."""
        return self.settings.protocol == "evidence"

    async def verify(self, task: Task) -> Vote:
        """See `Verifier.verify`.

        Raises:
            RunStoppedError: the key is not accepted, the quota is used up, or the cap on costs is reached.
        """
        return await self._vote(task, use_cache=True)

    async def verify_afresh(self, task: Task) -> Vote:
        """The vote without the answer cache, for `doctor`."""
        return await self._vote(task, use_cache=False)

    def estimate(self, tasks: Sequence[Task]) -> Estimate:
        """What the votes on these claims are going to use; answers in the cache cost nothing."""
        total = Estimate()
        for task in tasks:
            question = self._question(self._render(task))
            cache = self.asker.cache
            if cache is not None and cache.get(self.asker.key(question)) is not None:
                total += Estimate(votes=1, cached_votes=1)
            else:
                total += estimate_call(self.settings, question.size, _TYPICAL_OUTPUT[self.settings.protocol])
        return total

    def explain(self, task: Task) -> Explanation | None:
        """Why the cache has, or has not, the answer on this claim; None without a cache."""
        cache = self.asker.cache
        return None if cache is None else cache.explain(self.asker.key(self._question(self._render(task))))

    async def _vote(self, task: Task, *, use_cache: bool) -> Vote:
        rendered = self._render(task)
        if not rendered.shown:
            # Whoever has read nothing has found nothing, which is not the label `not_found`.
            return Vote(verifier=self.name, outcome="ok", reason="there is no passage to read")
        try:
            async with asyncio.timeout(self.settings.deadline_s):
                return await self._ask(task, rendered, use_cache=use_cache)
        except TimeoutError:
            reason = f"no vote within the deadline of {self.settings.deadline_s:g} s"
            return Vote(verifier=self.name, outcome="timeout", reason=reason)

    async def _ask(self, task: Task, rendered: Rendered, *, use_cache: bool) -> Vote:
        asked = await self.asker.ask(self._question(rendered), use_cache=use_cache)
        overflow = asked.failure is not None and asked.failure.outcome == "context_overflow"
        if overflow and self.settings.context == "auto" and len(rendered.shown) > len(task.hits) > 0:
            # The server knows its window better than the settings do.
            rendered = self._render(task, whole=False)
            asked = asked.then(await self.asker.ask(self._question(rendered), use_cache=use_cache))
        return self._vote_of(asked, rendered, task.opinion)

    def _vote_of(self, asked: Asked[Answer], rendered: Rendered, opinion: Opinion) -> Vote:
        common: dict[str, Any] = {
            "verifier": self.name,
            "usage": asked.usage,
            "cost_usd": asked.cost_usd,
            "model": self.settings.model,
            "prompt": self._template.id,
            "rung": asked.rung,
            "attempts": asked.attempts,
            "cached": asked.cached,
        }
        if asked.answer is None:
            failure = asked.failure
            detail = failure.detail if failure else "no answer and no reason"
            attempts = f" (after {asked.attempts} requests)" if asked.attempts > 1 else ""
            return Vote(**common, outcome=failure.outcome if failure else "error", reason=detail + attempts)
        answer = asked.answer
        return Vote(
            **common,
            outcome="ok",
            label=answer.label,
            reason=answer.reason,
            evidence=tuple(_ref(opinion, id, _RELATIONS[answer.label]) for id in answer.passages),
            read=rendered.shown,
        )

    @cached_property
    def _template(self) -> Template:
        return self.settings.template()

    @cached_property
    def _form(self) -> AnswerForm:
        return make_form(self.settings.protocol, self._template.instructions)

    def _render(self, task: Task, *, whole: bool | None = None) -> Rendered:
        whole = self.settings.context != "evidence" if whole is None else whole
        hits = [hit.passage for hit in task.hits]
        rendered = render(self._template, task.opinion, task.claim, passages=None if whole else hits)
        if self.settings.context == "auto" and whole and hits and not self._fits(rendered):
            return render(self._template, task.opinion, task.claim, passages=hits)
        return rendered

    def _fits(self, rendered: Rendered) -> bool:
        tokens = estimate_tokens(len(f"{rendered.system}{rendered.user}".encode()))
        return tokens + self.settings.max_output_tokens <= self.settings.context_window

    def _question(self, rendered: Rendered) -> Question[Answer]:
        return Question(
            system=rendered.system,
            user=rendered.user,
            prompt=self._template.id,
            form=self._form,
            read=partial(read_answer, shown=rendered.shown, locates=self.locates),
            repeat=self.settings.repeat,
        )


def make_llm_verifier(name: str, *, providers: Providers, **settings: Any) -> LlmVerifier:
    """The verifier that a `[verifier.NAME]` table of kind `llm` describes.

    Raises:
        ConfigError: a setting is unknown or not allowed.
    """
    checked = check_settings(LlmSettings, name, settings)
    if checked.template().asks_for_passages != (checked.protocol == "evidence"):
        raise ConfigError(f"verifier {name!r}: the prompt {checked.prompt!r} is not for protocol {checked.protocol!r}")
    return LlmVerifier(name, checked, providers.asker(checked))


def _ref(opinion: Opinion, id: str, relation: Relation) -> EvidenceRef:
    passage = opinion.passage(id)
    return EvidenceRef(passage=id, start=passage.start, end=passage.end, relation=relation)
