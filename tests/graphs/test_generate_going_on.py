"""A set that was begun: what is asked again, and what is not."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from fakes import replies as r
from fakes.generating import workshop
from fakes.generator import Answer, FakeAuthor, claim_of, decision, for_kind, kind_of
from fakes.orders import about, only_record
from fakes.server import Reply, Request, Script

from parcel_agents.types import content_hash


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
        # What broke off is paid for all the same.
        spent = json.loads((shop.out / "spent.json").read_text())["cost_usd"]
        told = json.loads((shop.out / "card.json").read_text())["spent"]
        assert told["cost_usd"] == pytest.approx(spent, abs=1e-6)
        assert told["unfinished_usd"] > 0
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
        assert card["spent"]["unfinished_usd"] == 0


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


@pytest.mark.parametrize(
    ("script", "asked", "kept"),
    [(r.error(500), 2, 1), (r.finishes("content_filter"), 1, 0)],
    ids=["error", "refusal"],
)
def test_a_rating_that_failed_is_asked_for_again_unless_it_must_fail(
    tmp_path: Path, script: Script, asked: int, kept: int
) -> None:
    closed = [True]

    def answer(author: FakeAuthor, request: Request) -> Reply | None:
        if not closed[0]:
            return None
        return script(request) if kind_of(request) == "rate" else r.bad_key(request)

    with workshop(tmp_path, FakeAuthor(answer)) as shop:
        assert shop.generate().exit_code == 3
        closed[0] = False
        assert shop.generate().exit_code == 0
        assert shop.asked()["rate"] == asked
        exemplars = json.loads((shop.out / "exemplars.json").read_text())
        assert (len(exemplars["kept"]), exemplars["requests"]) == (kept, asked)
        # With nothing left to write there is nothing to rate for.
        assert shop.generate().exit_code == 0
        assert shop.asked()["rate"] == asked
