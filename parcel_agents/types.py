"""What every part of the package speaks: claims, opinions, votes and verdicts.

All models are frozen and survive a round trip through JSON. Offsets count characters (Unicode code points) of
`Opinion.text`, start inclusive and end exclusive, always. The label set is the paper's (PARCEL, section 3.2):
entailment is `supported`, contradiction `refuted`, neutral `not_found`.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from functools import cached_property
from pathlib import Path
from typing import Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

SCHEMA_VERSION = 1
"""Version of the JSON that the commands print; it grows when a field changes its meaning or goes away."""

Label = Literal["supported", "refuted", "not_found"]
LABELS: tuple[Label, ...] = get_args(Label)

Outcome = Literal[
    "ok",
    "refused",
    "recitation",
    "truncated",
    "unparseable",
    "timeout",
    "rate_limited",
    "context_overflow",
    "auth",
    "error",
]
"""How a verifier's attempt ended. Only `ok` may carry a label; every other outcome is a missing vote."""

Status = Literal["decided", "abstained"]
Relation = Literal["supports", "contradicts", "nearest"]

PartKind = Literal[
    "front", "majority", "plurality", "concurrence", "dissent", "mixed", "closing", "unattributed", "unknown"
]
"""Whose words a part holds.

`front` is caption, counsel, syllabus and headnotes; `closing` the lines that list who concurred and the order.
`plurality` is the lead opinion, or its sections, for which no majority speaks. `mixed` is an opinion that concurs in
part and dissents in part (or in one of several appeals). `unattributed` is a footnote that could not be tied to an
opinion, or an appendix. `unknown` is text of which the file does not show, or we could not read, whose it is: it is
never taken for the Court's."""

PartForm = Literal["memorandum", "per_curiam", "in_result", "in_part", "statement"]
"""How an opinion speaks, where its head or the closing lines say so: the Court's own unsigned (`memorandum`,
`per_curiam`), a separate one in the result alone or in part, or a `statement` that takes no side."""

DispositionWord = Literal["affirmed", "reversed", "modified", "vacated", "remitted", "dismissed", "reinstated"]
"""What a court does with what comes before it; a case that is remanded counts as `remitted`."""


def content_hash(text: str) -> str:
    """Sixteen hexadecimal digits that depend on the text alone."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


_NUMBERED = re.compile(r"(.*?)(\d+)")


class Frozen(BaseModel):
    """Base of all models: immutable, and an unknown field is an error rather than ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Span(Frozen):
    """A stretch of `Opinion.text`: characters `start` (inclusive) to `end` (exclusive)."""

    start: int = Field(ge=0)
    end: int

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.end < self.start:
            raise ValueError(f"span ends ({self.end}) before it starts ({self.start})")
        return self

    def overlaps(self, other: Span) -> bool:
        """True if the two spans share at least one character."""
        return self.start < other.end and other.start < self.end


class Claim(Frozen):
    """One statement about one opinion, usually an explanatory parenthetical."""

    id: str
    text: str

    @classmethod
    def of(cls, text: str, id: str | None = None) -> Claim:
        """A claim with the given id, or with one made from its text."""
        return cls(id=id or content_hash(text), text=text)


class GoldClaim(Frozen):
    """A line of a data set's claims file; fields that are not listed are kept by the file and ignored here."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    opinion_id: str
    claim: str
    label: Label | None = None
    strategy: str | None = None
    usage_type: str | None = None
    evidence: str | None = None
    """A verbatim excerpt of the opinion that supports or refutes the claim."""
    subset: str = "claims"
    """The file the claim stands in: `claims`, or NAME of `claims_NAME.jsonl`."""

    def as_claim(self) -> Claim:
        """What a verifier may see of it."""
        return Claim(id=self.id, text=self.claim)


_VOICES: dict[tuple[PartKind, PartForm | None], str] = {
    ("majority", "memorandum"): "majority (memorandum)",
    ("majority", "per_curiam"): "majority (per curiam)",
    ("concurrence", "in_result"): "concurrence in result",
    ("concurrence", "in_part"): "concurrence in part",
    ("concurrence", "statement"): "statement",
    ("unknown", None): "part of unknown voice",
    ("mixed", None): "concurrence in part, dissent in part",
    ("mixed", "in_part"): "concurrence in part, dissent in part",
}


class Part(Span):
    """A stretch of an opinion that speaks with one voice. The parts of an opinion cover its text in order."""

    id: str
    kind: PartKind
    author: str | None = None
    """The author as the source names him or her (`Wilson, J.`); None where the source does not say."""
    footnote: str | None = None
    """The note's mark (`3`, `*`) where the part is a footnote; its kind is that of the opinion it belongs to."""
    form: PartForm | None = None

    @property
    def voice(self) -> str:
        """The part in words, such as `dissent (Garcia, J.), footnote 2`."""
        words = _VOICES.get((self.kind, self.form), self.kind)
        author = f" ({self.author})" if self.author else ""
        note = f", footnote {self.footnote}" if self.footnote else ""
        return f"{words}{author}{note}"


