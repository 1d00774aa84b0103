"""What a tool answers: text for the model, and the same as data for the program that runs it.

A call that makes no sense is answered with a message that says what is allowed, for the model to try again; it never
raises.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import BaseModel, ConfigDict, ValidationError

from parcel_agents.errors import ParcelError
from parcel_agents.tools.untrusted import label

MAX_CONTENT = 12_000
"""No answer is longer, in characters: about 3,000 tokens, so that a dozen calls fit into a small model's context."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """A tool's answer."""

    content: str
    artifact: Json


class Arguments(BaseModel):
    """Base of the tools' arguments: one that is unknown is an error, not ignored."""

    # Gemini's client warns of `additionalProperties` at every call; unknown arguments are refused all the same.
    model_config = ConfigDict(
        extra="forbid", json_schema_extra=lambda schema: schema.pop("additionalProperties", None) and None
    )


class RefusedCall(ToolException):
    """A call that cannot be answered; its text tells the model what is allowed."""


def make_tool(
    run: Callable[..., Answer],
    arguments: type[Arguments],
    *,
    name: str,
    description: str,
    arun: Callable[..., Awaitable[Answer]] | None = None,
) -> BaseTool:
    """The tool that answers with what `run` returns.

    Args:
        run: takes the arguments by name; may raise `RefusedCall`.
        arguments: their names, types and descriptions.
        name: what models call it by.
        description: what models read.
        arun: as `run`, for asynchronous callers; None to have `run` called in a thread.
    """

    def call(**given: Any) -> tuple[str, Json]:
        try:
            answer = run(**given)
        except ParcelError as error:
            raise RefusedCall(str(error)) from error
        return answer.content, answer.artifact

    async def acall(**given: Any) -> tuple[str, Json]:
        assert arun is not None
        try:
            answer = await arun(**given)
        except ParcelError as error:
            raise RefusedCall(str(error)) from error
        return answer.content, answer.artifact

    return StructuredTool.from_function(
        call,
        acall if arun is not None else None,
        name=name,
        description=description,
        args_schema=arguments,
        response_format="content_and_artifact",
        handle_tool_error=lambda error: f"Error: {error}",
        handle_validation_error=lambda error: _explain(error, arguments),
    )


def check_range(name: str, value: int, lowest: int, highest: int) -> None:
    """Refuse the call if an argument is out of its range."""
    if not lowest <= value <= highest:
        raise RefusedCall(f"{name} is {value}; give a whole number from {lowest} to {highest}.")


def check_text(name: str, value: str, most: int) -> str:
    """The text without white space around it; refuse the call if nothing is left, or too much."""
    stripped = value.strip()
    if not any(char.isalnum() for char in stripped):
        raise RefusedCall(f"{name} is empty; give some words.")
    if len(stripped) > most:
        raise RefusedCall(f"{name} has {len(stripped)} characters; give at most {most}.")
    return stripped


def fit(pieces: list[str], room: int = MAX_CONTENT) -> int:
    """How many of the pieces, from the first on, fit into the room; at least one."""
    used = 0
    for count, piece in enumerate(pieces):
        used += len(piece) + 1
        if used > room and count:
            return count
    return len(pieces)


def _explain(error: Any, arguments: type[Arguments]) -> str:
    faults = []
    if isinstance(error, ValidationError):
        for fault in error.errors(include_url=False, include_input=False):
            where = label(".".join(str(part) for part in fault["loc"])) or "arguments"
            faults.append(f"{where}: {label(fault['msg'], 120)}")
    allowed = "; ".join(f"{name}: {field.description}" for name, field in arguments.model_fields.items())
    return f"Error: {'; '.join(faults[:5]) or 'unusable arguments'}. Arguments: {allowed or 'none'}"
