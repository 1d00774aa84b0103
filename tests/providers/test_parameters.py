"""What reaches the server besides the messages."""

from __future__ import annotations

from typing import Any

import pytest
from fakes import replies as r
from fakes.llm import Bench, make_task, on_bench, vote_on

from parcel_agents.providers import RunStoppedError


def sent(provider: str, **settings: Any) -> dict[str, Any]:
    seen = vote_on(r.answer(), provider, **settings)
    assert seen.vote.outcome == "ok", seen.vote.reason
    return seen.bench.server.requests[0].body


def test_nothing_is_sent_that_was_not_set() -> None:
    body = sent("openai")
    assert body.keys() == {"model", "messages", "stream", "max_tokens", "response_format"}
    assert "temperature" not in sent("google")["generationConfig"]


def test_openai_gets_its_parameters() -> None:
    body = sent("openai", temperature=0, max_output_tokens=77, parameters={"seed": 5, "reasoning": {"effort": "low"}})
    assert (body["temperature"], body["max_tokens"], body["seed"]) == (0, 77, 5)
    assert body["reasoning"] == {"effort": "low"}


@pytest.mark.parametrize(
    ("name", "fields"),
    [("max_completion_tokens", {"max_completion_tokens"}), ("none", set()), ("auto", {"max_tokens"})],
)
def test_output_limit_has_the_name_that_the_server_knows(name: str, fields: set[str]) -> None:
    body = sent("openai", output_limit_name=name)
    assert body.keys() & {"max_tokens", "max_completion_tokens"} == fields


def test_gemini_gets_its_parameters() -> None:
    parameters = {"seed": 5, "thinking_config": {"thinking_budget": 0}}
    config = sent("google", temperature=0.5, max_output_tokens=77, parameters=parameters)["generationConfig"]
    assert (config["temperature"], config["maxOutputTokens"], config["seed"]) == (0.5, 77, 5)
    # The SDK leaves the inner name as it was given; Google's JSON takes either spelling.
    assert list(config["thinkingConfig"].values()) == [0]
    assert config["responseJsonSchema"]["properties"]["label"]["enum"] == ["supported", "refuted", "not_found"]


def test_parameter_that_gemini_does_not_know_is_told_before_anything_is_sent() -> None:
    async def work(bench: Bench) -> int:
        verifier = bench.verifier("google", parameters={"sede": 5})
        with pytest.raises(RunStoppedError, match=r"parameters\.sede is not of Gemini's API"):
            await verifier.verify(make_task())
        return len(bench.server.requests)

    assert on_bench(r.answer(), work) == 0


@pytest.mark.parametrize("provider", ["openai", "google"])
def test_schema_is_flat(provider: str) -> None:
    """Gemini refuses unions, references and nested enums."""
    body = sent(provider)
    schema = (
        body["response_format"]["json_schema"]["schema"]
        if provider == "openai"
        else body["generationConfig"]["responseJsonSchema"]
    )
    assert {spec["type"] for spec in schema["properties"].values()} <= {"string", "array"}
    assert not {"anyOf", "oneOf", "$ref", "$defs"} & set(str(schema).replace("'", " ").split())
    assert set(schema["required"]) == set(schema["properties"])
