from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from fakes.ballots import ballots_of
from fakes.llm import NoIndex

from parcel_agents.ensemble.ballots import ABSTAINED, NOT_FOUND, REFUTED, SUPPORTED
from parcel_agents.graphs.hard_claims import build
from parcel_agents.graphs.verify import ask
from parcel_agents.hard import causes
from parcel_agents.hard.causes.leakage import Bench, knowing
from parcel_agents.hard.failures import failures_of
from parcel_agents.hard.masking import UNAVAILABLE, WITHHELD
from parcel_agents.hard.state import HardContext
from parcel_agents.opinions import parse_opinion
from parcel_agents.providers import CostCapError
from parcel_agents.providers.spec import ModelSpec
from parcel_agents.types import LABELS, Claim, EvidenceRef, GoldClaim, Label, Opinion, Span, Vote
from parcel_agents.verifiers import Task

S, R, N, A = SUPPORTED, REFUTED, NOT_FOUND, ABSTAINED
RULE = "An officer may not open the stern locker of a moored boat before the owner has been asked."
OPINION = parse_opinion(
    f"""# Quist v Marlowe

OPINION OF THE COURT

Ferris, J.

{RULE}

The gulls of Hathersage walked about on the mud, as they do there in spring, whatever anybody might say of it or do.
""",
    suffix=".md",
)
CLAIM = "(holding that an officer may not open the stern locker of a moored boat before the owner has been asked)"


@dataclass
class FakeModel:
    """Asks a model, as far as its settings say."""

    name: str
    answer: Callable[[Task], Vote]
    casts: frozenset[Label] = frozenset(LABELS)
    settings: ModelSpec = field(default_factory=lambda: ModelSpec(model="openai:fake"))

    async def verify(self, task: Task) -> Vote:
        return self.answer(task)


def remembers(task: Task) -> Vote:
    return Vote(verifier="remembers", outcome="ok", label="supported")


def reads(task: Task) -> Vote:
    label: Label = "supported" if RULE in task.opinion.text else "not_found"
    return Vote(verifier="reads", outcome="ok", label=label)


def context_of(
    rows: list[list[int]], gold: list[int], *, bench: Bench | None = None, opinions: dict[str, Opinion] | None = None
) -> HardContext:
    ballots = ballots_of(rows)
    claims = tuple(
        GoldClaim(id=f"c{row}", opinion_id="quist", claim=CLAIM, label=LABELS[code], evidence=RULE)
        for row, code in enumerate(gold)
    )
    place = OPINION.text.find(RULE)
    ref = EvidenceRef(passage=OPINION.passages[0].id, start=place, end=place + len(RULE), relation="supports")

    def votes_on(row: int) -> tuple[Vote, ...]:
        labels = [LABELS[code] if code < A else None for code in rows[row]]
        return tuple(
            Vote(verifier=f"v{n}", outcome="ok", label=label, evidence=(ref,) if label else ())
            for n, label in enumerate(labels)
        )

    return HardContext(
        claims=claims,
        ballots=ballots,
        failures=failures_of(ballots, np.array(gold, dtype=np.int8)),
        groups={},
        panel=("v0",),
        read_votes=lambda ids: {id: votes_on(int(id[1:])) for id in ids},
        opinions=opinions if opinions is not None else {"quist": OPINION},
        locate=lambda opinion, excerpt: Span(start=place, end=place + len(RULE)),
        bench=bench,
    )


def bench(*models: FakeModel) -> Bench:
    async def task(claim: Claim, opinion: Opinion) -> Task:
        return Task(claim, opinion, NoIndex(opinion), ())

    return Bench(knowing(models), task, ask)


def run(context: HardContext, k: int = 2) -> dict[str, Any]:
    return asyncio.run(build(context).ainvoke({"k": k}))


def test_the_state_is_plain_json_and_holds_every_part() -> None:
    state = run(context_of([[R, R, S], [S, S, A], [S, S, S]], [S, S, S]))
    assert json.loads(json.dumps(state, allow_nan=False)) == state
    assert [row["claims"] for row in state["distribution"][0]["rows"]] == [2, 1, 0]
    assert state["hard"] == state["diagnosed"] == ["c0"]
    assert len(state["controls"]) == 1
    assert set(state["failure_graph"]) == {"pairs", "communities", "agreement", "covers", "worth"}
    assert state["failure_graph"]["communities"] == [
        {"claims": ["c0"], "share_failing": {"v0": 1.0, "v1": 1.0, "v2": 0.0}, "core": ["v0", "v1"]}
    ]


