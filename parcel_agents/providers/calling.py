"""One call to a model, as often as it needs: limits, cost, the deadline, and our own rule for trying again.

The SDKs' retries are switched off. They know nothing of a shared limit, and LangGraph's would repeat a whole vote.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from langchain_core.messages import AIMessage
from pydantic import SecretStr

from parcel_agents.providers.cost import Account, add_usage, cost_usd, estimate_tokens, most_usage
from parcel_agents.providers.gate import Gate
from parcel_agents.providers.limits import Booking, Limits
from parcel_agents.providers.outcomes import Failure, read_exception
from parcel_agents.providers.reading import cut_prompt, read_ending, read_usage
from parcel_agents.providers.secrets import redact
from parcel_agents.providers.spec import ModelSpec
from parcel_agents.providers.stop import AuthError, QuotaError, RunStoppedError
from parcel_agents.types import Usage

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0
"""No wait between two attempts of a call is longer; a provider that asks for more ends the call as rate limited."""
_TYPICAL_ANSWER_TOKENS = 400

Send = Callable[[], Awaitable[AIMessage]]


@dataclass
class Access:
    """Whether a provider still answers to a key."""

    stopped: RunStoppedError | None = None
    """Set once the provider has said that this key will get no answer; no request follows."""


@dataclass(frozen=True)
class Lane:
    """What models share: those of one key its access, those of one group their limits and places."""

    limits: Limits
    gate: Gate
    access: Access


@dataclass(frozen=True)
class Called:
    """How a call ended: exactly one of message and failure is there."""

    message: AIMessage | None
    failure: Failure | None
    usage: Usage = field(default_factory=Usage)
    """Of all attempts."""
    cost_usd: float = 0.0
    attempts: int = 0


@dataclass(frozen=True)
class Caller:
    """Calls one model."""

    spec: ModelSpec
    lane: Lane
    account: Account
    sleep: Callable[[float], Awaitable[None]]
    rng: random.Random
    key: SecretStr | None

    async def call(self, send: Send, *, prompt_bytes: int) -> Called:
        """The model's message, or why there is none after all attempts that the rule allows.

        Args:
            send: makes one request.
            prompt_bytes: the size of the prompt in UTF-8, for the limits and the cap.

        Raises:
            RunStoppedError: no further request to this provider can succeed, or the cap on costs is reached.
        """
        done = Called(None, None)
        while True:
            one = await self._attempt(send, prompt_bytes)
            done = replace(
                one,
                usage=add_usage(done.usage, one.usage),
                cost_usd=done.cost_usd + one.cost_usd,
                attempts=done.attempts + 1,
            )
            failure = one.failure
            if failure is None or not failure.retryable or done.attempts > self.spec.retries:
                return done
            wait = self._wait_s(failure, done.attempts)
            if wait is None:
                return done
            await self.sleep(wait)

    async def _attempt(self, send: Send, prompt_bytes: int) -> Called:
        async with self.lane.gate.place() as ticket:
            booking = await self.lane.limits.wait(estimate_tokens(prompt_bytes) + _TYPICAL_ANSWER_TOKENS)
            self._refuse_if_stopped()
            worst = most_usage(self.spec, prompt_bytes)
            reserved = await self.account.reserve(cost_usd(self.spec, worst))
            # Until it is known better: whoever is interrupted here has paid for the prompt.
            spent = cost_usd(self.spec, Usage(input_tokens=estimate_tokens(prompt_bytes)))
            try:
                one = await self._send(send, prompt_bytes)
                spent = one.cost_usd if one.failure is None or not one.failure.maybe_billed else spent
            finally:
                self.account.settle(reserved, spent)
            self._learn(one, ticket, booking)
        return one

    async def _send(self, send: Send, prompt_bytes: int) -> Called:
        try:
            async with asyncio.timeout(self.spec.timeout_s):
                message = await send()
        except RunStoppedError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever an SDK raises is read, and becomes a failure
            failure = read_exception(error)
            return Called(None, replace(failure, detail=self._tell(failure.detail)))
        usage = read_usage(message)
        ending = read_ending(message)
        if ending is None and self.spec.detect_cut_prompt:
            ending = cut_prompt(usage, prompt_bytes)
        if ending is not None:
            ending = replace(ending, detail=self._tell(ending.detail))
        return Called(None if ending else message, ending, usage, cost_usd(self.spec, usage))

    def _learn(self, one: Called, ticket: int, booking: Booking) -> None:
        """Let limits and places follow what happened; end the run where nothing else can follow."""
        used = one.usage.input_tokens + one.usage.output_tokens
        if used:
            self.lane.limits.settle(booking, used)
        failure = one.failure
        if failure is None:
            self.lane.gate.went_well()
        elif failure.stop is not None:
            self.lane.access.stopped = self._end_of_access(failure)
            self._refuse_if_stopped()
        elif failure.outcome == "rate_limited" and failure.retryable:
            self.lane.gate.too_much(ticket)
            if failure.retry_after_s is not None:
                self.lane.limits.pause(min(failure.retry_after_s, LONGEST_WAIT_S))

    def _wait_s(self, failure: Failure, attempts: int) -> float | None:
        """How long to wait before the next attempt; None if it would be too long to wait at all.

        After Retry-After the shared pause holds everybody back, and only a little is added so that not all come back
        at the same moment.
        """
        if failure.retry_after_s is not None:
            return None if failure.retry_after_s > LONGEST_WAIT_S else self.rng.uniform(0, FIRST_WAIT_S)
        longest = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** (attempts - 1))
        return longest * self.rng.uniform(0.5, 1.0)

    def _end_of_access(self, failure: Failure) -> RunStoppedError:
        name = f" in {self.spec.key_name}" if self.spec.key_name else ""
        if failure.stop == "auth":
            what = f"does not accept the key{name}; put another one there, or choose another panel"
            return AuthError(f"{self.spec.url} {what} ({failure.detail})")
        what = f"has no quota or credit left for the key{name}; add some, or go on later"
        return QuotaError(f"{self.spec.url} {what} ({failure.detail})")

    def _refuse_if_stopped(self) -> None:
        if self.lane.access.stopped is not None:
            # A fresh one each time: a raised exception carries the traceback of where it was raised.
            raise type(self.lane.access.stopped)(str(self.lane.access.stopped))

    def _tell(self, detail: str) -> str:
        return redact("".join(c if c.isprintable() else " " for c in detail), [self.key])
