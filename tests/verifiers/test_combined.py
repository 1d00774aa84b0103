"""The verifier `combined`: what it measures, and what it makes of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.config import VerifierConfig
from parcel_agents.errors import ConfigError
from parcel_agents.opinions import parse_opinion
from parcel_agents.retrievers import make_retriever
from parcel_agents.types import Claim, Hit, Opinion, Vote
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.combined import make_combined_verifier
from parcel_agents.verifiers.combined.measures import MEASURES, measure
from parcel_agents.verifiers.combined.model import (
    NOT_FOUND_SIGNS,
    SUPPORTED_SIGNS,
    CombinedModel,
    Regression,
    read_model,
)
from parcel_agents.verifiers.combined.verifier import BARS, CombinedVerifier, decide
from parcel_agents.verifiers.description import describe_verifier

TEXT = """# People v Marlowe

OPINION OF THE COURT

Ferris, J.

The harbor officer opened the stern locker of the boat without asking Quist, its owner. The search lasted six
minutes and was made under section 14 of the Harbor Law.

We hold that an officer may not open a closed locker unless the owner is asked first. Defendant contends that the
lamp was seized too late. We reject that contention as unpreserved.

Dunmarrow, J. (dissenting). The officer had every reason to fear that the boat would sail before the morning.

Judges Wren and Hathersage concur.
"""
ALWAYS = Regression(intercept=9.0, coefficients={}, threshold=0.5)
NEVER = Regression(intercept=0.0, coefficients={}, threshold=None)
CREDULOUS = CombinedModel(about="supports everything", trained_on={}, report={}, not_found=NEVER, supported=ALWAYS)


@pytest.fixture(scope="module")
def opinion() -> Opinion:
    return parse_opinion(TEXT, suffix=".md")


def task(opinion: Opinion, claim: str, similarity: float = 0.5) -> Task:
    hits = tuple(
        Hit(passage=one.id, rank=rank, score=1.0, scores={"dense": similarity})
        for rank, one in enumerate(opinion.passages, 1)
    )
    return Task(claim=Claim.of(claim), opinion=opinion, index=make_retriever("bm25").index(opinion), hits=hits)


def values(opinion: Opinion, claim: str) -> dict[str, float]:
    return measure(task(opinion, claim)).values


def vote(opinion: Opinion, claim: str, model: CombinedModel | None = None) -> Vote:
    verifier = CombinedVerifier("combined", model or read_model(None))
    return asyncio.run(verifier.verify(task(opinion, claim)))


def test_every_measure_is_taken(opinion: Opinion) -> None:
    assert values(opinion, "(holding that the owner must be asked before a locker is opened)").keys() == MEASURES.keys()


@pytest.mark.parametrize(
    ("measure", "more", "less"),
    [
        (
            "absent",
            "(noting that the brass telescope was polished by strangers)",
            "(noting that the stern locker of the boat was opened)",
        ),
        ("far", "(noting that the search lasted ninety minutes)", "(noting that the search lasted six minutes)"),
        ("conflicts", "(noting that the search lasted ninety minutes)", "(noting that the search lasted six minutes)"),
        ("conflicts", "(applying section 15 of the Harbor Law)", "(applying section 14 of the Harbor Law)"),
        (
            "coverage",
            "(holding that an officer may not open a closed locker)",
            "(holding that a judge may not seal a closed envelope)",
        ),
        (
            "other_voice",
            "(reasoning that the officer feared that the boat would sail before morning)",
            "(dissent reasoning that the officer feared that the boat would sail before morning)",
        ),
        (
            "reported",
            "(finding that the lamp was seized too late)",
            "(finding that the stern locker was opened without asking the owner)",
        ),
        (
            "untreated",
            "(rejecting the argument that the telescope was wrongly polished by strangers)",
            "(rejecting the argument that the lamp was seized too late)",
        ),
        ("other_times", "(noting that the search lasted six hours)", "(noting that the search lasted six minutes)"),
        (
            "lost_conditions",
            "(holding that an officer may not open a closed locker)",
            "(holding that an officer may not open a closed locker unless the owner is asked)",
        ),
        (
            "lost_negations",
            "(holding that an officer may open a closed locker)",
            "(holding that an officer may not open a closed locker)",
        ),
        (
            "missing",
            "(citing People v Nobody, 12 NY3d 3, on closed lockers)",
            "(noting that Quist, the owner of the boat, was not asked)",
        ),
    ],
)
def test_a_measure_tells_claims_apart(opinion: Opinion, measure: str, more: str, less: str) -> None:
    assert values(opinion, more)[measure] > values(opinion, less)[measure]


@given(
    st.sampled_from(
        "holding that,noting that,observing that,the Court held that,holding also that,explaining that,that,".split(",")
    )
)
def test_how_a_claim_is_put_changes_no_measure(lead: str) -> None:
    given_opinion = parse_opinion(TEXT, suffix=".md")
    body = "the stern locker was opened without asking Quist"
    assert values(given_opinion, f"({lead} {body})") == values(given_opinion, f"(concluding that {body})")


def test_what_speaks_for_a_label_never_lowers_it() -> None:
    model = read_model(None)
    for regression, signs in ((model.not_found, NOT_FOUND_SIGNS), (model.supported, SUPPORTED_SIGNS)):
        assert regression.coefficients.keys() == signs.keys()
        for name, sign in signs.items():
            assert regression.coefficients[name].weight * sign >= 0


@given(st.sampled_from(list(NOT_FOUND_SIGNS)), st.floats(0, 3), st.floats(0, 3))
def test_the_probability_rises_with_what_speaks_for_it(name: str, low: float, high: float) -> None:
    regression = read_model(None).not_found
    average = {one: each.mean for one, each in regression.coefficients.items()}
    first, second = (regression.probability(average | {name: value}) for value in sorted((low, high)))
    assert (second - first) * NOT_FOUND_SIGNS[name] >= 0
    assert 0 <= first <= 1


def test_a_claim_of_things_that_the_opinion_never_mentions_is_not_found(opinion: Opinion) -> None:
    found = vote(
        opinion, "(recounting that jurors in Albany examined fingerprint cards during the second murder trial)"
    )
    assert found.label == "not_found"
    assert "never says" in found.reason
    assert "fingerprint" in found.reason
    assert found.confidence is not None
    assert found.confidence > 0.5


@pytest.mark.parametrize("claim", ["(search unlawful)", "(holding that)", "(no danger was shown)", "()"])
def test_a_claim_of_few_words_is_not_judged_by_them(opinion: Opinion, claim: str) -> None:
    assert vote(opinion, claim).label is None


def test_a_sentence_of_the_opinion_is_supported_with_its_place(opinion: Opinion) -> None:
    found = vote(opinion, "(holding that an officer may not open a closed locker unless the owner is asked first)")
    assert found.label == "supported"
    (ref,) = found.evidence
    assert "closed locker" in opinion.text[ref.start : ref.end]


def test_a_paraphrase_is_left_open_with_its_closest_sentence(opinion: Opinion) -> None:
    found = vote(opinion, "(requiring that the owner be asked before an officer opens a locker that is closed)")
    assert (found.outcome, found.label) == ("ok", None)
    assert "needs a model or a reader" in found.reason
    assert [ref.relation for ref in found.evidence] == ["nearest"]


@pytest.mark.parametrize("bar", BARS)
def test_a_finding_against_it_bars_support_whatever_the_model_says(bar: str) -> None:
    clean = dict.fromkeys(MEASURES, 0.0)
    assert decide(CREDULOUS, clean, near_verbatim=False)[0] == "supported"
    assert decide(CREDULOUS, clean | {bar: 1.0}, near_verbatim=False)[0] is None


def test_a_sentence_that_was_changed_is_never_supported_for_being_alike(opinion: Opinion) -> None:
    changed = "(holding that an officer may always open a closed locker unless the owner is asked first)"
    assert vote(opinion, changed, CREDULOUS).label is None


def test_without_similarities_only_repeated_sentences_are_judged(opinion: Opinion) -> None:
    def label(claim: str) -> tuple[str | None, str]:
        index = make_retriever("bm25").index(opinion)
        given_task = Task(claim=Claim.of(claim), opinion=opinion, index=index, hits=index.search(claim, 10))
        found = asyncio.run(make_combined_verifier("combined").verify(given_task))
        return found.label, found.reason

    assert label("(holding that an officer may not open a closed locker unless the owner is asked first)")[0] == (
        "supported"
    )
    assert label("(recounting that jurors in Albany examined fingerprint cards)") == (
        None,
        "the retriever gives no similarities",
    )


def test_a_model_of_ones_own_is_read_from_its_file(tmp_path: Path, opinion: Opinion) -> None:
    path = tmp_path / "mine.json"
    path.write_text(CREDULOUS.model_dump_json(), encoding="utf-8")
    assert make_combined_verifier("mine", model=str(path)).model == CREDULOUS


def test_a_model_trained_anew_is_another_verifier_to_runs_and_policies(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    config = VerifierConfig.model_validate({"kind": "combined", "model": str(path)})
    described = []
    for threshold in (0.5, 0.6):
        trained = CREDULOUS.model_copy(update={"supported": ALWAYS.model_copy(update={"threshold": threshold})})
        path.write_text(trained.model_dump_json(), encoding="utf-8")
        described.append(describe_verifier(make_combined_verifier("mine", model=str(path)), config))
    assert described[0] != described[1]


@pytest.mark.parametrize("text", [None, "{", '{"about": "x"}', "\udcff"])
def test_a_file_that_holds_no_model_is_refused_with_what_to_do(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "broken.json"
    if text is not None:
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ConfigError, match=r"broken\.json"):
        make_combined_verifier("mine", model=str(path))
