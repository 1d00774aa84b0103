"""Everything that the models of a run share: keys, limits, the account, the answer cache, what was learnt of each."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Awaitable, Callable, Mapping

from pydantic import SecretStr

from parcel_agents.providers.answers import AnswerForm
from parcel_agents.providers.asking import Asker, RungMemory
from parcel_agents.providers.cache import AnswerCache
from parcel_agents.providers.calling import Access, Caller, Lane
from parcel_agents.providers.chat import ChatModel, check_sdk
from parcel_agents.providers.cost import Account, check_prices
from parcel_agents.providers.gate import Gate
from parcel_agents.providers.limits import Limits
from parcel_agents.providers.spec import ModelSpec


class Providers:
    """Makes an `Asker` for each model. One for a run, or for as long as a program works."""

    def __init__(
        self,
        environ: Mapping[str, str],
        *,
        cache: AnswerCache | None = None,
        max_cost_usd: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        rng: random.Random | None = None,
    ) -> None:
        """Open for business; nothing is imported or sent yet.

        Args:
            environ: where the keys are.
            cache: answers kept from before; None for no cache.
            max_cost_usd: the cap on costs; None for none.
            clock: seconds on a monotonic clock.
            sleep: waits so many seconds.
            rng: scatters the moments of repeated calls.
        """
        self.account = Account(max_cost_usd)
        self.cache = cache
        self._environ = environ
        self._clock = clock
        self._sleep = sleep
        self._rng = rng or random.Random()
        self._groups: dict[str, tuple[Limits, Gate]] = {}
        self._access: dict[tuple[str, str | None], Access] = {}
        self._memories: dict[tuple[str, str], RungMemory] = {}
        self._chats: dict[tuple[str, str], ChatModel] = {}
        self._specs: list[ModelSpec] = []
        self._lock = threading.Lock()

    def asker(self, spec: ModelSpec) -> Asker:
        """The way to ask this model; all that have one key share its limits.

        Raises:
            MissingDependencyError: the library that speaks to its provider is not installed.
        """
        check_sdk(spec)
        self._specs.append(spec)
        memory = self._memories.setdefault((spec.url, spec.model), RungMemory())
        self.lane(spec)
        return Asker(spec, memory, self.cache, lambda: self.caller(spec), lambda form: self.chat(spec, form))

    def check_prices(self) -> None:
        """Make sure that the cap on costs can hold for every model that was asked for.

        Raises:
            ConfigError: there is a cap, and a model without a price.
        """
        check_prices(self.account.cap_usd, self._specs)

    def caller(self, spec: ModelSpec) -> Caller:
        """The way to call this model with requests of one's own, under the same limits and the same account.

        Raises:
            AuthError: the environment does not hold the key.
        """
        return Caller(spec, self.lane(spec), self.account, self._sleep, self._rng, self._key(spec))

    def chat(self, spec: ModelSpec, form: AnswerForm) -> ChatModel:
        """The model's LangChain clients, made once for each set of settings and form of answer.

        Raises:
            AuthError: the environment does not hold the key.
        """
        # Two verifiers may use one model with different settings; the settings are part of the name.
        name = (spec.model_dump_json(), form.name)
        with self._lock:
            if name not in self._chats:
                self._chats[name] = ChatModel(spec, self._key(spec), form)
            return self._chats[name]

    def lane(self, spec: ModelSpec) -> Lane:
        """What this model shares with others."""
        with self._lock:
            access = self._access.setdefault((spec.url, spec.key_name), Access())
            if spec.group not in self._groups:
                limits = Limits(clock=self._clock, sleep=self._sleep)
                self._groups[spec.group] = (limits, Gate(spec.concurrency))
            limits, gate = self._groups[spec.group]
            limits.tighten(rpm=spec.rpm, tpm=spec.tpm)
            gate.widen(spec.concurrency)
            return Lane(limits, gate, access)

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        for chat in self._chats.values():
            await chat.aclose()

    def _key(self, spec: ModelSpec) -> SecretStr | None:
        return spec.find_key(self._environ)
