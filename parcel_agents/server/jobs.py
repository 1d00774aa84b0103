"""All jobs of a folder, and the event loop that works on them while pages are served by another."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets
import shutil
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from parcel_agents.errors import InputError, ParcelError
from parcel_agents.providers import RunStoppedError
from parcel_agents.server.checking import Checker
from parcel_agents.server.model import CAN_GO_ON, UNFINISHED
from parcel_agents.server.record import JobRecord
from parcel_agents.server.words import progress_of
from parcel_agents.store.folder_lock import FolderLock

_ID = re.compile(r"[0-9a-f]{24}")
STOP_SECONDS = 15.0
_log = logging.getLogger(__name__)


class Jobs:
    """The jobs of one folder, of which some are at work and the others wait.

    Jobs are looked up by their id in memory: no name that a request gives is ever made into a path.
    """

    def __init__(self, folder: Path, checker: Checker, limit: int, ending: threading.Event | None = None) -> None:
        """Take the folder, who checks, how many at once, and what is set as soon as the app ends.

        Raises:
            InputError: another process works in it.
        """
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.folder = folder
        self._lock = FolderLock(folder / "serve.lock")
        self._checker = checker
        self._limit = limit
        self._records = _records(folder)
        self._running: dict[str, asyncio.Task[None] | None] = {}
        """None for a job whose task is still to be made by the loop."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="parcel-agents-jobs", daemon=True)
        self._places: asyncio.Semaphore | None = None
        self._ending = ending or threading.Event()

    @property
    def stopping(self) -> bool:
        """True as soon as the app ends."""
        return self._ending.is_set()

    def start(self, *, warm_up: bool = True) -> None:
        """Begin to work, with the jobs that were not finished when the app was last ended."""
        self._thread.start()
        self._places = asyncio.Semaphore(self._limit)
        if warm_up:
            self._submit(self._checker.warm_up()).add_done_callback(_tell_failure)
        for record in sorted(self._records.values(), key=lambda one: one.job.created):
            if record.job.state in UNFINISHED:
                self._begin(record)

    def say_stopping(self) -> None:
        """Let streams of events end."""
        self._ending.set()

    def stop(self) -> None:
        """End all work; what is not finished goes on at the next start. A second call does nothing."""
        self._ending.set()
        if self._thread.is_alive():
            with contextlib.suppress(TimeoutError):
                self._submit(self._end_all()).result(timeout=STOP_SECONDS)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(timeout=STOP_SECONDS)
            if not self._thread.is_alive():
                self._loop.close()
        self._lock.release()

    def all(self) -> list[JobRecord]:
        """All jobs, the latest first."""
        return sorted(self._records.values(), key=lambda one: (one.job.created, one.job.id), reverse=True)

    def get(self, id: str) -> JobRecord | None:
        """The job of this id; None if there is none."""
        return self._records.get(id)

    @property
    def unfinished(self) -> int:
        """Jobs that are at work or wait."""
        return sum(record.job.state in UNFINISHED for record in self._records.values())

    def new_folder(self) -> Path:
        """An empty folder for a new job, named by its id; without `job.json` it holds no job yet."""
        folder = self.folder / secrets.token_hex(12)
        folder.mkdir(mode=0o700)
        (folder / "uploads").mkdir(mode=0o700)
        return folder

    def add(self, record: JobRecord) -> None:
        """Work on a new job as soon as there is a place."""
        self._records[record.job.id] = record
        self._begin(record)

    async def cancel(self, record: JobRecord) -> None:
        """End the work on a job; what was found stays."""
        record.cancelling = True
        self._loop.call_soon_threadsafe(self._cancel, record.job.id)
        # Until its task is at its end it may still write.
        for _ in range(600):
            if record.job.id not in self._running:
                break
            await asyncio.sleep(0.05)
        if record.job.state in UNFINISHED:
            record.change(state="cancelled")
            record.change(told=progress_of(record).words)
        record.cancelling = False

    def go_on(self, record: JobRecord) -> bool:
        """Take up a job that was cancelled or stopped; False if that cannot be done just now."""
        # A cancel that still waits would take the new work for the one it has ended.
        idle = record.job.id not in self._running and not record.cancelling
        if record.job.state not in CAN_GO_ON or not idle or self.get(record.job.id) is not record:
            return False
        record.change(state="waiting", why="", told="")
        self._begin(record)
        return True

    async def delete(self, record: JobRecord) -> None:
        """Remove a job with all that belongs to it."""
        await self.cancel(record)
        self._records.pop(record.job.id, None)
        await asyncio.to_thread(record.delete)

    def _begin(self, record: JobRecord) -> None:
        id = record.job.id
        record.step = ""
        self._running[id] = None

        def start() -> None:
            task = self._loop.create_task(self._work(record))
            self._running[id] = task
            # Also of a task that is cancelled before its first step, in which nothing of `_work` is ever run.
            task.add_done_callback(lambda _: self._running.pop(id, None))

        self._loop.call_soon_threadsafe(start)

    def _cancel(self, id: str) -> None:
        task = self._running.get(id)
        if task is not None:
            task.cancel()

    def _submit(self, work: Coroutine[Any, Any, None]) -> Future[None]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _work(self, record: JobRecord) -> None:
        try:
            async with self._places or asyncio.Semaphore(1):
                await self._checker.check(record)
        except asyncio.CancelledError:
            # At the app's end the state stays as it is, and the next start goes on with it.
            if record.cancelling:
                record.change(state="cancelled")
            raise
        except RunStoppedError as error:
            record.change(state="stopped", why=str(error))
        except InputError as error:
            record.change(state="failed", why=str(error))
        except ParcelError as error:
            record.change(state="stopped", why=str(error))
        except Exception:  # noqa: BLE001 - one job that breaks must not take the others with it
            _log.exception("job %s broke down", record.job.id)
            record.change(state="failed", why="The check broke down; the server's log says where.")
        finally:
            record.step = ""
            if record.job.state not in UNFINISHED:
                record.change(told=progress_of(record).words)

    async def _end_all(self) -> None:
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _tell_failure(warm_up: Future[None]) -> None:
    if not warm_up.cancelled() and (error := warm_up.exception()) is not None:
        _log.warning("the panel could not be made ready (%s: %s)", type(error).__name__, error)


def _records(folder: Path) -> dict[str, JobRecord]:
    found = {}
    for path in folder.iterdir():
        if not _ID.fullmatch(path.name) or not path.is_dir():
            continue
        if not (path / "job.json").exists() and (path / "uploads").is_dir():
            # An upload that was cut off, or half of a job that was to be deleted for good.
            shutil.rmtree(path, ignore_errors=True)
            continue
        try:
            record = JobRecord.open(path)
        except InputError as error:
            # A job of another version is left alone.
            _log.warning("%s", error)
            continue
        if record.job.id == path.name:
            found[path.name] = record
    return found
