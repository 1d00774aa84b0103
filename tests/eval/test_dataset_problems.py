"""Files of claims that are broken in part or as a whole."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from fakes.dataset_files import MARLOWE, ROWS, WRITERS, write_csv, write_jsonl

from parcel_agents.errors import InputError, MissingDependencyError
from parcel_agents.eval.datasets import load_dataset, parquet_file
from parcel_agents.eval.datasets.model import DatasetError

BAD = [
    ROWS[0],
    {**ROWS[1], "label": "perhaps"},
    {**ROWS[2], "claim": " "},
    {**ROWS[3], "decision": ""},
    ROWS[0],
    {**ROWS[3], "label": None},
    {**ROWS[3], "decision": "§ " * 2000},
    {**ROWS[3], "claim": "(noting another thing of it)", "decision": "§ " * 2000},
    *ROWS[1:],
]


def test_all_problems_are_listed_with_the_line_on_which_they_begin(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "x.csv", BAD)
    # A decision of five lines in each record that has one.
    with pytest.raises(DatasetError) as caught:
        load_dataset(file)
    found = [(problem.where.removeprefix(f"{file}:"), problem.what) for problem in caught.value.problems]
    assert found == [
        ("7", "unknown label 'perhaps'; known: 1, -1, 0, supported, refuted, not found"),
        ("12", "the claim is empty"),
        ("17", "has no text of a decision"),
        ("18", f"the same claim about the same decision stands already at {file}:2"),
        ("23", "has no label"),
        ("28", found[5][1]),
    ]
    assert re.search("no opinion in it .*; 2 claims are about it", found[5][1])
    assert "6 problems; correct them, or leave such claims out with --skip-bad" in str(caught.value)


@pytest.mark.parametrize(("suffix", "where"), [(".json", ": record 2"), (".jsonl", ":2"), (".parquet", ": record 2")])
def test_places_are_named_as_the_kind_of_file_has_them(tmp_path: Path, suffix: str, where: str) -> None:
    rows = [{**row, "label": label} for row, label in zip(ROWS, ["1", "perhaps", "0", "-1"], strict=True)]
    file = WRITERS[suffix](tmp_path / f"x{suffix}", rows)
    with pytest.raises(DatasetError, match=re.escape(f"{file}{where}: unknown label 'perhaps'")):
        load_dataset(file)


def test_bad_claims_are_skipped_on_demand_and_told(tmp_path: Path) -> None:
    data = load_dataset(write_csv(tmp_path / "x.csv", BAD), skip_bad=True)
    assert data.claims == load_dataset(write_csv(tmp_path / "y.csv", ROWS)).claims
    assert len(data.opinions) == 2
    assert len(data.problems) == 6


def test_nothing_left_is_an_error_even_if_bad_claims_are_skipped(tmp_path: Path) -> None:
    rows = [{**row, "claim": ""} for row in ROWS[:2]]
    with pytest.raises(DatasetError, match="2 problems"):
        load_dataset(write_csv(tmp_path / "x.csv", rows), skip_bad=True, mapping={"claim": "claim"})


def test_many_problems_are_counted_and_not_listed(tmp_path: Path) -> None:
    rows = [{**ROWS[0], "claim": f"(holding {n})", "label": "1" if n < 60 else "?"} for n in range(117)]
    with pytest.raises(DatasetError) as caught:
        load_dataset(write_csv(tmp_path / "x.csv", rows))
    assert str(caught.value).count("unknown label") == 20
    assert str(caught.value).endswith("and 37 more")
    assert len(caught.value.problems) == 57


@pytest.mark.parametrize(
    ("encoding", "separator", "line_end"),
    [
        ("utf-8", ",", "\n"),
        ("utf-8-sig", ";", "\r\n"),
        ("utf-16", "\t", "\r\n"),
        ("cp1252", ";", "\n"),
        ("utf-8", "|", "\n"),
    ],
)
def test_csv_comes_as_programs_write_it(tmp_path: Path, encoding: str, separator: str, line_end: str) -> None:
    text = write_csv(tmp_path / "x.csv", ROWS, separator, lineterminator="\n", quoting=csv.QUOTE_ALL).read_text()
    text = text.replace("a vessel", "a “vessel”").replace("\n", line_end)
    (tmp_path / "x.csv").write_bytes(text.encode(encoding))
    data = load_dataset(tmp_path / "x.csv")
    assert data.claims[0].claim == "(holding that an officer may board a “vessel”)"
    assert data.claims[3].opinion_id == "07ad980d722c316b"


def test_a_cell_may_be_longer_than_pythons_limit(tmp_path: Path) -> None:
    limit = csv.field_size_limit()
    data = load_dataset(write_csv(tmp_path / "x.csv", [{**ROWS[0], "decision": MARLOWE * 80}]))
    assert len(data.opinions[data.claims[0].opinion_id].text) > limit == csv.field_size_limit()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (
            "x.csv",
            'label,claim,decision\n1,"(holding,this\n0,b,c\n',
            r"x.csv:2: the quotes of this record do not close",
        ),
        ("x.csv", "label,claim,decision\n1,(holding,that)\n", "no column of claims .*'claim' is named like one"),
        ("x.csv", "label,claim,Label ,claim\n1,2,3,4\n", "names 'claim' twice"),
        ("x.csv", "label,claim,decision\n", "holds no claims"),
        ("x.csv", "", "holds no claims"),
        ("x.json", "[1", "x.json:1: is not JSON"),
        ("x.json", '{"a": 1}\n{"a": 2}\n', "name the file .jsonl"),
        ("x.json", '"text"', "neither a list of objects nor an object with one such list"),
        ("x.json", '{"train": [{"a": 1}], "test": [{"a": 1}]}', r"holds 2 lists \(train, test\)"),
        ("x.json", "[]", "holds no claims"),
        ("x.parquet", "no such thing", "is no Parquet file"),
        ("x.xlsx", "", "is no data set; give a folder .* or a file ending in .csv"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, name: str, text: str, words: str) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="Parquet files need pyarrow")
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=words):
        load_dataset(tmp_path / name)
    with pytest.raises(InputError, match="no such file"):
        load_dataset(tmp_path / "other.csv")


def test_broken_rows_are_problems_like_others(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "x.csv", ROWS)
    file.write_text(file.read_text() + "1,too few\n")
    with pytest.raises(DatasetError, match=r"x.csv:22: has 2 cells, the first line names 4 columns"):
        load_dataset(file)
    file = write_jsonl(tmp_path / "x.jsonl", [*ROWS, [1]])
    file.write_text(file.read_text() + "{torn")
    with pytest.raises(DatasetError, match=r"(?s)x.jsonl:5: is no JSON object.*x.jsonl:6: the line is not JSON"):
        load_dataset(file)
    assert len(load_dataset(file, skip_bad=True).claims) == 4


def test_parquet_without_its_library_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(parquet_file, "import_module", missing)
    (tmp_path / "x.parquet").touch()
    with pytest.raises(MissingDependencyError, match=r"pip install 'parcel-agents\[parquet\]'"):
        load_dataset(tmp_path / "x.parquet")
