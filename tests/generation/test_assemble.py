from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from fakes.generator import OWNERS, decision

from parcel_agents.errors import InputError
from parcel_agents.eval.datasets import load_dataset
from parcel_agents.generation.assemble import assemble
from parcel_agents.generation.balance import PAPER_SHARES
from parcel_agents.generation.folder import GenerateMeta, OutFolder
from parcel_agents.generation.model import (
    LABEL_OF,
    STRATEGIES,
    USAGE_TYPES,
    Candidate,
    DecisionRecord,
    Disagreement,
    Dropped,
    Strategy,
)
from parcel_agents.generation.orders import Wanted
from parcel_agents.opinions import parse_opinion
from parcel_agents.types import GoldClaim, Opinion, Span

IDS = [owner.lower() for owner in OWNERS[:3]]
OPINIONS: Mapping[str, Opinion] = {
    id: parse_opinion(decision(owner), suffix=".md") for id, owner in zip(IDS, OWNERS, strict=False)
}
META = GenerateMeta(
    made_by="m", blind="b", settings={"seed": 3}, prompts={}, versions={}, created="2026-01-01T00:00:00"
)  # fmt: skip


def candidate(id: str, kind: str, number: int) -> Candidate:
    strategy: Strategy | None = next((one for one in STRATEGIES if one == kind), None)
    label = LABEL_OF[strategy] if strategy else "supported"
    passage = OPINIONS[id].passages[1 + number % 5]
    spans = (Span(start=passage.start, end=passage.end), Span(start=0, end=4))
    return Candidate(
        opinion_id=id, claim=f"({kind} {number} of {id})", label=label, strategy=strategy,
        mirror="missing_detail" if kind == "contrast" else None, usage_type="holding" if kind == "supported" else None,
        evidence=() if label == "not_found" else spans, made_by="m",
    )  # fmt: skip


def record(id: str, number: int = 6, **fields: Any) -> DecisionRecord:
    made = [candidate(id, kind, place) for kind in ("supported", "contrast", *STRATEGIES) for place in range(number)]
    return DecisionRecord(opinion_id=id, file=f"{id}.md", status="done", candidates=tuple(made), **fields)


def doubted(id: str, kind: str, number: int) -> Disagreement:
    span = Span(start=5, end=9)
    return Disagreement(
        candidate=candidate(id, kind, number), outcome="ok", said="refuted", reason="No.", evidence=(span,)
    )


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[OutFolder]:
    with OutFolder(tmp_path / "out", META) as opened:
        for id, owner in zip(IDS, OWNERS, strict=False):
            (tmp_path / f"{id}.md").write_text(decision(owner))
            opened.keep_opinion(tmp_path / f"{id}.md", id)
        yield opened


def assembled(folder: OutFolder, *records: DecisionRecord, per_opinion: int = 2) -> tuple[GoldClaim, ...]:
    return assemble(folder, records, OPINIONS, Wanted(per_opinion, PAPER_SHARES, tuple(USAGE_TYPES), contrast=True))


def decide(folder: OutFolder, **decisions: Any) -> None:
    """Write decisions into the review file, each behind the claim whose kind it names."""
    rows = folder.read_lines("review.jsonl")
    for row in rows:
        kind = row["claim"].split()[0].removeprefix("(")
        row["decision"] = decisions.get(kind, row["decision"])
    folder.write_lines("review.jsonl", rows)


def test_the_set_loads_and_holds_what_was_chosen(folder: OutFolder) -> None:
    made = assembled(folder, *map(record, IDS))
    data = load_dataset(folder.path)
    assert {claim.id for claim in data.claims} == {claim.id for claim in made}
    assert [claim.subset for claim in data.claims].count("contrast") == 12
    assert len(made) == 24 + 12
    for row in folder.read_lines("claims.jsonl"):
        text = OPINIONS[row["opinion_id"]].text
        assert [text[span["start"] : span["end"]] for span in row["evidence_spans"]][:1] == (
            [row["evidence"]] if row["evidence"] else []
        )
        assert (row["evidence"] is None) == (row["label"] == "not_found")


def test_the_set_does_not_depend_on_the_order_in_which_decisions_came_to_an_end(folder: OutFolder) -> None:
    records = [record(id) for id in IDS]
    one = assembled(folder, *records)
    files = {file.name: file.read_bytes() for file in folder.path.glob("*.jsonl")}
    turned = [one.model_copy(update={"candidates": one.candidates[::-1]}) for one in records[::-1]]
    assert assembled(folder, *turned) == one
    assert {file.name: file.read_bytes() for file in folder.path.glob("*.jsonl")} == files


