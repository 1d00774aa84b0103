from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parcel_agents.errors import InputError, MissingDependencyError
from parcel_agents.eval.datasets import Dataset, load_dataset, locate_excerpt, parquet_file
from parcel_agents.eval.datasets.columns import parse_mapping
from parcel_agents.eval.datasets.labels import STRATEGIES, label_of, strategy_of
from parcel_agents.eval.datasets.model import DatasetError
from parcel_agents.eval.datasets.names import NAMELESS, name_rank
from parcel_agents.eval.datasets.rows import guess_suffix
from parcel_agents.types import GoldClaim

MARLOWE = (
    "People v Marlowe\n\nOPINION OF THE COURT\n\n"
    + "A harbor officer may board a vessel at a public berth and inspect the equipment that it has to carry. " * 22
)
TARN = (
    "People v Tarn\n\nOPINION OF THE COURT\n\n"
    + "The tenant of a mooring keeps the key of its gate, and the harbor master may not ask for a second one. " * 22
)
ROWS: list[dict[str, Any]] = [
    {"label": 1, "claim": "(holding that an officer may board a vessel)", "decision": MARLOWE, "strategy": None},
    {
        "label": -1,
        "claim": "(holding that no officer may board a vessel)",
        "decision": MARLOWE,
        "strategy": "Logic Reversal",
    },
    {
        "label": 0,
        "claim": "(noting that the berth was leased in 1911)",
        "decision": MARLOWE,
        "strategy": "missing detail",
    },
    {"label": -1, "claim": "(finding that the key belongs to the harbor)", "decision": TARN, "strategy": None},
]


def renamed(rows: Sequence[dict[str, Any]], **names: str) -> list[dict[str, Any]]:
    return [{names.get(key, key): value for key, value in row.items()} for row in rows]


def write_csv(path: Path, rows: Sequence[dict[str, Any]], separator: str = ",", **options: Any) -> Path:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), delimiter=separator, **options)
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(text.getvalue().encode())
    return path


def write_json(path: Path, data: Any) -> Path:
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def write_jsonl(path: Path, rows: Sequence[Any]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def write_parquet(path: Path, rows: Sequence[dict[str, Any]], metadata: dict[str, str] | None = None) -> Path:
    arrow = pytest.importorskip("pyarrow", reason="Parquet files need pyarrow")
    from pyarrow import parquet

    table = arrow.Table.from_pylist(list(rows))
    parquet.write_table(table.replace_schema_metadata(metadata) if metadata else table, path)
    return path


WRITERS = {".csv": write_csv, ".json": write_json, ".jsonl": write_jsonl, ".parquet": write_parquet}


def said(data: Dataset, role: str) -> str:
    """What is printed about a role."""
    return next(line.strip() for line in data.understood if line.strip().startswith(f"{role}:"))


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
        ("# *People v Tarn*\n\n**7 NY4th 213**\n\nOPINION\n\nThe tenant.\n", ".md"),
        ("<html><body><p>People v Tarn</p>", ".html"),
        (TARN, ".txt"),
        ("# *People v Tarn* **7 NY4th 213** all on one line", ".txt"),
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


MARKED = (
    "# *People v Tarn*\n\nOPINION OF THE COURT\n\n"
    "The officer boarded the boat and asked nobody for the extinguisher. Nothing else was done there that day.\n"
)
GOOD = json.dumps({"id": "1", "opinion_id": "tarn", "claim": "(noting this)", "label": "supported", "why": "ignored"})


def make_folder(folder: Path, *lines: str) -> Path:
    (folder / "opinions").mkdir()
    (folder / "opinions" / "tarn.md").write_text(MARKED)
    (folder / "claims.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


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
