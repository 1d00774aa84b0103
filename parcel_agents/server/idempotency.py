"""Requests that a client sends again because it does not know whether they were done: they are done once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Header
from starlette.exceptions import HTTPException

KEPT = 1_000
KEPT_BYTES = 50_000_000
"""Keys, and their answers together; the oldest goes first, those that are being made stay."""

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        pattern=r"^[\x21-\x7e]+$",
        description="a new value for each request that is to be done once, such as a UUID; sent again, the same "
        "request is answered with the answer to the first",
    ),
]


def other_request() -> HTTPException:
    """What a key gets that came with another request before."""
    return HTTPException(422, "This Idempotency-Key was used for another request; make a new key.")


@dataclass
class Once:
    """Answers by key, in memory. Belongs to one event loop."""

    _begun: OrderedDict[str, tuple[str, asyncio.Future[bytes]]] = field(default_factory=OrderedDict)

    async def answer(self, key: str | None, fingerprint: str, work: Callable[[], Awaitable[bytes]]) -> bytes:
        """What the work returns, or what it returned or will return to an earlier request with this key.

        Args:
            key: the client's; None to do the work whatever happened before.
            fingerprint: stands for the request.
            work: does it.

        Raises:
            HTTPException: the key came with another request (422).
        """
        if key is None:
            return await work()
        known = self._begun.get(key)
        if known is None:
            known = fingerprint, asyncio.ensure_future(work())
            self._begun[key] = known
            known[1].add_done_callback(lambda done: self._ended(key, done))
        if known[0] != fingerprint:
            raise other_request()
        # One client that goes away must not take the answer from the others.
        return await asyncio.shield(known[1])

    def _ended(self, key: str, done: asyncio.Future[bytes]) -> None:
        """Forget a failure, so that the request can be done after all, and the oldest answers where there are many."""
        if done.cancelled() or done.exception() is not None:
            if self._begun.get(key, ("", None))[1] is done:
                del self._begun[key]
            return
        sizes = {key: len(one.result()) for key, (_, one) in self._begun.items() if one.done()}
        for oldest in list(sizes):
            if len(sizes) <= KEPT and sum(sizes.values()) <= KEPT_BYTES:
                break
            del self._begun[oldest], sizes[oldest]
