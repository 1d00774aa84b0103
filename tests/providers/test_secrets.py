"""The key is seen nowhere but in the request's header."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

import pytest
from fakes import replies as r
from fakes.llm import KEY, PROVIDERS, Bench, make_task, on_bench
from fakes.server import Script
from pydantic import SecretStr

from parcel_agents.providers import AnswerCache, RunStoppedError
from parcel_agents.providers.secrets import redact


def echoing(status: int) -> Script:
    """A server that repeats the key in its message, as some proxies do."""
    return lambda request: r.error(
        status,
        f"request with key {request.headers.get('authorization') or request.headers.get('x-goog-api-key')} failed",
    )(request)


SCRIPTS: dict[str, Script] = {
    "answer": r.answer(),
    "bad key": r.bad_key,
    "quota": r.quota,
    "400": echoing(400),
    "429": echoing(429),
    "500": echoing(500),
    "hang": r.hang(),
    "reset": r.reset,
    "page": r.body("<p>no</p>", content_type="text/html"),
}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_key_is_nowhere(
    provider: str,
    script: Script,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    cache = AnswerCache(tmp_path / "answers.sqlite")

    async def work(bench: Bench) -> str:
        verifier = bench.verifier(provider, timeout_s=1, retries=1)
        said = [repr(verifier), str(verifier), repr(verifier.settings), repr(bench.providers)]
        chat = bench.providers.chat(verifier.settings, verifier._form)
        said += [repr(chat), repr(vars(chat)), repr(chat.client()), str(chat.client())]
        said.append(repr(bench.providers.caller(verifier.settings)))
        try:
            vote = await verifier.verify(make_task())
            said += [vote.model_dump_json(), repr(vote)]
        except RunStoppedError as error:
            said += ["".join(traceback.format_exception(error)), repr(error)]
        assert any(KEY in " ".join(request.headers.values()) for request in bench.server.requests)
        return "\n".join(said)

    said = on_bench(script, work, cache=cache)
    cache.close()
    said += caplog.text + "".join(capfd.readouterr())
    said += "".join(path.read_bytes().decode("latin-1") for path in tmp_path.iterdir())
    assert KEY not in said


REDACTED = [
    (f"key {KEY} is wrong", "key *** is wrong"),
    (f"Bearer {KEY}", "Bearer ***"),
    (f"Incorrect API key provided: sk-{'x' * 12}", "Incorrect API key provided: ***"),
    (f"Incorrect API key provided: sk-xx{'*' * 12}xx.", "Incorrect API key provided: ***."),
    ("token limit of 4096 reached in task-12345678", "token limit of 4096 reached in task-12345678"),
]


@pytest.mark.parametrize(("text", "expected"), REDACTED)
def test_keys_are_taken_out_of_messages(text: str, expected: str) -> None:
    assert redact(text, [SecretStr(KEY), None]) == expected


def test_word_that_is_set_as_a_key_does_not_blank_out_messages() -> None:
    assert redact("no answer", [SecretStr("no"), SecretStr("")]) == "no answer"
