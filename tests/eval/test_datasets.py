"""Files of claims: which columns are which."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fakes.dataset_files import GOOD, MARLOWE, ROWS, TARN, WRITERS, make_folder, renamed, said, write_csv, write_parquet
from hypothesis import given, settings
from hypothesis import strategies as st

from parcel_agents.errors import InputError
from parcel_agents.eval.datasets import load_dataset
from parcel_agents.eval.datasets.columns import parse_mapping
from parcel_agents.eval.datasets.labels import STRATEGIES


@pytest.mark.parametrize("suffix", WRITERS)
def test_every_kind_of_file_gives_the_same_claims(tmp_path: Path, suffix: str) -> None:
    data = load_dataset(WRITERS[suffix](tmp_path / f"parcel{suffix}", ROWS))
    assert data.name == "parcel"
    assert [(claim.label, claim.strategy) for claim in data.claims] == [
        ("supported", None),
        ("refuted", "logic_reversal"),
        ("not_found", "missing_detail"),
        ("refuted", None),
    ]
    assert [claim.claim for claim in data.claims] == [row["claim"] for row in ROWS]
    # One opinion a text; the ids depend on nothing but what the rows say, and never change.
    marlowe, tarn = data.opinions
    assert [claim.opinion_id for claim in data.claims] == [marlowe] * 3 + [tarn]
    assert (marlowe, tarn, data.claims[0].id) == ("e5459b3878527274", "07ad980d722c316b", "2e3d09b8c6c14282")
    assert "mooring" in data.opinions[tarn].text


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]) | st.sampled_from(',;\t"\n|'), max_size=60)
CELLS = st.lists(
    st.tuples(
        st.sampled_from([1, -1, 0]), TEXT, st.sampled_from([MARLOWE, TARN]), st.sampled_from([None, *STRATEGIES])
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=25, deadline=None)
@given(CELLS)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, cells: list[tuple[int, str, str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("data")
    rows = [
        {"label": label, "claim": f"(holding {n} of {text})", "decision": decision, "strategy": strategy}
        for n, (label, text, decision, strategy) in enumerate(cells)
    ]
    read = [load_dataset(write(folder / f"parcel{suffix}", rows)) for suffix, write in WRITERS.items()]
    assert [claim.claim for claim in read[0].claims] == [row["claim"] for row in rows]
    assert [claim.strategy for claim in read[0].claims] == [row["strategy"] for row in rows]
    assert all((each.claims, each.opinions) == (read[0].claims, read[0].opinions) for each in read)


@pytest.mark.parametrize(
    ("names", "column"),
    [
        ({"label": "Gold Label"}, "Gold Label"),
        ({"label": "GOLD"}, "GOLD"),
        ({"label": "y"}, "y"),
        ({"label": "label_2024"}, "label_2024"),  # a part of the name will do
        ({"label": "colour"}, "colour"),  # or none: what holds 1, -1 and 0 is told by it
        ({"claim": "Parenthetical"}, "Parenthetical"),
        ({"claim": "hypothesis"}, "hypothesis"),
        ({"claim": "text"}, "text"),  # a short text is a claim ...
        ({"claim": "what"}, "what"),
        ({"decision": "text"}, "text"),  # ... and a long one a decision
        ({"decision": "Decision Text"}, "Decision Text"),
        ({"decision": "premise"}, "premise"),
        ({"decision": "whole"}, "whole"),
        ({"strategy": "adversarial_strategy"}, "adversarial_strategy"),
        ({"strategy": "how"}, "how"),  # the paper's strategies are known
    ],
)
def test_columns_are_known_by_name_and_content(tmp_path: Path, names: dict[str, str], column: str) -> None:
    data = load_dataset(write_csv(tmp_path / "x.csv", renamed(ROWS, **names)))
    assert said(data, next(iter(names))).startswith(f"{next(iter(names))}: {column!r}")
    assert [claim.claim for claim in data.claims] == [row["claim"] for row in ROWS]


@pytest.mark.parametrize(
    ("extra", "reason"),
    [
        ({"gold": "certain"}, "named like a label, but holds none"),
        ({"hard": 1}, "holds 0 and 1 as a label may, but is not named like one"),
        ({"prediction": -1}, "an answer is no label"),
        ({"model_label": -1}, "nor is this"),
        ({"claim_type": "Holding"}, "too short for a claim"),
        ({"statement": "(holding something else)"}, "a less sure name than 'claim'"),
        ({"prompt": MARLOWE + "Answer with one word."}, "as long as a decision, but not named like one"),
        ({"decision_summary": "The officer may board a vessel. " * 20}, "too short for a whole decision"),
        ({"case": "People v Marlowe"}, "not the id of a decision: it goes with two texts"),
        ({"id": "x"}, "not the id of a claim: it is always the same"),
    ],
)
def test_columns_that_only_look_alike_are_left(tmp_path: Path, extra: dict[str, Any], reason: str) -> None:
    data = load_dataset(write_csv(tmp_path / "x.csv", [{**extra, **row} for row in ROWS]))
    assert f"  not used: {next(iter(extra))!r}" in data.understood, reason
    assert data.claims == load_dataset(write_csv(tmp_path / "y.csv", ROWS)).claims


def test_what_was_understood_is_told(tmp_path: Path) -> None:
    data = load_dataset(write_csv(tmp_path / "parcel.csv", [{**row, "page": 3} for row in ROWS]))
    assert data.understood == (
        "parcel.csv: 4 claims about 2 decisions",
        "  label: 'label': 1 -> supported (1), -1 -> refuted (2), 0 -> not found (1)",
        "  claim: 'claim'",
        "  decision: 'decision'",
        "  opinion_id: made from the text of the decision",
        "  strategy: 'strategy': logic_reversal (1), missing_detail (1); refuted or not found without one: 1",
        "  usage_type: none",
        "  evidence: none",
        "  id: made from the decision and the claim",
        "  not used: 'page'",
        "  to choose otherwise: --map KEY=COLUMN, or --map KEY=- for none",
    )


def test_two_columns_that_fit_equally_are_for_the_user_to_choose(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "x.csv", [{**row, "gold": 1} for row in ROWS])
    with pytest.raises(
        InputError, match=r"'label' and 'gold' look equally like .* choose with --map label=label or --map label=gold"
    ):
        load_dataset(file)
    assert {claim.label for claim in load_dataset(file, mapping={"label": "Gold"}).claims} == {"supported"}
    assert "(as told)" in said(load_dataset(file, mapping={"label": "gold"}), "label")


def test_columns_that_agree_in_every_row_are_one_column(tmp_path: Path) -> None:
    words = {1: "Supported", -1: "Refuted", 0: "Not Found"}
    data = load_dataset(write_csv(tmp_path / "x.csv", [{**row, "gold": words[row["label"]]} for row in ROWS]))
    assert said(data, "label").startswith("label: 'label'")


def test_the_mapping_goes_before_what_columns_look_like(tmp_path: Path) -> None:
    rows = [{**row, "other": f"(citing the lease of berth number {n})"} for n, row in enumerate(ROWS)]
    file = write_csv(tmp_path / "x.csv", rows)
    data = load_dataset(file, mapping={"claim": "other", "strategy": "-"})
    assert data.claims[0].claim == "(citing the lease of berth number 0)"
    assert {claim.strategy for claim in data.claims} == {None}
    assert {claim.label for claim in load_dataset(file, mapping={"label": "-"}).claims} == {None}


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ({"lable": "gold"}, r"unknown key 'lable'; known: label, claim, decision, opinion_id, strategy, .*id"),
        ({"label": "gould"}, r"no column 'gould' for 'label'; columns: 'label', 'claim', 'decision', 'strategy'"),
        ({"label": "strategy"}, r"x.csv:7: unknown label 'Logic Reversal'"),
        ({"decision": "-"}, r"no column of decisions' texts, nor one that names files in .*opinions"),
    ],
)
def test_a_mapping_that_cannot_be_says_what_can(tmp_path: Path, mapping: dict[str, str], words: str) -> None:
    with pytest.raises(InputError, match=f"(?s){words}"):
        load_dataset(write_csv(tmp_path / "x.csv", ROWS), mapping=mapping)


def test_a_mapping_is_for_files_alone(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--map is for other files"):
        load_dataset(make_folder(tmp_path, GOOD), mapping={"label": "gold"})


def test_settings_become_a_mapping() -> None:
    assert parse_mapping(["label=gold", "claim = a = b"]) == {"label": "gold", "claim": "a = b"}
    for settings_ in (["label"], ["=x"], ["label="], ["label=a", "label=b"]):
        with pytest.raises(InputError, match=r"KEY=COLUMN|twice"):
            parse_mapping(settings_)


def test_classes_numbered_in_another_way_are_not_read_as_the_papers(tmp_path: Path) -> None:
    rows = [{**row, "label": n % 3} for n, row in enumerate(ROWS)]
    file = write_csv(tmp_path / "x.csv", rows)
    with pytest.raises(InputError, match=r"no column of labels.*'label' is named like one, but holds '0', '1', '2'"):
        load_dataset(file)
    # Not even on demand: skipping the rows with a 2 would leave the others with a wrong label.
    with pytest.raises(InputError, match="its numbers are not the paper's"):
        load_dataset(file, mapping={"label": "label"}, skip_bad=True)


def test_numbers_that_a_parquet_file_names_are_read_by_their_names(tmp_path: Path) -> None:
    features = {"label": {"_type": "ClassLabel", "names": ["entailment", "neutral", "contradiction"]}}
    rows = [{**row, "label": n % 3} for n, row in enumerate(ROWS)]
    metadata = {"huggingface": json.dumps({"info": {"features": features}})}
    data = load_dataset(write_parquet(tmp_path / "x.parquet", rows, metadata))
    assert [claim.label for claim in data.claims] == ["supported", "not_found", "refuted", "supported"]
