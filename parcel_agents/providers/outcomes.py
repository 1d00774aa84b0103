"""What an exception from a model call means: an Outcome, whether to try again, whether to end the run.

Vendors' classes are not named here: importing an SDK takes a second, and its classes change from version to version.
What stays is the HTTP status, the body and the chain of causes that every SDK keeps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from parcel_agents.types import Outcome

Stop = Literal["auth", "quota"]

MAX_DETAIL = 300
"""Characters of a provider's message that are kept."""


@dataclass(frozen=True)
class Failure:
    """Why a call gave no answer."""

    outcome: Outcome
    detail: str
    retryable: bool = False
    """True where the same request may pass a moment later."""
    stop: Stop | None = None
    """Set where every further request to this provider would fail in the same way."""
    retry_after_s: float | None = None
    """How long the provider wants to be left alone."""
    refuses_form: bool = False
    """True where the server would not take the request as it stands; asked in a plainer form it may answer."""
    maybe_billed: bool = False
    """True where the provider may have worked, and charged, although no answer arrived."""


_OVERFLOW = re.compile(
    r"context_length_exceeded|maximum context length|exceed_context_size|context size|context window"
    r"|exceeds the maximum number of tokens|prompt is too long|input is too long|ContextWindowExceeded"
    r"|reduce the length of the (?:messages|prompt)|Input tokens exceed",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient_quota|billing_hard_limit|billing_not_active|insufficient.{0,20}(?:credit|balance|funds)"
    r"|PerDay|per day",
    re.IGNORECASE,
)
_BAD_KEY = re.compile(r"API_KEY_INVALID|API key not valid|invalid.{0,10}api.?key|API key expired", re.IGNORECASE)
_MODERATED = re.compile(r"flagged|moderation|content_policy_violation|content_filter|ResponsibleAI", re.IGNORECASE)
_NEVER_FITS = re.compile(r"request too large", re.IGNORECASE)
_FORM = re.compile(
    r"tool|function|response_format|structured|json|schema|No endpoints found|support|mime", re.IGNORECASE
)
_RETRY_DELAY = re.compile(r'"retryDelay": ?"([\d.]+)s"')

# Names of httpx, httpx2 and aiohttp classes; which of them speaks depends on what is installed.
_CONNECTION = {"APIConnectionError", "TransportError", "ClientConnectionError", "ClientPayloadError", "ConnectionError"}
_UNSENT = {"ConnectError", "ConnectionRefusedError", "ClientConnectorError", "gaierror"}


def read_exception(error: BaseException) -> Failure:
    """What went wrong in a model call that raised.

    Never raises: what is not recognised has the outcome `error`.
    """
    status, body = _status_and_body(error)
    message = _message(error, body)
    if status is not None:
        return _read_status(status, message, json.dumps(body, default=str), _retry_after(error, body))
    names = {cls.__name__ for link in _chain(error) for cls in type(link).__mro__}
    if any("Timeout" in name for name in names):
        return Failure("timeout", "no answer within the deadline", retryable=True, maybe_billed=True)
    if names & _CONNECTION:
        unsent = bool(names & _UNSENT)
        return Failure("error", f"the connection failed: {message}", retryable=True, maybe_billed=not unsent)
    if isinstance(error, (ValueError, KeyError, TypeError, IndexError)) or "APIResponseValidationError" in names:
        # What LangChain and the SDKs raise over a body that is empty, cut or not of the provider's shape.
        return Failure("unparseable", f"the response is not what the provider's API promises: {message}")
    return Failure("error", f"{type(error).__name__}: {message}")


def _read_status(status: int, message: str, body: str, retry_after_s: float | None) -> Failure:
    detail = f"HTTP {status}: {message}"
    everything = f"{message} {body}"
    if _OVERFLOW.search(everything) or status == 413:
        return Failure("context_overflow", detail)
    if status == 429:
        if _QUOTA.search(everything):
            return Failure("rate_limited", detail, stop="quota")
        if _NEVER_FITS.search(everything):
            return Failure("rate_limited", detail)
        return Failure("rate_limited", detail, retryable=True, retry_after_s=retry_after_s)
    if status == 402:
        return Failure("rate_limited", detail, stop="quota")
    if status in (400, 401, 403) and _BAD_KEY.search(everything):
        return Failure("auth", detail, stop="auth")
    if status in (400, 403) and _MODERATED.search(everything):
        return Failure("refused", detail)
    if status in (401, 403):
        return Failure("auth", detail, stop="auth")
    if status in (408, 504):
        return Failure("timeout", detail, retryable=True, maybe_billed=True)
    if status in (409, 425) or status >= 500:
        # 501 is said of a way to ask, not of the moment.
        return Failure("error", detail, retryable=status != 501, refuses_form=status == 501)
    refuses_form = status in (400, 405, 415, 422) or (status == 404 and _FORM.search(message) is not None)
    return Failure("error", detail, refuses_form=refuses_form)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The exception and what it was raised from, outermost first."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or link.__context__


def _status_and_body(error: BaseException) -> tuple[int | None, Any]:
    """The HTTP status and the decoded body, wherever in the chain an SDK left them."""
    for link in _chain(error):
        for attribute in ("status_code", "code"):
            status = getattr(link, attribute, None)
            if isinstance(status, int) and 400 <= status < 600:
                return status, getattr(link, "body", None) or getattr(link, "details", None)
        # OpenRouter answers 200 and puts the error into the body; LangChain raises ValueError(that object).
        inner = link.args[0] if link.args else None
        if isinstance(inner, Mapping) and str(inner.get("code", "")).isdigit():
            return int(inner["code"]), inner
    return None, None


def _message(error: BaseException, body: Any) -> str:
    """One line of what the provider says, without the wrapping that SDKs put around it."""
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    text = inner.get("message") if isinstance(inner, Mapping) else None
    if not isinstance(text, str) or not text.strip():
        text = getattr(error, "message", None)
    if not isinstance(text, str) or not text.strip():
        text = str(error) or type(error).__name__
    text = " ".join(text.split())
    return text if len(text) <= MAX_DETAIL else f"{text[:MAX_DETAIL]}..."


def _retry_after(error: BaseException, body: Any) -> float | None:
    """Seconds to wait by the header, else by Gemini's RetryInfo; None where the provider names none."""
    for link in _chain(error):
        headers = getattr(getattr(link, "response", None), "headers", None)
        if headers is None:
            continue
        for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
            try:
                return max(0.0, float(headers[name]) * unit)
            except (KeyError, ValueError, TypeError):
                # Not given, or given as a date, which no provider of models uses.
                continue
    match = _RETRY_DELAY.search(json.dumps(body, default=str))
    return float(match[1]) if match else None
