"""A web app over a panel that is quick and answers to the test: briefs, opinions, and a client that is a browser."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import uvicorn
from fakes.traces import HOSTILE, long_opinions, many
from pydantic import TypeAdapter
from starlette.testclient import TestClient

from parcel_agents.api import make_context
from parcel_agents.briefs.shelf import Shelved, shelve
from parcel_agents.config import Config, PanelConfig, Settings, TierConfig, load_config
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.server.app import create_app
from parcel_agents.server.checking import Checker
from parcel_agents.server.jobs import Jobs
from parcel_agents.server.model import Job, JobClaim, JobClaims, UploadedFile
from parcel_agents.server.reading import Reader
from parcel_agents.server.reading_worker import answer
from parcel_agents.server.record import JobRecord
from parcel_agents.server.settings import ServerSettings
from parcel_agents.server.verifying import claim_service
from parcel_agents.types import LABELS, Label, Vote
from parcel_agents.verifiers import Task

MARLOWE = """# *People v Marlowe*
**47 NY3d 910**\x20\x20
**June 11, 2024**\x20\x20

Fictional; no such case exists.

OPINION OF THE COURT

Ferris, J.

The People bear the burden of proving that each limit was observed, and a silent record counts against them. A harbor
officer may open a locker only after the owner has been asked for the missing extinguisher and has failed to show it.
"""
HATHERSAGE = """# *Matter of Hathersage v Quist*
**46 NY3d 118**\x20\x20
**May 2, 2019**\x20\x20

Fictional; no such case exists.

OPINION OF THE COURT

Quist, J.

A tenant who has paid the ferry dues for a year is owed a written notice before the berth is let to another. The notice
must name the day on which the berth is to be given up, and a notice that names no day is none.
"""
BRIEF = """BRIEF FOR APPELLANT (fictional)

