"""Bodies that arrive slowly, in pieces, or never to their end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

BODY_SECONDS = 120.0
"""In which a body has to be there."""
UNDER_WAY_BYTES = 400_000_000
"""Of all bodies that are arriving; more would have to be kept in memory or on disk at once."""
_LOOK_SECONDS = 0.25


class Arriving:
    """How much is arriving just now, over all requests. Belongs to one event loop."""

    def __init__(self) -> None:
        self.bytes = 0


arriving = Arriving()


class Counted:
    """Takes the pieces of one body, with limits to its size, its time, and all that is arriving."""

    def __init__(self, receive: Receive, most: int, is_stopping: Callable[[], bool]) -> None:
        """Take where the pieces come from, the most bytes, and how to know that the app ends."""
        self._receive = receive
        self._most = most
        self._is_stopping = is_stopping
        self._until = time.monotonic() + BODY_SECONDS
        self._got = 0

    async def __call__(self) -> Message:
        """The next piece.

        Raises:
            HTTPException: it is too large (413), too slow (408), too much with all others (429), or the app ends (503).
        """
        message = await self._next()
        size = len(message.get("body", b""))
        self._got += size
        arriving.bytes += size
        if self._got > self._most:
            raise HTTPException(413, too_large(self._most))
        if arriving.bytes > UNDER_WAY_BYTES:
            raise HTTPException(429, "Too much is arriving already; try again.", {"Retry-After": "5"})
        return message

    def close(self) -> None:
        """The body is there, or will never be."""
        arriving.bytes -= self._got
        self._got = 0

    async def _next(self) -> Message:
        task = asyncio.ensure_future(self._receive())
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=_LOOK_SECONDS)
                if not task.done() and self._is_stopping():
                    raise HTTPException(503, "The server is ending. Ask again.", {"Retry-After": "5"})
                if not task.done() and time.monotonic() > self._until:
                    raise HTTPException(408, f"The request was not there after {BODY_SECONDS:g} seconds.")
            return task.result()
        finally:
            task.cancel()


def too_large(most: int) -> str:
    """What is said of a body that is larger than this."""
    return f"The most that can be sent at once is {most / 1e6:,.1f} MB."


def said_length(header: str | None) -> int | None:
    """The length that a request says it has; 0 where it says none, None where that is no number."""
    said = header or "0"
    return int(said[:20]) if said.isascii() and said.isdigit() else None
