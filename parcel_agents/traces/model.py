"""A trace: one claim, what became of it, and all that this rests on; a book of traces is what a reader opens.

A book is plain JSON (`docs/trace.schema.json`). Offsets count characters (Unicode code points), as everywhere: those
of a claim in `Trace.claim`, those of an opinion in the `text` that the book holds once for all its traces.
"""

from __future__ import annotations

from typing import Literal, Self, get_args

from pydantic import Field, model_validator

from parcel_agents.citations.quotation_differences import Difference
from parcel_agents.citations.quotations import QuotationStatus
from parcel_agents.types import Evidence, Frozen, GoldClaim, Label, PageMark, PartKind, Span, Verdict

TRACE_SCHEMA_VERSION = 1
"""Version of `trace.json`; it grows when a field changes its meaning or goes away."""

TraceStatus = Literal["supported", "refuted", "not_found", "undecided", "could_not_check", "not_at_hand", "not_matched"]
"""What became of a claim. The first three are labels. `undecided`: the panel looked and cannot tell. The others were
never checked: something failed, the opinion is not among the files, or it is not clear which file it is."""
STATUSES: tuple[TraceStatus, ...] = get_args(TraceStatus)
UNCHECKED: frozenset[TraceStatus] = frozenset({"could_not_check", "not_at_hand", "not_matched"})
"""What must never look like a claim that was checked."""

BookKind = Literal["brief", "run", "verify"]


class Defect(Frozen):
    """What a check of the text found, with the words at fault in the claim and those of the opinion against them."""

    check: str
    label: Label
    reason: str
    words: str
    """The claim's."""
    against: str = ""
    """The opinion's; empty where the defect is that it has none."""
    in_claim: tuple[Span, ...] = ()
    """Where the differing words stand in the claim; nothing where they could not be found again."""
    in_opinion: tuple[Span, ...] = ()
    said_by: tuple[str, ...] = ()
    """The verifiers whose vote gives this as a reason; nobody where no verifier of the panel checks the text."""


class QuotedWords(Frozen):
    """Words that a claim puts in quotation marks, and whether they stand in the opinion."""

    words: str
    status: QuotationStatus
    differences: tuple[Difference, ...] = ()
    in_claim: tuple[Span, ...] = ()
    in_opinion: tuple[Span, ...] = ()


class Near(Frozen):
    """A passage that came close to a claim that was not found or left open."""

    evidence: Evidence
    lacks: tuple[str, ...] = ()
    """The claim's words that the passage does not have, as the claim writes them."""
    shortfall: str
    """Why it does not carry the claim, in a reader's words."""


class BriefPlace(Frozen):
    """The authority that a brief cites for a claim, which file it is, and where in the brief this stands."""

    name: str | None
    cite: str
    year: int | None
    court: str | None = None
    pin: str | None = None
    """The pages that the brief cites."""
    signal: str | None = None
    opinion: str | None = None
    """The separate opinion that is cited, where the citation names one."""
    parenthetical: str
    """The claim as the brief writes it."""
    before: str = ""
    """The brief's words before the parenthetical, to find the place by."""
    start: int
    """Of the parenthetical in the brief's text."""
    end: int
    page: str | None = None
    """Of the brief; None where it numbers none."""
    why: str
    """How the file is known to be the authority, or why none is."""
    file: str | None = None
    candidates: tuple[str, ...] = ()
    """The nearest files, where none is matched."""


class Trace(Frozen):
    """One claim, what became of it, and why."""

    number: int = Field(ge=1)
    """Its place in the book; ids may come twice, as a brief may say a thing twice."""
    claim_id: str
    claim: str
    """As the verifiers were given it."""
    status: TraceStatus
    why: str
    """The policy's reason or, where nothing was checked, what stood in the way."""
    opinion_id: str | None = None
    """The key of the opinion in the book."""
    verdict: Verdict | None = None
    """None where no opinion could be asked."""
    defects: tuple[Defect, ...] = ()
    quotations: tuple[QuotedWords, ...] = ()
    nearest: tuple[Near, ...] = ()
    authority: BriefPlace | None = None
    """For a claim of a brief."""
    gold: GoldClaim | None = None
    """For a claim of a labelled data set: its line there, label and strategy among the rest."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        label = self.verdict.label if self.verdict else None
        if label != (self.status if self.status in ("supported", "refuted", "not_found") else None):
            raise ValueError(f"status {self.status!r} does not go with label {label!r}")
        if self.status == "undecided" and (self.verdict is None or self.verdict.error is not None):
            raise ValueError("a claim that was not checked cannot be undecided")
        return self


class TracedPart(Span):
    """A stretch of an opinion that speaks with one voice."""

    id: str
    kind: PartKind
    voice: str
    author: str | None = None
    footnote: str | None = None


class TracedPassage(Span):
    """A passage, as votes and evidence name it."""

    id: str
    part: str


class TracedOpinion(Frozen):
    """An opinion as a reader of traces needs it."""

    text: str
    parts: tuple[TracedPart, ...]
    passages: tuple[TracedPassage, ...] = ()
    pages: tuple[PageMark, ...] = ()
    name: str | None = None
    citation: str | None = None
    court: str | None = None
    date: str | None = None
    source: str | None = None
    """The file's name."""
    doubts: tuple[str, ...] = ()
    """What of the file's structure could not be read."""


class Asked(Frozen):
    """What was asked of whom, by which versions, when."""

    panel: str = ""
    tiers: tuple[tuple[str, ...], ...] = ()
    """The verifiers, tier by tier."""
    policy: str = ""
    retriever: str = ""
    top_k: int | None = None
    dataset: str = ""
    versions: dict[str, str] = Field(default_factory=dict)
    created: str = ""
    """In the form of ISO 8601."""


class TraceBook(Frozen):
    """All traces of a brief, a run or a command, and the opinions they are about."""

    schema_version: Literal[1] = 1
    title: str
    kind: BookKind
    asked: Asked = Asked()
    notes: tuple[str, ...] = ()
    """What a reader has to know of the whole: files that could not be read, decisions that are not at hand."""
    opinions: dict[str, TracedOpinion]
    """By id (a hash of the text)."""
    traces: tuple[Trace, ...]

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if [trace.number for trace in self.traces] != sorted({trace.number for trace in self.traces}):
            raise ValueError("the numbers of the traces do not rise")
        for trace in self.traces:
            if trace.opinion_id is not None and trace.opinion_id not in self.opinions:
                raise ValueError(f"trace {trace.number} is about the opinion {trace.opinion_id!r}, which is not there")
        return self

    def chosen(self, claim: str) -> tuple[Trace, ...]:
        """The traces of a claim, by its id or by its number in the book; nothing if there is none."""
        by_id = tuple(trace for trace in self.traces if trace.claim_id == claim)
        return by_id or tuple(trace for trace in self.traces if str(trace.number) == claim)

    def only(self, traces: tuple[Trace, ...]) -> TraceBook:
        """The book with some of its traces, and their opinions."""
        wanted = {trace.opinion_id for trace in traces}
        opinions = {id: opinion for id, opinion in self.opinions.items() if id in wanted}
        return self.model_copy(update={"traces": traces, "opinions": opinions})
