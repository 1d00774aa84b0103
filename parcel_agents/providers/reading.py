"""What a model's message says before its content is looked at: why it ended, what it used."""

from __future__ import annotations

import re
from typing import Any

from langchain_core.messages import AIMessage

from parcel_agents.providers.outcomes import Failure
from parcel_agents.types import Outcome, Usage

_ENDINGS: dict[str, Outcome] = {
    "length": "truncated",
    "MAX_TOKENS": "truncated",
    "content_filter": "refused",
    "SAFETY": "refused",
    "PROHIBITED_CONTENT": "refused",
    "BLOCKLIST": "refused",
    "SPII": "refused",
    "RECITATION": "recitation",
    "MALFORMED_FUNCTION_CALL": "unparseable",
    "UNEXPECTED_TOOL_CALL": "unparseable",
    "error": "error",
    "OTHER": "error",
    "LANGUAGE": "error",
}
"""Finish reasons of OpenAI's and Google's APIs that mean that the content is not an answer. Others, and none at all
(some servers give none), let the content speak."""

_WHY: dict[Outcome, str] = {
    "truncated": "the answer was cut at the output limit; raise max_output_tokens",
    "refused": "the provider's filter stopped the answer",
    "recitation": "the provider stopped the answer for repeating published text",
    "unparseable": "the model's tool call was malformed",
    "error": "the provider ended the answer",
}

_MIN_BYTES = 8_000
_MOST_BYTES_PER_TOKEN = 12
"""English has four to five characters a token; twelve is out of reach unless the server left most of it out."""


def read_ending(message: AIMessage) -> Failure | None:
    """Why the message is no answer, None if its content may be read."""
    metadata = message.response_metadata
    reason = str(metadata.get("finish_reason") or "")
    if refusal := message.additional_kwargs.get("refusal"):
        return Failure("refused", f"the model refused: {' '.join(str(refusal).split())[:200]}")
    blocked = (metadata.get("prompt_feedback") or {}).get("block_reason")
    if blocked is not None:
        return Failure("refused", f"the provider blocked the prompt ({getattr(blocked, 'name', blocked)})")
    if not reason and not message.content and not message.tool_calls:
        # What LangChain makes of a Gemini response without any candidate.
        return Failure("unparseable", "the response holds no answer at all")
    outcome = _ENDINGS.get(reason)
    if outcome is None and re.fullmatch(r"IMAGE_\w+", reason):
        outcome = "refused"
    return None if outcome is None else Failure(outcome, f"{_WHY[outcome]} (finish reason {reason})")


def read_usage(message: AIMessage) -> Usage:
    """The tokens that the server reports; zero where it reports none."""
    given: Any = message.usage_metadata or {}
    details: Any = given.get("input_token_details") or {}
    cached = details.get("cache_read") or 0
    return Usage(
        input_tokens=given.get("input_tokens", 0),
        # A server that counts more cached than sent tokens would make the cost negative.
        cached_tokens=min(cached, given.get("input_tokens", 0)),
        output_tokens=given.get("output_tokens", 0),
    )


def cut_prompt(usage: Usage, prompt_bytes: int) -> Failure | None:
    """A failure if the server cannot have read the whole prompt, by its own count; None if it may have."""
    if prompt_bytes < _MIN_BYTES or usage.input_tokens == 0:
        return None
    if usage.input_tokens * _MOST_BYTES_PER_TOKEN >= prompt_bytes:
        return None
    return Failure(
        "context_overflow",
        f"the server counted {usage.input_tokens} tokens for a prompt of {prompt_bytes} bytes, so it left out "
        "most of it; raise the server's context size, or set detect_cut_prompt = false if it counts otherwise",
    )
