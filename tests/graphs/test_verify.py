from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from parcel_agents.api import averify, verify
from parcel_agents.ensemble import make_policy
from parcel_agents.ensemble.cascade import Accept, Cascade
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.graphs.verify import build
from parcel_agents.opinions import parse_opinion
from parcel_agents.retrievers import make_retriever
from parcel_agents.types import LABELS, Claim, EvidenceRef, Label, Opinion, Verdict, Vote
from parcel_agents.verifiers import Task, Verifier

OPINION = parse_opinion(
    """OPINION OF THE COURT

Ferris, J.

The officer boarded the moored oyster boat {**97 NY3d at 213}and asked nobody for the fire extinguisher.

We hold that the owner of a vessel must first be asked to produce the missing equipment before a locker is opened.

Quist, J. (dissenting). The statute is silent on requests of any kind, and I would not add words to it.
""",
    suffix=".md",
)

Answer = Callable[[Task], Vote]


@dataclass(frozen=True)
class FakeVerifier:
    """Answers as the test says."""

    name: str
    answer: Answer
    casts: frozenset[Label] = frozenset(LABELS)

    async def verify(self, task: Task) -> Vote:
        return self.answer(task)


def says(name: str, label: Label | None, *, locate: bool = True) -> FakeVerifier:
    relation = "contradicts" if label == "refuted" else "supports"

    def answer(task: Task) -> Vote:
        passage = task.opinion.passage(task.hits[0].passage)
        ref = EvidenceRef(passage=passage.id, start=passage.start, end=passage.end, relation=relation)
        evidence = (ref,) if locate and label in ("supported", "refuted") else ()
        read = tuple(hit.passage for hit in task.hits)
        return Vote(verifier=name, outcome="ok", label=label, evidence=evidence, read=read, confidence=0.9)

    return FakeVerifier(name, answer)


def raises(name: str, error: Exception) -> FakeVerifier:
    def answer(task: Task) -> Vote:
        raise error

    return FakeVerifier(name, answer)


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        self.now += 0.5
        return self.now


def context(
    *verifiers: Verifier,
    top_k: int = 2,
    concurrency: int = 8,
    later: tuple[Verifier, ...] = (),
    accept: Accept | None = None,
) -> VerifyContext:
    policy = make_policy("majority")
    made = VerifyContext(
        retriever=make_retriever("bm25"),
        tiers=(verifiers, later) if later else (verifiers,),
        policy=Cascade(policy, (accept,)) if later else policy,
        top_k=top_k,
        concurrency=concurrency,
        clock=Clock(),
    )
    made.add(OPINION)
    return made


CLAIM = "(holding that the owner must be asked to produce the missing equipment)"


def run(*verifiers: Verifier, claim: str = CLAIM) -> Verdict:
    return verify(OPINION, [claim], context=context(*verifiers))[0]


def test_a_majority_decides_and_its_evidence_is_cut_from_the_opinion() -> None:
    verdict = run(says("a", "supported"), says("b", "supported"), says("c", "refuted"))
    assert (verdict.label, verdict.status, verdict.confidence) == ("supported", "decided", pytest.approx(0.9))
    (evidence,) = verdict.evidence
    assert evidence.text == OPINION.text[evidence.start : evidence.end]
    assert "must first be asked" in evidence.text
    assert (evidence.voice, evidence.page, evidence.relation) == ("majority (Ferris, J.)", "97 NY3d at 213", "supports")
    assert [vote.verifier for vote in verdict.votes] == ["a", "b", "c"]


LATER = (raises("d", AssertionError("asked in vain")), says("e", "supported"))


def test_the_next_tier_is_not_asked_where_it_could_change_nothing() -> None:
    first = tuple(says(name, "not_found") for name in "abc")
    verdict = verify(OPINION, [CLAIM], context=context(*first, later=LATER))[0]
    assert verdict.label == "not_found"
    assert [vote.verifier for vote in verdict.votes] == ["a", "b", "c"]
    assert "2 not asked" in verdict.reason


def test_the_next_tier_is_asked_once_where_it_is_needed() -> None:
    first = (says("a", "supported"), says("b", "supported"), says("c", "refuted"))
    second = (says("d", "supported"), says("e", "refuted"))
    verdict = verify(OPINION, [CLAIM], context=context(*first, later=second))[0]
    assert (verdict.label, [vote.verifier for vote in verdict.votes]) == ("supported", list("abcde"))


def test_a_threshold_ends_a_claim_after_the_first_tier() -> None:
    made = context(says("a", "supported"), later=LATER, accept=Accept(supported=1.0, other=1.0))
    verdict = verify(OPINION, [CLAIM], context=made)[0]
    assert (verdict.label, len(verdict.votes)) == ("supported", 1)


