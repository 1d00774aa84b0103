"""The generator's graph, against models on the wire that do what they are asked, or something else."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fakes import replies as r
from fakes.generating import Workshop, workshop
from fakes.generator import Answer, FakeAuthor, claim_of, decision, for_kind, kind_of, send
from fakes.llm import PROVIDERS
from fakes.server import Reply, Request, Script

from parcel_agents.eval.datasets import load_dataset
from parcel_agents.generation.checks import find_fault
from parcel_agents.generation.model import LABEL_OF, USAGE_TYPES, Candidate, DecisionRecord
from parcel_agents.retrievers.bm25 import BM25Index
from parcel_agents.types import Span, content_hash

FALSE = tuple(LABEL_OF)


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FAKE_KEY", "sk-not-a-real-key")
    monkeypatch.setenv("PARCEL_AGENTS_CACHE_DIR", str(tmp_path / "cache"))


def candidate(row: dict[str, Any]) -> Candidate:
    """The claim of a line of the set."""
    names = (
        "opinion_id", "claim", "label", "strategy", "usage_type", "mirror", "source", "changed_from", "changed_to",
        "made_by",
    )  # fmt: skip
    spans = tuple(Span(**span) for span in row["evidence_spans"])
    return Candidate(**{name: row[name] for name in names}, evidence=spans)


def only_record(shop: Workshop) -> DecisionRecord:
    (record,) = shop.records().values()
    return record


def about(owner: str, answer: Answer) -> Answer:
    """This answer where the request is about the owner's decision."""
    return lambda author, request: answer(author, request) if f"of the boat of {owner} was" in request.user else None


def checking(script: Script, *claims: str) -> Answer:
    """This script for the blind readings of claims that hold one of the words."""
    return lambda author, request: (
        script(request) if kind_of(request) == "check" and any(words in claim_of(request) for words in claims) else None
    )


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


def sent(claim: str, **fields: Any) -> dict[str, Any]:
    entry = {"claim": claim, "type": "holding", "true_claim": "", "from": "", "to": "", "passages": ["p1"]}
    return {**entry, **fields}


GOOD = "(crediting testimony that the anchor chain on the vessel of Marlowe had been rusted through)"
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


# The blind reader ------------------------------------------------------------------------------------------------

CHAIN, PUMP, CARD = "anchor chain", "bilge pump", "compass card"
READERS: dict[str, tuple[Script, str, str | None]] = {
    "another label": (r.answer("not_found", []), "ok", "not_found"),
    "prose": (r.text("Who knows?"), "unparseable", None),
    "an error": (r.error(500), "error", None),
    "a passage that is not there": (r.answer("supported", ["p999"]), "unparseable", None),
}


@pytest.mark.parametrize(("script", "outcome", "said"), READERS.values(), ids=READERS)
def test_a_claim_that_the_blind_reader_does_not_confirm_is_put_aside(
    tmp_path: Path, script: Script, outcome: str, said: str | None
) -> None:
    claim = f"crediting testimony that the {CHAIN}"
    with workshop(tmp_path, FakeAuthor(checking(script, claim))) as shop:
        result = shop.generate()
        assert result.exit_code == (0 if outcome == "ok" else 3), result.output
        (row,) = shop.lines("review.jsonl")
        assert claim in row["claim"]
        assert (row["meant"], row["outcome"], row["blind"], row["decision"]) == ("supported", outcome, said, "")
        assert row["evidence_of_writer"] == ["People v Marlowe"]
        assert not any(claim in row["claim"] for row in shop.lines("claims.jsonl"))


def test_what_a_person_decides_is_heeded_and_kept(tmp_path: Path) -> None:
    answer = checking(r.answer("not_found", []), *(f"crediting testimony that the {one}" for one in (CHAIN, PUMP)))
    with workshop(tmp_path, FakeAuthor(answer)) as shop:
        assert shop.generate().exit_code == 0
        asked = len(shop.server.requests)
        rows = {CHAIN if CHAIN in row["claim"] else PUMP: row for row in shop.lines("review.jsonl")}
        rows[CHAIN]["decision"], rows[PUMP]["decision"] = " Keep ", "drop"
        shop.write_lines("review.jsonl", list(rows.values()))
        for _ in range(2):
            assert shop.generate().exit_code == 0
            claims = {row["claim"]: row["label"] for row in shop.lines("claims.jsonl")}
            assert claims[rows[CHAIN]["claim"]] == "supported"
            assert rows[PUMP]["claim"] not in claims
            assert {row["id"]: row["decision"] for row in shop.lines("review.jsonl")} == {
                rows[CHAIN]["id"]: "keep", rows[PUMP]["id"]: "drop",
            }  # fmt: skip
        assert len(shop.server.requests) == asked


