"""The first page, new checks, the login, styles and scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from parcel_agents.errors import InputError
from parcel_agents.server.beginning import begin_job
from parcel_agents.server.forms import files_in, read_form, text_in
from parcel_agents.server.pages import static_files
from parcel_agents.server.security import COOKIE
from parcel_agents.server.uploads import TooLargeError

if TYPE_CHECKING:
    from parcel_agents.server.app import Services

router = APIRouter(include_in_schema=False)
_OLD_PAGE = "This page is too old to do that. Load it again, and try once more."
_PLAIN_FORM_BYTES = 100_000


def services_of(request: Request) -> Services:
    """What the routes work with."""
    return cast("Services", request.app.state.services)


async def form_of(request: Request, *, max_bytes: int = _PLAIN_FORM_BYTES, max_files: int = 0) -> FormData:
    """The form that one of our own pages sends.

    Raises:
        HTTPException: it is too large (413), is broken (400) or not ours (403).
    """
    form = await read_form(request, max_bytes=max_bytes, max_files=max_files)
    if not services_of(request).keys.is_ours(text_in(form, "csrf")):
        await form.close()
        raise HTTPException(403, _OLD_PAGE)
    return form


@router.get("/")
def start(request: Request) -> Response:
    """The form for a new check, and the earlier ones."""
    services = services_of(request)
    return services.pages.start(services.jobs.all())


@router.post("/jobs")
async def begin(request: Request) -> Response:
    """A new check."""
    services = services_of(request)
    settings, jobs = services.settings, services.jobs
    if jobs.unfinished >= settings.max_waiting:
        raise HTTPException(503, f"{jobs.unfinished} checks are waiting already. Try again when some are finished.")
    form = await form_of(request, max_bytes=settings.max_upload_bytes, max_files=settings.max_files + 1)
    try:
        record = await begin_job(jobs, settings, files_in(form, "brief"), files_in(form, "opinions"))
    except InputError as error:
        status = 413 if isinstance(error, TooLargeError) else 400
        return services.pages.start(jobs.all(), status=status, complaint=str(error))
    finally:
        await form.close()
    return RedirectResponse(f"/jobs/{record.job.id}", 303)


@router.get("/login")
def login(request: Request) -> Response:
    """The form for the token."""
    services = services_of(request)
    return RedirectResponse("/", 303) if services.keys.logged_in(request) else services.pages.login()


@router.post("/login")
async def log_in(request: Request) -> Response:
    """A cookie for who gives the token."""
    services = services_of(request)
    form = await form_of(request)
    if not await services.keys.accepts(text_in(form, "token")):
        return services.pages.login(status=403, complaint="That is not the token.")
    answer = RedirectResponse("/", 303)
    answer.set_cookie(COOKIE, services.keys.session, httponly=True, samesite="strict", path="/")
    return answer


@router.post("/logout")
async def log_out(request: Request) -> Response:
    """No cookie any more."""
    await form_of(request)
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict", path="/")
    return answer


@router.get("/static/{name}")
def static(name: str) -> Response:
    """A style or a script, out of memory."""
    found = static_files().get(name)
    if found is None:
        raise HTTPException(404)
    data, kind = found
    return Response(data, media_type=kind, headers={"Cache-Control": "private, max-age=3600"})
