"""One job: its claims, what their verdicts rest on, decisions, exports, and what becomes of it."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from starlette.exceptions import HTTPException

from parcel_agents.errors import InputError, MissingDependencyError
from parcel_agents.server.decisions import decide
from parcel_agents.server.events import events_of, seen_of
from parcel_agents.server.exports import EXPORTS
from parcel_agents.server.forms import text_in
from parcel_agents.server.record import JobRecord
from parcel_agents.server.routes import form_of, services_of
from parcel_agents.traces.model import STATUSES, Trace

router = APIRouter(prefix="/jobs/{id}", include_in_schema=False)
_NO_JOB = HTTPException(404)


def _record(request: Request, id: str) -> JobRecord:
    record = services_of(request).jobs.get(id)
    if record is None:
        raise _NO_JOB
    return record


def _trace(record: JobRecord, number: int) -> Trace:
    trace = record.trace(number)
    if trace is None:
        if any(claim.number == number for claim in record.claims.claims):
            raise HTTPException(409, f"Citation {number} was not checked yet. Go back to the list and wait for it.")
        raise _NO_JOB
    return trace


def _show(request: Request) -> str:
    asked = request.query_params.get("show", "")
    return asked if asked in (*STATUSES, "waiting") else ""


@router.get("")
def job(request: Request, id: str) -> Response:
    """All claims of a job."""
    return services_of(request).pages.job(_record(request, id), _show(request))


@router.get("/events")
async def events(request: Request, id: str) -> Response:
    """Its progress, as it happens."""
    record, services = _record(request, id), services_of(request)
    return services.streams.respond(events_of(record, seen_of(request), is_over=lambda: services.jobs.stopping))


@router.get("/claims/{number}")
def claim(request: Request, id: str, number: int) -> Response:
    """What a verdict rests on."""
    record = _record(request, id)
    return services_of(request).pages.claim(record, _trace(record, number), _show(request))


@router.get("/claims/{number}/opinion")
def opinion(request: Request, id: str, number: int) -> Response:
    """The opinion that a claim is about, as the script shows it."""
    record = _record(request, id)
    trace = _trace(record, number)
    if trace.opinion_id is None:
        raise _NO_JOB
    shown = services_of(request).opinions.get(record, trace.opinion_id)
    return Response(shown.as_json().encode("utf-8", "replace"), media_type="application/json")


@router.post("/claims/{number}/decision")
async def decision(request: Request, id: str, number: int) -> Response:
    """Accept a verdict, record another, or withdraw this."""
    record = _record(request, id)
    trace = _trace(record, number)
    form = await form_of(request)
    show = _show(request)
    note = text_in(form, "note")
    try:
        made = decide(
            number,
            trace.status,
            kind=text_in(form, "kind"),
            label=text_in(form, "label"),
            note=note,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            standing=number in record.standing(),
        )
    except InputError as error:
        return services_of(request).pages.claim(record, trace, show, status=400, complaint=str(error), note=note)
    record.decide(made)
    return RedirectResponse(f"/jobs/{id}/claims/{number}{f'?show={show}' if show else ''}#decision", 303)


@router.get("/export.{kind}")
def export(request: Request, id: str, kind: str) -> Response:
    """The table as a file."""
    record = _record(request, id)
    made = EXPORTS.get(kind)
    if made is None:
        raise _NO_JOB
    try:
        data = made.write(record)
    except MissingDependencyError as error:
        raise HTTPException(501, str(error)) from error
    headers = {"Content-Disposition": f'attachment; filename="citations-{id[:8]}.{kind}"'}
    return Response(data, media_type=made.media_type, headers=headers)


@router.post("/cancel")
async def cancel(request: Request, id: str) -> Response:
    """End the work on a job; what was found stays."""
    record = _record(request, id)
    await form_of(request)
    await services_of(request).jobs.cancel(record)
    return RedirectResponse(f"/jobs/{id}", 303)


@router.post("/continue")
async def go_on(request: Request, id: str) -> Response:
    """Take up a job again."""
    record = _record(request, id)
    await form_of(request)
    services_of(request).jobs.go_on(record)
    return RedirectResponse(f"/jobs/{id}", 303)


@router.post("/delete")
async def delete(request: Request, id: str) -> Response:
    """Remove a job, its files and its verdicts."""
    record = _record(request, id)
    await form_of(request)
    await services_of(request).jobs.delete(record)
    return RedirectResponse("/", 303)
