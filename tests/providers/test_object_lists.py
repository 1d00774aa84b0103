"""Answers that are a list of objects, at every rung of both wires."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fakes import replies as r
from fakes.llm import PROVIDERS, Bench, on_bench
from fakes.server import Reply, Request, Script

from parcel_agents.providers import RUNGS, Asked, Question
from parcel_agents.providers.answers import AnswerForm

TEXT = {"type": "string"}
SHIP = {
    "type": "object",
    "properties": {"name": TEXT, "build": TEXT, "ports": {"type": "array", "items": TEXT}},
    "required": ["name", "build", "ports"],
    "additionalProperties": False,
}
FORM = AnswerForm(
    "ships",
    "Ships and their ports.",
    {
        "title": "ships",
        "type": "object",
        "properties": {"ships": {"type": "array", "items": SHIP}},
        "required": ["ships"],
        "additionalProperties": False,
    },
    dict.fromkeys(RUNGS, "Answer in the form."),
)
FLEET: list[Any] = [
    {"name": "Gull", "build": "sloop {of war}", "ports": ["Orme", "Pell"]},
    {"name": "Tern", "build": "", "ports": []},
]


def asked(script: Script, provider: str, rung: str) -> tuple[Asked[Any], list[Request]]:
    question = Question("You list.", "Which ships?", "test@1", FORM, lambda fields: fields["ships"])

    async def work(bench: Bench) -> tuple[Asked[Any], list[Request]]:
        return await bench.verifier(provider, structured=rung).asker.ask(question), bench.server.requests

    return on_bench(script, work)


def fleet(ships: Any) -> Script:
    """The ships, in the form that the request asks for."""

    def script(request: Request) -> Reply:
        if request.rung == "function_calling":
            return r.calls(("ships", {"ships": ships}))(request)
        if request.rung == "line":
            return r.says(request, "\n".join(json.dumps(ship) for ship in ships))
        return r.says(request, json.dumps({"ships": ships}))

    return script


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("rung", RUNGS)
def test_a_list_of_objects_comes_back_as_it_is(provider: str, rung: str) -> None:
    answer, requests = asked(fleet(FLEET), provider, rung)
    assert (answer.answer, answer.failure, answer.rung) == (FLEET, None, rung)
    assert [request.rung for request in requests] == [rung]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("rung", ["json_schema", "function_calling", "json_mode"])
def test_an_empty_list_is_an_answer(provider: str, rung: str) -> None:
    assert asked(fleet([]), provider, rung)[0].answer == []


@pytest.mark.parametrize("rung", ["json_schema", "function_calling", "json_mode"])
def test_what_the_list_holds_is_left_to_the_question(rung: str) -> None:
    odd: list[Any] = [FLEET[0], "Tern", 7, None, [], {"name": 3}]
    assert asked(fleet(odd), "openai", rung)[0].answer == odd


@pytest.mark.parametrize("provider", PROVIDERS)
def test_one_object_stands_for_a_list_of_one(provider: str) -> None:
    assert asked(r.text(json.dumps({"ships": FLEET[0]})), provider, "json_mode")[0].answer == [FLEET[0]]


@pytest.mark.parametrize("content", ["null", "7", '"Gull"'])
def test_anything_else_in_place_of_the_list_is_no_answer(content: str) -> None:
    answer, requests = asked(r.text(f'{{"ships": {content}}}'), "openai", "json_schema")
    assert (answer.answer, len(requests)) == (None, 2)
    assert answer.failure is not None
    assert (answer.failure.outcome, answer.failure.detail) == ("unparseable", "ships is not a list")


LINES = {
    "with prose": f"These two.\n{json.dumps(FLEET[0])}\nand {json.dumps(FLEET[1])}.",
    "in code": f"```json\n{json.dumps(FLEET[0], indent=2)}\n{json.dumps(FLEET[1])}\n```",
    "as a list": json.dumps(FLEET),
    "behind thoughts": f'<think>{{"name": "Rook"}}?</think>{json.dumps(FLEET[0])}\n{json.dumps(FLEET[1])}',
    "with another object": f'{{"note": 1}}\n{json.dumps(FLEET[0])}\n{json.dumps(FLEET[1])}',
}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("content", LINES.values(), ids=LINES)
def test_objects_in_a_text_are_found_whatever_stands_around_them(provider: str, content: str) -> None:
    assert asked(r.text(content), provider, "line")[0].answer == FLEET


@pytest.mark.parametrize("content", ["No ships.", "", '{"note": 1}', '{"name": "Gull", '])
def test_a_text_without_objects_is_no_answer(content: str) -> None:
    answer, _ = asked(r.text(content), "openai", "line")
    assert answer.failure is not None
    assert answer.failure.outcome == "unparseable"


def test_an_object_that_was_cut_off_leaves_those_before_it() -> None:
    assert asked(r.text(f'{json.dumps(FLEET[0])}\n{{"name": "Te'), "openai", "line")[0].answer == FLEET[:1]


# The schema ------------------------------------------------------------------------------------------------------


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """The schemas of objects, at every depth."""
    if isinstance(schema, dict):
        if str(schema.get("type", "")).lower() == "object":
            yield schema
        for inner in schema.values():
            yield from objects(inner)


def test_openai_s_strict_schema_allows_no_other_field_at_any_depth() -> None:
    _, (request,) = asked(fleet(FLEET), "openai", "json_schema")
    given = request.body["response_format"]["json_schema"]
    assert given["strict"] is True
    found = list(objects(given["schema"]))
    assert len(found) == 2
    assert all(one["additionalProperties"] is False for one in found)
    assert all(set(one["required"]) == set(one["properties"]) for one in found)


def test_openai_s_tool_has_the_whole_schema() -> None:
    _, (request,) = asked(fleet(FLEET), "openai", "function_calling")
    assert request.body["tools"][0]["function"]["parameters"] == FORM.schema


def test_gemini_s_tool_has_no_word_that_its_api_does_not_know() -> None:
    _, (request,) = asked(fleet(FLEET), "google", "function_calling")
    (declared,) = request.body["tools"][0]["functionDeclarations"]
    assert "additionalProperties" not in json.dumps(declared)
    assert "additional_properties" not in json.dumps(declared)
    outer, inner = objects(declared.get("parameters") or declared["parametersJsonSchema"])
    assert set(outer["properties"]) == {"ships"}
    assert set(inner["properties"]) == {"name", "build", "ports"}
    assert set(inner["required"]) == {"name", "build", "ports"}


def test_gemini_s_answers_have_the_whole_schema() -> None:
    _, (request,) = asked(fleet(FLEET), "google", "json_schema")
    assert request.body["generationConfig"]["responseJsonSchema"] == FORM.schema
