"""Ways to ask for a structured answer: which one is tried, kept, and given up."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from fakes import replies as r
from fakes.llm import PROVIDERS, Bench, make_task, on_bench, vote_on
from fakes.server import Reply, Request, Script

from parcel_agents.providers import RUNGS

GOOD = json.dumps({"passages": ["p1"], "reason": "So.", "label": "refuted"})


def only(*rungs: str) -> Script:
    """A server that refuses all rungs but these."""
    refuses = r.error(400, "response_format of this type is not supported")
    return lambda request: (r.answer("refuted") if request.rung in rungs else refuses)(request)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("rung", RUNGS)
def test_best_rung_that_the_server_takes_is_found_and_kept(provider: str, rung: str) -> None:
    async def work(bench: Bench) -> list[str]:
        verifier = bench.verifier(provider)
        for _ in range(2):
            vote = await verifier.verify(make_task())
            assert (vote.outcome, vote.label, vote.evidence[0].passage) == ("ok", "refuted", "p1")
        return [request.rung for request in bench.server.requests]

    tried = list(RUNGS[: RUNGS.index(rung) + 1])
    assert on_bench(only(rung), work) == [*tried, rung]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_answer_without_content_leads_to_the_next_rung(provider: str) -> None:
    script = r.by_rung(json_schema=r.text(None), function_calling=r.answer(), json_mode=r.answer(), line=r.answer())
    seen = vote_on(script, provider)
    assert (seen.vote.outcome, seen.rungs) == ("ok", ["json_schema", "function_calling"])


@pytest.mark.parametrize("provider", PROVIDERS)
def test_rung_that_has_worked_is_not_left_for_one_bad_answer(provider: str) -> None:
    async def work(bench: Bench) -> list[str]:
        verifier = bench.verifier(provider)
        outcomes = [(await verifier.verify(make_task())).outcome for _ in range(2)]
        assert outcomes == ["ok", "ok"]
        return [request.rung for request in bench.server.requests]

    assert on_bench(r.in_turn(r.answer(), r.text("hm"), r.answer()), work) == ["json_schema"] * 3


def test_form_that_is_chosen_by_hand_is_the_only_one() -> None:
    seen = vote_on(r.text("hm"), structured="json_mode")
    assert (seen.vote.outcome, seen.rungs) == ("unparseable", ["json_mode", "json_mode"])


def test_refusal_of_every_form_costs_four_requests_once_and_one_afterwards() -> None:
    async def work(bench: Bench) -> list[str]:
        verifier = bench.verifier(temperature=0.5)
        for _ in range(3):
            vote = await verifier.verify(make_task())
            assert (vote.outcome, "temperature" in vote.reason) == ("error", True)
        return [request.rung for request in bench.server.requests]

    script = r.error(400, "temperature is not supported with this model")
    assert on_bench(script, work) == [*RUNGS, "line", "line"]


def test_missing_tool_use_is_no_unknown_model() -> None:
    refuses = r.error(404, "No endpoints found that support the requested response_format")
    seen = vote_on(r.by_rung(json_schema=refuses, function_calling=r.answer(), json_mode=refuses, line=refuses))
    assert (seen.vote.outcome, seen.rungs) == ("ok", ["json_schema", "function_calling"])


WRAPPED = {
    "thinking": f"<think>It might be {{supported}}, but no.</think>\n{GOOD}",
    "thinking, opening tag cut": f"the label could be {{x}}</think>{GOOD}",
    "prose": f"Let me see. The Court says {{so}}.\n{GOOD}\nThat is my answer.",
    "code": f"```json\n{GOOD}\n```",
    "twice the same": f"{GOOD}\n{GOOD}",
    "other words for the label": GOOD.replace('"refuted"', '" Refuted. "'),
    "brackets around ids": GOOD.replace('"p1"', '"[p1]"'),
    "one more field": GOOD[:-1] + ', "confidence": 0.9}',
}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("content", WRAPPED.values(), ids=WRAPPED)
def test_what_stands_around_the_answer_does_not_matter(provider: str, content: str) -> None:
    seen = vote_on(r.text(content), provider)
    assert (seen.vote.outcome, seen.vote.label, seen.requests) == ("ok", "refuted", 1), seen.vote.reason
    assert [ref.passage for ref in seen.vote.evidence] == ["p1"]


UNUSABLE = {
    "two answers": f"{GOOD}\n{GOOD.replace('refuted', 'supported')}",
    "label is a list": GOOD.replace('"refuted"', '["refuted"]'),
    "label is missing": '{"passages": ["p1"], "reason": "So."}',
    "passages are objects": GOOD.replace('["p1"]', '[{"id": "p1"}]'),
    "unknown passage": GOOD.replace('"p1"', '"p99"'),
    "no passage": GOOD.replace('["p1"]', "[]"),
    "thinking without an end": f"<think>Perhaps {GOOD}",
    "nested without end": '{"label":' * 50_000,
    "null": "null",
    "a list": f"[{GOOD[:-1]}",
}


@pytest.mark.parametrize("content", UNUSABLE.values(), ids=UNUSABLE)
def test_answer_that_cannot_be_trusted_is_no_vote(content: str) -> None:
    seen = vote_on(r.text(content), structured="json_schema")
    assert (seen.vote.outcome, seen.vote.label, seen.requests) == ("unparseable", None, 2)


LINES = {
    "as asked": "PASSAGES: p1, p2\nREASON: It says so: twice.\nLABEL: not_found",
    "markdown": "**PASSAGES:** [p1], [p2]\n**REASON:** It says so: twice.\n**LABEL:** Not found.",
    "lower case, other order": "label: not found\nreason: It says so: twice.\npassages: p1 p2",
}


@pytest.mark.parametrize("content", LINES.values(), ids=LINES)
def test_lines_are_read_as_models_write_them(content: str) -> None:
    seen = vote_on(r.text(content), structured="line")
    assert (seen.vote.outcome, seen.vote.label) == ("ok", "not_found"), seen.vote.reason
    assert [ref.passage for ref in seen.vote.evidence] == ["p1", "p2"]
    assert seen.vote.reason == "It says so: twice."


@pytest.mark.parametrize("content", ["LABEL: supported\nLABEL: refuted", "LABEL: supported | refuted | not_found", ""])
def test_lines_that_say_several_things_say_nothing(content: str) -> None:
    seen = vote_on(r.text(content), structured="line")
    assert (seen.vote.outcome, seen.vote.label) == ("unparseable", None)


def broken_call(request: Request) -> Reply:
    return r.tool_call(request, {}, arguments='{"label": "supp')


def two_calls(request: Request) -> Reply:
    reply = r.tool_call(request, {"passages": ["p1"], "reason": "", "label": "supported"})
    calls = reply.body["choices"][0]["message"]["tool_calls"]
    other = json.loads(json.dumps(calls[0]).replace("supported", "refuted"))
    calls.append({**other, "id": "call_2"})
    return replace(reply)


@pytest.mark.parametrize("script", [broken_call, two_calls, r.text(GOOD)], ids=["broken", "two", "none"])
def test_tool_call_that_is_not_one_whole_call_is_unparseable(script: Script) -> None:
    seen = vote_on(script, structured="function_calling")
    assert (seen.vote.outcome, seen.vote.label, seen.requests) == ("unparseable", None, 2)
