"""What the MCP tools answer beside text: the schemas that clients see."""

from __future__ import annotations

from typing import Any

from mcp_types import CallToolResult, ContentBlock, ResourceLink, TextContent
from pydantic import BaseModel, Field

from parcel_agents.integrations.brief_checking import brief_in_words
from parcel_agents.integrations.checking import Checked
from parcel_agents.integrations.mcp_traces import uri
from parcel_agents.integrations.wording import in_words, may_cite, status
from parcel_agents.traces import TraceBook
from parcel_agents.traces.model import TraceStatus
from parcel_agents.types import SCHEMA_VERSION, Verdict


class ClaimAnswer(BaseModel):
    """The answer of `verify_claim`."""

    schema_version: int = SCHEMA_VERSION
    key: str = Field(description="stands for claim, opinion and panel; empty where there is no opinion")
    status: TraceStatus
    may_cite: bool = Field(description="true for supported alone")
    verdict: Verdict
    trace: str = Field(description="the resource that holds the whole trace as JSON")


class BriefRow(BaseModel):
    """What became of one parenthetical."""

    number: int
    claim: str
    status: TraceStatus
    may_cite: bool
    why: str
    name: str | None
    cite: str | None
    file: str | None


class BriefAnswer(BaseModel):
    """The answer of `check_brief`."""

    schema_version: int = SCHEMA_VERSION
    all_supported: bool = Field(description="true if there are claims and all are supported")
    notes: tuple[str, ...]
    claims: tuple[BriefRow, ...]
    trace: str = Field(description="the resource that holds all traces as JSON")


def claim_result(checked: Checked, trace_id: str) -> CallToolResult:
    """The result of `verify_claim`."""
    verdict = checked.verdict
    answer = ClaimAnswer(
        key=checked.key,
        status=status(verdict),
        may_cite=may_cite(verdict),
        verdict=verdict,
        trace=uri(trace_id),
    )
    return _result(in_words(checked), answer, trace_id)


def brief_result(book: TraceBook, trace_id: str) -> CallToolResult:
    """The result of `check_brief`."""
    rows = tuple(
        BriefRow(
            number=trace.number,
            claim=trace.claim,
            status=trace.status,
            may_cite=trace.status == "supported",
            why=trace.why,
            name=trace.authority.name if trace.authority else None,
            cite=trace.authority.cite if trace.authority else None,
            file=trace.authority.file if trace.authority else None,
        )
        for trace in book.traces
    )
    good = bool(rows) and all(row.may_cite for row in rows)
    answer = BriefAnswer(all_supported=good, notes=book.notes, claims=rows, trace=uri(trace_id))
    return _result(brief_in_words(book), answer, trace_id)


def tool_result(content: str, artifact: dict[str, Any]) -> CallToolResult:
    """The result of a tool over one opinion."""
    return CallToolResult(content=[TextContent(type="text", text=content)], structured_content=artifact)


def _result(text: str, answer: BaseModel, trace_id: str) -> CallToolResult:
    link = ResourceLink(uri=uri(trace_id), name=trace_id, title="The trace of this check", mime_type="application/json")
    content: list[ContentBlock] = [TextContent(type="text", text=text), link]
    return CallToolResult(content=content, structured_content=answer.model_dump(mode="json"))
