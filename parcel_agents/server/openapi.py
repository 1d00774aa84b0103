"""The description of the HTTP API, as OpenAPI."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from parcel_agents.server.problems import Problem

ABOUT = """Checks whether judicial opinions say what citations claim they say.

`POST /v1/verify` checks claims about one opinion while you wait; `POST /v1/briefs` checks a whole brief, and its run is
then read under `/v1/runs`. Cite only what has `may_cite`: a claim that is undecided or could not be checked is not
supported. What cannot be done is answered with problem details (RFC 9457)."""
_MODEL = "#/components/schemas/{model}"


def describe(app: FastAPI, *, needs_token: bool) -> None:
    """Have the app describe its API, with what all routes have in common.

    Args:
        app: the app, with all its routes.
        needs_token: True if programs have to send a token.
    """

    def schema() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(title=app.title, version=app.version, description=ABOUT, routes=app.routes)
            schemas: dict[str, Any] = made.setdefault("components", {}).setdefault("schemas", {})
            told = Problem.model_json_schema(ref_template=_MODEL)
            schemas |= told.pop("$defs")
            schemas["Problem"] = told
            if needs_token:
                made["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
                made["security"] = [{"token": []}]
            app.openapi_schema = made
        return app.openapi_schema

    app.openapi = schema  # type: ignore[method-assign]
