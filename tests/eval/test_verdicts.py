from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from parcel_agents.cli import app
from parcel_agents.eval.bootstrap import Bootstrap, Estimate
from parcel_agents.eval.datasets import Dataset, load_dataset
from parcel_agents.eval.verdicts.baselines import bm25_labels
from parcel_agents.eval.verdicts.bench import SECTIONS, Measured
from parcel_agents.eval.verdicts.entries import Entry, Shares
from parcel_agents.eval.verdicts.labelled import score
from parcel_agents.eval.verdicts.sentences import draw_sentences, wrap
from parcel_agents.eval.verdicts.tables import all_tables
from parcel_agents.eval.verdicts.targets import compare
from parcel_agents.generation.rules.sentences import lower_first, own_sentences, plain_sentence
from parcel_agents.opinions import parse_opinion
from parcel_agents.types import GoldClaim, Label

SUPPORTED, REFUTED, NOT_FOUND, NONE = range(4)
COURT = (
    "The officer who boarded the boat that night had no warrant and no consent. Defendant argued that the officer"
    " should have asked the harbor master for leave to board it. The boat, we hold, may be searched only upon probable"
    " cause or with consent (see People v Roe, 92 NY3d 118 [2009]). Why the officer did not ask anybody about it at all"
    " is a question."
)
DISSENT = "The majority is mistaken, and the boat was moored where anybody could have seen its cargo. I dissent."
TEXT = (
    f"# *People v Marlowe*\n\nOPINION OF THE COURT\n\n**Quist, J.**\n\n{COURT}\n\n"
    f"**Ferris, J.** (dissenting). {DISSENT}\n"
)


def codes(*said: int) -> np.ndarray[Any, np.dtype[np.int8]]:
    return np.array(said, dtype=np.int8)


def test_an_abstention_is_not_right_and_no_false_entailment() -> None:
    gold = codes(SUPPORTED, REFUTED, REFUTED, NOT_FOUND)
    said = codes(SUPPORTED, SUPPORTED, NONE, REFUTED)
    found = score(gold, said, np.zeros(4, dtype=np.int64), Bootstrap.of(1, np.random.default_rng(0)))
    # Of three unsupported claims one is called supported; of three decided ones one is right.
    assert found["fer"].value == pytest.approx(1 / 3)
    assert (found["fer_refuted"].value, found["fer_not_found"].value) == (0.5, 0.0)
    assert found["accuracy_of_decided"].value == pytest.approx(1 / 3)
    assert (found["decided"].value, found["accuracy"].value) == (0.75, 0.25)
    assert (found["supported.precision"].value, found["supported.recall"].value) == (0.5, 1.0)
    assert math.isnan(found["fer"].low)  # one opinion tells nothing of others


def test_a_rate_over_nothing_is_nan() -> None:
    found = score(codes(SUPPORTED), codes(NONE), np.zeros(1, dtype=np.int64), Bootstrap.of(1, np.random.default_rng(0)))
    assert math.isnan(found["fer"].value)
    assert math.isnan(found["accuracy_of_decided"].value)


def test_a_share_of_nought_keeps_an_upper_end() -> None:
    shares = Shares.over("abcdefgh", np.random.default_rng(0))
    none = shares.of(np.zeros(8, dtype=np.bool_))
    assert none.value == none.low == 0
    assert 0.2 < none.high < 1
    half = shares.of(np.arange(8) < 4)
    assert (half.value, half.low < 0.5 < half.high) == (0.5, True)
    assert math.isnan(shares.of(np.ones(8, dtype=np.bool_), np.zeros(8, dtype=np.bool_)).value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The boat may be searched only upon probable cause or with consent (see People v Roe, 92 NY3d 118 [2009]).",
            "The boat may be searched only upon probable cause or with consent",
        ),
        ("The boat was searched.", None),  # too short
        ("See People v Roe, which was decided on the same ground as this case and on others.", None),
        ("Why was the boat searched by the officer who had been told not to board it?", None),
        ("and the boat was searched by the officer who had been told not to board it.", None),
        ("Nor was the boat searched by the officer who had been told not to board it.", None),
        # a citation within the sentence
        ("The boat (see People v Roe, 92 NY3d 118 [2009]) was searched by an officer who had been told not to.", None),
        (
            "“The boat was searched by the officer who had been told not to,” as it was put there.",
            None,
        ),  # another's words
        ("OPINION OF THE COURT AND ORDER OF THIS COURT IS HEREBY AFFIRMED AND SO IS THAT ONE.", None),
    ],
)
def test_a_sentence_fit_to_be_a_claim_has_lost_its_citation(text: str, expected: str | None) -> None:
    assert plain_sentence(text) == expected


def test_own_sentences_are_neither_reported_nor_the_other_voices() -> None:
    opinion = parse_opinion(TEXT, suffix=".md")
    assert list(own_sentences(opinion, "court")) == [
        "The officer who boarded the boat that night had no warrant and no consent",
        "The boat, we hold, may be searched only upon probable cause or with consent",
        "Why the officer did not ask anybody about it at all is a question",
    ]
    assert [text[:12] for text in own_sentences(opinion, "dissent")] == ["The majority"]


def test_a_first_word_keeps_its_capital_if_it_is_a_name() -> None:
    opinion = parse_opinion(f"{TEXT}\nHe told Hathersage, and Hathersage told the defendant.\n", suffix=".md")
    assert lower_first("Hathersage left", opinion) == "Hathersage left"
    assert lower_first("I dissent", opinion) == "I dissent"
    assert wrap("Defendant left", "holding that", opinion) == "(holding that defendant left)"