A search of a moored vessel is unreasonable where nobody asked the owner (see People v Marlowe, 47 NY3d 910, 914 [2024]
[the People bear the burden of proving that each limit was observed, and a silent record counts against them]). The
same opinion is often misquoted (see People v Marlowe, 47 NY3d 910, 915 [2024] ["every vessel in a public harbor carries
its owner's consent to a search of all closed compartments"]). A berth is safe, too (Matter of Hathersage v Quist, 46
NY3d 118, 121 [2019] [the notice must name the day on which the berth is to be given
up, and a notice that names no day is none]). Other authority agrees (People v Dunmarrow, 44 NY3d 60, 64
[2017] [holding that a locker is no less private than a trunk]).
"""
FILES = (("people_v_marlowe.md", MARLOWE), ("hathersage_v_quist.md", HATHERSAGE))
EXECUTES = re.compile(r"<(?:script|img|svg|iframe|style|base|meta http)[ >]|javascript:", re.I)


# What ends a parenthetical would end the claim before the harm in it.
_BRACKETS = str.maketrans("", "", "\0()[]{}")


def hostile() -> dict[str, Any]:
    """A brief and opinions in whose names and texts everything is tried."""
    court = "The People bear the burden of proving that each limit was observed."
    claims = "".join(
        f" So it was held (see People v Marlowe, 47 NY3d 910, 914 [2024] [holding that {bad.translate(_BRACKETS)} the "
        "People bear the burden of proving each limit])."
        for bad in HOSTILE
    )
    name = "<img src=x onerror=window.hit=1>.md"
    opinion = MARLOWE.replace("Ferris, J.\n", f"Ferris, J.\n\n{' '.join(HOSTILE)} {court}\n")
    return {
        "brief": f"{BRIEF}\n{claims}\n",
        "name": "<script>window.hit = 1</script>.txt",
        "opinions": [(name, opinion), *FILES[1:]],
    }


class InProcess(Reader):
    """Reads files here: another process takes seconds to start, and few tests are about it."""

    async def read(self, kind: Literal["brief", "opinion"], path: Path, out: Path, *, name: str) -> str | None:
        asked = {"kind": kind, "path": str(path), "out": str(out), "name": name}
        return answer(asked).get("fault")


class Slow:
    """A verifier that waits until a test lets it go, one claim at a time."""

    name = "slow"
    casts: frozenset[Label] = frozenset(LABELS)

    def __init__(self) -> None:
        self.let = threading.Semaphore(0)
        self.asked: list[str] = []

    async def verify(self, task: Task) -> Vote:
        self.asked.append(task.claim.text)
        while not self.let.acquire(blocking=False):
            await asyncio.sleep(0.01)
        return Vote(verifier=self.name, outcome="ok", label=None, reason="looked, and has nothing to say")


def quick_config() -> Config:
    """The checks alone, over words alone: nothing is loaded."""
    config = load_config(environ={})
    panel = {"quick": PanelConfig(tier=(TierConfig(verifiers=("checks", "similarity")),))}
    return config.model_copy(
        update={
            "settings": Settings(panel="quick", retriever="bm25", concurrency=1),
            "panel": {**config.panel, **panel},
        }
    )


class Server:
    """The app with its jobs, and a browser on its first page."""

    def __init__(self, folder: Path, *, slow: Slow | None = None, reader: Any = InProcess, **settings: Any) -> None:
        self.settings = ServerSettings(folder=folder, **settings)
        self.slow = slow

        def make(config: Config) -> VerifyContext:
            context = make_context(config=config)
            if slow is not None:
                context.tiers = ((slow,),)
            return context

        ending = threading.Event()
        self.claims = claim_service(
            quick_config(), self.settings, ending.is_set, context=make(quick_config()), reader=reader
        )
        library = self.claims.checker.library if self.settings.opinions else None
        checker = Checker(quick_config(), self.settings, make=make, reader=reader, library=library)
        self.jobs = Jobs(folder, checker, self.settings.jobs, ending)
        self.app = create_app(self.settings, self.jobs, self.claims)
        self.client = TestClient(self.app, base_url="http://localhost:8765", raise_server_exceptions=False)
        self.jobs.start(warm_up=False)

    @property
    def token(self) -> str:
        found = re.search(r'name="csrf" value="([0-9a-f]+)"', self.client.get("/").text)
        assert found
        return found[1]

    def post(self, path: str, headers: dict[str, str] | None = None, **fields: str) -> Any:
        data = {"csrf": self.token, **fields}
        return self.client.post(path, data=data, headers=headers or {}, follow_redirects=False)

    def drop(self, brief: str | bytes = BRIEF, opinions: Any = FILES, name: str = "brief.txt", **fields: Any) -> Any:
        files = [("brief", (name, brief)), *(("opinions", (each, text)) for each, text in opinions)]
        return self.client.post("/jobs", data={"csrf": self.token, **fields}, files=files, follow_redirects=False)

    def begin(self, **options: Any) -> JobRecord:
        answer = self.drop(**options)
        assert answer.status_code == 303, answer.text
        record = self.jobs.get(answer.headers["location"].rpartition("/")[2])
        assert record is not None
        return record

    def wait(self, record: JobRecord, *states: str, claims: int | None = None) -> None:
        until = time.monotonic() + 20
        while time.monotonic() < until:
            if (not states or record.job.state in states) and (claims is None or len(record.done()) >= claims):
                return
            time.sleep(0.02)
        raise AssertionError(f"still {record.job.state}, {len(record.done())} done: {record.job.why}")

    def checked(self, **options: Any) -> JobRecord:
        record = self.begin(**options)
        self.wait(record, "done", "failed", "stopped")
        return record


@contextmanager
def serving(folder: Path, **options: Any) -> Iterator[Server]:
    server = Server(folder, **options)
    try:
        yield server
    finally:
        server.jobs.stop()


@contextmanager
def listening(server: Server) -> Iterator[str]:
    """The app behind a real socket."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    real = uvicorn.Server(uvicorn.Config(server.app, host="127.0.0.1", port=port, log_level="error"))
    thread = threading.Thread(target=real.run, daemon=True)
    thread.start()
    while not real.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{port}"
    server.jobs.say_stopping()
    real.should_exit = True
    thread.join(timeout=10)
    assert not thread.is_alive()


def long_job(server: Server, *, claims: int, opinions: int, paragraphs: int = 500) -> JobRecord:
    """A finished job of a long brief, made without checking one."""
    book = many(claims=claims, opinions=opinions, paragraphs=paragraphs)
    folder = server.jobs.new_folder()
    file = UploadedFile(stored="brief.txt", name="long brief.txt", size=1)
    record = JobRecord.create(
        folder, Job(id=folder.name, created="2026-06-01T10:00:00", brief=file, opinions=(file,), state="done")
    )
    held = {}
    for number, read in enumerate(long_opinions(opinions, paragraphs)):
        (folder / "read" / f"{number}.json").write_bytes(TypeAdapter(Shelved).dump_json(shelve(f"{number}.md", read)))
        held[read.id] = f"{number}.json"
    listed = [
        JobClaim(number=one.number, text=one.claim, cited="People v Marlowe, 97 NY3d 210 (2024)", at_hand=True)
        for one in book.traces
    ]
    record.set_claims(JobClaims(claims=tuple(listed), opinions=held))
    for trace in book.traces:
        record.add(trace)
    server.jobs._records[record.job.id] = record
    return record
