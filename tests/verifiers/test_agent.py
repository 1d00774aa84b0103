"""The verifier `agent`: a conversation with tools, on the wire."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from fakes import replies as r
from fakes.agents import READ, SEARCH, agent, talk, task_on, told, trace, verdict
from fakes.llm import DISSENT, MAJORITY, PROVIDERS, Bench, make_opinion, on_bench
from fakes.server import Reply, Request

from parcel_agents.providers import AnswerCache
from parcel_agents.verifiers.agent_prompt import load_agent_prompt


def test_a_vote_is_kept_and_a_failure_is_not(tmp_path: Path) -> None:
    async def work(bench: Bench) -> None:
        reader = agent(bench)
        bench.server.script = r.error(400, "no")
        assert (await reader.verify(task_on())).outcome == "error"
        bench.server.script = r.by_turn(SEARCH, verdict())
        first = await reader.verify(task_on())
        asked = len(bench.server.requests)
        again = await reader.verify(task_on())
        assert len(bench.server.requests) == asked
        assert (again.cached, again.cost_usd, again.usage.input_tokens, again.attempts) == (True, 0.0, 0, 0)
        assert (again.label, again.evidence, again.read, again.tool_calls) == (
            first.label,
            first.evidence,
            first.read,
            first.tool_calls,
        )
        estimate = reader.estimate([task_on(), task_on("(another claim)")])
        assert (estimate.votes, estimate.cached_votes, estimate.input_tokens) == (2, 1, 60_000)
        # Another claim, another opinion or another budget is another conversation, and so is one asked for afresh.
        for conversation in (
            reader.verify(task_on("(holding that the operator need not answer)")),
            reader.verify(task_on(opinion=make_opinion(DISSENT, MAJORITY))),
            agent(bench, max_steps=5).verify(task_on()),
            reader.verify_afresh(task_on()),
        ):
            before = len(bench.server.requests)
            await conversation
            assert len(bench.server.requests) > before
        explanation = reader.explain(task_on("(yet another claim)"))
        assert explanation is not None
        assert "human" in explanation.differs

    on_bench(r.error(500), work, cache=AnswerCache(tmp_path / "answers.sqlite"))


@pytest.mark.parametrize("provider", PROVIDERS)
def test_searches_reads_and_gives_a_verdict(provider: str) -> None:
    vote, bench = talk(r.by_turn(SEARCH, READ, verdict("refuted", ("p2", "p1"))), provider)
    assert (vote.outcome, vote.label, vote.read) == ("ok", "refuted", ("p1", "p2")), vote.reason
    assert [(ref.passage, ref.relation) for ref in vote.evidence] == [("p2", "contradicts"), ("p1", "contradicts")]
    assert make_opinion().text[vote.evidence[0].start : vote.evidence[0].end] == DISSENT
    assert MAJORITY in told(bench)[0]
    assert DISSENT in told(bench)[1]
    first = bench.server.requests[0]
    assert "Look for what contradicts the claim before" in first.system
    assert "(holding that the operator must answer" in first.user
    assert "at most 8 turns" in first.user


@pytest.mark.parametrize("provider", PROVIDERS)
def test_usage_cost_and_requests_are_those_of_all_calls(provider: str) -> None:
    vote, bench = talk(r.by_turn(r.in_turn(r.error(500), SEARCH), verdict()), provider)
    assert (vote.outcome, vote.attempts, len(bench.server.requests)) == ("ok", 3, 3)
    assert (vote.usage.input_tokens, vote.usage.cached_tokens, vote.usage.output_tokens) == (2_000, 1_200, 100)
    # Two calls with an answer, each: 400 fresh at $1, 600 cached at $0.50, 50 out at $2 a million.
    assert vote.cost_usd == pytest.approx(2 * (400 + 300 + 100) / 1e6)
    assert (vote.model, vote.prompt) == (f"{provider}:some-model", load_agent_prompt().id)


def test_trace_names_the_tools_with_arguments_and_length() -> None:
    vote, bench = talk(r.by_turn(SEARCH, verdict()))
    call = f'search_opinion {{"query": "gangway ice", "k": 1}} -> {len(told(bench)[0])} characters; give_verdict'
    assert vote.reason == "It says so."
    assert call in trace(vote)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_all_tools_and_one_flat_verdict_are_offered_with_the_settings(provider: str) -> None:
    _, bench = talk(r.by_turn(SEARCH, verdict()), provider, temperature=0.25, max_output_tokens=700)
    body = bench.server.requests[0].body
    if provider == "openai":
        offered = {tool["function"]["name"]: tool["function"]["parameters"] for tool in body["tools"]}
        assert (body["temperature"], body["max_tokens"]) == (0.25, 700)
    else:
        declared = body["tools"][0]["functionDeclarations"]
        offered = {tool["name"]: tool.get("parameters") for tool in declared}
        config = body["generationConfig"]
        assert (config["temperature"], config["maxOutputTokens"]) == (0.25, 700)
    assert list(offered) == [
        "search_opinion", "read_passage", "find_citation", "list_parts", "check_quotation", "give_verdict",
    ]  # fmt: skip
    fields = offered["give_verdict"]["properties"]
    assert list(fields) == ["passages", "reason", "label"]
    assert fields["label"]["type"].lower() == "string"
    assert fields["label"]["enum"] == ["supported", "refuted", "not_found"]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (("read_passage", {"id": "p99"}), "there is no passage"),
        (("search_opinion", {"query": "ice", "k": 500}), "give a whole number from 1 to 20"),
        (("search_opinion", {"words": "ice"}), "query: Field required"),
        (("open_browser", {"url": "x"}), "open_browser is not a valid tool, try one of [search_opinion"),
    ],
)
def test_a_call_that_makes_no_sense_is_answered(provider: str, call: Any, answer: str) -> None:
    vote, bench = talk(r.by_turn(r.calls(call), SEARCH, verdict()), provider)
    assert (vote.outcome, vote.label, vote.read) == ("ok", "supported", ("p1",)), vote.reason
    assert answer in told(bench)[0]
    assert "-> error, " in trace(vote)


def test_arguments_that_are_not_json_are_answered_and_sent_back_as_json() -> None:
    vote, bench = talk(r.by_turn(r.calls(("search_opinion", '{"query": "ice')), SEARCH, verdict()))
    assert vote.outcome == "ok", vote.reason
    assert "query: Field required; not_json: Extra inputs" in told(bench)[0]
    sent = bench.server.requests[-1].body["messages"][2]["tool_calls"][0]["function"]["arguments"]
    assert sent == '{"not_json": "{\\"query\\": \\"ice"}'


def test_several_calls_of_one_turn_are_answered_each_under_its_id() -> None:
    both = r.calls(("read_passage", {"id": "p2"}), ("read_passage", {"id": "p1"}))

    def same_ids(request: Request) -> Reply:
        reply = both(request)
        for call in reply.body["choices"][0]["message"]["tool_calls"]:
            call["id"] = "call_1"
        return reply

    vote, bench = talk(r.by_turn(same_ids, verdict("supported", ("p1", "p2"))))
    assert (vote.outcome, vote.read) == ("ok", ("p1", "p2")), vote.reason
    messages = bench.server.requests[-1].body["messages"]
    ids = [call["id"] for call in messages[2]["tool_calls"]]
    assert len(set(ids)) == 2
    assert [message["tool_call_id"] for message in messages[3:]] == ids
    assert DISSENT in told(bench)[0]
    assert MAJORITY in told(bench)[1]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_model_that_never_calls_a_tool_has_a_clear_outcome(provider: str) -> None:
    vote, bench = talk(r.text("I think that it is supported."), provider)
    assert (vote.outcome, vote.label, len(bench.server.requests)) == ("error", None, 2)
    assert vote.reason.startswith(f"{provider}:some-model or its server does not make tool calls: it answered with")
    assert "That was not a tool call" in bench.server.requests[1].user


def test_one_answer_with_text_is_reminded_and_forgiven() -> None:
    vote, _ = talk(r.by_turn(r.text("Let me see."), SEARCH, r.text(""), verdict()))
    assert (vote.outcome, vote.label) == ("ok", "supported"), vote.reason


def test_a_model_that_can_call_tools_and_ends_with_text_is_unparseable() -> None:
    vote, _ = talk(r.by_turn(SEARCH, r.text("It is supported.")))
    assert (vote.outcome, vote.label) == ("unparseable", None)
    assert "answered with text instead of a tool call, twice running (“It is supported.”)" in vote.reason


@pytest.mark.parametrize("status", [400, 404])
def test_a_server_that_refuses_tools_has_a_clear_outcome(status: int) -> None:
    vote, bench = talk(r.error(status, "some-model does not support tools"))
    assert (vote.outcome, vote.label, len(bench.server.requests)) == ("error", None, 1)
    assert vote.reason.startswith(f"openai:some-model or its server does not take tool calls: HTTP {status}")


def test_steps_used_up_is_truncated_and_the_model_is_warned() -> None:
    vote, bench = talk(SEARCH, max_steps=3)
    assert (vote.outcome, vote.label, len(bench.server.requests)) == ("truncated", None, 3)
    assert vote.reason.startswith("no verdict within max_steps = 3 calls")
    assert trace(vote).count("search_opinion") == 3
    assert vote.attempts == 3
    warned = [load_agent_prompt().last in answer for answer in told(bench)]
    assert warned == [False, True]


def test_tokens_used_up_is_truncated() -> None:
    # The fake counts 1,050 tokens a call; the prompt is estimated at about 1,900.
    vote, bench = talk(SEARCH, max_tokens_total=4_500)
    assert (vote.outcome, vote.label) == ("truncated", None)
    assert re.match(r"no verdict within max_tokens_total = 4500: \d+ are used after \d calls, and the", vote.reason)
    assert len(bench.server.requests) < 8
    assert load_agent_prompt().last in told(bench)[-1]


def test_tokens_are_estimated_where_the_server_does_not_count() -> None:
    def uncounted(request: Request) -> Reply:
        reply = SEARCH(request)
        del reply.body["usage"]
        return reply

    vote, bench = talk(uncounted, max_tokens_total=6_000)
    assert (vote.outcome, vote.usage.input_tokens) == ("truncated", 0)
    assert len(bench.server.requests) < 8
