"""Data sets of known kinds: ContractNLI, folders, and the real ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fakes.dataset_files import GOOD, ROWS, WRITERS, make_folder, said, write_csv, write_json

from parcel_agents.errors import InputError
from parcel_agents.eval.datasets import load_dataset, locate_excerpt
from parcel_agents.eval.datasets.model import DatasetError
from parcel_agents.types import GoldClaim

CONTRACT = (
    "LEASE OF A MOORING\n\nThis agreement is made between the Harbor of Saltery and the tenant of berth nineteen.\n\n"
    "3.\n\nThe tenant shall keep the gate locked at night and shall not lend the key to anybody.\n"
)
KEY = "The tenant shall keep the gate locked at night and shall not lend the key to anybody."


def contract_nli(**changes: Any) -> dict[str, Any]:
    start = CONTRACT.index(KEY)
    document = {
        "id": 7,
        "file_name": "lease.txt",
        "text": CONTRACT,
        "spans": [[0, 18], [start - 4, start - 2], [start, start + len(KEY)]],
        "annotation_sets": [
            {
                "annotations": {
                    "m-1": {"choice": "Entailment", "spans": [1, 2]},
                    "m-2": {"choice": "Contradiction", "spans": [2]},
                    "m-3": {"choice": "NotMentioned", "spans": []},
                }
            }
        ],
        **changes,
    }
    hypotheses = ["Tenant locks the gate.", "Tenant may lend the key.", "Tenant pays in oysters."]
    return {
        "documents": [document],
        "labels": {f"m-{n}": {"short_description": "", "hypothesis": text} for n, text in enumerate(hypotheses, 1)},
    }


def test_contract_nli_is_read_from_its_own_json(tmp_path: Path) -> None:
    data = load_dataset(write_json(tmp_path / "dev.json", contract_nli()))
    assert [(claim.id, claim.label, claim.claim, claim.evidence) for claim in data.claims] == [
        ("7/m-1", "supported", "Tenant locks the gate.", KEY),
        ("7/m-2", "refuted", "Tenant may lend the key.", KEY),
        ("7/m-3", "not_found", "Tenant pays in oysters.", None),
    ]
    assert data.opinions["7"].source == "lease.txt"
    assert "Entailment -> supported (1)" in data.understood[1]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"text": None}, "document 1: text: "),
        ({"annotation_sets": []}, "has no annotations"),
        ({"annotation_sets": [{"annotations": {"m-1": {"choice": "Maybe"}}}]}, "m-1: unknown label 'Maybe'"),
        ({"annotation_sets": [{"annotations": {"m-9": {"choice": "Entailment"}}}]}, "'m-9' is no hypothesis"),
        ({"text": "..."}, "no opinion in it .* 3 claims are about it"),
    ],
)
def test_a_broken_contract_is_named(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    data = contract_nli(**changes)
    file = write_json(tmp_path / "dev.json", data)
    with pytest.raises(DatasetError, match=words):
        load_dataset(file)
    with pytest.raises(DatasetError, match=words):
        load_dataset(file, skip_bad=True)
    data["documents"].append({**contract_nli()["documents"][0], "id": 8})
    assert len(load_dataset(write_json(file, data), skip_bad=True).claims) == 3


def test_the_real_contract_nli_is_read_whole(shared_data: Path) -> None:
    data = load_dataset(shared_data / "contract_nli" / "dev.json")
    assert (len(data.claims), len(data.opinions), data.problems) == (1037, 61, ())
    evident = [claim for claim in data.claims if claim.evidence]
    assert len(evident) == sum(claim.label != "not_found" for claim in data.claims)
    assert all(locate_excerpt(data.opinions[claim.opinion_id], claim.evidence or "") for claim in evident)


def test_the_claims_of_a_folder_may_be_read_as_a_file(shared_data: Path) -> None:
    folder = load_dataset(shared_data / "parcel_dev")
    file = load_dataset(shared_data / "parcel_dev" / "claims.jsonl")
    assert file.claims == tuple(claim for claim in folder.claims if claim.subset == "claims")
    assert file.opinions == folder.opinions


@pytest.mark.slow
@pytest.mark.parametrize("suffix", WRITERS)
def test_a_data_set_of_the_papers_size_is_read_at_once(shared_data: Path, tmp_path: Path, suffix: str) -> None:
    files = sorted((shared_data / "ny_coa").glob("20*/*.md"))[-85:]
    rows = [
        {"Decision": text, "Claim": f"(holding {n})", "Label": (1, -1, -1, 0)[n % 4]}
        for text in (file.read_text() for file in files)
        for n in range(40)
    ][:3396]
    data = load_dataset(WRITERS[suffix](tmp_path / f"parcel{suffix}", rows))
    assert (len(data.claims), len(data.opinions)) == (3396, 85)
    assert said(data, "label") == "label: 'Label': 1 -> supported (849), -1 -> refuted (1698), 0 -> not found (849)"


def test_a_folder_is_read_with_its_subsets(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, GOOD)
    (folder / "claims_contrast.jsonl").write_text(GOOD.replace('"1"', '"2"'))
    data = load_dataset(folder)
    assert [(claim.id, claim.subset) for claim in data.claims] == [("1", "claims"), ("2", "contrast")]
    assert data.opinions["tarn"].name == "People v Tarn"
    assert data.understood == (f"{folder.name}: 2 claims (claims 1, contrast 1); supported 2; opinions 1",)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ((GOOD, "{broken"), "claims.jsonl:2: is no claim"),
        ((GOOD, GOOD), "claims.jsonl:2: the id '1' stands already"),
        ((GOOD.replace("supported", "maybe"),), "claims.jsonl:1: is no claim .label"),
        ((GOOD.replace("tarn", "nobody"),), "claims.jsonl:1: .*no opinion 'nobody'"),
        (("[1]",), "is no claim"),
        ((GOOD.replace("(noting this)", " "),), "the claim is empty"),
    ],
)
def test_a_broken_folder_names_file_and_line(tmp_path: Path, lines: tuple[str, ...], words: str) -> None:
    folder = make_folder(tmp_path, *lines)
    with pytest.raises(DatasetError, match=words):
        load_dataset(folder)
    (folder / "claims_more.jsonl").write_text(GOOD.replace('"1"', '"2"'))
    data = load_dataset(folder, skip_bad=True)
    assert (data.claims[-1].id, len(data.problems)) == ("2", 1)


def test_all_problems_of_a_folder_are_listed_at_once(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"(?s)2 problems.*:1: is no claim.*:3: the id") as caught:
        load_dataset(make_folder(tmp_path, "{", GOOD, GOOD))
    assert len(caught.value.problems) == 2


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    claim = "(noting\u2028this)"
    folder = make_folder(tmp_path, "\ufeff" + json.dumps({**json.loads(GOOD), "claim": claim}, ensure_ascii=False))
    assert load_dataset(folder).claims == (GoldClaim(id="1", opinion_id="tarn", claim=claim, label="supported"),)


def test_a_folder_without_claims_is_no_data_set(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no claims\.jsonl"):
        load_dataset(tmp_path)
    write_csv(tmp_path / "parcel.csv", ROWS)
    with pytest.raises(InputError, match=r"it has parcel\.csv: give such a file by its name"):
        load_dataset(tmp_path)
