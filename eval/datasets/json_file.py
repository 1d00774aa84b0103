"""Claims in JSON and JSONL: lists of objects, and decisions that hold their claims."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from parcel_agents.errors import InputError
from parcel_agents.eval.datasets.model import Problem
from parcel_agents.eval.datasets.table import Table, TableBuilder

_GENERAL = frozenset({"id", "text", "name"})
"""Keys that mean one thing of a decision and another of its claims."""
_CLAIM_WORDS = ("claim", "parenthetical", "hypothes")


def parse_json(path: Path) -> Any:
    """What a JSON file holds.

    Raises:
        InputError: it is not JSON.
    """
    try:
        return json.loads(path.read_bytes())
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            raise InputError(
                f"{path}:{error.lineno}: there is more after the first JSON value; if each line is an object, "
                "name the file .jsonl"
            ) from error
        raise InputError(f"{path}:{error.lineno}: is not JSON ({error.msg})") from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"{path}: is not JSON that can be read ({error})") from error


def json_table(path: Path, data: Any) -> Table:
    """The rows of a parsed JSON file: a list of objects, or an object with one such list in it.

    Raises:
        InputError: it is neither.
    """
    return _table(path, ((f"{path}: record {number}", item) for number, item in enumerate(_list(path, data), 1)))


def read_jsonl(path: Path) -> Table:
    """The rows of a file with an object per line.

    Raises:
        InputError: it is not UTF-8, or holds nothing.
    """

    def items() -> Iterator[tuple[str, Any]]:
        # Only a line feed ends a line of JSONL: decisions may hold other separators.
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    item = json.loads(line)
                except (RecursionError, ValueError) as error:
                    item = Problem(f"{path}:{number}", f"the line is not JSON ({error})")
                yield f"{path}:{number}", item

    try:
        return _table(path, items())
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text; give one JSON object per line") from error


def _list(path: Path, data: Any) -> list[Any]:
    if isinstance(data, dict):
        lists = {key: value for key, value in data.items() if _is_list_of_objects(value)}
        if len(lists) == 1:
            return next(iter(lists.values()))
        if lists:
            raise InputError(f"{path}: holds {len(lists)} lists ({', '.join(lists)}); give a file with one of them")
    if not isinstance(data, list):
        raise InputError(f"{path}: is neither a list of objects nor an object with one such list in it")
    return data


def _table(path: Path, items: Iterable[tuple[str, Any]]) -> Table:
    table = TableBuilder(path)
    for where, item in items:
        if isinstance(item, Problem):
            table.problems.append(item)
        elif not isinstance(item, dict):
            table.problems.append(Problem(where, 'is no JSON object; give {"claim": "(holding that ...)", ...}'))
        elif (key := _claims_key(item)) is None:
            table.add(where, item.items())
        else:
            for number, inner in enumerate(item[key], 1):
                table.add(f"{where}, claim {number}", _merged(item, key, inner))
    return table.build()


def _claims_key(item: Mapping[str, Any]) -> str | None:
    """The key under which a decision holds its claims; None if the object is a claim itself."""
    named = [key for key in item if any(word in key.lower() for word in _CLAIM_WORDS)]
    # A claim may hold a list of objects too, such as its spans of evidence.
    keys = [key for key in named or item if _is_list_of_objects(item[key])]
    return keys[0] if len(keys) == 1 else None


def _merged(decision: Mapping[str, Any], key: str, claim: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The cells of a claim with those of its decision, renamed where they would be taken for the claim's."""
    for name, value in decision.items():
        if name != key:
            yield (f"decision {name}" if name in claim or name.lower() in _GENERAL else name), value
    yield from claim.items()


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)
