from __future__ import annotations

import math

import pytest

from parcel_agents.eval.claim_only import claim_only_accuracy
from parcel_agents.eval.datasets import GoldClaim, locate_excerpt
from parcel_agents.eval.overhead import measure_overhead
from parcel_agents.eval.retrieval import Ranking, recall, recall_interval, summarise
from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Label

MARKED = (
    "# *People v Tarn*\n\nOPINION OF THE COURT\n\n"
    "The officer {**97 NY3d at 213}boarded the [*2]boat (see [5]*People v Roe*, 92 NY3d 118 [2009]) and asked nobody"
    " for the extinguisher.^[6][FN1] Nothing else was done there that day.\n"
)


def gold(id: str, label: Label, opinion_id: str = "o", claim: str = "(holding this)") -> GoldClaim:
    return GoldClaim(id=id, opinion_id=opinion_id, claim=claim, label=label)


@pytest.mark.parametrize(
    "excerpt",
    [
        "boarded the boat (see People v Roe, 92 NY3d 118 [2009]) and asked nobody",
        "boarded the [*2]boat (see [5]*People v Roe*, 92 NY3d 118 [2009]) and asked nobody",
        "The officer {**97 NY3d at 213}boarded the",
        "asked   nobody\nfor the extinguisher.^[6][FN1] Nothing",
    ],
)
def test_an_excerpt_is_found_whatever_marks_it_carries(excerpt: str) -> None:
    opinion = parse_opinion(MARKED, suffix=".md")
    span = locate_excerpt(opinion, excerpt)
    assert span is not None
    found = opinion.text[span.start : span.end]
    assert found.startswith(("boarded", "The officer", "asked"))
    assert "[*2]" not in found


def test_an_excerpt_that_is_not_there_is_not_found() -> None:
    opinion = parse_opinion(MARKED, suffix=".md")
    assert locate_excerpt(opinion, "boarded the ship") is None
    assert locate_excerpt(opinion, "...") is None


def ranking(opinion_id: str, rank: int) -> Ranking:
    return Ranking(
        gold("c", "supported", opinion_id), rank, dict.fromkeys((1, 3, 5, 10, 20), 1.0 if rank == 1 else 0.0)
    )


def test_recall_is_the_share_of_claims_whose_evidence_is_among_the_first_k() -> None:
    rankings = [ranking("a", 1), ranking("a", 3), ranking("b", 6), ranking("c", 40)]
    assert [recall(rankings, k) for k in (1, 3, 5, 10)] == [0.25, 0.5, 0.5, 0.75]
    summary = summarise(rankings)
    assert summary["recall@10"] == 0.75
    # (1 + 1/3 + 1/6 + 1/40) / 4
    assert summary["mrr"] == pytest.approx(0.3813, abs=1e-4)
    assert summary["covered@5"] == 0.25
    assert math.isnan(recall([], 5))


def test_the_interval_is_drawn_over_opinions_and_holds_the_estimate() -> None:
    rankings = [ranking(opinion, 1 if int(opinion) % 4 else 50) for opinion in "0123456789" for _ in range(5)]
    low, high = recall_interval(rankings, 5)
    assert low < recall(rankings, 5) < high
    assert recall_interval([ranking(o, 1) for o in "abc"], 5) == [1.0, 1.0]


def test_the_claim_only_baseline_sees_what_the_wording_gives_away() -> None:
    giveaway = [
        gold(f"{o}{i}", label, o, f"({word} that the boat number {i} was moored)")
        for o in "abcdef"
        for i in range(4)
        for label, word in (("supported", "holding"), ("not_found", "citing"))
    ]
    assert claim_only_accuracy(giveaway) == 1.0
    assert math.isnan(claim_only_accuracy(giveaway[:4]))


def test_the_overhead_is_measured_on_every_claim_of_the_example() -> None:
    found = measure_overhead(rounds=1)
    assert (found["claims"], found["verifiers"]) == (14, 7)
    # The whole contains its parts, whatever the machine.
    assert found["warm_ms"] > found["of_which_retrieval_ms"] > 0
    assert found["of_which_empty_graph_ms"] > 0
