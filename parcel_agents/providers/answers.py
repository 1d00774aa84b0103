"""From a message to the fields of an answer: a tool call, a JSON object somewhere in the text, or tagged lines."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage

from parcel_agents.providers.spec import Rung


@dataclass(frozen=True)
class AnswerForm:
    """The shape of an answer: one flat object of strings and lists of strings.

    Gemini refuses unions and nested enums, and OpenAI's strict mode wants every property required.
    """

    name: str
    about: str
    schema: Mapping[str, Any]
    """A JSON schema of type object."""
    instructions: Mapping[Rung, str]
    """What is added to the question, by rung."""

    @property
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        """The fields and what each may hold."""
        found: Mapping[str, Mapping[str, Any]] = self.schema["properties"]
        return found


class UnreadableError(Exception):
    """The message has not the shape that was asked for."""


_THINKING = r"(?:think|thinking|reasoning|thought)>"
_BEGIN_THINKING = re.compile(rf"\s*<{_THINKING}", re.IGNORECASE)
_END_THINKING = re.compile(rf"</{_THINKING}", re.IGNORECASE)
_DECODER = json.JSONDecoder()


def read_fields(message: AIMessage, rung: Rung, form: AnswerForm) -> dict[str, Any]:
    """The fields that the message gives, each a string or a list of strings.

    Raises:
        UnreadableError: there is no answer of the form, or there are several that differ.
    """
    if rung == "function_calling":
        found = _tool_call(message, form)
    else:
        text = answer_text(message)
        found = _lines(text, form) if rung == "line" else _json_object(text, form)
    missing = [name for name in form.schema.get("required", ()) if name not in found]
    if missing:
        raise UnreadableError(f"the answer lacks {', '.join(missing)}")
    return {name: _typed(name, found[name], spec) for name, spec in form.properties.items() if name in found}


def answer_text(message: AIMessage) -> str:
    """The text behind what reasoning models say to themselves; nothing if they never came to an end of it."""
    text = str(message.text)
    ends = [match.end() for match in _END_THINKING.finditer(text)]
    if ends:
        return text[ends[-1] :].strip()
    return "" if _BEGIN_THINKING.match(text) else text.strip()


def _tool_call(message: AIMessage, form: AnswerForm) -> dict[str, Any]:
    calls = [dict(call["args"]) for call in message.tool_calls if call["name"] == form.name]
    if not calls:
        broken = f"; {len(message.invalid_tool_calls)} malformed" if message.invalid_tool_calls else ""
        raise UnreadableError(f"the model did not call the tool{broken}")
    return _one(calls)


def _json_object(text: str, form: AnswerForm) -> dict[str, Any]:
    """The object with the form's fields, whatever stands around it."""
    if not text:
        raise UnreadableError("the answer is empty")
    found: list[dict[str, Any]] = []
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, dict) and value.keys() & form.properties.keys():
                found.append(value)
        at = text.find("{", end)
    if not found:
        raise UnreadableError("the answer holds no whole JSON object of the form asked for")
    return _one(found)


def _lines(text: str, form: AnswerForm) -> dict[str, Any]:
    """Fields from lines such as `LABEL: supported`; a list is divided at commas."""
    found: dict[str, Any] = {}
    for name, spec in form.properties.items():
        values = {
            match[1].strip(" \t*_`\"'")
            for match in re.finditer(rf"(?im)^[\s>*_`#-]*{re.escape(name)}[*_` \t]*[:=](.*)$", text)
        }
        if len(values) > 1:
            raise UnreadableError(f"the answer gives {name} more than once")
        if values:
            value = values.pop()
            found[name] = [item for item in re.split(r"[,;\s]+", value) if item] if spec["type"] == "array" else value
    if not found:
        raise UnreadableError("the answer holds no line of the form asked for" if text else "the answer is empty")
    return found


def _one(found: list[dict[str, Any]]) -> dict[str, Any]:
    if any(other != found[0] for other in found[1:]):
        raise UnreadableError("the answer holds several objects that differ")
    return found[0]


def _typed(name: str, value: Any, spec: Mapping[str, Any]) -> str | list[str]:
    if spec["type"] == "array":
        if value is None:
            return []
        if isinstance(value, str):
            return [value] if value.strip() else []
        if isinstance(value, list) and all(isinstance(item, str | int) for item in value):
            return [str(item) for item in value]
        raise UnreadableError(f"{name} is not a list of strings")
    if not isinstance(value, str):
        raise UnreadableError(f"{name} is not a string")
    return value
