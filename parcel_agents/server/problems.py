"""What the HTTP API answers where it cannot do what was asked: problem details (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

MEDIA_TYPE = "application/problem+json"
_SHOWN = 20
"""Faults of a request that are listed."""


class Fault(BaseModel):
    """What is wrong with one part of a request."""

    where: str = Field(description="the part, such as body.claims.0")
    fault: str


class Problem(BaseModel):
    """Why a request was not done."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    errors: tuple[Fault, ...] = Field(default=(), description="each part of the request that is wrong")


class ProblemResponse(Response):
    """A problem, as it is sent."""

    media_type = MEDIA_TYPE


def problem(
    status: int, detail: str, *, errors: tuple[Fault, ...] = (), headers: Mapping[str, str] | None = None
) -> ProblemResponse:
    """The answer that says what is wrong."""
    told = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, errors=errors)
    return ProblemResponse(told.model_dump_json(), status_code=status, headers=dict(headers or {}))


def problem_of(error: HTTPException | RequestValidationError) -> ProblemResponse:
    """The answer to a request that FastAPI or a route refuses."""
    if isinstance(error, RequestValidationError):
        faults = tuple(_fault(one) for one in error.errors()[:_SHOWN])
        return problem(422, "The request does not fit the schema; see errors.", errors=faults)
    known = HTTPStatus(error.status_code)
    detail = str(error.detail) if error.detail != known.phrase else known.description
    return problem(error.status_code, detail or known.phrase, headers=error.headers)


def _fault(error: Mapping[str, Any]) -> Fault:
    # The value itself is not sent back: it may be large, or no JSON.
    return Fault(where=".".join(str(part) for part in error["loc"]), fault=str(error["msg"]))


_MEANINGS = {
    400: "The request cannot be read.",
    401: "The token is missing or wrong.",
    403: "A page of another origin asks.",
    404: "There is no such thing.",
    409: "It cannot be done in the state that it is in.",
    408: "The body did not arrive in time.",
    413: "It is too large.",
    415: "It is not of the media type that is asked for.",
    422: "It does not fit the schema, or the idempotency key was used for another request.",
    429: "Too much is being done already; try again after the seconds of Retry-After.",
    503: "The server is ending; ask again.",
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For OpenAPI: the problems that a route may answer with."""
    schema = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {
        status: {"description": _MEANINGS[status], "content": {MEDIA_TYPE: schema}}
        for status in sorted({400, 401, 403, 503, *statuses})
    }
