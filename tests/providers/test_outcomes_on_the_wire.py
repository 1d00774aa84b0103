"""Every outcome, as the real LangChain clients bring it from a real server."""

from __future__ import annotations

import json

import pytest
from fakes import replies as r
from fakes.llm import KEY, PROVIDERS, Bench, make_opinion, make_task, on_bench, vote_on
from fakes.server import Reply, Request, Script

from parcel_agents.providers import AuthError, QuotaError, RunStoppedError
from parcel_agents.types import LABELS, Outcome

BOTH = PROVIDERS
GOOD = json.dumps({"passages": ["p1"], "reason": "So.", "label": "supported"})
BAD_LABEL = json.dumps({"passages": ["p1"], "reason": "So.", "label": "plausible"})


@pytest.mark.parametrize("provider", BOTH)
@pytest.mark.parametrize("label", LABELS)
def test_right_answer_is_a_vote(provider: str, label: str) -> None:
    seen = vote_on(r.answer(label, ["p1"]), provider)
    assert (seen.vote.outcome, seen.vote.label, seen.requests) == ("ok", label, 1)
    assert seen.vote.usage.model_dump() == {"input_tokens": 1000, "cached_tokens": 600, "output_tokens": 50}
    # 400 fresh tokens at $1, 600 cached at $0.50 and 50 out at $2 for a million each
    assert seen.vote.cost_usd == pytest.approx((400 * 1.0 + 600 * 0.5 + 50 * 2.0) / 1e6)


