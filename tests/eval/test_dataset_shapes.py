"""Claims within decisions, decisions beside the table, and the names of labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fakes.dataset_files import MARLOWE, ROWS, TARN, renamed, said, write_csv, write_json, write_jsonl

from parcel_agents.errors import InputError
from parcel_agents.eval.datasets import load_dataset
from parcel_agents.eval.datasets.labels import label_of, strategy_of
from parcel_agents.eval.datasets.model import DatasetError
from parcel_agents.eval.datasets.names import NAMELESS, name_rank
from parcel_agents.eval.datasets.rows import guess_suffix


def nested(**names: str) -> list[dict[str, Any]]:
    """The rows as decisions with their claims."""
    decisions = [
        {
            "id": id,
            "decision": text,
            "claims": [{**row, "id": n} for n, row in enumerate(ROWS) if row["decision"] == text],
        }
        for id, text in (("m", MARLOWE), ("t", TARN))
    ]
    for each in decisions:
        each["claims"] = [{k: v for k, v in row.items() if k != "decision"} for row in each["claims"]]
    return renamed(decisions, **names)


@pytest.mark.parametrize("decisions", [nested(), nested(decision="text"), nested(claims="parentheticals")])
def test_decisions_may_hold_their_claims(tmp_path: Path, decisions: list[dict[str, Any]]) -> None:
    read = [
        load_dataset(write_json(tmp_path / "x.json", decisions)),
        load_dataset(write_json(tmp_path / "y.json", {"version": 1, "data": decisions})),
        load_dataset(write_jsonl(tmp_path / "z.jsonl", decisions)),
    ]
    assert [(claim.id, claim.opinion_id, claim.label) for claim in read[0].claims] == [
        ("0", "m", "supported"),
        ("1", "m", "refuted"),
        ("2", "m", "not_found"),
        ("3", "t", "refuted"),
    ]
    assert said(read[0], "opinion_id") == "opinion_id: 'decision id'"
    assert read[0].claims == read[1].claims == read[2].claims


def test_a_claim_may_hold_a_list_of_objects(tmp_path: Path) -> None:
    rows = [{**row, "spans": [{"start": 1, "end": 2}]} for row in ROWS]
    assert len(load_dataset(write_json(tmp_path / "x.json", rows)).claims) == 4


def test_claims_in_decisions_are_named_by_both(tmp_path: Path) -> None:
    decisions = nested()
    decisions[0]["claims"][2]["label"] = "perhaps"
    with pytest.raises(InputError, match="record 1, claim 3: unknown label 'perhaps'"):
        load_dataset(write_json(tmp_path / "x.json", decisions))


def test_ids_of_claims_and_decisions_are_kept_where_there_are_any(tmp_path: Path) -> None:
    rows = [{**row, "claim_id": f"c{n}", "case_id": row["decision"][9:11]} for n, row in enumerate(ROWS)]
    data = load_dataset(write_csv(tmp_path / "x.csv", rows))
    assert [(claim.id, claim.opinion_id) for claim in data.claims] == [
        ("c0", "Ma"),
        ("c1", "Ma"),
        ("c2", "Ma"),
        ("c3", "Ta"),
    ]
    rows[3]["claim_id"] = "c0"
    with pytest.raises(DatasetError, match=r"the id 'c0' stands already at .*x.csv:2"):
        load_dataset(write_csv(tmp_path / "x.csv", rows))
    rows[3].update(claim_id="c3", case_id="Ma")
    with pytest.raises(DatasetError, match="the decision 'Ma' had another text before"):
        load_dataset(write_csv(tmp_path / "x.csv", rows), mapping={"opinion_id": "case_id"})


def test_decisions_may_be_files_beside_the_table(tmp_path: Path) -> None:
    (tmp_path / "opinions").mkdir()
    (tmp_path / "opinions" / "marlowe.txt").write_text(MARLOWE)
    (tmp_path / "opinions" / "tarn.md").write_text(TARN)
    names = {MARLOWE: "marlowe", TARN: "tarn.md"}
    rows = [{**row, "decision": names[row["decision"]]} for row in ROWS]
    data = load_dataset(write_csv(tmp_path / "x.csv", renamed(rows, decision="where")))
    assert list(data.opinions) == ["marlowe", "tarn.md"]
    assert said(data, "decision") == "decision: files in opinions/ beside x.csv"
    rows[2]["decision"] = "../secret"
    with pytest.raises(DatasetError, match=r"x.csv:4: .*has no opinion '../secret'"):
        load_dataset(write_csv(tmp_path / "x.csv", rows))


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        ("# *People v Tarn*\n\n**97 NY3d 213**\n\nOPINION\n\nThe tenant.\n", ".md"),
        ("<html><body><p>People v Tarn</p>", ".html"),
        (TARN, ".txt"),
        ("# *People v Tarn* **97 NY3d 213** all on one line", ".txt"),
    ],
)
def test_the_reader_of_a_text_is_chosen_by_its_looks(text: str, suffix: str) -> None:
    assert guess_suffix(text) == suffix


@pytest.mark.parametrize(
    ("written", "label"),
    [
        *((text, "supported") for text in ("1", "+1", "1.0", "Supported", "ENTAILMENT", "entailed", "supports")),
        *((text, "refuted") for text in ("-1", "-1.0", "\N{MINUS SIGN}1", "Refuted", "contradiction", "Contradicts")),
        *(
            (text, "not_found")
            for text in ("0", "0.0", "-0", "Not Found", "not_found", "neutral", "NotMentioned", "NEI")
        ),
        *((text, None) for text in ("", "2", "0.5", "yes", "True", "unsupported", "not supported", "9" * 400)),
    ],
)
def test_labels_have_many_names(written: str, label: str | None) -> None:
    assert label_of(written) == label


def test_strategies_are_the_papers_whatever_their_spelling() -> None:
    written = [
        "Phantom Citation",
        "phantom-citation",
        "PhantomCitation",
        "Distractor Entity Swap",
        "None",
        "Overclaim 2",
    ]
    assert [strategy_of(text) for text in written] == [
        *["phantom_citation"] * 3,
        "distractor_swap",
        None,
        "Overclaim 2",
    ]
    assert strategy_of(None) is None


def test_a_name_may_go_with_several_roles() -> None:
    assert name_rank("claim", "text") == name_rank("decision", "text") == 1
    assert name_rank("label", "Predicted Label") == NAMELESS
