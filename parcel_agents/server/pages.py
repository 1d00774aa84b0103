"""The pages, made on the server; nothing that comes from files, models or requests is taken for HTML."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from fastapi.responses import HTMLResponse

from parcel_agents.opinions.document import MAX_BYTES, SUFFIXES
from parcel_agents.server.decisions import Decision, decision_words, standing_decisions
from parcel_agents.server.model import CAN_GO_ON, UNFINISHED
from parcel_agents.server.opinion_shelf import OpinionShelf
from parcel_agents.server.record import JobRecord
from parcel_agents.server.security import Keys
from parcel_agents.server.settings import ServerSettings
from parcel_agents.server.words import filters_of, last_words, progress_of, status_tag, unchecked_words
from parcel_agents.traces.model import Trace, TraceBook, TraceStatus
from parcel_agents.traces.page import make_environment, read_template
from parcel_agents.traces.view import view_of
from parcel_agents.traces.words import LABEL_WORDS
from parcel_agents.types import LABELS

_TEMPLATES = frozenset(f"{name}.html" for name in "base start job trace_of_job error login".split())
_STATIC = {
    "app.css": "text/css",
    "start.js": "text/javascript",
    "job.js": "text/javascript",
    "claim_page.js": "text/javascript",
}
_OF_TRACES = {"trace.css": "text/css", "opinion.js": "text/javascript"}


@lru_cache(maxsize=1)
def static_files() -> Mapping[str, tuple[bytes, str]]:
    """Styles and scripts by name, with their types."""
    own = files("parcel_agents.server").joinpath("static")
    found = {name: (own.joinpath(name).read_bytes(), kind) for name, kind in _STATIC.items()}
    return found | {name: (read_template(name).encode(), kind) for name, kind in _OF_TRACES.items()}


class Pages:
    """Makes pages."""

    def __init__(self, settings: ServerSettings, keys: Keys, opinions: OpinionShelf) -> None:
        self._settings = settings
        self._keys = keys
        self._opinions = opinions
        self._environment = make_environment(_read)
        # An older version of a script is never shown with a newer page.
        self._version = hashlib.sha256(b"".join(data for data, _ in static_files().values())).hexdigest()[:12]

    def start(self, records: list[JobRecord], *, status: int = 200, complaint: str = "") -> HTMLResponse:
        """The form for a new check, and the earlier ones."""
        jobs = [
            {
                "id": one.job.id,
                "name": one.job.brief.name,
                "created": _when(one.job.created),
                "far": last_words(one),
            }
            for one in records
        ]
        return self._page(
            "start.html",
            status,
            jobs=jobs,
            complaint=complaint,
            accept=",".join(SUFFIXES),
            max_bytes=self._settings.max_upload_bytes,
            max_file_bytes=MAX_BYTES,
            max_files=self._settings.max_files,
            brief_alone=self._settings.brief_alone,
        )

    def job(self, record: JobRecord, show: str) -> HTMLResponse:
        """All claims of a job, of which a status can be picked."""
        statuses = dict(record.done())
        standing = record.standing()
        claims = [
            {
                "number": claim.number,
                "text": claim.text,
                "cited": claim.cited,
                "page": claim.page,
                "tag": status_tag(statuses.get(claim.number)),
                "decision": _decision(standing.get(claim.number)),
            }
            for claim in record.claims.claims
        ]
        return self._page(
            "job.html",
            job=record.job,
            created=_when(record.job.created),
            claims=claims,
            filters=filters_of(record),
            show=show,
            progress=progress_of(record),
            running=record.job.state in UNFINISHED,
            can_go_on=record.job.state in CAN_GO_ON,
            unchecked=unchecked_words(record),
            shown=len(record.done()),
        )

    def claim(
        self, record: JobRecord, trace: Trace, show: str, *, status: int = 200, complaint: str = "", note: str = ""
    ) -> HTMLResponse:
        """What a verdict rests on, beside the opinion, and what the reader decides."""
        statuses = dict(record.done())
        numbers = [n for n in sorted(statuses) if not show or statuses[n] == show or n == trace.number]
        place = numbers.index(trace.number)
        decisions = [one for one in record.decisions() if one.number == trace.number]
        standing = standing_decisions(decisions).get(trace.number)
        return self._page(
            "trace_of_job.html",
            status,
            job=record.job,
            claim=self._view(record, trace),
            show=show,
            before=numbers[place - 1] if place else None,
            after=numbers[place + 1] if place + 1 < len(numbers) else None,
            place=place + 1,
            total=len(numbers),
            decision=_decision(standing),
            history=[_decision(one) for one in decisions],
            can_accept=trace.status in LABELS,
            labels=[(label, words) for label, words in LABEL_WORDS.items() if label != trace.status],
            complaint=complaint,
            note=note,
        )

    def login(self, *, status: int = 200, complaint: str = "") -> HTMLResponse:
        """The form for the token."""
        return self._page("login.html", status, complaint=complaint)

    def error(self, status: int, title: str, words: str) -> HTMLResponse:
        """An error, in plain words."""
        return self._page("error.html", status, title=title, words=words)

    def _view(self, record: JobRecord, trace: Trace) -> dict[str, Any]:
        if trace.opinion_id is None:
            return view_of(trace, TraceBook(title="", kind="brief", opinions={}, traces=(trace,)), {}, {})
        kept = self._opinions.get(record, trace.opinion_id)
        id = trace.opinion_id
        book = TraceBook(title="", kind="brief", opinions={id: kept.opinion}, traces=(trace,))
        return view_of(trace, book, {id: 1}, {id: kept.offsets})

    def _page(self, template: str, status: int = 200, **given: Any) -> HTMLResponse:
        html = self._environment.get_template(template).render(
            version=self._version,
            csrf=self._keys.form,
            can_log_out=self._settings.token is not None and template != "login.html",
            **given,
        )
        return HTMLResponse(html.encode("utf-8", "replace"), status)


def _read(name: str) -> str:
    if name not in _TEMPLATES:
        raise KeyError(name)
    return files("parcel_agents.server").joinpath("templates", name).read_text(encoding="utf-8")


def _when(iso: str) -> str:
    return f"{iso[:10]} {iso[11:16]} UTC"


def _decision(decision: Decision | None) -> dict[str, str] | None:
    if decision is None:
        return None
    words = "Withdrawn" if decision.kind == "withdrawn" else decision_words(decision)
    machine: TraceStatus = decision.machine
    return {
        "kind": decision.kind,
        "words": words,
        "note": decision.note,
        "when": _when(decision.at),
        "who": decision.who,
        "machine": status_tag(machine)["word"],
    }