# (what the server does, provider, outcome, requests sent, words of the reason)
FAILURES: list[tuple[str, Script, str, Outcome, int, str]] = [
    ("refusal field", r.refusal("I cannot help with that."), "openai", "refused", 1, "cannot help"),
    ("content filter", r.finishes("content_filter"), "openai", "refused", 1, "content_filter"),
    ("safety", r.finishes("SAFETY"), "google", "refused", 1, "SAFETY"),
    ("prohibited", r.finishes("PROHIBITED_CONTENT", GOOD), "google", "refused", 1, "PROHIBITED_CONTENT"),
    ("blocked prompt", r.blocked_prompt(), "google", "refused", 1, "blocked the prompt"),
    ("moderation", r.error(403, "Your input was flagged"), "openai", "refused", 1, "flagged"),
    ("recitation", r.finishes("RECITATION"), "google", "recitation", 1, "published text"),
    ("cut", r.finishes("length", GOOD[:20]), "openai", "truncated", 1, "max_output_tokens"),
    ("cut though whole", r.finishes("length", GOOD), "openai", "truncated", 1, "length"),
    ("cut", r.finishes("MAX_TOKENS", GOOD[:20]), "google", "truncated", 1, "MAX_TOKENS"),
    ("cut, no content", r.finishes("MAX_TOKENS"), "google", "truncated", 1, "MAX_TOKENS"),
    ("malformed call", r.finishes("MALFORMED_FUNCTION_CALL"), "google", "unparseable", 2, "malformed"),
    ("other ending", r.finishes("OTHER"), "google", "error", 1, "OTHER"),
    ("long prompt", r.error(400, "too long", code="context_length_exceeded"), "openai", "context_overflow", 1, "400"),
    ("long prompt, vLLM", r.error(400, "This model's maximum context length is 4096 tokens."), "openai",
     "context_overflow", 1, "4096"),
    ("long prompt, llama.cpp", r.error(500, "the request exceeds the available context size"), "openai",
     "context_overflow", 1, "context size"),
    ("long prompt", r.error(400, "The input token count (9) exceeds the maximum number of tokens allowed (8)."),
     "google", "context_overflow", 1, "exceeds"),
    ("unknown model", r.error(404, "The model does not exist"), "openai", "error", 1, "404"),
    ("unknown model", r.error(404, "models/some-model is not found"), "google", "error", 1, "404"),
    ("error in a 200", r.body('{"error": {"message": "upstream broke", "code": 502}}'), "openai", "error", 4, "502"),
    ("limit in a 200", r.body('{"error": {"message": "slow down", "code": 429}}'), "openai", "rate_limited", 4, "429"),
    ("too large for a minute", r.error(429, "Request too large for tokens"), "openai", "rate_limited", 1, "429"),
]  # fmt: skip
for _provider in BOTH:
    FAILURES += [
        ("429", r.rate_limited("2"), _provider, "rate_limited", 4, "429"),
        ("429 for an hour", r.rate_limited("3600"), _provider, "rate_limited", 1, "429"),
        ("500", r.error(500, "boom"), _provider, "error", 4, "500"),
        ("503", r.error(503, "overloaded"), _provider, "error", 4, "503"),
        ("504", r.error(504, "upstream timed out"), _provider, "timeout", 4, "504"),
        ("reset", r.reset, _provider, "error", 4, "connection"),
        ("empty body", r.body(""), _provider, "unparseable", 2, ""),
        ("page instead of JSON", r.body("<p>hello</p>", content_type="text/html"), _provider, "unparseable", 2, ""),
        ("cut JSON body", r.body('{"choices": [{"mess'), _provider, "unparseable", 2, ""),
        ("JSON of another kind", r.body('{"hello": "world"}'), _provider, "unparseable", 2, ""),
        # No rung has worked yet, so each is tried; the last one is repeated once.
        ("no content", r.text(None), _provider, "unparseable", 5, "empty"),
        ("prose", r.text("I think it is supported."), _provider, "unparseable", 5, "no line"),
        ("malformed JSON", r.text('{"label": "supported", "passages": ["p1"'), _provider, "unparseable", 5, ""),
        ("label outside the set", r.text(BAD_LABEL), _provider, "unparseable", 2, "'plausible'"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("script", "provider", "outcome", "requests", "words"),
    [case[1:] for case in FAILURES],
    ids=[f"{case[2]}-{case[0]}" for case in FAILURES],
)
def test_failure_has_its_outcome(script: Script, provider: str, outcome: Outcome, requests: int, words: str) -> None:
    seen = vote_on(script, provider)
    assert seen.vote.outcome == outcome, seen.vote.reason
    assert seen.vote.label is None
    assert seen.requests == requests
    assert words in seen.vote.reason
    assert seen.vote.reason
    assert KEY not in seen.vote.model_dump_json()


@pytest.mark.parametrize("provider", BOTH)
def test_hanging_server_is_a_timeout(provider: str) -> None:
    seen = vote_on(r.hang(), provider, timeout_s=1, retries=1)
    assert (seen.vote.outcome, seen.requests) == ("timeout", 2)


@pytest.mark.parametrize("provider", BOTH)
def test_slow_stream_of_bytes_is_a_timeout_though_every_byte_comes_in_time(provider: str) -> None:
    seen = vote_on(r.trickle(r.answer(), 0.02), provider, timeout_s=1, retries=0)
    assert (seen.vote.outcome, seen.requests) == ("timeout", 1)


@pytest.mark.parametrize("provider", BOTH)
def test_server_that_is_not_there_is_an_error(provider: str) -> None:
    async def work(bench: Bench) -> str:
        verifier = bench.verifier(provider, base_url="http://127.0.0.1:9", retries=1)
        vote = await verifier.verify(make_task())
        assert bench.providers.account.spent_usd == 0  # nothing can have been billed
        return f"{vote.outcome}: {vote.reason}"

    assert on_bench(r.answer(), work).startswith("error: the connection failed")


STOPS: list[tuple[str, Script, type[RunStoppedError], str]] = [
    ("bad key", r.bad_key, AuthError, "does not accept the key in FAKE_KEY"),
    ("403", r.error(403, "You may not use this project"), AuthError, "FAKE_KEY"),
    ("quota", r.quota, QuotaError, "no quota or credit"),
    ("402", r.error(402, "Insufficient credits"), QuotaError, "no quota or credit"),
]


@pytest.mark.parametrize("provider", BOTH)
@pytest.mark.parametrize(("script", "kind", "words"), [case[1:] for case in STOPS], ids=[case[0] for case in STOPS])
def test_what_no_other_request_can_survive_stops_the_run(
    script: Script, kind: type[RunStoppedError], words: str, provider: str
) -> None:
    async def work(bench: Bench) -> int:
        verifier = bench.verifier(provider)
        with pytest.raises(kind) as caught:
            await verifier.verify(make_task())
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)
        assert KEY not in repr(caught.value)
        # The second vote with the same key ends at once.
        with pytest.raises(kind):
            await bench.verifier(provider, name="other").verify(make_task())
        return len(bench.server.requests)

    assert on_bench(script, work) == 1


