"""Run folders: a vote a line, so that a run killed at any moment loses the calls in flight and nothing else.

RUN/run.json       what was asked, of whom, with which settings (see `run_meta`)
RUN/claims.jsonl   a line per claim (`GoldClaim`); with it a run can be evaluated without its data set
RUN/votes.jsonl    a line per vote: the claim's id and the fields of `Vote` (see `votes_file`)
RUN/run.lock       locked by the process that writes; the lock ends with the process, however that ends

run = Run.open(Path("runs/first"))
for row in run.rows():
    print(row["claim_id"], row["verifier"], row["label"])
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from parcel_agents.errors import InputError
from parcel_agents.store.folder_lock import FolderLock
from parcel_agents.store.meta import RunMeta
from parcel_agents.store.replacing import replace_file
from parcel_agents.store.votes_file import Row, State, VotesFile
from parcel_agents.types import SCHEMA_VERSION, GoldClaim, Vote

RUN, CLAIMS, VOTES, LOCK = "run.json", "claims.jsonl", "votes.jsonl", "run.lock"
_BEFORE_RUN = {CLAIMS, LOCK, f"{CLAIMS}.new", f"{RUN}.new"}
"""What a process that was killed while it made the folder may have left; the lock came first."""


class Run:
    """A run folder, open for reading or for writing. Closing it lets others write."""

    def __init__(self, path: Path, meta: RunMeta, lock: FolderLock | None) -> None:
        """Use `create` or `open`."""
        self.path = path
        self.meta = meta
        self.repaired = False
        """True if the last line of the votes was torn, and cut off when the run was opened for writing."""
        self._lock = lock

    @classmethod
    def create(cls, path: Path, meta: RunMeta, claims: Sequence[GoldClaim]) -> Self:
        """A new run, open for writing.

        Raises:
            InputError: the folder holds something else or cannot be written, or another process is making it.
        """
        lock = None
        try:
            path.mkdir(parents=True, exist_ok=True)
            _require_no_run(path)
            lock = FolderLock(path / LOCK)
            # Another process may have made a run meanwhile.
            _require_no_run(path)
            # run.json comes last: a folder that has one is complete.
            lines = (json.dumps(claim.model_dump(mode="json"), ensure_ascii=False) for claim in claims)
            replace_file(path / CLAIMS, "".join(f"{line}\n" for line in lines))
            _write_meta(path, meta)
            run = cls(path, meta, lock)
            run._votes.begin_appending()
        except BaseException as error:
            if lock:
                lock.release()
            if isinstance(error, OSError):
                reason = error.strerror or error
                raise InputError(f"{path}: cannot be made a run folder ({reason}); name another") from error
            raise
        return run

    @classmethod
    def open(cls, path: Path, *, writing: bool = False) -> Self:
        """A run that is there.

        Args:
            path: the folder.
            writing: whether votes are going to be added. A torn last line is then cut off; a reader passes over it,
                and over what is written after it has begun.

        Raises:
            InputError: it is no run folder, a file in it is damaged, or another process is writing.
        """
        if not (path / RUN).is_file():
            raise InputError(f"{path}: is no run folder (it has no {RUN}); `parcel-agents run` makes one")
        lock = None
        try:
            lock = FolderLock(path / LOCK) if writing else None
            run = cls(path, _read_meta(path / RUN), lock)
            if writing:
                run.repaired = run._votes.begin_appending()
        except BaseException as error:
            if lock:
                lock.release()
            if isinstance(error, OSError):
                raise InputError(f"{path}: cannot be opened ({error.strerror or error})") from error
            raise
        return run

    @cached_property
    def claims(self) -> tuple[GoldClaim, ...]:
        """The claims that are asked about."""
        path, claims = self.path / CLAIMS, []
        seen: set[str] = set()
        # Only a line feed ends a line: claims may hold other separators.
        for number, line in enumerate(_read(path).split("\n"), 1):
            if line:
                try:
                    claims.append(GoldClaim.model_validate_json(line))
                except ValidationError as error:
                    raise InputError(f"{path}:{number}: is no claim ({_first(error)}); the file is damaged") from error
                if claims[-1].id in seen:
                    raise InputError(f"{path}:{number}: a second claim {claims[-1].id!r}; the file is damaged")
                seen.add(claims[-1].id)
        return tuple(claims)

    @property
    def cost_usd(self) -> float:
        """What the run has cost so far, votes that failed included; known while it is open for writing."""
        return self._votes.cost_usd

    def lines(self) -> Iterator[Row]:
        """Every vote as parsed JSON, in the order of the file; see `VotesFile.lines`."""
        return self._votes.lines()

    def rows(self) -> Iterator[Row]:
        """The final vote of each pair as parsed JSON; see `VotesFile.rows`."""
        return self._votes.rows()

    def votes(self) -> Iterator[tuple[str, Vote]]:
        """The id of the claim and the final vote, for each pair, in the order of `rows`.

        Raises:
            InputError: the file is damaged, or a vote has a field that it must not have.
        """
        for row in self.rows():
            claim_id = row.pop("claim_id")
            try:
                yield claim_id, Vote.model_validate_json(json.dumps(row))
            except ValidationError as error:
                who = f"the vote of {row['verifier']!r} on {claim_id!r}"
                raise InputError(f"{self.path / VOTES}: {who} is damaged ({_first(error)})") from error

    def state(self, claim_id: str, verifier: str) -> State:
        """Whether the verifier has voted on the claim, and whether that failed; KeyError for an unknown claim."""
        return self._votes.state(claim_id, verifier)

    def append(self, claim_id: str, vote: Vote) -> None:
        """Write a vote down; see `VotesFile.append`."""
        self._votes.append(claim_id, vote)

    def update(self, meta: RunMeta) -> None:
        """Write run.json anew: after a kill it is the old one or the new one."""
        if self._lock is None:
            raise ValueError(f"{self.path} is not open for writing")
        _write_meta(self.path, meta)
        self.meta = meta

    def close(self) -> None:
        """End writing, if the run is open for that."""
        self._votes.close()
        if self._lock:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    @cached_property
    def _votes(self) -> VotesFile:
        return VotesFile(self.path / VOTES, [claim.id for claim in self.claims])


def _require_no_run(folder: Path) -> None:
    found = sorted(file.name for file in folder.iterdir())
    if LOCK in found:
        found = [name for name in found if name not in _BEFORE_RUN]
    if RUN in found:
        raise InputError(f"{folder}: is a run folder already; repeat the command to go on with it")
    if found:
        raise InputError(f"{folder}: holds {found[0]!r} and no {RUN}; name a new folder, or an empty one")


def _read_meta(path: Path) -> RunMeta:
    text = _read(path)
    try:
        version = json.loads(text).get("schema_version")
        if version != SCHEMA_VERSION:
            raise InputError(
                f"{path}: has schema version {version!r}; this version of parcel-agents reads {SCHEMA_VERSION}"
            )
        return RunMeta.model_validate_json(text)
    except ValidationError as error:
        raise InputError(f"{path}: describes no run ({_first(error)})") from error
    except (ValueError, AttributeError) as error:
        raise InputError(f"{path}: is no JSON object ({error})") from error


def _write_meta(folder: Path, meta: RunMeta) -> None:
    replace_file(folder / RUN, json.dumps(meta.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from error


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