class Passage(Span):
    """One to a few sentences of one part; `text` is `Opinion.text[start:end]`."""

    id: str
    part: str
    text: str


class Disposition(Span):
    """What became of the appeal; the span is the sentence that says so, or all of them in several appeals."""

    words: tuple[DispositionWord, ...]
    """In the order of the text, each once; `dismissed` may be said of the appeal, an indictment or a petition."""


class CourtBelow(Span):
    """The court whose order is under review; the span is the sentence that says what it did, else one that names it."""

    name: str
    """As the source names it, without its article: `Appellate Division`, `County Court`."""
    did: tuple[DispositionWord, ...] = ()
    """What that court did with the order before it; empty where the opinion does not say so in a plain sentence."""


class PageMark(Frozen):
    """The place where a page of the printed or slip opinion begins."""

    offset: int = Field(ge=0)
    page: str
    """As a lawyer cites it: `42 NY3d at 187`, `¶ 12` in courts that number paragraphs, or `*3` where the source numbers
    pages without a reporter."""
    reporter: bool
    """True for pages of a reporter, False for pages of the slip opinion."""


class Opinion(Frozen):
    """A judicial opinion, read from a file and cut into parts and passages.

    `text` is the opinion without page marks, link targets, emphasis marks and footnote calls; paragraphs are
    separated by an empty line. None in a describing field means that the source does not say.
    """

    id: str
    """Stands for all that follows but `source`: see `identified`."""
    text: str
    name: str | None = None
    citation: str | None = None
    court: str | None = None
    date: str | None = None
    """The date of decision as the source writes it."""
    source: str | None = None
    """The file's name, without folders."""
    disposition: Disposition | None = None
    court_below: CourtBelow | None = None
    parts: tuple[Part, ...]
    passages: tuple[Passage, ...]
    pages: tuple[PageMark, ...] = ()
    doubts: tuple[str, ...] = ()
    """What of the file's structure could not be read or had to be guessed, each in a sentence for the user."""

    @property
    def is_understood(self) -> bool:
        """True if it is known of every part whose words it holds, so that the absence of a dissent means something."""
        return not self.doubts and all(part.kind != "unknown" for part in self.parts)

    @staticmethod
    def load(path: str | Path) -> Opinion:
        """The opinion in a .md, .txt, .html, .json, .pdf or .docx file.

        Raises:
            OpinionError: the file is missing, empty, binary, too large or holds no prose.
            MissingDependencyError: it is a PDF or DOCX and the extra `docs` is not installed.
        """
        from parcel_agents.opinions import load_opinion

        return load_opinion(Path(path))

    def identified(self) -> Opinion:
        """The opinion with the id that its content gives: text, voices, pages and what describes it.

        The text alone would not do: a dissent may have the words of a majority, and verdicts are remembered by ids.
        """
        told = self.model_dump_json(exclude={"id", "source", "passages"})
        return self.model_copy(update={"id": content_hash(told)})

    @cached_property
    def _part_by_id(self) -> dict[str, Part]:
        return {part.id: part for part in self.parts}

    @cached_property
    def _passage_by_id(self) -> dict[str, Passage]:
        return {passage.id: passage for passage in self.passages}

    def has_passage(self, id: str) -> bool:
        """True if the opinion has a passage with this id."""
        return id in self._passage_by_id

    @cached_property
    def _reporter_pages(self) -> tuple[PageMark, ...]:
        paragraphs = tuple(mark for mark in self.pages if mark.page.startswith("¶"))
        return paragraphs or tuple(mark for mark in self.pages if mark.reporter) or self.pages

    def part(self, id: str) -> Part:
        """The part with this id; KeyError if there is none."""
        return self._part_by_id[id]

    def passage(self, id: str) -> Passage:
        """The passage with this id; KeyError if there is none."""
        return self._passage_by_id[id]

    def page_at(self, offset: int) -> str | None:
        """The page on which this character stands, None before the first mark or without marks.

        Numbers of paragraphs are preferred to pages, and pages of a reporter to those of the slip opinion. A footnote
        begins with the page on which it is called, as in print, where its call is found.
        """
        marks = self._reporter_pages
        index = bisect_right(marks, offset, key=lambda mark: mark.offset) - 1
        return marks[index].page if index >= 0 else None

    def pages_of(self, start: int, end: int) -> str | None:
        """The pages of a stretch: `97 NY3d at 214-215`, `¶¶ 7-8`, `*838-839`; None before the first mark or without."""
        first, last = self.page_at(start), self.page_at(max(start, end - 1))
        if first is None or last is None or first == last:
            return first
        one, other = _NUMBERED.fullmatch(first), _NUMBERED.fullmatch(last)
        alike = one is not None and other is not None and one[1] == other[1]
        if not alike or other is None:
            return f"{first} to {last}"
        return f"¶{first}-{other[2]}" if first.startswith("¶") else f"{first}-{other[2]}"


