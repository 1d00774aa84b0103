"""The generator's blind reader, and decisions that are refused, that fail or that are excluded."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import replies as r
from fakes.generating import workshop
from fakes.generator import Answer, FakeAuthor, claim_of, decision, for_kind, kind_of, send
from fakes.orders import about, only_record, sent
from fakes.server import Script


def checking(script: Script, *claims: str) -> Answer:
    """This script for the blind readings of claims that hold one of the words."""
    return lambda author, request: (
        script(request) if kind_of(request) == "check" and any(words in claim_of(request) for words in claims) else None
    )


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
