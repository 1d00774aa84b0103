"""Labelled data sets: a folder with `claims.jsonl` and `opinions/`, or one file with claims and decisions.

`load_dataset` takes whatever a user has; each kind of file has a module of its own. What every kind becomes stands in
`dataset_model.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from parcel_agents.errors import InputError
from parcel_agents.eval.datasets.contract_nli import is_contract_nli, load_contract_nli
from parcel_agents.eval.datasets.csv_file import read_csv
from parcel_agents.eval.datasets.folder import load_folder
from parcel_agents.eval.datasets.json_file import json_table, parse_json, read_jsonl
from parcel_agents.eval.datasets.model import Dataset, DatasetError, Problem
from parcel_agents.eval.datasets.parquet_file import read_parquet
from parcel_agents.eval.datasets.rows import load_table
from parcel_agents.eval.datasets.table import Table
from parcel_agents.opinions.markdown import read_markdown
from parcel_agents.types import GoldClaim, Opinion, Span

__all__ = ["Dataset", "DatasetError", "GoldClaim", "Problem", "load_dataset", "locate_excerpt"]

_TABLES: dict[str, Callable[[Path], Table]] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".parquet": read_parquet,
}


def load_dataset(path: Path, *, mapping: Mapping[str, str] | None = None, skip_bad: bool = False) -> Dataset:
    """All claims of a data set with their opinions.

    Args:
        path: a folder with claims.jsonl, further claims_NAME.jsonl and opinions/; or a CSV, JSON, JSONL or Parquet
            file with a claim per row; or ContractNLI's own JSON.
        mapping: the columns of a file that are not to be guessed, by role (`dataset_columns.ROLES`).
        skip_bad: whether to leave out claims that cannot be used; they are listed in `Dataset.problems`.

    Raises:
        InputError: the data set cannot be read, its columns are not understood, or some claim cannot be used and is
            not to be skipped (`DatasetError`); the message names files and lines.
        MissingDependencyError: the file is Parquet and pyarrow is not installed.
    """
    try:
        return _load(path, mapping or {}, skip_bad)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error


def _load(path: Path, mapping: Mapping[str, str], skip_bad: bool) -> Dataset:
    if path.is_dir():
        _refuse_mapping(path, mapping, "a data set folder")
        return load_folder(path, skip_bad=skip_bad)
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder")
    suffix = path.suffix.lower()
    if suffix == ".json":
        data = parse_json(path)
        if is_contract_nli(data):
            _refuse_mapping(path, mapping, "ContractNLI's own JSON")
            return load_contract_nli(path, data, skip_bad=skip_bad)
        return load_table(json_table(path, data), mapping, skip_bad=skip_bad)
    if suffix not in _TABLES:
        known = ", ".join([*_TABLES, ".json"])
        raise InputError(f"{path}: is no data set; give a folder with claims.jsonl, or a file ending in {known}")
    return load_table(_TABLES[suffix](path), mapping, skip_bad=skip_bad)


def _refuse_mapping(path: Path, mapping: Mapping[str, str], what: str) -> None:
    if mapping:
        raise InputError(f"{path}: is {what}, whose fields have fixed names; --map is for other files")


def locate_excerpt(opinion: Opinion, excerpt: str) -> Span | None:
    """Where an excerpt stands in an opinion's text; None if it does not.

    Excerpts taken from a file still carry that file's page and link marks, and other white space than the
    text; both are compared by their letters and digits alone.
    """
    plain = " ".join(block.text for block in read_markdown(re.sub(r"\[\d{1,3}\](?=[\w*\[])", "", excerpt)).blocks)
    needle = re.sub(r"[\W_]+", "", plain).lower()
    haystack, positions = _squeezed(opinion.text)
    found = haystack.find(needle)
    if not needle or found < 0:
        return None
    return Span(start=positions[found], end=positions[found + len(needle) - 1] + 1)


@lru_cache(maxsize=64)
def _squeezed(text: str) -> tuple[str, tuple[int, ...]]:
    """The text's letters and digits in lower case, and where each stands."""
    positions = tuple(match.start() for match in re.finditer(r"[^\W_]", text))
    letters = "".join(text[i] for i in positions)
    # One character may become two in lower case ("İ"); such texts are compared as they stand.
    lowered = letters.lower()
    return (lowered if len(lowered) == len(letters) else letters), positions
