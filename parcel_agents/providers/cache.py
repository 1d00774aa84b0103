"""Answers of models, kept in one SQLite file.

An answer is found again only by everything that could have changed it: model, base URL, the rendered messages, the
parameters, the prompt file and the repeat index. The rung is not among them, as it changes how an answer is written
and not what was asked. Only answers are kept, never a failure: a refusal or a quota message served from a cache would
be wrong for ever. Of the messages only hashes are stored, so the file holds no opinion, no claim and no key.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parcel_agents.errors import InputError
from parcel_agents.providers.spec import RUNGS, Rung

_VERSION = 1
_WAIT_S = 30.0
"""How long to wait for another process that writes."""
_TABLE = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, parts TEXT NOT NULL, answer TEXT NOT NULL)"


@dataclass(frozen=True)
class CacheKey:
    """What an answer is known by: its parts, each fit to be shown, and the hash of them all."""

    parts: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """The key in the file."""
        return hashlib.sha256(json.dumps(self.parts, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class StoredAnswer:
    """The fields of an answer, and the rung at which it was given."""

    fields: dict[str, Any]
    rung: Rung


@dataclass(frozen=True)
class Explanation:
    """Why a question finds, or does not find, its answer."""

    found: bool
    digest: str
    stored: int
    """How many answers the cache holds."""
    differs: Mapping[str, tuple[str, str]]
    """Where it is not found: the parts in which the most similar stored question differs, as (asked, stored)."""

    def __str__(self) -> str:
        if self.found:
            return f"found: {self.digest[:12]}"
        if not self.differs:
            return "not found: the cache is empty"
        parts = "; ".join(f"{name} is {asked}, stored is {stored}" for name, (asked, stored) in self.differs.items())
        return f"not found among {self.stored} answers; the nearest differs in: {parts}"


def make_key(
    *,
    model: str,
    base_url: str,
    messages: Mapping[str, str],
    parameters: Mapping[str, Any],
    prompt: str,
    repeat: int,
) -> CacheKey:
    """The key of a question; `messages` and `parameters` are by name, for `explain`."""
    hashes = {name: f"text {_hash(text)}" for name, text in messages.items()}
    return CacheKey(
        {
            "model": model,
            "base_url": base_url,
            "prompt": prompt,
            "repeat": repeat,
            **{f"parameter {name}": value for name, value in parameters.items()},
            **hashes,
        }
    )


class AnswerCache:
    """The file. Any number of threads and processes may use it at the same time."""

    def __init__(self, path: Path) -> None:
        """Take the file's path; the file is made when it is first used."""
        self.path = path
        self._local = threading.local()

    def get(self, key: CacheKey) -> StoredAnswer | None:
        """The stored answer, None if there is none."""
        row = self._run("SELECT answer FROM answers WHERE key = ?", (key.digest,)).fetchone()
        if row is None:
            return None
        answer = json.loads(row[0])
        return StoredAnswer(answer["fields"], answer["rung"]) if answer["rung"] in RUNGS else None

    def put(self, key: CacheKey, answer: StoredAnswer) -> None:
        """Keep an answer; a later one to the same question takes its place."""
        stored = json.dumps({"fields": answer.fields, "rung": answer.rung}, ensure_ascii=False)
        parts = json.dumps(key.parts, sort_keys=True)
        self._run("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", (key.digest, parts, stored))

    def explain(self, key: CacheKey) -> Explanation:
        """Whether the question is stored, and if not, in which parts the most similar stored one differs."""
        if self.get(key) is not None:
            return Explanation(True, key.digest, len(self), {})
        nearest: dict[str, tuple[str, str]] | None = None
        for (parts,) in self._run("SELECT parts FROM answers ORDER BY rowid DESC", ()):
            differs = _differences(key.parts, json.loads(parts))
            if nearest is None or len(differs) < len(nearest):
                nearest = differs
        return Explanation(False, key.digest, len(self), nearest or {})

    def close(self) -> None:
        """Close this thread's connection; the next use opens another."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            del self._local.connection

    def __len__(self) -> int:
        return int(self._run("SELECT count(*) FROM answers", ()).fetchone()[0])

    def _run(self, statement: str, values: tuple[str, ...]) -> sqlite3.Cursor:
        try:
            return self._connection().execute(statement, values)
        except (sqlite3.Error, OSError) as error:
            raise InputError(
                f"the answer cache {self.path} cannot be used ({error}); delete the file, or run with --no-cache"
            ) from error

    def _connection(self) -> sqlite3.Connection:
        """This thread's connection: SQLite's are not to be shared by threads."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # isolation_level None: every statement is its own transaction, so an answer is kept the moment it is
            # there. With a write-ahead log readers do not wait for writers, and NORMAL does not sync at each one.
            connection = sqlite3.connect(self.path, timeout=_WAIT_S, isolation_level=None)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                connection.execute(_TABLE)
                connection.execute(f"PRAGMA user_version = {_VERSION}")
            elif version != _VERSION:
                connection.close()
                raise sqlite3.DatabaseError(f"it was written by another version, {version} instead of {_VERSION}")
            self._local.connection = connection
        return connection


def _differences(asked: Mapping[str, Any], stored: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    names = sorted({*asked, *stored})
    return {name: (_show(asked, name), _show(stored, name)) for name in names if asked.get(name) != stored.get(name)}


def _show(parts: Mapping[str, Any], name: str) -> str:
    return repr(parts[name]) if name in parts else "not given"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
