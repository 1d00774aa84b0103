"""A limit to what a request to the HTTP API may carry, held while it arrives."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parcel_agents.server.problems import problem


class BodyLimit:
    """Middleware that refuses larger bodies at some paths; forms have limits of their own."""

    def __init__(self, app: ASGIApp, *, most: dict[str, int]) -> None:
        """Take the most bytes by path."""
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        most = self._most.get(scope.get("path", "")) if scope["type"] == "http" else None
        if most is None:
            await self._app(scope, receive, send)
            return
        told = f"The most that can be sent at once is {most / 1e6:,.1f} MB."
        said = Headers(scope=scope).get("content-length", "0")
        if not said.isascii() or not said.isdigit() or int(said[:20]) > most:
            await problem(413, told)(scope, receive, send)
            return
        got = 0

        async def counted() -> Message:
            nonlocal got
            message = await receive()
            got += len(message.get("body", b""))
            if got > most:
                raise HTTPException(413, told)
            return message

        await self._app(scope, counted, send)