def test_a_cascade_can_be_continued_from_a_checkpoint() -> None:
    made = context(says("a", "supported"), says("b", "refuted"), later=(says("c", "refuted"),))
    graph = build(made)
    graph.checkpointer = InMemorySaver()
    given = {"claim": CLAIM, "opinion_id": OPINION.id}
    config: Any = {"configurable": {"thread_id": "1"}}

    async def interrupted() -> Any:
        await graph.ainvoke(given, config, interrupt_after=["resolve"])  # type: ignore[arg-type]
        return await graph.ainvoke(None, config)

    verdict = Verdict.model_validate(asyncio.run(interrupted())["verdict"])
    assert (verdict.label, [vote.verifier for vote in verdict.votes]) == ("refuted", ["a", "b", "c"])


def test_support_that_nobody_can_locate_is_no_support() -> None:
    verdict = run(says("a", "supported", locate=False))
    assert (verdict.label, verdict.status) == (None, "abstained")
    assert "could be located" in verdict.reason


def test_a_refutation_names_the_text_it_contradicts() -> None:
    verdict = run(says("a", "refuted"))
    assert verdict.label == "refuted"
    assert [evidence.relation for evidence in verdict.evidence] == ["contradicts"]


def test_not_found_carries_a_certificate() -> None:
    verdict = run(says("a", "not_found"), says("b", "not_found"), claim="(holding that the fishing licence had lapsed)")
    certificate = verdict.certificate
    assert certificate is not None
    assert set(certificate.read_by) == {"a", "b"}
    assert 0 < certificate.coverage < 1
    assert [item.evidence.relation for item in certificate.nearest] == ["nearest", "nearest"]
    assert "licence" in certificate.nearest[0].shortfall


@pytest.mark.parametrize("label", ["supported", "refuted", None])
def test_other_verdicts_carry_none(label: Label | None) -> None:
    assert run(says("a", label)).certificate is None


def test_a_verifier_that_raises_is_a_missing_vote_and_does_not_stop_the_others() -> None:
    verdict = run(says("a", "supported"), raises("b", RuntimeError("boom")), says("c", "supported"))
    assert verdict.label == "supported"
    failed = verdict.votes[1]
    assert (failed.verifier, failed.outcome, failed.label) == ("b", "error", None)
    assert "RuntimeError: boom" in failed.reason


def test_could_not_check_never_looks_like_checked() -> None:
    verdict = run(raises("a", RuntimeError("boom")), raises("b", ValueError("bang")))
    assert (verdict.label, verdict.status) == (None, "abstained")
    assert verdict.error is not None
    assert "a, b" in verdict.error
    undecided = run(says("a", "supported"), says("b", "refuted"))
    assert (undecided.label, undecided.error) == (None, None)


@pytest.mark.parametrize("label", LABELS)
def test_who_fails_closed_withholds_support_alone_where_a_vote_is_missing(label: Label) -> None:
    def asked(*verifiers: Verifier) -> Verdict:
        made = replace(context(*verifiers), fail_closed=True)
        (verdict,) = verify(OPINION, [CLAIM], context=made)
        return verdict

    whole = asked(says("a", label), says("b", label))
    assert (whole.label, whole.error) == (label, None)
    # An abstention is an answer.
    assert asked(says("a", label), says("b", label), says("c", None)).label == label
    broken = asked(says("a", label), says("b", label), raises("c", RuntimeError("boom")))
    assert run(says("a", label), says("b", label), raises("c", RuntimeError("boom"))).label == label
    if label == "supported":
        assert (broken.label, broken.status, broken.confidence) == (None, "abstained", None)
        assert broken.error is not None
        assert "no vote from c" in broken.error
        assert all(one.relation == "nearest" for one in broken.evidence)
    else:
        assert broken.label == label


def test_a_vote_that_may_not_be_cast_is_an_error() -> None:
    objector = FakeVerifier("a", says("a", "supported").answer, frozenset({"refuted"}))
    assert run(objector).votes[0].outcome == "error"
    impostor = FakeVerifier("a", says("b", "supported").answer)
    assert run(impostor).votes[0].outcome == "error"


def test_evidence_that_does_not_exist_makes_a_vote_unparseable() -> None:
    ref = EvidenceRef(passage="p99", start=0, end=5, relation="supports")
    liar = FakeVerifier("a", lambda task: Vote(verifier="a", outcome="ok", label="supported", evidence=(ref,)))
    verdict = run(liar)
    assert (verdict.votes[0].outcome, verdict.label) == ("unparseable", None)


def test_latency_is_measured_by_the_given_clock() -> None:
    assert run(says("a", "supported")).votes[0].latency_s == pytest.approx(0.5)


@pytest.mark.parametrize("claim", ["(affirmed)", "x " * 2000, "", "()"])
def test_an_unusable_claim_gets_a_verdict_and_the_others_theirs(claim: str) -> None:
    verdicts = verify(OPINION, [claim, CLAIM], context=context(says("a", "supported")))
    assert [verdict.claim for verdict in verdicts] == [claim, CLAIM]
    assert verdicts[0].error is not None
    assert "claim" in verdicts[0].error
    assert verdicts[1].label == "supported"


