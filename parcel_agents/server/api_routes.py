"""The HTTP API for claims: /v1/verify, and what the server knows."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from parcel_agents.errors import OpinionError
from parcel_agents.server.api_models import (
    SUFFIXES,
    CitedOpinion,
    OpinionFile,
    OpinionFiles,
    SentOpinion,
    ServerStatus,
    VerifyAnswer,
    VerifyRequest,
)
from parcel_agents.server.idempotency import IdempotencyKey
from parcel_agents.server.problems import problems
from parcel_agents.server.routes import services_of
from parcel_agents.server.verifying import ClaimService
from parcel_agents.types import content_hash

router = APIRouter(prefix="/v1", tags=["claims"], responses=problems())

Limit = Annotated[int, Query(ge=1, le=500, description="the most rows to answer")]
Offset = Annotated[int, Query(ge=0, le=1_000_000_000, description="rows to leave out from the start")]


@router.post("/verify", response_model=VerifyAnswer, responses=problems(408, 413, 415, 422, 429))
async def verify(request: Request, asked: VerifyRequest, key: IdempotencyKey = None) -> JSONResponse:
    """Check claims about one opinion.

    A claim that could not be checked is no error but an answer that says so: status 200 tells nothing about the claims.
    Cite only what has `may_cite`. The same claim about the same opinion is not asked of the panel again.
    """
    claims = services_of(request).claims

    async def answer() -> bytes:
        found = await _answer(claims, asked)
        # Made to bytes once, for all who ask with this key.
        return found.model_dump_json().encode()

    fingerprint = content_hash(asked.model_dump_json())
    body = await claims.running.run(lambda: claims.once.answer(key, fingerprint, answer))
    return _Ready(body)


class _Ready(JSONResponse):
    """JSON that is written already."""

    def render(self, content: bytes) -> bytes:
        """The content as it is."""
        return content


async def _answer(claims: ClaimService, asked: VerifyRequest) -> VerifyAnswer:
    match asked.opinion:
        case SentOpinion(text=text, format=kind):
            try:
                shelved = await claims.sent.read(text, SUFFIXES[kind])
            except OpinionError as error:
                raise HTTPException(422, str(error)) from error
            checked = await claims.checker.acheck_opinion(asked.claims, shelved, "sent with the request")
            return VerifyAnswer.of(checked, sent=True)
        case CitedOpinion(cited=cited):
            known = claims.sent.get(cited)
            if known is not None:
                checked = await claims.checker.acheck_opinion(asked.claims, known, "by id, sent before")
                return VerifyAnswer.of(checked, sent=True)
            return VerifyAnswer.of(await claims.checker.acheck(asked.claims, cited), sent=False)


@router.get("/opinions", responses=problems(422))
async def opinions(request: Request, limit: Limit = 100, offset: Offset = 0) -> OpinionFiles:
    """The opinions of the server's folder, which can be cited without sending them."""
    shelf = await asyncio.to_thread(services_of(request).claims.checker.library.shelf)
    rows = [OpinionFile.of(one.file, one.opinion) for one in shelf.files[offset : offset + limit]]
    return OpinionFiles(total=len(shelf.files), opinions=tuple(rows), unreadable=shelf.unreadable)


@router.get("/status", responses=problems())
async def status(request: Request) -> ServerStatus:
    """The server's version, its panel, and how much it is doing."""
    services = services_of(request)
    context = services.claims.checker.context
    return ServerStatus(
        version=version("parcel-agents"),
        panel=services.claims.panel,
        panel_id=context.panel_id,
        verifiers=tuple(tuple(one.name for one in tier) for tier in context.tiers),
        policy=context.policy.name,
        fail_closed=context.fail_closed,
        verifying=services.claims.running.count,
        unfinished_runs=services.jobs.unfinished,
    )