def test_a_word_that_decides_nothing_is_told_with_its_claim_before_a_model_is_asked(tmp_path: Path) -> None:
    with workshop(tmp_path, FakeAuthor(checking(r.answer("not_found", []), CHAIN))) as shop:
        shop.generate()
        rows = shop.lines("review.jsonl")
        rows[0]["decision"] = "perhaps"
        shop.write_lines("review.jsonl", rows)
        for file in (shop.out / "records").glob("*.json"):
            file.unlink()
        asked = len(shop.server.requests)
        result = shop.generate()
        assert result.exit_code == 2
        assert "unknown decision 'perhaps'" in result.stderr
        assert rows[0]["claim"] in result.stderr
        assert len(shop.server.requests) == asked


# Refused, failed, excluded ---------------------------------------------------------------------------------------

REFUSALS = {
    "openai": {"filtered": r.finishes("content_filter"), "refused": r.refusal("I cannot help with that.")},
    "google": {"safety": r.finishes("SAFETY"), "blocked": r.blocked_prompt()},
}


@pytest.mark.parametrize(
    ("provider", "name"), [(provider, name) for provider, scripts in REFUSALS.items() for name in scripts]
)
def test_a_decision_that_trips_the_safety_filter_is_recorded_as_excluded(
    tmp_path: Path, provider: str, name: str
) -> None:
    answer = about("Quist", for_kind("supported", REFUSALS[provider][name]))
    with workshop(tmp_path, FakeAuthor(answer), provider=provider, decisions=2) as shop:
        result = shop.generate()
        assert result.exit_code == 0, result.output
        records = shop.records()
        assert (records["quist"].status, records["marlowe"].status) == ("excluded", "done")
        assert records["quist"].reason.startswith("refused: ")
        assert "excluded: quist: refused" in result.stderr
        assert {row["opinion_id"] for row in shop.lines("claims.jsonl")} == {"marlowe"}
        asked = len(shop.server.requests)
        assert shop.generate().exit_code == 0
        assert len(shop.server.requests) == asked


def test_a_decision_that_failed_is_asked_about_again_and_no_other(tmp_path: Path) -> None:
    broken = [True]
    fails = about("Quist", for_kind("supported", r.error(500)))
    author = FakeAuthor(lambda author, request: fails(author, request) if broken[0] else None)
    with workshop(tmp_path, author, decisions=3) as shop:
        result = shop.generate()
        assert result.exit_code == 3
        assert "failed: quist: error" in result.stderr
        statuses = {id: record.status for id, record in shop.records().items()}
        assert statuses == {"marlowe": "done", "quist": "failed", "ferris": "done"}
        whole = shop.records()["marlowe"]
        assert {row["opinion_id"] for row in shop.lines("claims.jsonl")} == {"marlowe", "ferris"}
        asked, wasted = len(shop.server.requests), shop.records()["quist"].requests
        broken[0] = False
        assert shop.generate().exit_code == 0
        again = shop.server.requests[asked:]
        assert all("of the boat of Quist was" in request.user for request in again)
        assert shop.records()["marlowe"] == whole
        # What the failure cost is not forgotten.
        assert shop.records()["quist"].requests == wasted + len(again)
        assert {row["opinion_id"] for row in shop.lines("claims.jsonl")} == {"marlowe", "quist", "ferris"}


def test_claims_of_before_stay_if_asking_again_comes_to_nothing(tmp_path: Path) -> None:
    kinds = ["phantom_citation"]
    author = FakeAuthor(lambda author, request: for_kind(kinds[0], r.error(500))(author, request))
    with workshop(tmp_path, author) as shop:
        assert shop.generate().exit_code == 3
        before = only_record(shop)
        assert before.status == "done"
        kinds[0] = "supported"
        assert shop.generate().exit_code == 3
        after = only_record(shop)
        assert (after.status, after.candidates) == ("done", before.candidates)
        assert after.requests == before.requests + 1
        kinds[0] = "nothing"
        assert shop.generate().exit_code == 0
        assert only_record(shop).failures == ()