@dataclass
class Gauge:
    """Counts how many verifiers work at the same time."""

    name: str
    casts: frozenset[Label] = frozenset(LABELS)
    now: int = 0
    peak: int = 0
    calls: int = 0
    shared: list[Gauge] = field(default_factory=list)

    async def verify(self, task: Task) -> Vote:
        self.calls += 1
        total = self.shared[0]
        total.now += 1
        total.peak = max(total.peak, total.now)
        await asyncio.sleep(0.005)
        total.now -= 1
        return Vote(verifier=self.name, outcome="ok")


@pytest.mark.parametrize("bound", [1, 3, 5])
def test_no_more_verifiers_work_at_once_than_the_bound_allows(bound: int) -> None:
    total = Gauge("total")
    gauges = tuple(Gauge(name, shared=[total]) for name in "abcd")
    made = context(*gauges, concurrency=bound)
    verdicts = asyncio.run(averify(OPINION, [f"{CLAIM} {i}" for i in range(12)], context=made))
    assert len(verdicts) == 12
    assert [gauge.calls for gauge in gauges] == [12] * 4
    assert total.peak == bound


def test_a_claim_over_its_deadline_could_not_be_checked_and_the_others_are() -> None:
    @dataclass(frozen=True)
    class Slow:
        name: str = "a"
        casts: frozenset[Label] = frozenset(LABELS)

        async def verify(self, task: Task) -> Vote:
            await asyncio.sleep(30 if "slow" in task.claim.text else 0)
            return Vote(verifier="a", outcome="ok")

    made = context(Slow())
    made.deadline_s = 0.5
    slow, quick = verify(OPINION, ["(a claim that is slow)", CLAIM], context=made)
    assert (slow.label, slow.error) == (None, "no verdict within the deadline of 0.5 s")
    assert (quick.label, quick.error) == (None, None)


def test_claims_of_one_opinion_share_its_index() -> None:
    made = context(says("a", None))
    indexed: list[str] = []

    @dataclass(frozen=True)
    class Counting:
        name: str = "counting"

        def index(self, opinion: Opinion) -> Any:
            indexed.append(opinion.id)
            return make_retriever("bm25").index(opinion)

    made.retriever = Counting()
    verify(OPINION, [f"{CLAIM} {i}" for i in range(20)], context=made)
    assert indexed == [OPINION.id]


def test_verdicts_come_in_the_order_of_the_claims_and_each_is_announced() -> None:
    claims = [Claim.of(f"{CLAIM} {i}", f"c{i}") for i in range(15)]
    announced: list[str] = []
    verdicts = verify(
        OPINION, claims, context=context(says("a", None)), on_verdict=lambda verdict: announced.append(verdict.claim_id)
    )
    assert [verdict.claim_id for verdict in verdicts] == [claim.id for claim in claims]
    assert sorted(announced) == sorted(claim.id for claim in claims)


def test_verify_works_inside_a_running_event_loop() -> None:
    async def inside() -> list[Verdict]:
        return verify(OPINION, [CLAIM], context=context(says("a", "supported")))

    assert asyncio.run(inside())[0].label == "supported"


def test_the_state_is_plain_json_and_holds_no_opinion_text() -> None:
    saver = InMemorySaver()
    graph = build(context(says("a", "not_found")))
    graph.checkpointer = saver
    config: Any = {"configurable": {"thread_id": "t"}}
    asyncio.run(graph.ainvoke({"claim": "(holding that the licence lapsed)", "opinion_id": OPINION.id}, config))
    states = [step.values for step in graph.get_state_history(config)]
    assert states
    for state in states:
        before_verdict = {key: value for key, value in state.items() if key != "verdict"}
        assert json.loads(json.dumps(before_verdict)) == before_verdict
        assert "moored oyster boat" not in json.dumps(before_verdict)


def test_the_graph_is_a_node_of_another_graph() -> None:
    class Parent(TypedDict, total=False):
        claim: str
        opinion_id: str
        verdict: dict[str, Any]
        note: str

    builder: Any = StateGraph(Parent)
    builder.add_node("verify", build(context(says("a", "supported"))))
    builder.add_node("note", lambda state: {"note": f"{state['verdict']['label']}!"})
    builder.add_edge(START, "verify")
    builder.add_edge("verify", "note")
    builder.add_edge("note", END)
    result = asyncio.run(builder.compile().ainvoke({"claim": CLAIM, "opinion_id": OPINION.id}))
    assert result["note"] == "supported!"
    assert Verdict.model_validate(result["verdict"]).claim == CLAIM


def test_an_unknown_opinion_is_said_to_be_unknown() -> None:
    with pytest.raises(KeyError, match="is not known"):
        asyncio.run(build(context(says("a", None))).ainvoke({"claim": CLAIM, "opinion_id": "nobody"}))
