"""The LangChain clients, and what each rung adds to their requests.

We bind the answer's form to the request ourselves instead of using `with_structured_output`. The request is the same,
but the raw message comes back in every case, with its finish reason and its tokens: the OpenAI SDK raises on a cut or
filtered answer, and then the tokens are lost. And what reasoning models write around their JSON can be read past.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable
from pydantic import SecretStr, ValidationError

from parcel_agents.errors import MissingDependencyError
from parcel_agents.providers.answers import AnswerForm
from parcel_agents.providers.spec import ModelSpec, Rung
from parcel_agents.providers.stop import RunStoppedError

Chain = Runnable[Any, Any]

_SPARE_S = 5.0
"""The HTTP client's own timeout lies behind our deadline, so that one rule decides."""
_PACKAGES = {"openai": "langchain-openai", "google": "langchain-google-genai"}
_NO_KEY = "none"
"""What servers without keys are sent, since the SDKs insist on one."""


def check_sdk(spec: ModelSpec) -> None:
    """Make sure that the library which speaks to the provider is installed, without importing it.

    Raises:
        MissingDependencyError: it is not.
    """
    package = _PACKAGES[spec.provider]
    if find_spec(package.replace("-", "_")) is None:
        raise MissingDependencyError(f"{spec.model} needs the package {package}; install with: pip install {package}")


class ChatModel:
    """One model's clients and chains.

    A client stays bound to the event loop that first used it, and would raise "Event loop is closed" in the next one;
    so there is a client per loop, made when it is first asked for and forgotten with the loop.
    """

    def __init__(self, spec: ModelSpec, key: SecretStr | None, form: AnswerForm) -> None:
        """Make nothing yet: the SDK is imported with the first request."""
        self._spec = spec
        self._key = key or SecretStr(_NO_KEY)
        self._form = form
        self._chains: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Rung, Chain]] = (
            weakref.WeakKeyDictionary()
        )
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Client] = weakref.WeakKeyDictionary()

    def sender(self, messages: list[BaseMessage], rung: Rung) -> Callable[[], Awaitable[AIMessage]]:
        """What sends one request, each time it is called; whatever the SDK raises comes through.

        The client is made here and not with the request: importing an SDK takes seconds, which are not the model's.

        Raises:
            RunStoppedError: the provider does not know a parameter.
        """
        return partial(self._chain(rung).ainvoke, messages)

    def client(self) -> BaseChatModel:
        """The LangChain chat model for the running event loop, without a form for its answers."""
        return self._client().model

    async def aclose(self) -> None:
        """Close the running loop's connections."""
        loop = asyncio.get_running_loop()
        self._chains.pop(loop, None)
        client = self._clients.pop(loop, None)
        if client is not None:
            await client.close()

    def _client(self) -> _Client:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            client = self._clients[loop] = _MAKERS[self._spec.provider](self._spec, self._key)
        return client

    def _chain(self, rung: Rung) -> Chain:
        chains = self._chains.setdefault(asyncio.get_running_loop(), {})
        if rung not in chains:
            bind = _openai_form if self._spec.provider == "openai" else _google_form
            chains[rung] = self._client().model.bind(**bind(self._spec, self._form, rung))
        return chains[rung]


class _Client:
    def __init__(self, model: BaseChatModel, close: Callable[[], Awaitable[None]]) -> None:
        self.model = model
        self._close = close

    async def close(self) -> None:
        with suppress(RuntimeError):
            await self._close()


def _make_openai(spec: ModelSpec, key: SecretStr) -> _Client:
    import openai
    from langchain_openai import ChatOpenAI

    http = openai.DefaultAsyncHttpxClient(timeout=spec.timeout_s + _SPARE_S)
    model = ChatOpenAI(
        model=spec.model_name,
        base_url=spec.url,
        api_key=key,
        temperature=spec.temperature,
        timeout=spec.timeout_s + _SPARE_S,
        max_retries=0,
        http_async_client=http,
        use_responses_api=False,
        stream_usage=False,
        disable_streaming=True,
        cache=False,
    )
    return _Client(model, http.aclose)


def _make_google(spec: ModelSpec, key: SecretStr) -> _Client:
    from google.genai.types import GenerationConfig
    from langchain_google_genai import ChatGoogleGenerativeAI

    try:
        GenerationConfig.model_validate(spec.parameters)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        key_name = ".".join(str(part) for part in first["loc"])
        raise RunStoppedError(f"{spec.model}: parameters.{key_name} is not of Gemini's API: {first['msg']}") from None
    model = ChatGoogleGenerativeAI(
        model=spec.model_name,
        base_url=spec.url,
        api_key=key,
        vertexai=False,
        temperature=spec.temperature,
        max_output_tokens=None if spec.output_limit_name == "none" else spec.max_output_tokens,
        timeout=spec.timeout_s + _SPARE_S,
        max_retries=0,
        disable_streaming=True,
        cache=False,
    )
    return _Client(model, model.aclose)


_MAKERS: Mapping[str, Callable[[ModelSpec, SecretStr], _Client]] = {"openai": _make_openai, "google": _make_google}


def _openai_form(spec: ModelSpec, form: AnswerForm, rung: Rung) -> dict[str, Any]:
    body: dict[str, Any] = dict(spec.parameters)
    if name := _limit_name(spec):
        body[name] = spec.max_output_tokens
    if rung == "json_schema":
        schema = {"name": form.name, "description": form.about, "schema": dict(form.schema), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif rung == "json_mode":
        body["response_format"] = {"type": "json_object"}
    bound: dict[str, Any] = {"extra_body": body}
    if rung == "function_calling":
        bound["tools"] = [_tool(form, form.schema)]
        bound["tool_choice"] = {"type": "function", "function": {"name": form.name}}
    return bound


def _google_form(spec: ModelSpec, form: AnswerForm, rung: Rung) -> dict[str, Any]:
    bound: dict[str, Any] = {"generation_config": dict(spec.parameters)} if spec.parameters else {}
    if rung == "json_schema":
        bound |= {"response_mime_type": "application/json", "response_json_schema": dict(form.schema)}
    elif rung == "json_mode":
        bound["response_mime_type"] = "application/json"
    elif rung == "function_calling":
        # Gemini's tools know fewer words of JSON schema than its answers do.
        schema = _plain(form.schema)
        bound |= {"tools": [_tool(form, schema)], "tool_choice": form.name}
    return bound


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without the words that Gemini's tools do not know, at every depth."""
    kept = {key: value for key, value in schema.items() if key not in ("additionalProperties", "title")}
    if "properties" in kept:
        kept["properties"] = {name: _plain(inner) for name, inner in kept["properties"].items()}
    if "items" in kept:
        kept["items"] = _plain(kept["items"])
    return kept


def _tool(form: AnswerForm, schema: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": form.name, "description": form.about, "parameters": dict(schema)}
    return {"type": "function", "function": function}


def _limit_name(spec: ModelSpec) -> str | None:
    """OpenAI's reasoning models refuse `max_tokens`; other servers may not know its successor."""
    if spec.output_limit_name == "none":
        return None
    if spec.output_limit_name == "auto":
        return "max_completion_tokens" if spec.base_url is None else "max_tokens"
    return spec.output_limit_name
