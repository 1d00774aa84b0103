"""Claims that clients of the HTTP API wait for: so many at once, and none half done when the app ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from starlette.exceptions import HTTPException

from parcel_agents.config import Config
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.integrations.checking import Checker
from parcel_agents.server.idempotency import Once
from parcel_agents.server.reading import Reader
from parcel_agents.server.sent_opinions import SentOpinions
from parcel_agents.server.settings import ServerSettings

T = TypeVar("T")

MAX_AT_ONCE = 256
"""Requests that are being answered; more are to come back later."""
READERS = 2
READ_SECONDS = 10.0
"""For a text that is sent: a client waits for it."""
FINISH_SECONDS = 5.0
"""So long may a request take to be finished when the app ends."""
_RETRY_SECONDS = 2
_LOOK_SECONDS = 0.2


class Verifying:
    """Counts the requests that are being answered. Belongs to one event loop."""

    def __init__(self, is_stopping: Callable[[], bool], *, at_once: int = MAX_AT_ONCE) -> None:
        """Say how to know that the app ends, and how many requests are answered at once."""
        self._is_stopping = is_stopping
        self._at_once = at_once
        self.count = 0

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """What the work returns.

        Raises:
            HTTPException: too much is being done already (429), or the app ends before this is done (503).
        """
        if self._is_stopping():
            raise _ending()
        if self.count >= self._at_once:
            raise HTTPException(
                429,
                f"{self.count} requests are being answered already; try again.",
                headers={"Retry-After": str(_RETRY_SECONDS)},
            )
        self.count += 1
        task = asyncio.ensure_future(work())
        try:
            await self._until_done(task)
            return task.result()
        finally:
            self.count -= 1
            task.cancel()

    async def _until_done(self, task: asyncio.Future[T]) -> None:
        ends = None
        while not task.done():
            await asyncio.wait({task}, timeout=_LOOK_SECONDS)
            if ends is None and self._is_stopping():
                ends = time.monotonic() + FINISH_SECONDS
            if ends is not None and time.monotonic() > ends and not task.done():
                raise _ending()


def _ending() -> HTTPException:
    return HTTPException(503, "The server is ending, and this was not done. Ask again.", headers={"Retry-After": "5"})


@dataclass(frozen=True)
class ClaimService:
    """What /v1/verify works with."""

    checker: Checker
    panel: str
    """The panel's name."""
    sent: SentOpinions
    running: Verifying
    once: Once


def claim_service(
    config: Config,
    settings: ServerSettings,
    is_stopping: Callable[[], bool],
    *,
    context: VerifyContext | None = None,
    reader: Callable[[float, int], Reader] = Reader,
) -> ClaimService:
    """The service for a configuration.

    Args:
        config: panels and settings.
        settings: what the web app may do.
        is_stopping: True as soon as the app ends.
        context: a panel at work to use instead of making one.
        reader: makes the process that reads opinions.

    Raises:
        InputError: the folder of opinions is none.
        ConfigError: the panel or something it names is unknown.
    """
    return ClaimService(
        checker=Checker(settings.opinions or (), config=config, context=context),
        panel=config.settings.panel,
        sent=SentOpinions([reader(READ_SECONDS, settings.read_bytes) for _ in range(READERS)]),
        running=Verifying(is_stopping),
        once=Once(),
    )
