"""What providers answer, good and bad, in the form of either wire."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fakes.server import Reply, Request, Script

INPUT_TOKENS = 1_000
CACHED_TOKENS = 600
OUTPUT_TOKENS = 50


def answer(
    label: str = "supported", passages: Sequence[str] = ("p1",), reason: str = "It says so.", *, delay_s: float = 0
) -> Script:
    """A right answer, in the form that the request asks for."""
    fields = {"passages": list(passages), "reason": reason, "label": label}

    def script(request: Request) -> Reply:
        if request.rung == "function_calling":
            reply = tool_call(request, fields)
        elif request.rung == "line":
            reply = says(request, f"PASSAGES: {', '.join(passages)}\nREASON: {reason}\nLABEL: {label}")
        else:
            reply = says(request, json.dumps(fields))
        return replace(reply, delay_s=delay_s)

    return script


def text(content: str | None) -> Script:
    """A message with this text, whatever was asked for."""
    return lambda request: says(request, content)


def in_turn(*scripts: Script) -> Script:
    """One script after the other; the last one stays."""
    return lambda request: scripts[min(request.number, len(scripts)) - 1](request)


def by_rung(**scripts: Script) -> Script:
    """A script for each rung."""
    return lambda request: scripts[request.rung](request)


def says(request: Request, content: str | None, finish: str | None = None) -> Reply:
    """A message with a text."""
    if request.wire == "google":
        parts = [] if content is None else [{"text": content}]
        return _google(request, parts, finish or "STOP")
    return _openai(request, {"role": "assistant", "content": content}, finish or "stop")


def tool_call(request: Request, fields: dict[str, Any], *, arguments: str | None = None) -> Reply:
    """A message that calls the tool; `arguments` is sent in place of the fields."""
    if request.wire == "google":
        return _google(request, [{"functionCall": {"name": "verdict", "args": fields}}], "STOP")
    function = {"name": "verdict", "arguments": json.dumps(fields) if arguments is None else arguments}
    calls = [{"id": "call_1", "type": "function", "function": function}]
    return _openai(request, {"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls")


def finishes(reason: str, content: str | None = None) -> Script:
    """A message that ended for this reason."""
    return lambda request: says(request, content, reason)


def refusal(said: str) -> Script:
    """OpenAI's field for a refusal."""
    message = {"role": "assistant", "content": None, "refusal": said}
    return lambda request: _openai(request, message, "stop")


def blocked_prompt(reason: str = "SAFETY") -> Script:
    """Gemini's way to say that it did not look at the prompt."""
    return lambda _: Reply(body={"promptFeedback": {"blockReason": reason}, "usageMetadata": {"promptTokenCount": 9}})


def hang(seconds: float = 30) -> Script:
    """No answer for so long."""
    return lambda _: Reply(body={}, delay_s=seconds)


def trickle(script: Script, byte_delay_s: float) -> Script:
    """An answer that arrives byte by byte."""
    return lambda request: replace(script(request), byte_delay_s=byte_delay_s)


def reset(_: Request) -> Reply:
    """A connection that breaks."""
    return Reply(reset=True)


def body(raw: str, *, status: int = 200, content_type: str = "application/json") -> Script:
    """A body that is sent as it is."""
    return lambda _: Reply(status=status, body=raw, headers={"content-type": content_type})


def error(
    status: int, message: str = "something is wrong", *, code: str | None = None, headers: dict[str, str] | None = None
) -> Script:
    """An error in the provider's form."""
    return lambda request: Reply(status=status, body=_error(request, status, message, code), headers=headers or {})


def rate_limited(retry_after: str | None = None) -> Script:
    """A 429 that passes."""
    headers = {} if retry_after is None else {"retry-after": retry_after}
    return error(429, "Rate limit reached, try again later", code="rate_limit_exceeded", headers=headers)


def quota(request: Request) -> Reply:
    """A 429 that does not pass."""
    if request.wire == "openai":
        return error(429, "You exceeded your current quota", code="insufficient_quota")(request)
    details = [{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": "RequestsPerDay"}]}]
    inner = {"code": 429, "message": "Quota exceeded", "status": "RESOURCE_EXHAUSTED", "details": details}
    return Reply(status=429, body={"error": inner})


def bad_key(request: Request) -> Reply:
    """A key that is not accepted; Gemini says so with a 400, and some servers repeat what they were sent."""
    sent = request.headers.get("authorization", "") or request.headers.get("x-goog-api-key", "")
    if request.wire == "openai":
        return error(401, f"Incorrect API key provided: {sent}", code="invalid_api_key")(request)
    details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]
    inner = {"code": 400, "message": f"API key not valid: {sent}", "status": "INVALID_ARGUMENT", "details": details}
    return Reply(status=400, body={"error": inner})


def _error(request: Request, status: int, message: str, code: str | None) -> dict[str, Any]:
    if request.wire == "openai":
        return {"error": {"message": message, "type": "error", "param": None, "code": code}}
    return {"error": {"code": status, "message": message, "status": code or "ERROR"}}


def _openai(request: Request, message: dict[str, Any], finish: str) -> Reply:
    usage = {
        "prompt_tokens": INPUT_TOKENS,
        "completion_tokens": OUTPUT_TOKENS,
        "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
        "prompt_tokens_details": {"cached_tokens": CACHED_TOKENS},
    }
    choice = {"index": 0, "message": message, "finish_reason": finish}
    about = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": request.model}
    return Reply(body={**about, "choices": [choice], "usage": usage})


def _google(request: Request, parts: list[dict[str, Any]], finish: str) -> Reply:
    usage = {
        "promptTokenCount": INPUT_TOKENS,
        "cachedContentTokenCount": CACHED_TOKENS,
        "candidatesTokenCount": OUTPUT_TOKENS,
        "totalTokenCount": INPUT_TOKENS + OUTPUT_TOKENS,
    }
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}
    return Reply(body={"candidates": [candidate], "usageMetadata": usage, "modelVersion": request.model})


def calls(*named: tuple[str, dict[str, Any] | str], said: str | None = None) -> Script:
    """A message that calls tools, each given by its name and arguments; text is sent as it is (on OpenAI's wire)."""

    def script(request: Request) -> Reply:
        if request.wire == "google":
            return _google(request, [{"functionCall": {"name": name, "args": args}} for name, args in named], "STOP")
        made = [
            {
                "id": f"call_{turn(request)}_{number}",
                "type": "function",
                "function": {"name": name, "arguments": args if isinstance(args, str) else json.dumps(args)},
            }
            for number, (name, args) in enumerate(named)
        ]
        return _openai(request, {"role": "assistant", "content": said, "tool_calls": made}, "tool_calls")

    return script


def by_turn(*scripts: Script) -> Script:
    """A script for each turn of a conversation, whatever other conversations do; the last one stays."""
    return lambda request: scripts[min(turn(request), len(scripts) - 1)](request)


def turn(request: Request) -> int:
    """How many messages of the model the request holds."""
    if request.wire == "google":
        return sum(content["role"] == "model" for content in request.body["contents"])
    return sum(message["role"] == "assistant" for message in request.body["messages"])


def tool_answers(request: Request) -> list[str]:
    """What the tools answered so far, as the model sees it."""
    if request.wire == "google":
        parts = [part for content in request.body["contents"] for part in content["parts"]]
        return [
            str(part["functionResponse"]["response"].get("output", "")) for part in parts if "functionResponse" in part
        ]
    return [str(message["content"]) for message in request.body["messages"] if message["role"] == "tool"]