def test_missing_key_stops_before_anything_is_sent() -> None:
    async def work(bench: Bench) -> int:
        with pytest.raises(AuthError, match="set the environment variable OTHER_KEY"):
            await bench.verifier(api_key_env="OTHER_KEY").verify(make_task())
        return len(bench.server.requests)

    assert on_bench(r.answer(), work) == 0


def test_no_key_is_needed_for_a_server_of_ones_own() -> None:
    seen = vote_on(r.answer(), api_key_env=None)
    assert seen.vote.outcome == "ok"
    assert seen.bench.server.requests[0].headers["authorization"] == "Bearer none"


@pytest.mark.parametrize("provider", BOTH)
@pytest.mark.parametrize(
    "first",
    [r.rate_limited("2"), r.error(500), r.error(503), r.reset, r.body("")],
    ids=["429", "500", "503", "reset", "empty"],
)
def test_passing_trouble_is_tried_again(provider: str, first: Script) -> None:
    seen = vote_on(r.in_turn(first, r.answer()), provider)
    assert (seen.vote.outcome, seen.vote.label, seen.requests) == ("ok", "supported", 2)


def test_retry_after_is_honoured() -> None:
    seen = vote_on(r.in_turn(r.rate_limited("17"), r.answer()))
    assert seen.vote.outcome == "ok"
    assert 17 <= seen.bench.time.now - 1_000 < 19


def test_gemini_says_in_the_body_when_to_come_back() -> None:
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "21s"}]
    body = {"error": {"code": 429, "message": "slow", "status": "RESOURCE_EXHAUSTED", "details": details}}

    def limited(_: Request) -> Reply:
        return Reply(status=429, body=body)

    seen = vote_on(r.in_turn(limited, r.answer()), "google")
    assert seen.vote.outcome == "ok"
    assert 21 <= seen.bench.time.now - 1_000 < 23


def test_waits_grow_without_retry_after() -> None:
    seen = vote_on(r.rate_limited(), retries=5)
    sleeps = seen.bench.time.sleeps
    assert seen.requests == 6
    # halves to wholes of 1, 2, 4, 8, 16 seconds
    assert all(2**n / 2 <= slept <= 2**n for n, slept in enumerate(sleeps))


def test_tokens_of_unusable_answers_are_counted() -> None:
    seen = vote_on(r.in_turn(r.text(BAD_LABEL), r.answer()))
    assert seen.vote.usage.input_tokens == 2 * r.INPUT_TOKENS
    assert seen.vote.usage.output_tokens == 2 * r.OUTPUT_TOKENS
    cut = vote_on(r.finishes("length", GOOD))
    assert cut.vote.usage.output_tokens == r.OUTPUT_TOKENS
    assert cut.vote.cost_usd > 0


def test_server_that_reads_a_part_of_the_prompt_gives_no_vote() -> None:
    """Ollama, for one, cuts a prompt to its window without a word; the fake counts 1,000 tokens for everything."""
    long = make_task(opinion=make_opinion("The tide came in at noon, as the tables said it would. " * 400))
    seen = vote_on(r.answer(), task=long)
    assert (seen.vote.outcome, seen.vote.label) == ("context_overflow", None)
    assert "left out" in seen.vote.reason
    assert vote_on(r.answer(), task=long, detect_cut_prompt=False).vote.outcome == "ok"
