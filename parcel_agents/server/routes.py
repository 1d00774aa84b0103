"""The first page, new checks, the login, styles and scripts."""

from __future__ import annotations

import asyncio
import shutil
from typing import TYPE_CHECKING, cast

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Message

from parcel_agents.errors import InputError
from parcel_agents.server.pages import static_files
from parcel_agents.server.record import JobRecord
from parcel_agents.server.security import COOKIE
from parcel_agents.server.uploads import Dropped, TooLargeError, store

if TYPE_CHECKING:
    from parcel_agents.server.app import Services

router = APIRouter()
_OLD_PAGE = "This page is too old to do that. Load it again, and try once more."
_UNREADABLE = "What the browser sent cannot be read. Load the page again."
_FIELDS = 10
_PLAIN_FORM_BYTES = 100_000


def services_of(request: Request) -> Services:
    """What the routes work with."""
    return cast("Services", request.app.state.services)


async def form_of(request: Request, *, max_bytes: int = _PLAIN_FORM_BYTES, max_files: int = 0) -> FormData:
    """The form that one of our own pages sends.

    Raises:
        HTTPException: it is larger than it may be (413), has too many files (413), is broken (400) or not ours (403).
    """
    large = HTTPException(413, f"The most that can be sent at once is {max_bytes / 1e6:,.1f} MB.")
    said = request.headers.get("content-length", "0")
    if not said.isascii() or not said.isdigit() or int(said) > max_bytes:
        raise large
    got = 0

    async def counted() -> Message:
        nonlocal got
        message = await request.receive()
        got += len(message.get("body", b""))
        if got > max_bytes:
            raise large
        return message

    try:
        form = await Request(request.scope, counted).form(max_files=max_files + 1, max_fields=_FIELDS)
    except HTTPException as error:
        if error.status_code == 413:
            raise
        if "Too many" in str(error.detail) and "files" in str(error.detail):
            raise HTTPException(413, f"The most files that can be sent at once is {max_files:,}.") from error
        raise HTTPException(400, _UNREADABLE) from error
    except (ClientDisconnect, UnicodeError) as error:
        # Nobody waits for the answer any more, or the text is in a code of which Python knows the name alone.
        raise HTTPException(400, _UNREADABLE) from error
    if not services_of(request).keys.is_ours(text_in(form, "csrf")):
        await form.close()
        raise HTTPException(403, _OLD_PAGE)
    return form


def text_in(form: FormData, name: str) -> str:
    """A field of a form; empty where there is none or it is a file."""
    value = form.get(name)
    return value if isinstance(value, str) else ""


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
    folder = jobs.new_folder()
    try:
        briefs, opinions = _dropped(form, "brief"), _dropped(form, "opinions")
        if len(briefs) != 1:
            raise InputError("Give one brief." if briefs else "There is no brief. Choose the file, or drop it.")
        if len(opinions) > settings.max_files:
            raise TooLargeError(f"There are {len(opinions):,} opinions; the most at once is {settings.max_files:,}.")
        job = await asyncio.to_thread(store, folder, briefs[0], opinions)
        record = await asyncio.to_thread(JobRecord.create, folder, job)
    except InputError as error:
        shutil.rmtree(folder, ignore_errors=True)
        status = 413 if isinstance(error, TooLargeError) else 400
        return services.pages.start(jobs.all(), status=status, complaint=str(error))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    finally:
        await form.close()
    jobs.add(record)
    return RedirectResponse(f"/jobs/{record.job.id}", 303)


def _dropped(form: FormData, name: str) -> list[Dropped]:
    """The files of a field; a browser sends one without a name where none was chosen."""
    return [
        Dropped(one.filename, one.file) for one in form.getlist(name) if isinstance(one, UploadFile) and one.filename
    ]


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