class Hit(Frozen):
    """A passage found for a query."""

    passage: str
    rank: int = Field(ge=1)
    score: float
    scores: dict[str, float] = {}
    """What the score is made of, by name of the component."""


class EvidenceRef(Span):
    """A place in a passage that a verifier points to; the text is cut from the opinion later, never taken from
    the verifier."""

    passage: str
    relation: Relation


class Evidence(EvidenceRef):
    """A place in the opinion as it is shown to a reader."""

    text: str
    part: str
    voice: str
    """Whose words these are, such as `dissent (Garcia, J.)`."""
    page: str | None = None


class Usage(Frozen):
    """Tokens of one vote; zero for verifiers that run no model."""

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0


class ToolCallRecord(Frozen):
    """One tool call of a vote, for the trace."""

    name: str
    arguments: str
    """As JSON, shortened."""
    answer_chars: int
    """Length of the answer."""
    failed: bool = False
    """True if the call made no sense and the answer says what is allowed."""


class Vote(Frozen):
    """What one verifier says of one claim.

    A vote with outcome `ok` and no label is an abstention: the verifier looked and has nothing to say. Every
    other outcome is a missing vote; it never carries a label.
    """

    verifier: str
    outcome: Outcome
    label: Label | None = None
    confidence: float | None = Field(default=None, ge=0, le=1)
    """The verifier's own estimate that its label is right; None where it gives none."""
    reason: str = ""
    evidence: tuple[EvidenceRef, ...] = ()
    read: tuple[str, ...] = ()
    """Ids of the passages that the verifier looked at."""
    usage: Usage = Usage()
    """Of this vote, with all its attempts; zero where the answer was kept from before."""
    cost_usd: float = 0.0
    latency_s: float = 0.0
    model: str | None = None
    """The model that was asked, as the panel names it; None for verifiers that ask none."""
    prompt: str | None = None
    """Name and hash of the prompt file."""
    rung: str | None = None
    """The way in which a structured answer was asked for."""
    attempts: int = Field(default=0, ge=0)
    """Requests that were sent, repetitions included; 0 for a kept answer."""
    cached: bool = False
    """True if the answer was kept from before."""
    tool_calls: tuple[ToolCallRecord, ...] = ()
    """What an agent asked its tools, in order; nothing for verifiers without tools."""

    @model_validator(mode="after")
    def _label_only_with_ok(self) -> Self:
        if self.label is not None and self.outcome != "ok":
            raise ValueError(f"a vote with outcome {self.outcome!r} cannot carry the label {self.label!r}")
        return self


class Resolution(Frozen):
    """What a policy makes of the votes on one claim."""

    label: Label | None
    reason: str
    confidence: float | None = None
    counted: tuple[str, ...] = ()
    """The verifiers whose votes stood for the label."""
    missing: tuple[str, ...] = ()
    """The verifiers of the panel that gave no vote (they failed); an abstention is not missing."""
    unasked: tuple[str, ...] = ()
    """The verifiers of later tiers that a cascade had no need to ask."""
    missing_could_change: bool = False
    """True if some way the missing votes could have gone would have changed the label."""


class Nearest(Frozen):
    """A passage that came closest to a claim that was not found, and why it falls short."""

    evidence: Evidence
    shortfall: str


class Certificate(Frozen):
    """Why a claim counts as Not Found: what was read, how much of the opinion that is, and what came closest."""

    read_by: dict[str, tuple[str, ...]]
    """Passage ids by verifier."""
    coverage: float = Field(ge=0, le=1)
    """Share of the opinion's passages, by characters, that at least one verifier read."""
    nearest: tuple[Nearest, ...] = ()


class Verdict(Frozen):
    """The panel's answer on one claim, with what it rests on.

    `error` says why a claim could not be checked (unusable claim, missing votes that could have changed the
    result). Such a verdict is never decided: "could not check" must not look like "checked".
    """

    schema_version: int = SCHEMA_VERSION
    claim_id: str
    claim: str
    opinion_id: str | None
    label: Label | None
    status: Status
    confidence: float | None = None
    policy: str
    reason: str
    error: str | None = None
    evidence: tuple[Evidence, ...] = ()
    votes: tuple[Vote, ...] = ()
    certificate: Certificate | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.label is None) != (self.status == "abstained"):
            raise ValueError(f"status {self.status!r} does not go with label {self.label!r}")
        if self.error is not None and self.label is not None:
            raise ValueError("a claim that could not be checked cannot have a label")
        return self
