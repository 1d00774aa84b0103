"""What the HTTP API takes and answers; OpenAPI describes it by these."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from parcel_agents.integrations.checking import MAX_CLAIM, Checked
from parcel_agents.integrations.library import MAX_REFERENCE
from parcel_agents.integrations.wording import VERDICTS, may_cite, status
from parcel_agents.server.decisions import Decision
from parcel_agents.server.model import Job, JobState
from parcel_agents.server.record import JobRecord
from parcel_agents.server.words import progress_of
from parcel_agents.tools.untrusted import label
from parcel_agents.traces.model import Asked, Trace, TraceStatus
from parcel_agents.types import SCHEMA_VERSION, Opinion, Verdict

MAX_CLAIMS = 50
MAX_TEXT = 2_000_000
"""Characters of an opinion's text."""
OpinionFormat = Literal["markdown", "text", "html"]
SUFFIXES: dict[OpinionFormat, str] = {"markdown": ".md", "text": ".txt", "html": ".html"}

ClaimText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_CLAIM)]
_OK_TO_CITE = "true for supported alone"


class Strict(BaseModel):
    """What is sent: a field that is not known is refused, since it would be ignored in silence."""

    # Told to OpenAPI; the check below comes first, and makes one fault of a million unknown fields.
    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _no_others(cls, value: Any) -> Any:
        unknown = [name for name in value if name not in cls.model_fields] if isinstance(value, dict) else []
        if unknown:
            more = f" and {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
            raise ValueError(f"unknown field {label(str(unknown[0]))}{more}; known: {', '.join(cls.model_fields)}")
        return value


class CitedOpinion(Strict):
    """An opinion that the server knows."""

    cited: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_REFERENCE)] = Field(
        description="its citation, case name, file name, or the id that an earlier answer gave",
        examples=["People v Marlowe, 97 NY3d 210 (2024)"],
    )


class SentOpinion(Strict):
    """An opinion sent along."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT)] = Field(
        description="the whole opinion, with its caption where it is to be known by name"
    )
    format: OpinionFormat = "text"


class VerifyRequest(Strict):
    """Claims about one opinion."""

    opinion: CitedOpinion | SentOpinion
    claims: list[ClaimText] = Field(
        min_length=1,
        max_length=MAX_CLAIMS,
        description="each one complete statement of what the opinion says or holds",
        examples=[["(holding that a waiver signed without counsel is invalid)"]],
    )


class OpinionName(BaseModel):
    """Which opinion was asked."""

    id: str = Field(description="depends on its content alone")
    name: str | None
    citation: str | None
    file: str | None = Field(description="its file on the server; null for one that was sent")
    known: str = Field(description="how it is known to be the one that is meant")


class ClaimResult(BaseModel):
    """What became of one claim."""

    key: str = Field(description="the same for the same claim, opinion and panel; empty where no opinion was asked")
    status: TraceStatus
    may_cite: bool = Field(description=_OK_TO_CITE)
    advice: str = Field(description="what a drafter should do")
    verdict: Verdict

    @classmethod
    def of(cls, checked: Checked) -> ClaimResult:
        """The result of a check."""
        verdict = checked.verdict
        found = status(verdict)
        return cls(
            key=checked.key, status=found, may_cite=may_cite(verdict), advice=VERDICTS[found][1], verdict=verdict
        )


class VerifyAnswer(BaseModel):
    """The answer of /v1/verify. Its status is 200 whatever the verdicts are: look at `may_cite`."""

    schema_version: int = SCHEMA_VERSION
    all_supported: bool
    opinion: OpinionName | None = Field(description="null where it is not at hand or not certain which is meant")
    claims: tuple[ClaimResult, ...] = Field(description="in the order of the request")

    @classmethod
    def of(cls, checked: list[Checked], *, sent: bool) -> VerifyAnswer:
        """The answer for claims about one opinion."""
        match, opinion = checked[0].match, checked[0].opinion
        name = None
        if opinion is not None and match.shelved is not None:
            name = OpinionName(
                id=opinion.id,
                name=opinion.name,
                citation=opinion.citation,
                file=None if sent else match.shelved.file,
                known=match.why,
            )
        results = tuple(ClaimResult.of(one) for one in checked)
        return cls(all_supported=all(one.may_cite for one in results), opinion=name, claims=results)


class OpinionFile(BaseModel):
    """An opinion of the server's folder."""

    id: str
    file: str
    name: str | None
    citation: str | None

    @classmethod
    def of(cls, file: str, opinion: Opinion) -> OpinionFile:
        """The row of a file."""
        return cls(id=opinion.id, file=file, name=opinion.name, citation=opinion.citation)


