"""The app: pages, jobs, and the guard before them."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response
from starlette.exceptions import HTTPException

from parcel_agents.server.job_routes import router as job_router
from parcel_agents.server.jobs import Jobs
from parcel_agents.server.opinion_shelf import OpinionShelf
from parcel_agents.server.pages import Pages
from parcel_agents.server.routes import router
from parcel_agents.server.security import HEADERS, Guard, Keys
from parcel_agents.server.settings import ServerSettings

_log = logging.getLogger(__name__)
_TITLES = {
    400: "This cannot be done",
    403: "This is not allowed",
    404: "There is no such page",
    405: "This page cannot do that",
    409: "Not now",
    413: "That is too much at once",
    501: "This cannot be done here",
    503: "Too much to do just now",
}
_WORDS = {404: "It may have been deleted. All checks are listed on the first page.", 405: "Go back to the first page."}


@dataclass(frozen=True)
class Services:
    """What the routes work with; `request.app.state.services`."""

    settings: ServerSettings
    jobs: Jobs
    keys: Keys
    opinions: OpinionShelf
    pages: Pages


def create_app(settings: ServerSettings, jobs: Jobs) -> FastAPI:
    """The app over the jobs, which somebody else starts and stops."""
    keys = Keys(jobs.folder, settings.token)
    opinions = OpinionShelf()
    pages = Pages(settings, keys, opinions)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    app.state.services = Services(settings, jobs, keys, opinions, pages)
    app.include_router(router)
    app.include_router(job_router)

    def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 404
        told = str(error.detail) if isinstance(error, HTTPException) and error.status_code not in _WORDS else ""
        return pages.error(status, _TITLES.get(status, "This did not work"), told or _WORDS.get(status, ""))

    def broken(request: Request, error: Exception) -> Response:
        _log.error("%s %s broke down", request.method, request.url.path, exc_info=error)
        page = pages.error(500, "Something broke", "The server's log says where. What was checked so far is kept.")
        # This is sent from outside of the guard.
        page.headers.update(HEADERS)
        return page

    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(RequestValidationError, refused)
    app.add_exception_handler(Exception, broken)
    app.add_middleware(
        Guard, settings=settings, keys=keys, refuse=pages.error, log_in=lambda: RedirectResponse("/login", 303)
    )
    return app