def test_without_a_hard_claim_the_graph_ends_with_an_empty_summary() -> None:
    state = run(context_of([[S, S], [R, S]], [S, S]))
    assert state["hard"] == []
    assert state["summary"]["diagnosed"] == 0
    assert "diagnoses" not in state or state["diagnoses"] == []


def test_a_diagnosis_that_raises_is_recorded_and_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(hard: object) -> None:
        raise RuntimeError("the tide came in")

    monkeypatch.setitem(causes.OFFLINE, "terms_absent", broken)
    state = run(context_of([[R, R], [R, R], [S, S]], [S, S, S]))
    hard = [one for one in state["diagnoses"] if one["role"] == "hard"]
    assert [one["failed"] for one in hard] == [{"terms_absent": "RuntimeError: the tide came in"}] * 2
    assert all([cause["name"] for cause in one["causes"]] == ["likely_mislabelled"] for one in hard)
    rate = next(one for one in state["summary"]["causes"] if one["name"] == "terms_absent")
    assert (rate["applies"], rate["judged"], rate["failed"]) == (0, 0, 2)


def test_without_opinions_causes_of_the_text_are_unknown_and_there_are_no_controls() -> None:
    state = run(context_of([[R, R], [S, S]], [S, S], opinions={}))
    (one,) = state["diagnoses"]
    assert set(one["unknown"]) == {
        "terms_absent", "subtle_edit", "retrieval_miss", "voice_disagreement", "knowledge_leakage"
    }  # fmt: skip
    assert state["controls"] == []


def test_a_model_that_answers_from_memory_is_caught_and_one_that_reads_is_not() -> None:
    seen: list[str] = []

    def watching(task: Task) -> Vote:
        seen.append(task.opinion.text)
        return reads(task)

    models = FakeModel("remembers", remembers), FakeModel("reads", watching)
    state = run(context_of([[R, R]], [S], bench=bench(*models)))
    (one,) = state["diagnoses"]
    (leak,) = [cause for cause in one["causes"] if cause["name"] == "knowledge_leakage"]
    assert leak["details"]["without_opinion"] == leak["details"]["masked"] == ["remembers"]
    assert seen[0] == UNAVAILABLE
    assert WITHHELD in seen[1]
    assert RULE not in seen[1]
    rates = {(one["verifier"], one["strategy"], one["condition"]): one for one in state["summary"]["leakage"]}
    assert (
        rates["remembers", "all", "without_opinion"]["leaks"],
        rates["reads", "all", "without_opinion"]["leaks"],
    ) == (1, 0)
    assert rates["remembers", "supported", "masked"]["answered"] == 1


def test_what_repeats_the_evidence_elsewhere_is_masked_too() -> None:
    again = parse_opinion(
        f"{OPINION.text}\n\nQuist, J. (dissenting). The majority says: {RULE} The gulls know.\n", suffix=".md"
    )
    assert again.text.count(RULE) == 2
    seen: list[str] = []

    def watching(task: Task) -> Vote:
        seen.append(task.opinion.text)
        return reads(task)

    run(context_of([[R, R]], [S], bench=bench(FakeModel("reads", watching)), opinions={"quist": again}))
    assert len(seen) == 2
    assert RULE not in seen[1]
    assert "gulls of Hathersage" in seen[1]


def test_only_those_who_ask_a_model_and_may_support_are_asked() -> None:
    check = FakeModel("objects", reads, casts=frozenset({"refuted"}))
    assert [one.name for one in knowing((check, FakeModel("reads", reads)))] == ["reads"]
    assert knowing((FakeModel("embedded", reads, settings=None),)) == ()  # type: ignore[arg-type]


def test_an_answer_that_failed_is_missing_and_no_leak() -> None:
    def fails(task: Task) -> Vote:
        raise ConnectionError("no answer")

    state = run(context_of([[R, R]], [S], bench=bench(FakeModel("fails", fails))))
    assert "knowledge_leakage" not in [cause["name"] for cause in state["diagnoses"][0]["causes"]]
    assert {(one["answered"], one["missing"]) for one in state["summary"]["leakage"]} == {(0, 1)}


def test_when_the_money_is_spent_nobody_is_asked_any_more_and_the_rest_stands() -> None:
    asked: list[str] = []

    def spends(task: Task) -> Vote:
        asked.append(task.claim.id)
        raise CostCapError("the cap of $0.01 is reached")

    context = context_of([[R, R]] * 5, [S] * 5, bench=bench(FakeModel("spends", spends)))
    state = run(context)
    assert context.stopped == "the cap of $0.01 is reached"
    assert len(asked) == 1
    assert all(one["failed"] == {"knowledge_leakage": "the cap of $0.01 is reached"} for one in state["diagnoses"])
    assert all(one["causes"] for one in state["diagnoses"])
