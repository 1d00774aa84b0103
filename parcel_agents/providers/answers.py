"""From a message to the fields of an answer: a tool call, a JSON object somewhere in the text, or tagged lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage

from parcel_agents.providers.spec import Rung


@dataclass(frozen=True)
class AnswerForm:
    """The shape of an answer: one object of strings, lists of strings, and at most one list of flat objects.

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
    """The fields that the message gives, each a string, a list of strings, or a list of whatever stands for objects.

    What such a list holds is not looked at here: one bad entry must not spoil the others.

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
    found = list(_objects(text, form.properties.keys()))
    if not found:
        raise UnreadableError("the answer holds no whole JSON object of the form asked for")
    return _one(found)


def _objects(text: str, keys: Set[str]) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text that have one of the keys, in order."""
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except RecursionError:
            return  # nobody answers a thousand brackets deep, and to try at each of them takes half a minute
        except ValueError:
            end = at + 1
        else:
            if isinstance(value, dict) and value.keys() & keys:
                yield value
        at = text.find("{", end)


def _lines(text: str, form: AnswerForm) -> dict[str, Any]:
    """Fields from lines such as `LABEL: supported`; a list is divided at commas, objects stand as JSON in the text."""
    found: dict[str, Any] = {}
    for name, spec in form.properties.items():
        if _holds_objects(spec):
            whole = [{name: one[name]} for one in _objects(text, {name}) if isinstance(one[name], list)]
            if whole:
                found |= _one(whole)
            elif objects := list(_objects(text, spec["items"]["properties"].keys())):
                found[name] = objects
            continue
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


def _holds_objects(spec: Mapping[str, Any]) -> bool:
    return bool(spec["type"] == "array" and spec["items"]["type"] == "object")


def _typed(name: str, value: Any, spec: Mapping[str, Any]) -> str | list[Any]:
    if _holds_objects(spec):
        if isinstance(value, dict):
            return [value]
        if isinstance(value, list):
            return value
        raise UnreadableError(f"{name} is not a list")
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
