"""The app: pages, jobs, the HTTP API, and the guard before them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.metadata import version

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response
from starlette.exceptions import HTTPException

from parcel_agents.server.api_routes import router as api_router
from parcel_agents.server.body_limit import BodyLimit
from parcel_agents.server.events import Streams
from parcel_agents.server.job_routes import router as job_router
from parcel_agents.server.jobs import Jobs
from parcel_agents.server.openapi import describe
from parcel_agents.server.opinion_shelf import OpinionShelf
from parcel_agents.server.pages import Pages
from parcel_agents.server.problems import problem, problem_of
from parcel_agents.server.routes import router
from parcel_agents.server.run_routes import router as run_router
from parcel_agents.server.security import HEADERS, Guard, Keys
from parcel_agents.server.settings import ServerSettings
from parcel_agents.server.verifying import ClaimService

_log = logging.getLogger(__name__)
_TITLES = {
    400: "This cannot be done",
    403: "This is not allowed",
    404: "There is no such page",
    405: "This page cannot do that",
    409: "Not now",
    413: "That is too much at once",
    429: "Too much to do just now",
    501: "This cannot be done here",
    503: "Too much to do just now",
}
MAX_JSON_BYTES = 8_000_000
_WORDS = {404: "It may have been deleted. All checks are listed on the first page.", 405: "Go back to the first page."}


@dataclass(frozen=True)
class Services:
    """What the routes work with; `request.app.state.services`."""

    settings: ServerSettings
    jobs: Jobs
    keys: Keys
    opinions: OpinionShelf
    pages: Pages
    claims: ClaimService
    streams: Streams = field(default_factory=Streams)
    beginning: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a brief of the HTTP API is begun: one key, one run."""


def is_api(path: str) -> bool:
    """True for what programs ask for, and are answered in JSON."""
    return path == "/v1" or path.startswith("/v1/")


def create_app(settings: ServerSettings, jobs: Jobs, claims: ClaimService) -> FastAPI:
    """The app over the jobs, which somebody else starts and stops, and the service for single claims."""
    keys = Keys(jobs.folder, settings.token)
    opinions = OpinionShelf()
    pages = Pages(settings, keys, opinions)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await claims.sent.close()

    app = FastAPI(
        title="parcel-agents",
        version=version("parcel-agents"),
        docs_url=None,
        redoc_url=None,
        openapi_url="/v1/openapi.json",
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.services = Services(settings, jobs, keys, opinions, pages, claims)
    for one in (router, job_router, api_router, run_router):
        app.include_router(one)
    describe(app, needs_token=settings.token is not None)

    def refuse(path: str, status: int, title: str, words: str) -> Response:
        return problem(status, f"{title}. {words}") if is_api(path) else pages.error(status, title, words)

    def log_in(path: str) -> Response:
        if is_api(path):
            return problem(401, "Send the token: Authorization: Bearer ...", headers={"WWW-Authenticate": "Bearer"})
        return RedirectResponse("/login", 303)

    def refused(request: Request, error: Exception) -> Response:
        if is_api(request.url.path) and isinstance(error, HTTPException | RequestValidationError):
            return problem_of(error)
        status = error.status_code if isinstance(error, HTTPException) else 404
        told = str(error.detail) if isinstance(error, HTTPException) and error.status_code not in _WORDS else ""
        return pages.error(status, _TITLES.get(status, "This did not work"), told or _WORDS.get(status, ""))

    def broken(request: Request, error: Exception) -> Response:
        _log.error("%s %s broke down", request.method, request.url.path, exc_info=error)
        answer = refuse(
            request.url.path, 500, "Something broke", "The server's log says where. What was checked so far is kept."
        )
        # This is sent from outside of the guard.
        answer.headers.update(HEADERS)
        return answer

    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(RequestValidationError, refused)
    app.add_exception_handler(Exception, broken)
    app.add_middleware(BodyLimit, path="/v1/verify", most=MAX_JSON_BYTES, is_stopping=lambda: jobs.stopping)
    app.add_middleware(Guard, settings=settings, keys=keys, refuse=refuse, log_in=log_in)
    return app
