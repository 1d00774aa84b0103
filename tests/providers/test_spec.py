"""What a panel's author may say about a model, and how mistakes are told."""

from __future__ import annotations

from typing import Any

import pytest
from fakes.llm import KEY

from parcel_agents.errors import ConfigError
from parcel_agents.providers import AuthError, ModelSpec
from parcel_agents.providers.spec import check_settings

MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({}, "verifier 'glm': model: Field required"),
    ({"model": "gpt"}, "'gpt' is not of the form PROVIDER:NAME with a provider of openai, google"),
    ({"model": "mistral:large"}, "provider of openai, google"),
    ({"model": "openai:"}, "PROVIDER:NAME"),
    ({"model": "openai:m", "rmp": 3}, "rmp: Extra inputs are not permitted; known: api_key_env, base_url,"),
    ({"model": "openai:m", "api_key": "sk-secret"}, "name its environment variable in api_key_env"),
    ({"model": "openai:m", "rpm": 0}, "rpm: Input should be greater than or equal to 1"),
    ({"model": "openai:m", "rpm": "many"}, "rpm: Input should be a valid integer"),
    ({"model": "openai:m", "temperature": 3}, "temperature: Input should be less than or equal to 2"),
    ({"model": "openai:m", "structured": "xml"}, "structured"),
    ({"model": "openai:m", "base_url": "localhost:8000"}, "'localhost:8000' is not an http or https address"),
    ({"model": "openai:m", "base_url": "https://me:sk-secret@host/v1"}, "keys come from api_key_env"),
    ({"model": "openai:m", "base_url": "https://host/v1?key=sk-secret"}, "keys come from api_key_env"),
    ({"model": "openai:m", "parameters": {"Temperature": 1}}, "Temperature cannot be given here"),
    ({"model": "openai:m", "parameters": {"api_key": "sk-secret"}}, "api_key cannot be given here"),
    ({"model": "openai:m", "input_price": 1}, "give input_price and output_price together"),
    ({"model": "openai:m", "cached_price": 1}, "cached_price needs"),
]


@pytest.mark.parametrize(("settings", "words"), MISTAKES)
def test_mistake_is_told_with_the_setting_and_what_is_allowed(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_settings(ModelSpec, "glm", settings)
    assert words in str(caught.value)
    assert str(caught.value).startswith("verifier 'glm': ")
    assert "sk-secret" not in str(caught.value)
    assert caught.value.__cause__ is None  # pydantic's own error would print the value


KEYS: list[tuple[dict[str, Any], str | None]] = [
    ({"model": "openai:m"}, "OPENAI_API_KEY"),
    ({"model": "google:m"}, "GOOGLE_API_KEY"),
    ({"model": "openai:m", "api_key_env": "MINE"}, "MINE"),
    # OpenAI's key is not sent to another server because nothing else was said
    ({"model": "openai:m", "base_url": "http://localhost:8000/v1"}, None),
    ({"model": "openai:m", "base_url": "http://localhost:8000/v1", "api_key_env": "MINE"}, "MINE"),
]


@pytest.mark.parametrize(("settings", "name"), KEYS)
def test_key_goes_only_to_the_server_it_is_for(settings: dict[str, Any], name: str | None) -> None:
    spec = ModelSpec(**settings)
    assert spec.key_name == name
    environ = {name: KEY} if name else {"OPENAI_API_KEY": KEY}
    found = spec.find_key(environ)
    assert (found.get_secret_value() if found else None) == (KEY if name else None)
    assert KEY not in f"{found!r} {found} {spec!r} {spec.model_dump_json()}"


@pytest.mark.parametrize("environ", [{}, {"OPENAI_API_KEY": ""}, {"OPENAI_API_KEY": "  "}])
def test_missing_key_says_which_variable_to_set(environ: dict[str, str]) -> None:
    with pytest.raises(AuthError, match="set the environment variable OPENAI_API_KEY"):
        ModelSpec(model="openai:m").find_key(environ)


def test_models_of_one_key_share_their_limits_unless_told_otherwise() -> None:
    one = ModelSpec(model="openai:a", base_url="http://h/v1", api_key_env="K")
    assert one.group == ModelSpec(model="openai:b", base_url="http://h/v1/", api_key_env="K").group
    assert one.group != ModelSpec(model="openai:a", base_url="http://h/v1", api_key_env="L").group
    assert one.group != ModelSpec(model="openai:a", base_url="http://h/v1", api_key_env="K", limit_group="a").group


def test_sent_parameters_are_what_was_set() -> None:
    spec = ModelSpec(model="openai:m", parameters={"seed": 4}, max_output_tokens=9)
    assert spec.sent_parameters() == {"seed": 4, "max_output_tokens": 9}
    assert ModelSpec(model="openai:m", temperature=0, output_limit_name="none").sent_parameters() == {"temperature": 0}
