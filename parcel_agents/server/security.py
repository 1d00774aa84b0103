"""Who may ask for what: the host that a request names, the page that it comes from, and the token.

Every answer leaves with headers that let a browser run nothing but our own scripts and keep nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from fastapi import Request, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parcel_agents.server.settings import ServerSettings

COOKIE = "parcel_agents"
OPEN_TO_ALL = ("/login", "/static/")
WRONG_TOKEN_SECONDS = 1.0
_LEAST_SECRET = 64
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # Without any referrer a browser would not say either where a form comes from.
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}


class Keys:
    """What forms and logged-in browsers show; made of a secret kept beside the jobs, so that a restart ends neither."""

    def __init__(self, folder: Path, token: str | None) -> None:
        """Read the secret, or make it."""
        path = folder / "secret"
        # An empty file is what a kill between its making and its writing leaves; a key made of it could be guessed.
        if not path.exists() or len(path.read_text().strip()) < _LEAST_SECRET:
            path.touch(mode=0o600)
            path.write_text(secrets.token_hex(32))
        secret = path.read_text().strip().encode()
        self._token = token
        self.form = hmac.new(secret, b"form", hashlib.sha256).hexdigest()
        self._session = hmac.new(secret, f"session {token}".encode(), hashlib.sha256).hexdigest()

    @property
    def session(self) -> str:
        """The cookie of a browser that has given the token."""
        return self._session

    def logged_in(self, request: Request) -> bool:
        """True if a browser has given the token, or none is needed."""
        return self._token is None or _same(request.cookies.get(COOKIE, ""), self._session)

    async def lets_in(self, request: Request) -> bool:
        """True also for a program that gives the token with its request (`Authorization: Bearer ...`)."""
        if self.logged_in(request):
            return True
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and await self.accepts(token.strip())

    async def accepts(self, token: str) -> bool:
        """True for the token. Who gives a wrong one waits."""
        if self._token is not None and _same(token, self._token):
            return True
        await asyncio.sleep(WRONG_TOKEN_SECONDS)
        return False

    def is_ours(self, form: str) -> bool:
        """True for what our own forms send with them."""
        return _same(form, self.form)


class Guard:
    """Middleware that turns away what is not for us, and puts the headers on everything.

    `refuse` makes the answer from path, status, title and words; `log_in` from the path.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        settings: ServerSettings,
        keys: Keys,
        refuse: Callable[[str, int, str, str], Response],
        log_in: Callable[[str], Response],
    ) -> None:
        self._app = app
        self._settings = settings
        self._keys = keys
        self._refuse = refuse
        self._log_in = log_in

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = await self._objection(scope)
        await (answer or self._app)(scope, receive, guarded)

    async def _objection(self, scope: Scope) -> Response | None:
        headers, path = Headers(scope=scope), scope["path"]
        if any(ord(sign) < 32 for sign in path):
            # The router would take `/v1/verify` and a line's end for `/v1/verify`.
            return self._refuse(path, 400, "This address is not served", "It has signs that no address has.")
        host = _host_name(headers.get("host", ""))
        if host is None or not self._settings.serves(host):
            return self._refuse(
                path, 400, "This address is not served", "Open the app under the address that it shows when it starts."
            )
        if scope["method"] not in ("GET", "HEAD") and not _same_site(headers):
            return self._refuse(
                path,
                403,
                "This came from another page",
                "The app does only what its own pages ask for. Nothing was done.",
            )
        if not path.startswith(OPEN_TO_ALL) and not await self._keys.lets_in(Request(scope)):
            return self._log_in(path)
        return None


def _same_site(headers: Headers) -> bool:
    """False if a browser says that a page of another origin asks; what is no browser says nothing."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() and origin.startswith("http")
    except ValueError:
        return False


def _host_name(header: str) -> str | None:
    """The name in a Host header, without the port; None where it is none."""
    try:
        parts = urlsplit(f"//{header}")
        port_is_one = parts.port is None or 0 < parts.port < 65536
    except ValueError:
        return None
    return parts.hostname if port_is_one and parts.netloc == header and "@" not in header else None


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