class OpinionFiles(BaseModel):
    """The opinions that can be cited."""

    schema_version: int = SCHEMA_VERSION
    total: int
    opinions: tuple[OpinionFile, ...]
    unreadable: tuple[str, ...] = Field(description="files that could not be read, each with the reason")


class ServerStatus(BaseModel):
    """What the server is."""

    schema_version: int = SCHEMA_VERSION
    version: str
    panel: str
    panel_id: str = Field(description="changes with all that verdicts depend on")
    verifiers: tuple[tuple[str, ...], ...] = Field(description="tier by tier")
    policy: str
    fail_closed: bool
    verifying: int = Field(description="requests to /v1/verify that are being answered")
    unfinished_runs: int


class Run(BaseModel):
    """The check of a brief."""

    schema_version: int = SCHEMA_VERSION
    id: str
    created: str
    state: JobState
    why: str = Field(description="why it stopped or failed")
    ended: bool = Field(description="true if nothing more will happen unless it is continued")
    progress: str = Field(description="how far it is, in words")
    checked: int = Field(description="claims that the panel is done with, also where it failed")
    to_check: int = Field(description="claims whose opinion is at hand")
    counts: dict[TraceStatus, int]
    all_supported: bool = Field(description="true if it is done, and has claims, and all of them are supported")
    brief: str
    opinions: int
    left_out: tuple[str, ...] = Field(description="files that could not be read, each with the reason")
    notes: tuple[str, ...]
    asked: Asked

    @classmethod
    def of(cls, record: JobRecord) -> Run:
        """How a run stands."""
        job, progress = record.job, progress_of(record)
        counts: dict[TraceStatus, int] = {}
        for _, found in record.done():
            counts[found] = counts.get(found, 0) + 1
        return cls(
            id=job.id,
            created=job.created,
            state=job.state,
            why=job.why,
            ended=progress.ended,
            progress=progress.words,
            checked=progress.done,
            to_check=progress.total,
            counts=counts,
            all_supported=_all_supported(job, counts),
            brief=job.brief.name,
            opinions=len(job.opinions),
            left_out=job.left_out,
            notes=job.notes,
            asked=job.asked,
        )


def _all_supported(job: Job, counts: dict[TraceStatus, int]) -> bool:
    return job.state == "done" and set(counts) == {"supported"}


class Runs(BaseModel):
    """The checks of briefs, the latest first."""

    schema_version: int = SCHEMA_VERSION
    total: int
    runs: tuple[Run, ...]


class RunClaim(BaseModel):
    """A claim of a brief; status null means that it was not checked yet."""

    number: int
    text: str
    cited: str
    page: str | None = Field(description="of the brief")
    status: TraceStatus | None
    may_cite: bool = Field(description=_OK_TO_CITE)


class RunClaims(BaseModel):
    """The claims of a brief, in its order; none as long as its files are being read."""

    schema_version: int = SCHEMA_VERSION
    state: JobState
    claims: tuple[RunClaim, ...]

    @classmethod
    def of(cls, record: JobRecord) -> RunClaims:
        """The claims as they stand."""
        done = dict(record.done())
        return cls(
            state=record.job.state,
            claims=tuple(
                RunClaim(
                    number=one.number,
                    text=one.text,
                    cited=one.cited,
                    page=one.page,
                    status=done.get(one.number),
                    may_cite=done.get(one.number) == "supported",
                )
                for one in record.claims.claims
            ),
        )


class RunClaimTrace(BaseModel):
    """A claim of a brief with all that its verdict rests on."""

    schema_version: int = SCHEMA_VERSION
    may_cite: bool = Field(description=_OK_TO_CITE)
    trace: Trace
    decision: Decision | None = Field(description="what a reader decided, beside the panel's verdict")