def test_no_decision_is_an_empty_set_without_files(folder: OutFolder) -> None:
    assembled(folder, *map(record, IDS))
    assert assembled(folder) == ()
    assert list(folder.path.glob("*.jsonl")) == []


def test_what_is_dropped_is_told_with_its_decision_and_its_reason(folder: OutFolder) -> None:
    dropped = Dropped(stage="checks", kind="supported", reason="has 3 words", rule="length", claim="(holding that)")
    assembled(folder, record(IDS[0], dropped=(dropped,)), record(IDS[1]))
    assert folder.read_lines("dropped.jsonl") == [{"opinion_id": IDS[0], **dropped.model_dump(mode="json")}]


def test_a_claim_in_question_is_shown_with_both_labels_and_both_evidences(folder: OutFolder) -> None:
    assembled(folder, record(IDS[0], review=(doubted(IDS[0], "logic_reversal", 9),)))
    (row,) = folder.read_lines("review.jsonl")
    text = OPINIONS[IDS[0]].text
    assert (row["meant"], row["blind"], row["strategy"], row["decision"]) == (
        "refuted", "refuted", "logic_reversal", ""
    )  # fmt: skip
    assert row["evidence_of_blind_reader"] == [text[5:9]]
    assert len(row["evidence_of_writer"]) == 2
    assert row["claim"] not in {one["claim"] for one in folder.read_lines("claims.jsonl")}


@pytest.mark.parametrize("kind", ["supported", "contrast", *STRATEGIES])
def test_a_claim_that_a_person_keeps_is_in_the_set_however_many_there_are(folder: OutFolder, kind: str) -> None:
    records = [record(id, 30) for id in IDS[:2]] + [record(IDS[2], 30, review=(doubted(IDS[2], kind, 99),))]
    assembled(folder, *records)
    decide(folder, **{kind: "keep"})
    made = assembled(folder, *records)
    # Six not-found claims are drawn of three strategies, and of authority swaps two.
    assert f"({kind} 99 of {IDS[2]})" in {claim.claim for claim in made}
    assert len(made) == 36
    decide(folder, **{kind: "drop"})
    assert f"({kind} 99 of {IDS[2]})" not in {claim.claim for claim in assembled(folder, *records)}


def test_decisions_stay_in_the_review_file(folder: OutFolder) -> None:
    record_ = record(IDS[0], review=tuple(doubted(IDS[0], kind, 9) for kind in ("supported", "logic_reversal")))
    assembled(folder, record_)
    decide(folder, supported=" KEEP", logic_reversal="drop")
    for _ in range(3):
        assembled(folder, record_)
        assert [row["decision"] for row in folder.read_lines("review.jsonl")] == ["keep", "drop"]


def test_a_claim_that_a_person_drops_stays_out_though_the_reader_agrees_now(folder: OutFolder) -> None:
    doubt = doubted(IDS[0], "logic_reversal", 99)
    assembled(folder, record(IDS[0], review=(doubt,)))
    decide(folder, logic_reversal="drop")
    agreed = record(IDS[0])
    agreed = agreed.model_copy(update={"candidates": (*agreed.candidates, doubt.candidate)})
    made = assembled(folder, agreed, per_opinion=20)
    assert doubt.candidate.claim not in {claim.claim for claim in made}
    # What was written is not lost, though the claim is not in question any more.
    assert [row["decision"] for row in folder.read_lines("review.jsonl")] == ["drop"]


@pytest.mark.parametrize("word", ["kep", "yes", "true", 1, ["keep"]])
def test_another_word_is_refused_with_the_claim(folder: OutFolder, word: Any) -> None:
    record_ = record(IDS[0], review=(doubted(IDS[0], "supported", 9),))
    assembled(folder, record_)
    before = (folder.path / "claims.jsonl").read_bytes()
    decide(folder, supported=word)
    with pytest.raises(InputError, match=rf"review\.jsonl: \(supported 9 of {IDS[0]}\): unknown decision"):
        assembled(folder, record_)
    assert (folder.path / "claims.jsonl").read_bytes() == before


def test_a_line_of_the_review_file_that_is_taken_out_decides_nothing(folder: OutFolder) -> None:
    record_ = record(IDS[0], review=(doubted(IDS[0], "supported", 9),))
    assembled(folder, record_)
    (folder.path / "review.jsonl").write_text(json.dumps({"id": "of another set", "decision": "keep"}) + "\n")
    assembled(folder, record_)
    assert [row["decision"] for row in folder.read_lines("review.jsonl")] == [""]
