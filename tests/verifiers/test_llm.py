"""The verifier `llm`: what the model is shown, and what its answer becomes."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from fakes import replies as r
from fakes.llm import DISSENT, MAJORITY, PROVIDERS, Bench, make_opinion, make_task, on_bench, vote_on
from fakes.server import Reply, Request

from parcel_agents.errors import ConfigError
from parcel_agents.providers import AnswerCache
from parcel_agents.types import LABELS, Vote
from parcel_agents.verifiers.doctor import CLAIM, examine, known_task
from parcel_agents.verifiers.llm import LlmVerifier
from parcel_agents.verifiers.prompts import load_template


def prompt_of(provider: str = "openai", **options: Any) -> Request:
    seen = vote_on(r.answer(), provider, **options)
    assert seen.vote.outcome == "ok", seen.vote.reason
    return seen.bench.server.requests[0]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_opinion_comes_first_and_claim_last(provider: str) -> None:
    request = prompt_of(provider)
    order = [request.user.index(text) for text in (MAJORITY, DISSENT, "(holding that the operator must answer")]
    assert order == sorted(order)
    assert "Go by the given text alone" in request.system


@pytest.mark.parametrize("protocol", ["evidence", "label"])
def test_prompts_on_one_opinion_begin_alike(protocol: str) -> None:
    """A provider's prompt cache serves what two prompts have in common at their beginning."""
    claims = ("(noting that the gangway was icy)", "(holding that ferries must not sail in winter)")
    one, two = (prompt_of(task=make_task(claim), protocol=protocol) for claim in claims)
    assert one.system == two.system
    opinion_end = one.user.index("</opinion")
    assert one.user[:opinion_end] == two.user[:opinion_end]
    assert MAJORITY in one.user[:opinion_end]


def test_passages_are_numbered_under_the_voice_of_their_part() -> None:
    lines = prompt_of().user.split("\n")
    at = lines.index("<part: opinion of the Court (majority), Vole, J.>")
    assert lines[at + 1] == f"[p1] {MAJORITY}"
    at = lines.index("<part: dissent (Marsh, J.)>")
    assert lines[at + 1] == f"[p2] {DISSENT}"