def test_sentences_are_drawn_evenly_and_by_the_seed() -> None:
    opinions = {name: parse_opinion(TEXT, suffix=".md") for name in ("a", "b")}
    drawn = draw_sentences(opinions, 5, np.random.default_rng(0))
    assert [one.opinion_id for one in drawn] == ["a"] * 3 + ["b"] * 2
    assert drawn == draw_sentences(opinions, 5, np.random.default_rng(0))
    assert len(draw_sentences(opinions, 100, np.random.default_rng(0))) == 8  # all there are
    assert len(set(draw_sentences(opinions, 100, np.random.default_rng(0)))) == 8


def made_set(opinions: str) -> Dataset:
    def gold(id: str, number: int, label: Label, claim: str) -> GoldClaim:
        return GoldClaim(id=f"{id}{number}", opinion_id=id, claim=claim, label=label)

    claims = [
        one
        for id in opinions
        for number in range(3)
        for one in (
            gold(id, 2 * number, "supported", "(holding that the officer boarded the boat without a warrant)"),
            gold(id, 2 * number + 1, "not_found", "(holding that kangaroos juggle marmalade on Wednesdays)"),
        )
    ]
    return Dataset("made", tuple(claims), {id: parse_opinion(TEXT, suffix=".md") for id in opinions})


def test_bm25_similarity_tells_what_is_not_there_and_needs_other_opinions() -> None:
    data = made_set("abcdef")
    guesses = bm25_labels(data, data.claims, None)
    assert guesses is not None
    assert guesses.tolist() == [SUPPORTED, NOT_FOUND] * 18
    few = made_set("ab")
    assert bm25_labels(few, few.claims, None) is None
    assert bm25_labels(few, few.claims, data) is not None


def test_targets_are_held_against_the_data_set_that_is_measured() -> None:
    about = {"subset": "all", "system": "panel"}
    entries = [
        Entry("labelled", {"dataset": "mine", **about}, figures={"fer": Estimate(0.01)}),
        Entry("labelled", {"dataset": "other", **about}, figures={"fer": Estimate(0.5)}),
        Entry("labelled", {"dataset": "mine", **about, "system": "claim only"}, figures={"fer": Estimate(0.4)}),
    ]
    found = {one.target.words: one for one in compare(entries, "mine")}
    assert found["FER"].estimate.value == 0.01
    assert found["FER"].as_json()["met"] is True
    assert set(found) == {"FER"}
    nothing = replace(found["FER"], estimate=Estimate(math.nan))
    assert nothing.as_json()["met"] is False


def test_a_section_without_a_table_of_its_own_is_shown_all_the_same() -> None:
    entry = Entry("ablation", {"dataset": "mine", "without": "names"}, {"claims": 3}, {"fer": Estimate(0.25)})
    (table,) = all_tables([entry], [])
    assert table.rows[0].name == "names"
    assert table.rows[0].cells == (3, Estimate(0.25))


def invoke(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["bench", "verdicts", *arguments])


@pytest.fixture
def example(example_claims: Path) -> str:
    return str(example_claims.parent)


def test_the_command_prints_every_section_as_json(example: str, tmp_path: Path) -> None:
    natural = tmp_path / "natural.jsonl"
    natural.write_text(json.dumps({"cited": "people_v_marlowe", "parenthetical": "holding that the stop was lawful"}))
    record = tmp_path / "record.jsonl"
    only = [word for name in ("labelled", "sentences", "natural", "checks") for word in ("--only", name)]
    done = invoke(
        example, *only, "--natural", str(natural), "--opinions", example, "--sentences", "4", "--record", str(record),
        "--json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["section"] for row in rows} == {
        "labelled", "strategies", "verbatim", "edited", "natural", "checks", "targets",
    }  # fmt: skip
    verbatim = next(row for row in rows if row["section"] == "verbatim" and row["voice"] == "all")
    assert verbatim["claims"] == 4
    assert 0 <= verbatim["supported"] <= 1
    asked = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    assert {row["section"] for row in asked} >= {"verbatim", "edited", "natural"}


def test_the_command_prints_tables(example: str) -> None:
    done = invoke(example, "--only", "labelled")
    assert done.exit_code == 0, done.output
    assert "the panel on labelled claims" in done.stdout
    assert "Numbers to reach" in done.stdout


@pytest.mark.slow
def test_speed_is_measured_warm_and_from_the_start_of_a_process(example: str) -> None:
    done = invoke(example, "--only", "speed", "--json")
    assert done.exit_code == 0, done.output
    rows = {row["state"]: row for row in map(json.loads, done.stdout.splitlines()) if row["section"] == "speed"}
    assert rows["warm"]["claims_per_s"] > 0
    assert rows["cold"]["seconds"] > 0


def test_an_unknown_section_and_half_an_option_are_refused(example: str) -> None:
    wrong = invoke(example, "--only", "spleed")
    assert wrong.exit_code == 2
    assert "known: labelled, sentences" in wrong.stderr
    half = invoke(example, "--natural", "somewhere.jsonl")
    assert half.exit_code == 2
    assert "--opinions" in half.stderr


def test_real_opinions_give_sentences_enough(shared_data: Path) -> None:
    data = load_dataset(shared_data / "parcel_dev")
    drawn = draw_sentences(data.opinions, 200, np.random.default_rng(0))
    assert len(drawn) == 200
    assert {one.opinion_id for one in drawn} == set(data.opinions)


def test_a_data_set_without_labels_has_no_labelled_sections() -> None:
    data = made_set("a")
    bare = Dataset("bare", tuple(c.model_copy(update={"label": None}) for c in data.claims), data.opinions)
    rng = np.random.default_rng(0)
    assert list(SECTIONS["labelled"](Measured(bare), None, rng)) == []  # type: ignore[arg-type]
    assert list(SECTIONS["checks"](Measured(bare), None, rng)) == []  # type: ignore[arg-type]
