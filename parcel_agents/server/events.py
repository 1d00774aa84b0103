"""A job's progress as server-sent events. A browser that was away is told at once all that it has missed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from parcel_agents.server.record import JobRecord
from parcel_agents.server.words import Progress, progress_of, status_tag

MAX_STREAMS = 100
LOOK_SECONDS = 0.25
BEAT_SECONDS = 15.0


async def events_of(
    record: JobRecord, seen: int, *, is_over: Callable[[], bool], look: float = LOOK_SECONDS
) -> AsyncIterator[str]:
    """Events until the job ends or nobody is to be told any more.

    Each has the words for how far it is, and the claims that were done since the event before. Its id is the number of
    claims told so far, which a browser gives back when it comes again.

    Args:
        record: the job.
        seen: how many claims the browser was told of.
        is_over: True as soon as the app ends.
        look: seconds between two looks at the job.
    """
    told: Progress | None = None
    had_claims = bool(record.claims.claims)
    quiet = 0.0
    yield "retry: 1000\n\n"
    while not is_over():
        progress = progress_of(record)
        done = record.done()
        seen = min(max(seen, 0), len(done))
        if progress != told or len(done) > seen:
            # The list of claims has to be fetched before claims in it can change.
            has_claims = bool(record.claims.claims)
            data = {
                "words": progress.words,
                "done": progress.done,
                "total": progress.total,
                "ended": progress.ended,
                "reload": has_claims and not had_claims,
                "claims": [{"number": number, **status_tag(status)} for number, status in done[seen:]],
            }
            had_claims, told, seen, quiet = has_claims, progress, len(done), 0.0
            yield f"id: {seen}\nevent: progress\ndata: {json.dumps(data)}\n\n"
            if progress.ended:
                return
        elif quiet >= BEAT_SECONDS:
            quiet = 0.0
            yield ": still here\n\n"
        await asyncio.sleep(look)
        quiet += look


def seen_of(request: Request) -> int:
    """How many claims a client was told of that comes again, by the id of the last event; 0 if it is new."""
    last = request.headers.get("last-event-id") or request.query_params.get("seen", "0")
    return int(last) if last.isascii() and last.isdigit() and len(last) < 9 else 0


class Streams:
    """Counts the streams that are open: they would use up the connections that pages need."""

    def __init__(self, most: int = MAX_STREAMS) -> None:
        """Say how many may be open at once."""
        self._most = most
        self._open = 0

    def respond(self, events: AsyncIterator[str]) -> StreamingResponse:
        """The events as an answer, which counts until it has ended.

        Raises:
            HTTPException: too many are open (429).
        """
        if self._open >= self._most:
            raise HTTPException(429, f"{self._open} streams of events are open already.", {"Retry-After": "10"})
        self._open += 1
        return _Counted(events, self._close)

    def _close(self) -> None:
        self._open -= 1


class _Counted(StreamingResponse):
    """Server-sent events; says when they have ended, however they did."""

    def __init__(self, events: AsyncIterator[str], close: Callable[[], None]) -> None:
        super().__init__(events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
        self._close = close

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._close()
