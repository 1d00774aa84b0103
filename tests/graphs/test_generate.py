"""The generator's graph, against models on the wire that do what they are asked, or something else."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fakes import replies as r
from fakes.generating import workshop
from fakes.generator import FakeAuthor, claim_of, for_kind, kind_of, send
from fakes.llm import PROVIDERS
from fakes.orders import GOOD, only_record, sent
from fakes.server import Script

from parcel_agents.eval.datasets import load_dataset
from parcel_agents.generation.checks import find_fault
from parcel_agents.generation.model import LABEL_OF, USAGE_TYPES, Candidate
from parcel_agents.retrievers.bm25 import BM25Index
from parcel_agents.types import Span

FALSE = tuple(LABEL_OF)


def candidate(row: dict[str, Any]) -> Candidate:
    """The claim of a line of the set."""
    names = (
        "opinion_id", "claim", "label", "strategy", "usage_type", "mirror", "source", "changed_from", "changed_to",
        "made_by",
    )  # fmt: skip
    spans = tuple(Span(**span) for span in row["evidence_spans"])
    return Candidate(**{name: row[name] for name in names}, evidence=spans)


@pytest.mark.parametrize(("provider", "per_opinion"), [("openai", 4), ("google", 2)])
def test_a_set_from_models_has_the_paper_s_balance_and_every_claim_is_fit(
    tmp_path: Path, provider: str, per_opinion: int
) -> None:
    unit = 6 * per_opinion
    with workshop(tmp_path, provider=provider, decisions=6) as shop:
        result = shop.generate("--contrast", per_opinion=per_opinion)
        assert result.exit_code == 0, result.output
        data = load_dataset(shop.out)
        main = [claim for claim in data.claims if claim.subset == "claims"]
        assert Counter(claim.label for claim in main) == {"supported": unit, "refuted": 2 * unit, "not_found": unit}
        assert len(data.claims) - len(main) == 2 * unit
        assert {claim.label for claim in data.claims if claim.subset == "contrast"} == {"supported"}
        strategies = Counter(claim.strategy for claim in main if claim.strategy)
        # Shares .466, .215, .168 and .151 of 48, and .389, .320 and .291 of 24; or of half as many.
        assert strategies == {
            "logic_reversal": 23, "distractor_swap": 10, "scope_contradiction": 8, "authority_swap": 7,
            "phantom_citation": 9, "unaddressed_argument": 8, "missing_detail": 7,
        } if per_opinion == 4 else {
            "logic_reversal": 11, "distractor_swap": 5, "scope_contradiction": 4, "authority_swap": 4,
            "phantom_citation": 5, "unaddressed_argument": 4, "missing_detail": 3,
        }  # fmt: skip
        types = Counter(claim.usage_type for claim in main if claim.label == "supported")
        # Of each decision one more is asked for than there are to be, and the uses take turns.
        assert list(USAGE_TYPES)[: per_opinion + 1] == [one for one in USAGE_TYPES if one in types]
        swaps = {claim.opinion_id for claim in main if claim.strategy == "authority_swap"}
        assert swaps <= {"marlowe", "ferris", "dunmarrow"}
        indexes = {id: BM25Index(opinion) for id, opinion in data.opinions.items()}
        for row in shop.lines("claims.jsonl") + shop.lines("claims_contrast.jsonl"):
            text = data.opinions[row["opinion_id"]].text
            assert find_fault(candidate(row), indexes[row["opinion_id"]]) is None, row
            assert row["made_by"] == f"{provider}:writer"
            if row["label"] == "not_found":
                assert (row["evidence"], row["evidence_spans"]) == (None, [])
            else:
                first = row["evidence_spans"][0]
                assert row["evidence"] == text[first["start"] : first["end"]] != ""
        card = json.loads((shop.out / "card.json").read_text())
        assert card["spent"]["requests"] == len(shop.server.requests)
        assert {one.status for one in shop.records().values()} == {"done"}


def test_the_blind_reader_sees_the_opinion_and_the_claim_and_nothing_else(tmp_path: Path) -> None:
    with workshop(tmp_path) as shop:
        assert shop.generate("--contrast").exit_code == 0
        readings = [request for request in shop.server.requests if kind_of(request) == "check"]
        assert len(readings) == len(shop.author.meant)
        kinds = (*FALSE, "contrast", "usage", "true_claim", "mirror")
        shown = {tuple(sorted(request.body)) for request in readings}
        assert len(shown) == 1
        without_claims = {request.user.replace(claim_of(request), "") for request in readings}
        # What differs besides the claim is the mark of its block, which is a hash of the claim.
        assert len({len(text) for text in without_claims}) == 1
        for request in readings:
            assert request.model == "reader"
            assert not any(kind in json.dumps(request.body) for kind in kinds)
            others = shop.author.meant.keys() - {claim_of(request)}
            assert not any(other in request.user for other in others)


SWAP = "(relying on what Corvin said of the bilge pump, which had been left in the rain)"
BAD_SUPPORTED = {
    "an entry without a claim": ([{"type": "holding"}], "no claim"),
    "a quotation": ([sent("(holding that “the search of the boat was lawful” for the officer)")], "quotation"),
    "a passage that is not there": ([sent(GOOD, passages=["p999", "777", None])], "no evidence"),
    "an unknown use": ([sent(GOOD, type="poetry")], "unknown usage type"),
    "an authority that is not there": ([sent("(following Rowell v Stane on what a master may waive)")],
                                       "authority is not cited"),
    "the same claim twelve times": ([sent(GOOD)] * 12, "near-duplicate"),
    "more claims than were asked for": (
        [sent(f"(holding that {word} {other} {third} may be searched at sea)")
         for word, other, third in zip(
             "abbots bakers coopers drapers fletchers grocers".split(),
             "hunting idling joking kneeling listening mourning".split(),
             "nightly openly proudly quietly rudely slowly".split(), strict=True)],
        "too many",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("entries", "rule"), BAD_SUPPORTED.values(), ids=BAD_SUPPORTED)
def test_a_true_claim_that_is_no_good_is_dropped_with_a_reason(tmp_path: Path, entries: list[Any], rule: str) -> None:
    author = FakeAuthor(for_kind("supported", send(entries)))
    author.meant = {GOOD: "supported"}
    with workshop(tmp_path, author) as shop:
        result = shop.generate()
        assert result.exit_code == 0, result.output
        dropped = shop.lines("dropped.jsonl")
        assert rule in {row["rule"] for row in dropped if row["kind"] == "supported"}
        assert all(row["reason"] and row["stage"] for row in dropped)
        assert Counter(c.claim for c in only_record(shop).candidates if c.kind == "supported")[GOOD] <= 1


@pytest.mark.parametrize(
    ("kind", "entry", "rule"),
    [
        ("phantom_citation", sent("(citing Matter of Ashby for the weight of what was said of a bilge pump)",
                                  to="Matter of Ashby"), "phantom is cited"),
        ("distractor_swap", sent(SWAP, **{"from": "Tamsin", "to": "Corvin"}), "distractor not in opinion"),
        ("distractor_swap", sent(SWAP, **{"from": 3, "to": ["Corvin"]}), "distractor not in claim"),
        ("missing_detail", sent("(noting that the bilge pump was hidden under canvas)", to="under canvas"),
         "detail is there"),
        ("logic_reversal", sent(GOOD, true_claim=GOOD), "nothing was changed"),
    ],
)  # fmt: skip
def test_a_false_claim_that_is_no_good_is_dropped_with_a_reason(
    tmp_path: Path, kind: str, entry: dict[str, Any], rule: str
) -> None:
    with workshop(tmp_path, FakeAuthor(for_kind(kind, send([entry])))) as shop:
        assert shop.generate(per_opinion=3).exit_code == 0
        assert {row["rule"] for row in shop.lines("dropped.jsonl") if row["kind"] == kind} == {rule}
        assert not any(row["strategy"] == kind for row in shop.lines("claims.jsonl"))
        # It was asked for a second time, with what was wrong.
        asked = [request for request in shop.server.requests if kind_of(request) == kind]
        assert len(asked) == 2
        assert "These could not be used" in asked[1].user
        assert "These could not be used" not in asked[0].user


def test_a_claim_without_brackets_gets_them(tmp_path: Path) -> None:
    author = FakeAuthor(for_kind("supported", send([sent(GOOD[1:-1] + ".")])))
    author.meant = {GOOD: "supported"}
    with workshop(tmp_path, author) as shop:
        assert shop.generate().exit_code == 0
        assert [c.claim for c in only_record(shop).candidates if c.kind == "supported"] == [GOOD]


NONSENSE: dict[str, Script] = {
    "prose": r.text("I would rather talk of the sea."),
    "nothing": r.text(None),
    "JSON of another form": r.text(json.dumps({"items": [{"claim": GOOD}]})),
    "a word for the list": r.text(json.dumps({"claims": "none"})),
    "JSON without an end": r.text('{"claims": [{"claim": "'),
}


@pytest.mark.parametrize(
    ("provider", "script"),
    [(PROVIDERS[place % 2], script) for place, script in enumerate(NONSENSE.values())],
    ids=NONSENSE,
)
def test_nonsense_is_a_failure_that_is_recorded(tmp_path: Path, provider: str, script: Script) -> None:
    with workshop(tmp_path, FakeAuthor(for_kind("supported", script)), provider=provider) as shop:
        result = shop.generate()
        assert result.exit_code == 3, result.output
        record = only_record(shop)
        assert record.status == "failed"
        assert [(one.kind, one.outcome) for one in record.failures] == [("supported", "unparseable")]
        assert record.reason.startswith("unparseable: ")
        assert shop.lines("claims.jsonl") == []


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_empty_list_of_claims_leaves_nothing_to_start_from(tmp_path: Path, provider: str) -> None:
    with workshop(tmp_path, FakeAuthor(for_kind("supported", send([]))), provider=provider) as shop:
        assert shop.generate().exit_code == 0
        record = only_record(shop)
        assert (record.status, record.candidates, record.failures) == ("done", (), ())
        # Asked twice, as there may be more the second time; no false claim without a true one.
        assert shop.asked() == {"rate": 1, "supported": 2}


@pytest.mark.parametrize("kind", ["missing_detail", "authority_swap"])
def test_a_kind_that_comes_to_nothing_leaves_the_others(tmp_path: Path, kind: str) -> None:
    with workshop(tmp_path, FakeAuthor(for_kind(kind, r.text("no")))) as shop:
        assert shop.generate(per_opinion=3).exit_code == 3
        record = only_record(shop)
        assert record.status == "done"
        assert [(one.kind, one.outcome) for one in record.failures] == [(kind, "unparseable")]
        assert {row["label"] for row in shop.lines("claims.jsonl")} == {"supported", "refuted", "not_found"}


def test_what_is_said_of_an_opinion_in_the_same_words_with_two_labels_goes(tmp_path: Path) -> None:
    author = FakeAuthor(for_kind("logic_reversal", send([sent(GOOD, true_claim="(something else)")])))
    with workshop(tmp_path, author) as shop:
        assert shop.generate().exit_code == 0
        gone = [row["kind"] for row in shop.lines("dropped.jsonl") if row["rule"] == "two labels"]
        assert sorted(gone) == ["logic_reversal", "supported"]
        assert GOOD not in {row["claim"] for row in shop.lines("claims.jsonl")}
