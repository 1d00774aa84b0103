"""A question to a model, and its answer as fields: the rungs, the one repetition, the answer cache.

The rungs are ways to ask for a structured answer: json_schema, function_calling, json_mode, line. A model is asked at
the best one that is not known to fail. What the server refuses is not tried again; an answer without the form leads
to the next rung as long as none has ever worked; the rung that worked is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from parcel_agents.providers.answers import AnswerForm, UnreadableError, read_fields
from parcel_agents.providers.cache import AnswerCache, CacheKey, StoredAnswer, make_key
from parcel_agents.providers.calling import Called, Caller
from parcel_agents.providers.chat import ChatModel
from parcel_agents.providers.cost import add_usage
from parcel_agents.providers.outcomes import Failure
from parcel_agents.providers.spec import RUNGS, ModelSpec, Rung
from parcel_agents.types import Usage

T = TypeVar("T")


class UnusableError(Exception):
    """The answer has the right shape, but says something that cannot be."""


@dataclass(frozen=True)
class Question(Generic[T]):
    """What is asked. The messages do not depend on the rung; what a rung adds comes from the form."""

    system: str
    user: str
    prompt: str
    """Name and hash of the prompt file."""
    form: AnswerForm
    read: Callable[[dict[str, Any]], T]
    """Makes the answer from its fields; raises `UnusableError` if it cannot be."""
    repeat: int = 0
    """Which of several answers to the same question this is."""

    @property
    def size(self) -> int:
        """The size of the prompt, in bytes of UTF-8."""
        return len(self.system.encode()) + len(self.user.encode())


@dataclass(frozen=True)
class Asked(Generic[T]):
    """What came of a question: an answer, or a failure."""

    answer: T | None
    failure: Failure | None
    rung: Rung | None = None
    usage: Usage = field(default_factory=Usage)
    cost_usd: float = 0.0
    attempts: int = 0
    """Requests that were sent, repetitions included."""
    cached: bool = False

    def then(self, other: Asked[T]) -> Asked[T]:
        """What came of another question asked after this one, with the tokens and the requests of both."""
        return replace(
            other,
            usage=add_usage(self.usage, other.usage),
            cost_usd=self.cost_usd + other.cost_usd,
            attempts=self.attempts + other.attempts,
        )


@dataclass
class RungMemory:
    """Which rungs are known to work, or not to, for one model on one server."""

    proven: Rung | None = None
    refused: set[Rung] = field(default_factory=set)

    def order(self, spec: ModelSpec) -> list[Rung]:
        """The rungs to try, in order."""
        if spec.structured != "auto":
            return [spec.structured]
        if self.proven is not None:
            return [self.proven]
        # If everything was refused the fault lies elsewhere; one request tells as much as four.
        return [rung for rung in RUNGS if rung not in self.refused] or [RUNGS[-1]]

    def worked(self, rung: Rung) -> None:
        """Keep the best rung that worked."""
        if self.proven is None or RUNGS.index(rung) < RUNGS.index(self.proven):
            self.proven = rung


@dataclass(frozen=True)
class Asker:
    """Asks one model."""

    spec: ModelSpec
    memory: RungMemory
    cache: AnswerCache | None
    _caller: Callable[[], Caller]
    _chat: Callable[[AnswerForm], ChatModel]

    def key(self, question: Question[Any]) -> CacheKey:
        """What the answer cache knows the question by."""
        return make_key(
            model=self.spec.model,
            base_url=self.spec.url,
            messages={"instructions": question.system, "opinion and claim": question.user},
            parameters=self.spec.sent_parameters(),
            prompt=question.prompt,
            repeat=question.repeat,
        )

    async def ask(self, question: Question[T], *, use_cache: bool = True) -> Asked[T]:
        """The answer, or why there is none.

        Raises:
            RunStoppedError: see `Caller.call`.
        """
        key = self.key(question)
        if use_cache and (found := self._remembered(key, question)) is not None:
            return found
        asked, reading = await self._down_the_rungs(question)
        if self.cache is not None and asked.failure is None and asked.rung is not None:
            self.cache.put(key, StoredAnswer(reading.fields, asked.rung))
        return asked

    def _remembered(self, key: CacheKey, question: Question[T]) -> Asked[T] | None:
        stored = self.cache.get(key) if self.cache is not None else None
        if stored is None:
            return None
        try:
            return Asked(question.read(stored.fields), None, stored.rung, cached=True)
        except UnusableError:
            # Written by a version that read answers differently; the model is asked again.
            return None

    async def _down_the_rungs(self, question: Question[T]) -> tuple[Asked[T], _Reading[T]]:
        """What to report, and how the last message was read."""
        caller, chat = self._caller(), self._chat(question.form)
        rungs = self.memory.order(self.spec)
        asked: Asked[T] = Asked(None, None)
        may_repeat = True
        while True:
            rung = rungs[0]
            called = await caller.call(chat.sender(_messages(question, rung), rung), prompt_bytes=question.size)
            reading = self._read(called, rung, question)
            asked = asked.then(
                Asked(reading.answer, reading.failure, rung, called.usage, called.cost_usd, called.attempts)
            )
            if reading.failure is None:
                return asked, reading
            if reading.formless and self.memory.proven is None and len(rungs) > 1:
                rungs = rungs[1:]
            elif reading.failure.outcome == "unparseable" and may_repeat:
                may_repeat = False
            else:
                return asked, reading

    def _read(self, called: Called, rung: Rung, question: Question[T]) -> _Reading[T]:
        if called.message is None:
            failure = called.failure or Failure("error", "no message and no reason")
            if failure.refuses_form:
                self.memory.refused.add(rung)
            return _Reading(failure=failure, formless=failure.refuses_form)
        try:
            fields = read_fields(called.message, rung, question.form)
        except UnreadableError as error:
            return _Reading(failure=Failure("unparseable", str(error)), formless=True)
        self.memory.worked(rung)
        try:
            return _Reading(answer=question.read(fields), fields=fields)
        except UnusableError as error:
            return _Reading(failure=Failure("unparseable", str(error)))


@dataclass(frozen=True)
class _Reading(Generic[T]):
    """One message, read: an answer with its fields, or a failure."""

    answer: T | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    failure: Failure | None = None
    formless: bool = False
    """True where a plainer form may help: the server refused this one, or the model did not keep to it."""


def _messages(question: Question[Any], rung: Rung) -> list[BaseMessage]:
    form = question.form.instructions[rung]
    return [SystemMessage(question.system), HumanMessage(f"{question.user}\n\n{form}")]
