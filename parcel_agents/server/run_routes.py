"""The HTTP API for briefs: a run is the check of one brief, and the same thing as a job of the web app."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from parcel_agents.errors import InputError
from parcel_agents.server.api_models import Run, RunClaims, RunClaimTrace, Runs
from parcel_agents.server.api_routes import Limit, Offset
from parcel_agents.server.beginning import begin_job, fingerprint
from parcel_agents.server.events import events_of, seen_of
from parcel_agents.server.exports import EXPORTS
from parcel_agents.server.forms import files_in, read_form
from parcel_agents.server.idempotency import IdempotencyKey, other_request
from parcel_agents.server.model import CAN_GO_ON, UNFINISHED, JobKey
from parcel_agents.server.problems import problems
from parcel_agents.server.record import JobRecord
from parcel_agents.server.routes import services_of
from parcel_agents.server.uploads import TooLargeError
from parcel_agents.tools.untrusted import label

router = APIRouter(prefix="/v1", tags=["briefs"], responses=problems(404))
RETRY_SECONDS = 30
_FILE = {"type": "string", "format": "binary"}
_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["brief"],
                    "properties": {
                        "brief": {**_FILE, "description": "text, Markdown, HTML, PDF or .docx"},
                        "opinions": {
                            "type": "array",
                            "items": _FILE,
                            "description": "those that it cites; not needed for what the server has itself",
                        },
                    },
                }
            }
        },
    }
}

RunId = Annotated[str, Path(description="the id of a run", examples=["0123456789abcdef01234567"])]


def _record(request: Request, id: str) -> JobRecord:
    record = services_of(request).jobs.get(id)
    if record is None:
        raise HTTPException(404, "There is no run of this id; it may have been deleted.")
    return record


@router.post(
    "/briefs",
    status_code=202,
    response_model=Run,
    openapi_extra=_FORM,
    responses={202: {"description": "The check has begun; see Location."}, **problems(404, 408, 413, 415, 422, 429)},
)
async def check_brief(request: Request, key: IdempotencyKey = None) -> JSONResponse:
    """Check every explanatory parenthetical of a brief against the opinion that it cites.

    The answer comes at once; the verdicts are under the run's address as they are found, also after a restart.
    """
    services = services_of(request)
    settings = services.settings
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "multipart/form-data":
        raise HTTPException(415, "Send a form (multipart/form-data) with the files `brief` and `opinions`.")
    form = await read_form(request, max_bytes=settings.max_upload_bytes, max_files=settings.max_files + 1)
    try:
        _check_fields(form)
        async with services.beginning:
            record = await _begin(request, form, key)
    except InputError as error:
        raise HTTPException(413 if isinstance(error, TooLargeError) else 422, str(error)) from error
    finally:
        await form.close()
    run = Run.of(record)
    return JSONResponse(run.model_dump(mode="json"), 202, headers={"Location": f"/v1/runs/{record.job.id}"})


def _check_fields(form: FormData) -> None:
    """Refuse what would be ignored in silence: other fields, and opinions that are no files."""
    for name, value in form.multi_items():
        if name not in ("brief", "opinions"):
            raise HTTPException(422, f"Unknown field {label(name)}; send the files `brief` and `opinions`.")
        if isinstance(value, str) or not value.filename:
            raise HTTPException(422, f"`{name}` is no file with a name.")


async def _begin(request: Request, form: FormData, key: str | None) -> JobRecord:
    """The job of a form, which may have been begun before under the same key."""
    services = services_of(request)
    briefs, opinions = files_in(form, "brief"), files_in(form, "opinions")
    known = None
    if key is not None:
        known = JobKey(key=key, fingerprint=await asyncio.to_thread(fingerprint, briefs, opinions))
        before = next((one for one in services.jobs.all() if one.job.key and one.job.key.key == key), None)
        if before is not None:
            if before.job.key != known:
                raise other_request()
            return before
    if services.jobs.unfinished >= services.settings.max_waiting:
        raise HTTPException(
            429,
            f"{services.jobs.unfinished} briefs are waiting already; try again when some are finished.",
            headers={"Retry-After": str(RETRY_SECONDS)},
        )
    return await begin_job(services.jobs, services.settings, briefs, opinions, key=known)


@router.get("/runs", responses=problems(422))
def runs(request: Request, limit: Limit = 50, offset: Offset = 0) -> Runs:
    """All checks of briefs, the latest first."""
    found = services_of(request).jobs.all()
    return Runs(total=len(found), runs=tuple(Run.of(one) for one in found[offset : offset + limit]))


@router.get("/runs/{id}", responses=problems(404))
def run(request: Request, id: RunId) -> Run:
    """How a check stands."""
    return Run.of(_record(request, id))


@router.get("/runs/{id}/claims", responses=problems(404))
def claims(request: Request, id: RunId) -> RunClaims:
    """Its claims, each with its status."""
    return RunClaims.of(_record(request, id))


@router.get("/runs/{id}/claims/{number}", responses=problems(404, 409, 422))
def claim(request: Request, id: RunId, number: Annotated[int, Path(ge=1, le=1_000_000)]) -> RunClaimTrace:
    """What a verdict rests on."""
    record = _record(request, id)
    trace = record.trace(number)
    if trace is None:
        if any(one.number == number for one in record.claims.claims):
            raise HTTPException(409, f"Claim {number} was not checked yet; ask again.")
        if record.job.state in ("waiting", "reading"):
            raise HTTPException(409, "The brief was not read yet; ask again.")
        raise HTTPException(404, f"The brief has no claim {number}.")
    return RunClaimTrace(may_cite=trace.status == "supported", trace=trace, decision=record.standing().get(number))


@router.get("/runs/{id}/trace", response_model=dict[str, Any], responses=problems(404))
def trace(request: Request, id: RunId) -> Response:
    """All that was found, with the opinions' texts: `book` is what `trace.json` is, whatever was checked so far."""
    export = EXPORTS["json"]
    return Response(export.write(_record(request, id)), media_type=export.media_type)


@router.get(
    "/runs/{id}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}, **problems(404, 429)},
)
async def events(request: Request, id: RunId) -> StreamingResponse:
    """Its progress as server-sent events, until it ends; a client that comes again gives the `Last-Event-ID`."""
    services = services_of(request)
    record = _record(request, id)
    return services.streams.respond(events_of(record, seen_of(request), is_over=lambda: services.jobs.stopping))


@router.post("/runs/{id}/cancel", responses=problems(404))
async def cancel(request: Request, id: RunId) -> Run:
    """End the work on a run; what was found stays. One that has ended is left as it is."""
    record = _record(request, id)
    if record.job.state in UNFINISHED:
        await services_of(request).jobs.cancel(record)
    return Run.of(record)


@router.post("/runs/{id}/continue", responses=problems(404, 409))
async def go_on(request: Request, id: RunId) -> Run:
    """Take up a run that was cancelled, stopped or has failed."""
    record = _record(request, id)
    if record.job.state not in CAN_GO_ON:
        raise HTTPException(409, f"The run is {record.job.state}; only one that has ended early can go on.")
    if not services_of(request).jobs.go_on(record):
        raise HTTPException(409, "The run is being ended just now; ask again.")
    return Run.of(record)


@router.delete("/runs/{id}", status_code=204, responses=problems(404))
async def delete(request: Request, id: RunId) -> Response:
    """Remove a run with its files and verdicts."""
    await services_of(request).jobs.delete(_record(request, id))
    return Response(status_code=204)
