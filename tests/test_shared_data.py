"""What must hold on real opinions; the data is not part of the repository."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from parcel_agents.eval.datasets import Dataset, load_dataset, locate_excerpt
from parcel_agents.eval.retrieval import rank_evidence, recall
from parcel_agents.opinions.passages import sentences
from parcel_agents.retrievers import make_retriever
from parcel_agents.types import Claim, Opinion
from parcel_agents.verifiers import Task
from parcel_agents.verifiers.alignment import align
from parcel_agents.verifiers.checks.verifier import find_defects


def _task(claim: Claim, opinion: Opinion) -> Task:
    return Task(claim, opinion, make_retriever("bm25").index(opinion), ())


@pytest.fixture(scope="module")
def dev(shared_data: Path) -> Dataset:
    return load_dataset(shared_data / "parcel_dev")


def test_every_gold_excerpt_is_found_in_its_opinion(dev: Dataset) -> None:
    lost = [c.id for c in dev.claims if c.evidence and locate_excerpt(dev.opinions[c.opinion_id], c.evidence) is None]
    assert lost == []


def test_bm25_finds_most_evidence(dev: Dataset) -> None:
    rankings = [r for r in rank_evidence(dev, make_retriever("bm25")) if r.claim.subset == "claims"]
    assert len(rankings) == 300
    assert recall(rankings, 10) >= 0.88


def test_the_checks_object_to_phantom_citations_and_hardly_ever_to_true_claims(dev: Dataset) -> None:
    objected: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for claim in dev.claims:
        kind = claim.strategy or str(claim.label)
        total[kind] += 1
        objected[kind] += bool(find_defects(_task(claim.as_claim(), dev.opinions[claim.opinion_id])))
    assert objected["phantom_citation"] >= 0.95 * total["phantom_citation"]
    assert objected["supported"] <= 0.02 * total["supported"]


def test_the_checks_hardly_ever_object_to_what_judges_wrote(shared_data: Path) -> None:
    rows = [json.loads(line) for line in (shared_data / "natural" / "parentheticals.jsonl").open(encoding="utf-8")]
    objected = 0
    opinions: dict[Path, Opinion] = {}
    for row in rows:
        path = next(shared_data.glob(f"*/*/{row['cited']}.md"))
        opinion = opinions.get(path) or opinions.setdefault(path, Opinion.load(path))
        objected += bool(find_defects(_task(Claim.of(f"({row['parenthetical']})"), opinion)))
    assert objected <= 0.05 * len(rows)


# One change each that makes another statement of a sentence.
EDITS = (
    (" is ", " is not "),
    (" was ", " was not "),
    (" did ", " did not "),
    (" not ", " "),
    (" must ", " may "),
    (" may ", " must "),
    (" and ", " or "),
    (" only ", " "),
    (" all ", " some "),
    (" two ", " three "),
    ("defendant", "victim"),
    ("denied", "granted"),
    ("affirmed", "reversed"),
)


def test_sentences_repeated_word_for_word_align_and_changed_ones_do_not(dev: Dataset) -> None:
    repeated = aligned = changed = fooled = 0
    for opinion in dev.opinions.values():
        found = [
            opinion.text[span.start : span.end]
            for passage in opinion.passages
            if opinion.part(passage.part).kind == "majority"
            for span in sentences(opinion.text, passage)
        ]
        for sentence in [s for s in found if 12 <= len(s.split()) <= 40 and "(" not in s][:10]:
            repeated += 1
            alignment = align(f"(holding that {sentence[0].lower()}{sentence[1:]})", sentence)
            aligned += alignment is not None and not alignment.differences
            for old, new in EDITS:
                if old in sentence:
                    edited = align(f"(holding that {sentence.replace(old, new, 1)})", sentence)
                    changed += 1
                    fooled += edited is not None and not edited.differences
    assert repeated >= 150
    assert aligned >= 0.95 * repeated
    assert changed >= 150
    assert fooled <= 0.02 * changed