def test_short_and_double_and_unreadable_decisions_are_excluded_with_the_reason(tmp_path: Path) -> None:
    with workshop(tmp_path) as shop:
        (shop.decisions / "short.md").write_text(decision("Abara")[:1500])
        (shop.decisions / "twin.md").write_text(decision("Marlowe"))
        (shop.decisions / "broken.pdf").write_bytes(b"%PDF-1.7 and then nothing")
        result = shop.generate()
        assert result.exit_code == 0, result.output
        records = shop.records()
        excluded = {id: record.reason for id, record in records.items() if record.status == "excluded"}
        assert excluded.keys() == {"short", "twin", "broken"}
        assert "fewer than 2,000" in excluded["short"]
        assert excluded["twin"] == "has the text of marlowe"
        assert excluded["broken"].startswith("cannot be read: ")
        assert {file.name for file in (shop.out / "opinions").iterdir()} == {"marlowe.md"}
        asked = len(shop.server.requests)
        assert shop.generate().exit_code == 0
        assert len(shop.server.requests) == asked


def test_an_answer_that_is_out_of_this_world_fails_its_decision_alone(tmp_path: Path) -> None:
    answer = about("Quist", for_kind("supported", send([sent("\ud800" * 40), sent("(" + "x" * 100_000 + ")")])))
    with workshop(tmp_path, FakeAuthor(answer), decisions=2) as shop:
        assert shop.generate().exit_code == 0
        assert {row["opinion_id"] for row in shop.lines("claims.jsonl")} == {"marlowe"}


# Going on --------------------------------------------------------------------------------------------------------


def after(number: int, script: Script, *, closed: list[bool]) -> Answer:
    """This script from the request of that number on, as long as it is closed."""
    return lambda author, request: script(request) if closed[0] and request.number > number else None


@pytest.mark.parametrize("number", [1, 2, 6, 14])
def test_a_run_that_was_stopped_goes_on_without_asking_again(tmp_path: Path, number: int) -> None:
    closed = [True]
    accepted: list[str] = []

    def answer(author: FakeAuthor, request: Request) -> Reply | None:
        if closed[0] and request.number > number:
            return r.bad_key(request)
        accepted.append(kind_of(request) if kind_of(request) != "check" else claim_of(request))
        return None

    with workshop(tmp_path, FakeAuthor(answer), concurrency=2) as shop:
        result = shop.generate()
        assert result.exit_code == 3
        assert "FAKE_KEY" in result.stderr
        assert "sk-not-a-real-key" not in result.output + result.stderr
        assert "the same command goes on" in result.stderr
        closed[0] = False
        assert shop.generate().exit_code == 0
        # Nothing that was answered is asked for a second time, but what was in the air when the key was refused.
        twice = [what for what, count in Counter(accepted).items() if count > 1]
        assert len(twice) <= 1, twice
        assert {row["label"] for row in shop.lines("claims.jsonl")} == {"supported", "refuted", "not_found"}
        (record,) = shop.records().values()
        assert len(record.candidates) == len(shop.author.meant)


def test_a_decision_that_is_done_is_never_asked_about_again(tmp_path: Path) -> None:
    closed = [True]
    key = about("Quist", lambda author, request: r.bad_key(request) if closed[0] else None)
    with workshop(tmp_path, FakeAuthor(key), decisions=2) as shop:
        assert shop.generate("--concurrency", "1").exit_code == 3
        asked = len(shop.server.requests)
        assert shop.records().keys() == {"marlowe"}
        closed[0] = False
        assert shop.generate("--concurrency", "1").exit_code == 0
        assert all("of the boat of Quist was" in request.user for request in shop.server.requests[asked:])


