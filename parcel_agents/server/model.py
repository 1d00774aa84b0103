"""What a job is made of, as its folder keeps it."""

from __future__ import annotations

from typing import Literal

from parcel_agents.citations.model import Citation
from parcel_agents.traces.model import Asked
from parcel_agents.types import Frozen, Opinion, PageMark

JobState = Literal["waiting", "reading", "checking", "done", "cancelled", "stopped", "failed"]
"""`cancelled`: by a user; `stopped`: a provider takes no more requests or the cap on costs is reached; `failed`: the
brief cannot be read or checked. The first three go on when the app starts again."""
UNFINISHED: frozenset[JobState] = frozenset({"waiting", "reading", "checking"})
CAN_GO_ON: frozenset[JobState] = frozenset({"cancelled", "stopped", "failed"})


class UploadedFile(Frozen):
    """A file as it was dropped. Its own name is shown, never used: the file is stored under a made one."""

    stored: str
    name: str
    size: int


class JobKey(Frozen):
    """The Idempotency-Key of the request that made a job, and what stands for the files that came with it."""

    key: str
    fingerprint: str


class Job(Frozen):
    """`job.json`."""

    schema_version: Literal[1] = 1
    id: str
    created: str
    state: JobState = "waiting"
    why: str = ""
    """Why it is stopped or failed, in plain words."""
    told: str = ""
    """How far it was when it ended, in plain words."""
    brief: UploadedFile
    opinions: tuple[UploadedFile, ...]
    left_out: tuple[str, ...] = ()
    """Files that could not be read, each with the reason."""
    notes: tuple[str, ...] = ()
    """What a reader has to know of the whole brief."""
    asked: Asked = Asked()
    key: JobKey | None = None


class JobClaim(Frozen):
    """A parenthetical of the brief before anybody has looked at it."""

    number: int
    text: str
    cited: str
    """Name and cite."""
    page: str | None = None
    at_hand: bool
    """True if its opinion is among the files, so that it will be checked."""


class JobClaims(Frozen):
    """`claims.json`."""

    claims: tuple[JobClaim, ...]
    opinions: dict[str, str]
    """By the id of each opinion, the name of the file that holds what was read of it."""


class ReadBrief(Frozen):
    """What the reading process found in a brief."""

    text: str
    opinion: Opinion | None
    pages: tuple[PageMark, ...]
    citations: tuple[Citation, ...]
