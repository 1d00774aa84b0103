"""A queue of coroutines, in whatever event loop each of them runs."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress


class Waiters:
    """Wakes waiting coroutines in the order in which they came.

    An `asyncio.Condition` belongs to one event loop. Limits and the account of a run are shared by every thread
    and loop of the process; the owner guards them, and this queue, with a lock of its own.
    """

    def __init__(self) -> None:
        self._queue: deque[asyncio.Future[None]] = deque()

    def join(self) -> asyncio.Future[None]:
        """A future of the running loop to await, without holding the owner's lock."""
        future = asyncio.get_running_loop().create_future()
        self._queue.append(future)
        return future

    def wake(self, count: int | None = None) -> None:
        """Wake the first so many, None for all; who gave up is passed over."""
        woken = 0
        while self._queue and (count is None or woken < count):
            future = self._queue.popleft()
            if future.done():
                continue
            woken += 1
            # A closed loop has no one left to wake.
            with suppress(RuntimeError):
                future.get_loop().call_soon_threadsafe(_finish, future)

    def __len__(self) -> int:
        return sum(1 for future in self._queue if not future.done())


def _finish(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
