"""`votes.jsonl`: votes appended line by line, and read back so that each pair has one.

A claim has one final vote of each verifier. A vote that failed may be followed, further down, by another of the same
verifier on the same claim, and the last one counts. A vote with outcome `ok` is final: a second line for its pair
means that the file was damaged, and is an error.
"""

from __future__ import annotations

import json
import os
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic_core import from_json

from parcel_agents.errors import InputError, ParcelError
from parcel_agents.types import LABELS, Outcome, Vote

Row = dict[str, Any]
"""A line, parsed: `claim_id` and the fields of `Vote`."""
State = Literal["missing", "failed", "ok"]

_OUTCOMES = frozenset(get_args(Outcome))
_LABELS = frozenset((*LABELS, None))


class _Ledger:
    """At which line of the file each pair has its vote: eight bytes a pair, as runs have millions."""

    def __init__(self, claim_ids: Iterable[str]) -> None:
        self._places = {id: place for place, id in enumerate(claim_ids)}
        self._lines: dict[str, array[int]] = {}
        """By verifier and the claim's place: 0 for no vote, the line of a vote, minus the line of one that failed."""

    def state(self, claim_id: str, verifier: str) -> State:
        """What the pair has; KeyError for an unknown claim."""
        place = self._places[claim_id]
        line = self._lines[verifier][place] if verifier in self._lines else 0
        return "missing" if not line else "ok" if line > 0 else "failed"

    def fault(self, row: Any) -> str | None:
        """Why this cannot be the next line, None if it can."""
        if not isinstance(row, dict):
            return "is no JSON object"
        claim_id, verifier, label = row.get("claim_id"), row.get("verifier"), row.get("label")
        if not isinstance(claim_id, str) or not isinstance(verifier, str):
            return "has no text in 'claim_id' and 'verifier'"
        if claim_id not in self._places:
            return f"is about the claim {claim_id!r}, which is not in the run's claims"
        if row.get("outcome") not in _OUTCOMES:
            return f"has the outcome {row.get('outcome')!r}; known: {', '.join(sorted(_OUTCOMES))}"
        if label not in _LABELS or (label is not None and row["outcome"] != "ok"):
            return f"has the label {label!r} with the outcome {row['outcome']!r}"
        before = self._lines[verifier][self._places[claim_id]] if verifier in self._lines else 0
        if before > 0:
            return f"is a second vote of {verifier!r} on {claim_id!r}, whose vote at line {before} did not fail"
        return None

    def enter(self, row: Row, line: int) -> None:
        """Write down where the pair has its vote."""
        if row["verifier"] not in self._lines:
            self._lines[row["verifier"]] = array("q", bytes(8 * len(self._places)))
        self._lines[row["verifier"]][self._places[row["claim_id"]]] = line if row["outcome"] == "ok" else -line


class VotesFile:
    """The file. Any number may read it while one appends."""

    def __init__(self, path: Path, claim_ids: Iterable[str]) -> None:
        """Take the path, of a file that need not be there yet, and the ids of the claims that votes may be about."""
        self.path = path
        self.cost_usd = 0.0
        """What all its lines have cost, replaced ones included; known while it is open for appending."""
        self._ids = tuple(claim_ids)
        self._ledger: _Ledger | None = None
        self._count = 0
        self._file: int | None = None

    def lines(self) -> Iterator[Row]:
        """Every vote in the order of the file, those included that a later line replaces.

        A last line that is no JSON was torn by a kill, and is passed over.

        Raises:
            InputError: another line cannot be what it is; the message names its number.
        """
        for _, row in self._scan(_Ledger(self._ids)):
            yield row

    def rows(self) -> Iterator[Row]:
        """The final vote of each pair, checked for claim, verifier, outcome and label only.

        Votes with outcome `ok` come in the order of the file. Those that failed follow at the end: until then
        another may replace them.

        Raises:
            InputError: see `lines`.
        """
        failed: dict[tuple[str, str], Row] = {}
        for row in self.lines():
            pair = row["claim_id"], row["verifier"]
            if row["outcome"] == "ok":
                failed.pop(pair, None)
                yield row
            else:
                failed[pair] = row
        yield from failed.values()

    def state(self, claim_id: str, verifier: str) -> State:
        """Whether the pair has a vote, and whether that failed; KeyError for an unknown claim."""
        if self._ledger is None:
            self._ledger = _Ledger(self._ids)
            self._count = sum(1 for _ in self._scan(self._ledger))
        return self._ledger.state(claim_id, verifier)

    def begin_appending(self) -> bool:
        """Read what is there, and cut off a torn last line; True if there was one."""
        ledger, end, count, cost = _Ledger(self._ids), 0, 0, 0.0
        for end, row in self._scan(ledger):  # noqa: B007 - the end of the last good line is wanted
            count += 1
            cost += row.get("cost_usd") or 0.0
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        torn = end < os.fstat(file).st_size
        if torn:
            os.ftruncate(file, end)
        if end and os.pread(file, 1, end - 1) != b"\n":
            os.write(file, b"\n")
        self._ledger, self._count, self.cost_usd, self._file = ledger, count, cost, file
        return torn

    def append(self, claim_id: str, vote: Vote) -> None:
        """Write a vote down. When this returns, the vote survives the process.

        Raises:
            ValueError: the file is not open for appending, the claim is unknown, or the pair has its final vote.
            ParcelError: the file cannot be written.
        """
        if self._file is None or self._ledger is None:
            raise ValueError(f"{self.path} is not open for appending")
        row = {"claim_id": claim_id, **vote.model_dump(mode="json")}
        if fault := self._ledger.fault(row):
            raise ValueError(f"the vote {fault}")
        data = json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        end = os.fstat(self._file).st_size
        try:
            # A line is one write without a buffer: a kill comes before it or after it.
            if (written := os.write(self._file, data)) < len(data):
                raise OSError(f"{written} of {len(data)} bytes were written")
        except OSError as error:
            os.ftruncate(self._file, end)
            reason = error.strerror or error
            raise ParcelError(f"{self.path}: cannot be written ({reason}); make room and repeat the command") from error
        self._count += 1
        self._ledger.enter(row, self._count)
        self.cost_usd += vote.cost_usd

    def close(self) -> None:
        """End appending; the votes are on the disk when this returns."""
        if self._file is not None:
            os.fsync(self._file)
            os.close(self._file)
            self._file = None

    def _scan(self, ledger: _Ledger) -> Iterator[tuple[int, Row]]:
        """Where each line ends, and the line."""
        if not self.path.is_file():
            return
        end = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    row = from_json(line, allow_inf_nan=False)
                except ValueError as error:
                    if not file.read(1):
                        return
                    raise InputError(f"{self.path}:{number}: is no JSON ({error}); the file is damaged") from error
                if fault := ledger.fault(row):
                    raise InputError(f"{self.path}:{number}: {fault}; the file is damaged")
                ledger.enter(row, number)
                end += len(line)
                yield end, row
