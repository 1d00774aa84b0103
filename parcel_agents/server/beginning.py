"""A new job out of the files that somebody sends."""

from __future__ import annotations

import asyncio
import hashlib
import shutil

from parcel_agents.errors import InputError
from parcel_agents.server.jobs import Jobs
from parcel_agents.server.model import JobKey
from parcel_agents.server.record import JobRecord
from parcel_agents.server.settings import ServerSettings
from parcel_agents.server.uploads import Dropped, TooLargeError, store

_PIECE = 1_000_000


async def begin_job(
    jobs: Jobs,
    settings: ServerSettings,
    briefs: list[Dropped],
    opinions: list[Dropped],
    *,
    key: JobKey | None = None,
) -> JobRecord:
    """A job of these files, on which work begins as soon as there is a place.

    Args:
        jobs: where it is kept.
        settings: the limits.
        briefs: one brief.
        opinions: those that it cites.
        key: what a client knows the request by.

    Raises:
        TooLargeError: there is more than the app takes.
        InputError: there is no brief, or no opinion, that can be read.
    """
    if len(briefs) != 1:
        raise InputError("Give one brief." if briefs else "There is no brief. Choose the file, or drop it.")
    if len(opinions) > settings.max_files:
        raise TooLargeError(f"There are {len(opinions):,} opinions; the most at once is {settings.max_files:,}.")
    folder = jobs.new_folder()
    try:
        job = await asyncio.to_thread(store, folder, briefs[0], opinions, brief_alone=settings.brief_alone)
        record = await asyncio.to_thread(JobRecord.create, folder, job.model_copy(update={"key": key}))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    jobs.add(record)
    return record


def fingerprint(briefs: list[Dropped], opinions: list[Dropped]) -> str:
    """Stands for the files of a request, with their names and in their order."""
    digest = hashlib.sha256()
    for one in (*briefs, *opinions):
        one.file.seek(0)
        digest.update(f"{len(one.name)} {one.name} ".encode("utf-8", "replace"))
        content = hashlib.sha256()
        while piece := one.file.read(_PIECE):
            content.update(piece)
        digest.update(content.digest())
        one.file.seek(0)
    digest.update(f"{len(briefs)}".encode())
    return digest.hexdigest()
