"""Requests and tokens a minute, and the pauses that a provider asks for.

A provider counts what arrives within any minute, so the limit is a sliding window and not a bucket, which would let
twice the limit through in its first minute. A call books the next moment that fits and sleeps until then: no lock is
held while it waits, the order is that of arrival, and every thread and event loop can share one window. Tokens are
booked by estimate and corrected when the server has counted them, which ready-made limiters cannot do.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

MINUTE_S = 60.0


@dataclass
class _Entry:
    at: float
    amount: float


class Window:
    """So much within any stretch of a minute. Its owner guards it with a lock."""

    def __init__(self, limit: float) -> None:
        """Take the limit."""
        self.limit = limit
        self._entries: deque[_Entry] = deque()

    def earliest(self, amount: float, at: float) -> float:
        """The first moment, from `at` on, at which the amount fits.

        An amount above the whole limit gets a minute of its own: to refuse it would be to never ask.
        """
        entries = [entry for entry in self._entries if entry.at + MINUTE_S > at]
        used = sum(entry.amount for entry in entries)
        for entry in entries:
            if used + amount <= self.limit:
                break
            at = max(at, entry.at + MINUTE_S)
            used -= entry.amount
        return at

    def add(self, amount: float, at: float) -> _Entry:
        """Take the amount at a moment not before that of the last entry."""
        while self._entries and self._entries[0].at + MINUTE_S <= at:
            self._entries.popleft()
        entry = _Entry(at, amount)
        self._entries.append(entry)
        return entry


@dataclass(frozen=True)
class Booking:
    """A call's moment, and what it takes of each window."""

    at: float
    request: _Entry | None
    tokens: _Entry | None


class Limits:
    """The limits of one provider key, shared by all models that use it."""

    def __init__(
        self,
        *,
        rpm: int | None = None,
        tpm: int | None = None,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Take the limits, None for none. `clock` gives seconds on a monotonic clock, `sleep` waits so many."""
        self._clock = clock
        self._sleep = sleep
        self._requests: Window | None = None
        self._tokens: Window | None = None
        self._paused_until = 0.0
        self._last = 0.0
        self._lock = threading.Lock()
        self.tighten(rpm=rpm, tpm=tpm)

    def tighten(self, *, rpm: int | None, tpm: int | None) -> None:
        """Take the stricter of these limits and those in force, where users of one key name different ones."""
        with self._lock:
            if rpm:
                self._requests = self._requests or Window(rpm)
                self._requests.limit = min(self._requests.limit, rpm)
            if tpm:
                self._tokens = self._tokens or Window(tpm)
                self._tokens.limit = min(self._tokens.limit, tpm)

    def pause(self, seconds: float) -> None:
        """Send nothing for so long, because the provider said so."""
        with self._lock:
            self._paused_until = max(self._paused_until, self._clock() + seconds)

    async def wait(self, tokens: int) -> Booking:
        """Wait until a request of about so many tokens may be sent.

        Returns:
            What to hand to `settle` when the true number of tokens is known.
        """
        while True:
            booking = self._book(tokens)
            try:
                while (delay := booking.at - self._clock()) > 0:
                    await self._sleep(delay)
            except asyncio.CancelledError:
                self._drop(booking)
                raise
            if self._clock() >= self._paused_until:
                return booking
            # A pause has been asked for meanwhile: the moment is lost, and so is the place in the minute.
            self._drop(booking)

    def settle(self, booking: Booking, tokens: int) -> None:
        """Say how many tokens a request took in truth."""
        if booking.tokens is not None:
            with self._lock:
                booking.tokens.amount = tokens

    def _book(self, tokens: int) -> Booking:
        with self._lock:
            at = max(self._clock(), self._paused_until)
            if self._requests is None and self._tokens is None:
                return Booking(at, None, None)
            at = max(at, self._last)
            while True:
                before = at
                at = self._requests.earliest(1, at) if self._requests else at
                at = self._tokens.earliest(tokens, at) if self._tokens else at
                if at == before:
                    break
            self._last = at
            return Booking(
                at,
                self._requests.add(1, at) if self._requests else None,
                self._tokens.add(tokens, at) if self._tokens else None,
            )

    def _drop(self, booking: Booking) -> None:
        with self._lock:
            for entry in (booking.request, booking.tokens):
                if entry is not None:
                    entry.amount = 0
