"""One job: its folder on disk, and what of it is kept in memory."""

from __future__ import annotations

import json
import shutil
import threading
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from parcel_agents.briefs.shelf import Shelved
from parcel_agents.errors import InputError
from parcel_agents.server.decisions import Decision, standing_decisions
from parcel_agents.server.lines_file import LinesFile
from parcel_agents.server.model import Job, JobClaims, ReadBrief
from parcel_agents.store.replacing import replace_file
from parcel_agents.traces.model import Trace, TraceStatus
from parcel_agents.types import Opinion

_SHELVED = TypeAdapter(Shelved)
_TRACE = b', "trace": '


class JobRecord:
    """A job. The loop that checks it writes, pages read; what both touch is changed in one step or under the lock.

    `job.json` says what it is and how far it is; `uploads/` holds the files under made names and `read/` what was
    found in them; `claims.json` has the claims, `verdicts.jsonl` a trace for each that is done, `decisions.jsonl` what
    readers decided.
    """

    def __init__(self, folder: Path, job: Job) -> None:
        self.folder = folder
        self.job = job
        self.step = ""
        """What is being done just now, in a reader's words."""
        self.cancelling = False
        self._lock = threading.RLock()
        self._claims: JobClaims | None = None
        self._verdicts: LinesFile | None = None
        self._done: list[tuple[int, TraceStatus]] = []
        self._decisions: LinesFile | None = None

    @classmethod
    def create(cls, folder: Path, job: Job) -> JobRecord:
        """A new job, whose uploads are in its folder already."""
        record = cls(folder, job)
        (folder / "read").mkdir(mode=0o700)
        record.change()
        return record

    @classmethod
    def open(cls, folder: Path) -> JobRecord:
        """The job that a folder holds.

        Raises:
            InputError: it holds none that this version reads.
        """
        try:
            return cls(folder, Job.model_validate_json((folder / "job.json").read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise InputError(f"{folder}: holds no job ({type(error).__name__})") from error

    def change(self, **update: Any) -> None:
        """Change the job, in memory and on disk."""
        with self._lock:
            self.job = self.job.model_copy(update=update)
            replace_file(self.folder / "job.json", self.job.model_dump_json(indent=1))

    # Files

    @property
    def brief_path(self) -> Path:
        """The brief as it was uploaded."""
        return self.folder / "uploads" / self.job.brief.stored

    @property
    def read_brief_path(self) -> Path:
        """What was read of the brief."""
        return self.folder / "read" / "brief.json"

    def read_brief(self) -> ReadBrief:
        """What was read of the brief."""
        return ReadBrief.model_validate_json(self.read_brief_path.read_bytes())

    def shelved(self, name: str) -> Shelved:
        """What was read of an opinion, by the name of the file in `read/`."""
        return _SHELVED.validate_json((self.folder / "read" / name).read_bytes())

    def keep_shelved(self, name: str, one: Shelved) -> None:
        """Keep an opinion that was not uploaded, under such a name."""
        replace_file(self.folder / "read" / name, _SHELVED.dump_json(one).decode())

    def opinion(self, id: str) -> Opinion:
        """An opinion of a claim that is done, by its id; KeyError if it is not one of these."""
        return self.shelved(self.claims.opinions[id]).opinion

    # Claims and verdicts

    @property
    def claims(self) -> JobClaims:
        """The claims; none as long as the files are being read."""
        with self._lock:
            if self._claims is None:
                path = self.folder / "claims.json"
                if not path.exists():
                    return JobClaims(claims=(), opinions={})
                self._claims = JobClaims.model_validate_json(path.read_bytes())
            return self._claims

    def set_claims(self, claims: JobClaims) -> None:
        """Keep the claims that were found in the brief."""
        with self._lock:
            replace_file(self.folder / "claims.json", claims.model_dump_json())
            self._claims = claims

    def done(self) -> list[tuple[int, TraceStatus]]:
        """Number and status of each claim that is done, in the order in which they were."""
        with self._lock:
            self._open_verdicts()
            return list(self._done)

    def add(self, trace: Trace) -> None:
        """Keep what became of a claim."""
        with self._lock:
            verdicts = self._open_verdicts()
            head = json.dumps({"number": trace.number, "status": trace.status})
            verdicts.append(f"{head[:-1]}{_TRACE.decode()}{trace.model_dump_json()}}}")
            self._done.append((trace.number, trace.status))

    def trace(self, number: int) -> Trace | None:
        """What became of a claim; None as long as it is not done."""
        with self._lock:
            verdicts = self._open_verdicts()
            place = next((at for at, (done, _) in enumerate(self._done) if done == number), None)
            return None if place is None else Trace.model_validate(json.loads(verdicts.read(place))["trace"])

    def traces(self) -> list[Trace]:
        """What became of all claims that are done, in the order of the brief."""
        with self._lock:
            lines = self._open_verdicts().lines()
        return sorted((Trace.model_validate(json.loads(line)["trace"]) for line in lines), key=lambda one: one.number)

    def _open_verdicts(self) -> LinesFile:
        if self._verdicts is None:
            self._verdicts = LinesFile(self.folder / "verdicts.jsonl")
            # The head of a line tells all that lists need; the traces are many times as long.
            heads = (json.loads(line.partition(_TRACE)[0] + b"}") for line in self._verdicts.lines())
            self._done = [(head["number"], head["status"]) for head in heads]
        return self._verdicts

    # Decisions

    def decisions(self) -> list[Decision]:
        """All that readers decided, in order."""
        with self._lock:
            return [Decision.model_validate_json(line) for line in self._open_decisions().lines()]

    def standing(self) -> dict[int, Decision]:
        """The decisions that count, by the number of the claim."""
        return standing_decisions(self.decisions())

    def decide(self, decision: Decision) -> None:
        """Keep a decision."""
        with self._lock:
            self._open_decisions().append(decision.model_dump_json())

    def _open_decisions(self) -> LinesFile:
        if self._decisions is None:
            self._decisions = LinesFile(self.folder / "decisions.jsonl")
        return self._decisions

    def delete(self) -> None:
        """Remove all of it from the disk; `job.json` first, so that half of a job is never taken for one."""
        with self._lock:
            (self.folder / "job.json").unlink(missing_ok=True)
            shutil.rmtree(self.folder, ignore_errors=True)
