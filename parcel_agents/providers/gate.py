"""How many calls to one provider run at the same time: fewer after a 429, gradually more again.

Additive increase, multiplicative decrease, as TCP does it: the number finds what the provider allows without being
told, and several processes that share a key come to share it fairly.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from parcel_agents.providers.waiting import Waiters


class Gate:
    """Places for calls at work."""

    def __init__(self, places: int) -> None:
        """Begin with all places open; there are never more, and never less than one."""
        self._most = places
        self._places = float(places)
        self._busy = 0
        self._entered = 0
        self._last_cut = 0
        self._waiters = Waiters()
        self._lock = threading.Lock()

    @property
    def places(self) -> int:
        """How many calls may run now."""
        return int(self._places)

    @property
    def busy(self) -> int:
        """How many calls run now."""
        return self._busy

    @asynccontextmanager
    async def place(self) -> AsyncIterator[int]:
        """A place, waited for in turn; the number given is the ticket for `too_much`."""
        ticket = await self._enter()
        try:
            yield ticket
        finally:
            with self._lock:
                self._busy -= 1
                self._let_in()

    def widen(self, most: int) -> None:
        """Let another user of the same provider raise the number of places."""
        with self._lock:
            if most > self._most:
                self._places += most - self._most
                self._most = most
                self._let_in()

    def went_well(self) -> None:
        """One call was answered: a place more for every round of them."""
        with self._lock:
            if self._places < self._most:
                self._places = min(self._most, self._places + 1 / self._places)
                self._let_in()

    def too_much(self, ticket: int) -> None:
        """The call with this ticket was turned away: half the places.

        Calls that entered before the last cut say nothing new, so that a burst of 429s halves the places once.
        """
        with self._lock:
            if ticket > self._last_cut:
                self._places = max(1.0, self._places / 2)
                self._last_cut = self._entered

    async def _enter(self) -> int:
        first = True
        while True:
            with self._lock:
                # Who comes later does not pass those who wait.
                if self._busy < self.places and not (first and len(self._waiters)):
                    self._busy += 1
                    self._entered += 1
                    return self._entered
                turn = self._waiters.join()
            first = False
            try:
                await turn
            except asyncio.CancelledError:
                with self._lock:
                    # The turn may have come at the same moment; it goes to the next.
                    self._let_in()
                raise

    def _let_in(self) -> None:
        self._waiters.wake(max(0, self.places - self._busy))
