"""What is made: candidates for a data set, what was dropped and why, and the record of each decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from pydantic import Field

from parcel_agents.providers.cost import add_usage
from parcel_agents.types import Frozen, Label, Outcome, Span, Usage, content_hash

Strategy = Literal[
    "logic_reversal",
    "distractor_swap",
    "scope_contradiction",
    "authority_swap",
    "phantom_citation",
    "unaddressed_argument",
    "missing_detail",
]
"""How a false claim is made (section 3.3.3)."""
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)

LABEL_OF: Mapping[Strategy, Label] = {
    "logic_reversal": "refuted",
    "distractor_swap": "refuted",
    "scope_contradiction": "refuted",
    "authority_swap": "refuted",
    "phantom_citation": "not_found",
    "unaddressed_argument": "not_found",
    "missing_detail": "not_found",
}

USAGE_TYPES: Mapping[str, str] = {
    "holding": "states what the Court held",
    "reasoning": "explains why the Court held it",
    "procedural": "tells what became of the case, here or below",
    "application": "shows how a rule was applied to the facts at hand",
    "background": "recounts facts of the case that the decision turns on",
}
"""The paper's rubric of what parentheticals are used for (table 1), with a word on each."""

MIN_CHARACTERS = 2_000
"""Shorter decisions give too little to write about (section 3.3.2)."""

RULES = "rules"
"""What stands for the model that made a claim, or a set, where there is none."""

FINAL: frozenset[str] = frozenset({"refused", "recitation", "context_overflow"})
"""Outcomes of a request that asking again would not change."""


class Candidate(Frozen):
    """A claim that may go into the set."""

    opinion_id: str
    claim: str
    """In round brackets."""
    label: Label
    strategy: Strategy | None = None
    """How a false claim was made; None for a true one."""
    usage_type: str | None = None
    """What a true claim is used for."""
    mirror: Strategy | None = None
    """For a contrast claim, which is true: the strategy whose wording it has."""
    source: str = ""
    """The true claim, or the sentence of the opinion, that it was made of."""
    changed_from: str = ""
    """The words of `source` that gave way; empty where words were only put in."""
    changed_to: str = ""
    """The words that make it false, as they stand in the claim: the distractor, the phantom authority, the detail, the
    argument that nobody made."""
    evidence: tuple[Span, ...] = ()
    """Where the opinion supports it, or says otherwise; empty for a claim that is not found."""
    made_by: str
    """`rules`, or the model that wrote it."""

    @property
    def id(self) -> str:
        """Depends on the opinion and the claim alone."""
        return content_hash(f"{self.opinion_id}\n{self.claim}")

    @property
    def kind(self) -> str:
        """What was to be made: the strategy, `contrast`, or `supported`."""
        return self.strategy or ("contrast" if self.mirror else "supported")


Stage = Literal["writing", "checks", "duplicates", "blind"]
"""Where a claim was lost. `writing`: a model's answer that is no claim; `blind`: the other model did not agree."""


class Dropped(Frozen):
    """A claim that does not go into the set."""

    stage: Stage
    kind: str
    """See `Candidate.kind`."""
    reason: str
    """For a reader: what is wrong with it."""
    rule: str
    """The same in a word or two that do not depend on the claim, for counting: `phantom is cited`."""
    claim: str


class Disagreement(Frozen):
    """A claim that the blind reader labelled otherwise, or gave no label; a person may look at it."""

    candidate: Candidate
    outcome: Outcome
    said: Label | None
    """The blind reader's label; None where it gave none."""
    reason: str
    evidence: tuple[Span, ...] = ()


class WritingFailure(Frozen):
    """A request for claims that came to nothing."""

    kind: str
    outcome: Outcome
    detail: str


Status = Literal["done", "excluded", "failed"]
"""`excluded`: too short, unreadable, a double, too long for the model, or stopped by a provider's filter. `failed`:
asked again by the same command."""


class DecisionRecord(Frozen):
    """What came of one decision."""

    opinion_id: str
    file: str
    """The file's name in the data set's folder of opinions."""
    status: Status
    reason: str = ""
    """Why it is excluded, or failed."""
    characters: int = 0
    candidates: tuple[Candidate, ...] = ()
    """What passed everything."""
    dropped: tuple[Dropped, ...] = ()
    review: tuple[Disagreement, ...] = ()
    failures: tuple[WritingFailure, ...] = ()
    usage: Usage = Usage()
    """Of writing and of reading blind."""
    cost_usd: float = 0.0
    requests: int = Field(default=0, ge=0)


class Exemplars(Frozen):
    """The parentheticals that show a model the style, and what became of the others."""

    harvested: int = 0
    unusable: int = 0
    """Those that quote, or are no whole phrase."""
    unrated: int = 0
    """Those for which the model gave no rating that could be read."""
    shallow: int = 0
    """Those that were rated below the bar."""
    kept: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    built_in: int = 0
    """How many of those shown came with the package, since too few were kept."""
    failures: tuple[str, ...] = ()
    """Requests for ratings that failed: the outcome, a colon, and the reason."""
    usage: Usage = Usage()
    cost_usd: float = 0.0
    requests: int = 0

    @property
    def asked_again(self) -> bool:
        """True if a rating failed that need not fail another time."""
        return any(failure.partition(":")[0] not in FINAL for failure in self.failures)

    def after(self, earlier: Exemplars | None) -> Exemplars:
        """These, with what was spent on those before them; None for none."""
        if earlier is None:
            return self
        spent = {
            "usage": add_usage(earlier.usage, self.usage),
            "cost_usd": earlier.cost_usd + self.cost_usd,
            "requests": earlier.requests + self.requests,
        }
        return self.model_copy(update=spent)
