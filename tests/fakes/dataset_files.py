"""A small data set, written into files of every kind."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from parcel_agents.eval.datasets import Dataset

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
