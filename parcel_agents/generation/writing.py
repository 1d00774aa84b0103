"""Claims written by a model that is given the whole opinion (section 3.3.2 and 3.3.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import Template
from typing import Any, Protocol

from parcel_agents.generation.list_form import TEXT, TEXTS, list_form
from parcel_agents.generation.model import LABEL_OF, STRATEGIES, Candidate, Dropped, Strategy, WritingFailure
from parcel_agents.providers import Asker, Question
from parcel_agents.providers.prompt_file import PromptFile, read_prompt_file
from parcel_agents.types import Opinion, Span, Usage
from parcel_agents.verifiers.prompts import render_opinion
from parcel_agents.verifiers.prompts.untrusted import clean_line, fence

PROMPTS = "parcel_agents.generation.prompts"
WRITE = "write_v1"

_FIELDS = {"claim": TEXT, "type": TEXT, "true_claim": TEXT, "from": TEXT, "to": TEXT}


@dataclass(frozen=True)
class Order:
    """So many claims of one kind about one opinion."""

    opinion_id: str
    opinion: Opinion
    kind: str
    """`supported`, `contrast`, or a strategy."""
    wanted: int
    usage_types: tuple[str, ...]
    true_claims: tuple[str, ...] = ()
    """Supported claims to start false ones from."""
    written: tuple[str, ...] = ()
    """What was written before, and must not come again."""
    rejected: tuple[Dropped, ...] = ()
    """What could not be used of it, for the writer to learn from."""


@dataclass(frozen=True)
class Written:
    """What came of an order."""

    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    failure: WritingFailure | None = None
    usage: Usage = field(default_factory=Usage)
    cost_usd: float = 0.0
    requests: int = 0


class Writer(Protocol):
    """Writes claims to order."""

    @property
    def learns(self) -> bool:
        """Whether asking again gives other claims."""
        ...

    async def write(self, order: Order) -> Written:
        """Claims of the kind, fewer or more than were asked for; they have yet to be checked.

        Raises:
            RunStoppedError: the key is not accepted, the quota is used up, or the cap on costs is reached.
        """
        ...


@dataclass(frozen=True)
class ModelWriter:
    """Asks a model, once an order."""

    asker: Asker
    exemplars: tuple[str, ...]
    """Parentheticals that show the style."""
    seed: int = 0
    """Another seed is another answer to the same order."""
    learns: bool = True

    async def write(self, order: Order) -> Written:
        """See `Writer`."""
        asked = await self.asker.ask(self.question(order))
        spent: dict[str, Any] = {"usage": asked.usage, "cost_usd": asked.cost_usd, "requests": asked.attempts}
        if asked.answer is None:
            failure = asked.failure
            outcome, detail = (failure.outcome, failure.detail) if failure else ("error", "no answer and no reason")
            return Written(failure=WritingFailure(kind=order.kind, outcome=outcome, detail=detail), **spent)
        read = [_read(entry, order, self.asker.spec.model) for entry in asked.answer]
        return Written(
            candidates=tuple(one for one in read if isinstance(one, Candidate)),
            dropped=tuple(one for one in read if isinstance(one, Dropped)),
            **spent,
        )

    def question(self, order: Order) -> Question[list[Any]]:
        """What the model is asked; the opinion stands before what differs between the orders on it."""
        file = read_prompt_file(PROMPTS, WRITE)
        exemplars = fence("parentheticals", "\n".join(clean_line(one) for one in self.exemplars))
        return Question(
            system=Template(file.sections["system"]).substitute(exemplars=exemplars),
            user=Template(file.sections["user"]).substitute(
                opinion=render_opinion(order.opinion, numbered=True), task="\n\n".join(_task(file, order))
            ),
            prompt=file.id,
            form=list_form("claims", "Claims about the opinion.", {**_FIELDS, "passages": TEXTS}, file),
            read=lambda fields: list(fields["claims"]),
            repeat=self.seed,
        )


def _task(file: PromptFile, order: Order) -> Iterator[str]:
    """The paragraphs that say what to write."""

    def fill(section: str, **places: str) -> str:
        return Template(file.sections[section]).substitute(places)

    yield fill(order.kind, number=str(order.wanted), usage_types=", ".join(order.usage_types))
    if order.true_claims:
        yield fill("true_claims", true_claims=_listed(order.true_claims))
    if order.written:
        yield fill("more", written=_listed(order.written))
    if order.rejected:
        yield fill("rejected", rejected=_listed([f"{one.claim} - {one.reason}" for one in order.rejected]))


def _listed(lines: Sequence[str]) -> str:
    return "\n".join(f"- {clean_line(line)}" for line in lines)


def _read(entry: Any, order: Order, made_by: str) -> Candidate | Dropped:
    """The claim in an entry of the answer, or what is wrong with the entry."""

    def unusable(rule: str, reason: str) -> Dropped:
        return Dropped(stage="writing", kind=order.kind, rule=rule, reason=reason, claim=_shown(entry))

    if not isinstance(entry, Mapping) or not isinstance(entry.get("claim"), str) or not entry["claim"].strip():
        return unusable("no claim", "is no object with a claim")
    words = {name: clean_line(str(entry.get(name) or "")) for name in _FIELDS}
    kind = words["type"].lower().replace(" ", "_").replace("-", "_")
    usage_type: str | None = None
    mirror: Strategy | None = None
    if order.kind == "supported":
        usage_type = next((one for one in order.usage_types if one == kind), None)
        if usage_type is None:
            return unusable("unknown usage type", f"its type is {words['type'][:40]!r}, none of those asked for")
    elif order.kind == "contrast":
        mirror = next((one for one in STRATEGIES if one == kind), None)
        if mirror is None:
            return unusable("unknown form", f"its type is {words['type'][:40]!r}, none of the forms asked for")
    strategy = next((one for one in STRATEGIES if one == order.kind), None)
    label = "supported" if strategy is None else LABEL_OF[strategy]
    return Candidate(
        opinion_id=order.opinion_id,
        claim=in_brackets(words["claim"]),
        label=label,
        strategy=strategy,
        usage_type=usage_type,
        mirror=mirror,
        source=words["true_claim"],
        changed_from=words["from"] if strategy else "",
        changed_to=words["to"] if strategy else "",
        evidence=() if label == "not_found" else _spans(entry.get("passages"), order.opinion),
        made_by=made_by,
    )


def in_brackets(claim: str) -> str:
    """The claim in round brackets and without a full stop, which models add or leave out at will."""
    inner = claim.strip().rstrip(".").strip()
    if inner.startswith("(") and inner.endswith(")"):
        inner = inner[1:-1].strip().rstrip(".")
    return f"({inner})"


def _spans(passages: Any, opinion: Opinion) -> tuple[Span, ...]:
    """The passages whose ids are given, cut by us; what is no id of the opinion is left out."""
    given = passages if isinstance(passages, list) else [passages]
    ids = [re.sub(r"^(?=\d)", "p", str(one).strip(" []()").lower()) for one in given]
    found = [opinion.passage(id) for id in dict.fromkeys(ids) if opinion.has_passage(id)]
    return tuple(Span(start=passage.start, end=passage.end) for passage in found)


def _shown(entry: Any) -> str:
    claim = entry.get("claim") if isinstance(entry, Mapping) else entry
    return clean_line(str(claim))[:300]
