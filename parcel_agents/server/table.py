"""The table of a job: a row a claim, with the machine's verdict and the reader's decision in columns of their own."""

from __future__ import annotations

from dataclasses import dataclass, fields

from parcel_agents.server.decisions import Decision, decision_words
from parcel_agents.server.model import JobClaim
from parcel_agents.server.record import JobRecord
from parcel_agents.server.words import WAITING_WORD
from parcel_agents.traces.cites import cite_of
from parcel_agents.traces.model import UNCHECKED, Trace, TracedOpinion
from parcel_agents.traces.words import LABEL_WORDS, STATUS_WORDS, voice_words


@dataclass(frozen=True)
class Row:
    """One claim; the names of the fields are the heads of the columns."""

    number: str
    claim: str
    cited: str
    brief_page: str
    opinion_file: str
    checked: str
    machine_verdict: str
    why: str
    evidence: str
    evidence_voice: str
    evidence_cite: str
    decision: str
    reader_verdict: str
    note: str
    decided_at: str
    decided_by: str

    @classmethod
    def columns(cls) -> list[str]:
        """The heads of the columns."""
        return [field.name for field in fields(cls)]

    def values(self) -> list[str]:
        """The cells."""
        return [str(getattr(self, name)) for name in self.columns()]


def rows_of(record: JobRecord, traces: list[Trace], opinions: dict[str, TracedOpinion]) -> list[Row]:
    """The rows, in the order of the brief; a claim that waits has one too, and says so."""
    done = {trace.number: trace for trace in traces}
    standing = record.standing()
    return [_row(claim, done.get(claim.number), opinions, standing.get(claim.number)) for claim in record.claims.claims]


def _row(claim: JobClaim, trace: Trace | None, opinions: dict[str, TracedOpinion], decision: Decision | None) -> Row:
    evidence = next(iter(trace.verdict.evidence), None) if trace and trace.verdict else None
    opinion = opinions.get(trace.opinion_id or "") if trace else None
    nearest = evidence is not None and evidence.relation == "nearest"
    own = LABEL_WORDS[decision.label] if decision and decision.label else ""
    return Row(
        number=str(claim.number),
        claim=claim.text,
        cited=claim.cited,
        brief_page=claim.page or "",
        opinion_file=(trace.authority.file or "") if trace and trace.authority else "",
        checked="no" if trace is None or trace.status in UNCHECKED else "yes",
        machine_verdict=STATUS_WORDS[trace.status].word if trace else WAITING_WORD,
        why=trace.why if trace else "",
        evidence=f"{'Nearest passage: ' if nearest else ''}{evidence.text}" if evidence else "",
        evidence_voice=voice_words(evidence.voice) if evidence else "",
        evidence_cite=cite_of(evidence, opinion, trace.authority) if evidence and opinion and trace else "",
        decision=decision_words(decision),
        reader_verdict=own,
        note=decision.note if decision else "",
        decided_at=decision.at if decision else "",
        decided_by=decision.who if decision else "",
    )