def test_paper_protocol_shows_the_bare_opinion_and_asks_for_a_label_only() -> None:
    request = prompt_of(protocol="label")
    assert f"{MAJORITY}\n\n{DISSENT}\n</opinion" in request.user
    assert "[p1]" not in request.user
    assert "<part" not in request.user
    schema = request.body["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == ["label"]


def test_label_of_the_paper_protocol_has_no_evidence() -> None:
    seen = vote_on(r.text('{"label": "supported"}'), protocol="label")
    assert (seen.vote.outcome, seen.vote.label, seen.vote.evidence) == ("ok", "supported", ())
    assert seen.vote.read == ("p1", "p2")


@pytest.mark.parametrize("label", LABELS)
def test_passages_become_evidence_for_what_the_label_says(label: str) -> None:
    vote = vote_on(r.answer(label, ["p2", "p2", "p1"])).vote
    opinion = make_opinion()
    relation = {"supported": "supports", "refuted": "contradicts", "not_found": "nearest"}[label]
    assert [(ref.passage, ref.relation) for ref in vote.evidence] == [("p2", relation), ("p1", relation)]
    assert [opinion.text[ref.start : ref.end] for ref in vote.evidence] == [DISSENT, MAJORITY]


def test_not_found_needs_no_passage_and_the_other_labels_do() -> None:
    assert vote_on(r.answer("not_found", [])).vote.label == "not_found"
    for label in ("supported", "refuted"):
        vote = vote_on(r.answer(label, [])).vote
        assert (vote.outcome, vote.label) == ("unparseable", None)
        assert f"says {label} and points to no passage" in vote.reason


def test_retrieved_passages_are_shown_in_the_order_of_the_text() -> None:
    opinion = make_opinion("The first matter is settled here, and no more is said of it at all.\n\n" * 30)
    last = opinion.passages[-1].id
    seen = vote_on(
        r.answer("supported", ["p3"]), task=make_task(opinion=opinion, hits=(last, "p3")), context="evidence"
    )
    assert seen.vote.read == ("p3", last)
    user = seen.bench.server.requests[0].user
    assert 0 < user.index("[p3]") < user.index(f"[{last}]")
    assert "[p4]" not in user


def test_passage_that_was_not_shown_is_no_evidence_even_if_it_exists() -> None:
    task = make_task(hits=("p1",))
    vote = vote_on(r.answer("supported", ["p2"]), task=task, context="evidence").vote
    assert (vote.outcome, vote.label) == ("unparseable", None)
    assert "not shown: p2" in vote.reason


LONG = make_opinion("The tide came in at noon, as the tables said that it would on that day. " * 60)


@pytest.mark.parametrize(("window", "shown"), [(200_000, len(LONG.passages)), (1_000, 2)])
def test_auto_shows_the_whole_opinion_where_it_fits(window: int, shown: int) -> None:
    task = make_task(opinion=LONG, hits=("p2", "p3"))
    seen = vote_on(r.answer("not_found", []), task=task, context_window=window, max_output_tokens=100)
    assert len(seen.vote.read) == shown


def test_auto_falls_back_to_passages_when_the_server_says_that_the_whole_is_too_long() -> None:
    def script(request: Request) -> Reply:
        if len(request.user) > 3_000:
            return r.error(400, "too long", code="context_length_exceeded")(request)
        return r.answer("not_found", [])(request)

    task = make_task(opinion=LONG, hits=("p2", "p3"))
    seen = vote_on(script, task=task)
    assert (seen.vote.outcome, seen.vote.read, seen.requests) == ("ok", ("p2", "p3"), 2)
    # Who asks for the full opinion gets no vote on less.
    assert vote_on(script, task=task, context="full").vote.outcome == "context_overflow"


def test_nothing_to_read_is_an_abstention_and_not_a_label() -> None:
    seen = vote_on(r.answer("not_found", []), context="evidence")
    assert (seen.vote.outcome, seen.vote.label, seen.requests) == ("ok", None, 0)


def test_vote_has_a_deadline_of_its_own() -> None:
    seen = vote_on(r.hang(), timeout_s=20, deadline_s=2)
    assert (seen.vote.outcome, seen.requests) == ("timeout", 1)
    assert seen.vote.reason == "no vote within the deadline of 2 s"
    assert seen.bench.providers.lane(seen.bench.verifier().settings).gate.busy == 0


def test_reason_is_one_clean_line_of_bounded_length() -> None:
    vote = vote_on(r.answer("supported", ["p1"], "See\n\x1b[31mred\x1b[0m <b> " + "so " * 1_000)).vote
    assert vote.reason.startswith("See [31mred[0m ‹b› so so")
    assert len(vote.reason) <= 600


def test_unknown_settings_and_prompts_are_told() -> None:
    async def work(bench: Bench) -> None:
        with pytest.raises(ConfigError, match="verifier 'model': contxt: Extra inputs"):
            bench.verifier(contxt="full")
        with pytest.raises(
            ConfigError, match="verifier 'model': context: Input should be 'full', 'evidence' or 'auto'"
        ):
            bench.verifier(context="half")
        with pytest.raises(ConfigError, match="unknown prompt 'mine'; known: evidence_v1, label_v1"):
            bench.verifier(prompt="mine")
        with pytest.raises(ConfigError, match="the prompt 'label_v1' is not for protocol 'evidence'"):
            bench.verifier(prompt="label_v1")

    on_bench(r.answer(), work)


def test_template_is_known_by_the_hash_of_its_file() -> None:
    data = files("parcel_agents.verifiers.prompts").joinpath("evidence_v1.txt").read_bytes()
    template = load_template("evidence_v1")
    assert template.sha256 == hashlib.sha256(data).hexdigest()
    assert template.id == f"evidence_v1@{template.sha256[:12]}"


def test_vote_says_how_it_was_come_by(tmp_path: Path) -> None:
    async def work(bench: Bench) -> list[Vote]:
        verifier = bench.verifier()
        return [await verifier.verify(make_task()) for _ in range(2)]

    first, again = on_bench(r.in_turn(r.error(500), r.answer()), work, cache=AnswerCache(tmp_path / "a.sqlite"))
    told = first.model_dump()
    assert told["prompt"] == load_template("evidence_v1").id
    assert (told["rung"], told["attempts"], told["cached"]) == ("json_schema", 2, False)
    told = again.model_dump()
    assert (told["rung"], told["attempts"], told["cached"]) == ("json_schema", 0, True)


def test_estimate_leaves_out_what_the_cache_holds(tmp_path: Path) -> None:
    tasks = [make_task("(noting the ice)"), make_task("(noting the pier)"), make_task("(noting the ferry)")]

    async def work(bench: Bench) -> None:
        verifier = bench.verifier()
        before = verifier.estimate(tasks)
        assert (before.votes, before.cached_votes, before.unpriced) == (3, 0, ())
        await verifier.verify(tasks[0])
        after = verifier.estimate(tasks)
        assert (after.votes, after.cached_votes) == (3, 1)
        assert after.cost_usd == pytest.approx(before.cost_usd * 2 / 3, rel=0.02)
        assert 0 < after.cost_usd < after.most_usd
        assert len(bench.server.requests) == 1

    on_bench(r.answer(), work, cache=AnswerCache(tmp_path / "a.sqlite"))


def test_explain_says_what_differs(tmp_path: Path) -> None:
    async def work(bench: Bench) -> None:
        await bench.verifier().verify(make_task())
        assert str(bench.verifier().explain(make_task())).startswith("found")
        assert list(bench.verifier(temperature=1).explain(make_task()).differs) == ["parameter temperature"]  # type: ignore[union-attr]
        assert list(bench.verifier().explain(make_task("(noting ice)")).differs) == ["opinion and claim"]  # type: ignore[union-attr]

    on_bench(r.answer(), work, cache=AnswerCache(tmp_path / "a.sqlite"))


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(("label", "right"), [("refuted", True), ("supported", False)])
def test_doctor_asks_a_real_question_with_a_known_answer(
    provider: str, label: str, right: bool, tmp_path: Path
) -> None:
    async def work(bench: Bench) -> None:
        verifier: LlmVerifier = bench.verifier(provider, temperature=0.2)
        for _ in range(2):  # never from the cache
            found = await examine(verifier)
            assert (found.outcome, found.label, found.right) == ("ok", label, right)
        assert (found.usage.cached_tokens, found.parameters) == (600, {"temperature": 0.2, "max_output_tokens": 8192})
        assert found.cost_usd == pytest.approx(0.0008)
        assert len(bench.server.requests) == 2
        assert CLAIM in bench.server.requests[0].user
        assert "Brill" in bench.server.requests[0].user

    on_bench(r.answer(label, ["p7"]), work, cache=AnswerCache(tmp_path / "a.sqlite"))


@pytest.mark.parametrize(
    ("script", "outcome"), [(r.bad_key, "auth"), (r.quota, "rate_limited"), (r.error(404), "error")]
)
def test_doctor_reports_what_would_end_a_run(script: Any, outcome: str) -> None:
    async def work(bench: Bench) -> None:
        found = await examine(bench.verifier())
        assert (found.outcome, found.label, found.right) == (outcome, None, False)
        assert found.reason

    on_bench(script, work)


def test_the_known_claim_is_about_the_bundled_opinion() -> None:
    task = known_task()
    assert len(task.hits) == 10
    assert "has first been asked to produce it" in task.opinion.text
