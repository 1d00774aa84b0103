"""How far a job is, in words that a lawyer knows; what could not be checked is never counted as checked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from parcel_agents.server.model import UNFINISHED
from parcel_agents.server.record import JobRecord
from parcel_agents.traces.model import STATUSES, UNCHECKED, TraceStatus
from parcel_agents.traces.words import STATUS_WORDS

WAITING_MARK, WAITING_WORD = "…", "Not checked yet"


@dataclass(frozen=True)
class Progress:
    """How far a job is."""

    words: str
    done: int
    """Claims that the panel is done with, also where it failed."""
    total: int
    """Claims whose opinion is at hand."""
    ended: bool


def progress_of(record: JobRecord) -> Progress:
    """How far a job is."""
    job = record.job
    claims = record.claims.claims
    total = sum(claim.at_hand for claim in claims)
    counts = Counter(status for _, status in record.done())
    absent = counts["not_at_hand"] + counts["not_matched"]
    done = counts.total() - absent
    told = _counted(done, total, counts, len(claims) - total)
    match job.state:
        case "waiting":
            return Progress("Waiting for its turn", done, total, ended=False)
        case "reading":
            return Progress(record.step or "Reading the files", done, total, ended=False)
        case "checking":
            return Progress(told, done, total, ended=False)
        case "done":
            return Progress(f"Finished: {told}", done, total, ended=True)
        case "cancelled":
            return Progress(f"Stopped by you: {told}", done, total, ended=True)
        case "stopped":
            return Progress(f"Stopped: {told}. {job.why}", done, total, ended=True)
        case _:
            return Progress(f"This brief could not be checked. {job.why}", done, total, ended=True)


def last_words(record: JobRecord) -> str:
    """How far a job is; of one that has ended without a look at its verdicts."""
    job = record.job
    return job.told if job.told and job.state not in UNFINISHED else progress_of(record).words


def status_tag(status: TraceStatus | None) -> dict[str, str]:
    """Class, sign and word of a claim's status; None for one that waits."""
    if status is None:
        return {"status": "waiting", "mark": WAITING_MARK, "word": WAITING_WORD}
    words = STATUS_WORDS[status]
    return {"status": status, "mark": words.mark, "word": words.word}


def filters_of(record: JobRecord) -> list[dict[str, str | int]]:
    """The statuses that a list can be narrowed to, each with its count."""
    counts = Counter(status for _, status in record.done())
    left = len(record.claims.claims) - counts.total()
    found: list[dict[str, str | int]] = [{**status_tag(status), "count": counts[status]} for status in STATUSES]
    return [*found, {**status_tag(None), "count": left}]


def unchecked_words(record: JobRecord) -> str:
    """What a reader has to know of the claims that were not checked; nothing where all were."""
    counts = Counter(status for _, status in record.done())
    missed = sum(counts[status] for status in UNCHECKED)
    return f"{missed} {'citation was' if missed == 1 else 'citations were'} not checked." if missed else ""


def _counted(done: int, total: int, counts: Counter[TraceStatus], absent: int) -> str:
    if total == absent == 0:
        return "no citation with an explanatory parenthetical was found in the brief"
    failed, undecided = counts["could_not_check"], counts["undecided"]
    told = f"{done - failed} of {total} citation{'' if total == 1 else 's'} checked"
    if undecided:
        told += f", {undecided} of them left undecided"
    if failed:
        told += f"; {failed} could not be checked"
    if absent:
        told += f"; {absent} not checked, because the opinion is not at hand or not matched"
    return told
