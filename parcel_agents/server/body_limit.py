"""What a request to the HTTP API may carry: JSON that says so, up to a limit that is held while it arrives."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from parcel_agents.server.problems import problem
from parcel_agents.server.receiving import Counted, said_length, too_large


class BodyLimit:
    """Middleware that refuses other and larger bodies at one path; forms have limits of their own."""

    def __init__(self, app: ASGIApp, *, path: str, most: int, is_stopping: Callable[[], bool]) -> None:
        """Take the path, the most bytes, and how to know that the app ends."""
        self._app = app
        self._path = path
        self._most = most
        self._is_stopping = is_stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http" or scope["path"] != self._path or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json" and not kind.endswith("+json"):
            await problem(415, "Send JSON, with the header Content-Type: application/json.")(scope, receive, send)
            return
        length = said_length(headers.get("content-length"))
        if length is None or length > self._most:
            await problem(413, too_large(self._most))(scope, receive, send)
            return
        counted = Counted(receive, self._most, self._is_stopping)
        try:
            await self._app(scope, counted, send)
        finally:
            counted.close()