def test_the_cap_on_costs_is_one_of_the_whole_set(tmp_path: Path) -> None:
    # A request costs .4 + .6 thousandths of a cent of input and 50 tokens of output: $0.0011; the cap allows some ten.
    with workshop(tmp_path, concurrency=1, max_output_tokens=100) as shop:
        command = ("--max-cost", "0.012", "--json")
        first = shop.generate(*command)
        assert first.exit_code == 3
        assert "before the cap of $0.01" in json.loads(first.stdout)["stopped"]
        asked = len(shop.server.requests)
        assert 5 < asked <= 10
        # Going on is no way around it, although no decision is done.
        assert shop.records() == {}
        assert shop.generate(*command).exit_code == 3
        assert len(shop.server.requests) == asked
        assert shop.generate("--max-cost", "1").exit_code == 0
        twice = [kind for kind, count in shop.asked().items() if count > 1 and kind != "check"]
        assert twice == []
        spent = json.loads((shop.out / "spent.json").read_text())["cost_usd"]
        assert spent == pytest.approx(0.0011 * len(shop.server.requests))
        card = json.loads((shop.out / "card.json").read_text())
        assert card["spent"]["cost_usd"] == pytest.approx(spent, abs=1e-6)


def test_work_that_is_done_and_not_written_down_is_not_done_again(tmp_path: Path) -> None:
    in_the_way = tmp_path / "out" / "records" / f"{content_hash('marlowe')}.json"

    def answer(author: FakeAuthor, request: Request) -> Reply | None:
        # A folder of this name keeps the record from being written, as a loss of power would.
        in_the_way.mkdir(exist_ok=True)
        return None

    with workshop(tmp_path, FakeAuthor(answer)) as shop:
        assert isinstance(shop.generate().exception, OSError)
        asked = len(shop.server.requests)
        in_the_way.rmdir()
        assert shop.generate().exit_code == 0
        assert len(shop.server.requests) == asked
        assert len(only_record(shop).candidates) == len(shop.author.meant)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--seed", "5"], "seed is 5, was 0"),
        (["--per-opinion", "3"], "per_opinion is 3, was 2"),
        (["--share", "missing_detail=9"], "shares is "),
        (["--model", "other"], "made_by is 'openai:other', was 'openai:writer'"),
        (["--blind", "other"], "blind is 'openai:other', was 'openai:reader'"),
    ],
)
def test_a_set_is_not_gone_on_with_under_another_setting(tmp_path: Path, more: list[str], words: str) -> None:
    with workshop(tmp_path, FakeAuthor(lambda author, request: r.bad_key(request))) as shop:
        assert shop.generate().exit_code == 3
        asked = len(shop.server.requests)
        result = shop.generate(*more)
        assert result.exit_code == 2
        assert words in " ".join(result.stderr.split())
        assert "name another folder with --out" in result.stderr
        assert len(shop.server.requests) == asked


def test_a_set_is_not_gone_on_with_after_a_decision_was_changed(tmp_path: Path) -> None:
    with workshop(tmp_path, FakeAuthor(lambda author, request: r.bad_key(request))) as shop:
        assert shop.generate().exit_code == 3
        (shop.decisions / "marlowe.md").write_text(decision("Marlowe") + "\nMore.\n")
        result = shop.generate()
        assert result.exit_code == 2
        assert "decisions is '1 files" in result.stderr


# Exemplars -------------------------------------------------------------------------------------------------------


def test_exemplars_are_rated_once_for_a_set_and_shown_to_the_writer(tmp_path: Path) -> None:
    closed = [True]
    with workshop(tmp_path, FakeAuthor(after(1, r.bad_key, closed=closed))) as shop:
        assert shop.generate().exit_code == 3
        closed[0] = False
        assert shop.generate().exit_code == 0
        assert shop.asked()["rate"] == 1
        orders = [request for request in shop.server.requests if kind_of(request) not in ("rate", "check")]
        assert all("holding that leave to board reaches the open deck" in request.system for request in orders)


@pytest.mark.parametrize(
    ("provider", "script"),
    [
        ("openai", r.error(500)),
        ("google", r.text("all of them are fine")),
        ("openai", r.text('{"ratings": [1, null, {"number": "1", "density": Infinity}]}')),
    ],
    ids=["error", "prose", "other entries"],
)
def test_a_rating_that_fails_does_not_stop_the_set(tmp_path: Path, provider: str, script: Script) -> None:
    with workshop(tmp_path, FakeAuthor(for_kind("rate", script)), provider=provider) as shop:
        result = shop.generate()
        assert result.exit_code == 0, result.output
        exemplars = json.loads((shop.out / "exemplars.json").read_text())
        assert (exemplars["harvested"], exemplars["unrated"], exemplars["kept"]) == (1, 1, [])
        assert exemplars["built_in"] == len(exemplars["shown"]) == 6
