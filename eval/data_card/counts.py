"""What is in a data set: classes, strategies, usage types, and the decisions that were used or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from parcel_agents.eval.artefacts import CONTRAST
from parcel_agents.eval.data_card.facts import PAPER_CLASSES, PAPER_STRATEGIES, CardFacts
from parcel_agents.generation.model import DecisionRecord
from parcel_agents.types import LABELS, GoldClaim, Label

NONE = "(none)"


@dataclass(frozen=True)
class Count:
    """Claims of one class, or of one strategy within it."""

    label: Label
    strategy: str | None
    """None for the whole class."""
    claims: int
    share: float
    """Of all main claims, or of those of the class that have a strategy; 0 of none."""
    wanted: float
    """The share that was wanted; 0 for a strategy that was not."""
    paper_claims: int
    paper_share: float


@dataclass(frozen=True)
class Left:
    """A decision that no claims came of."""

    opinion_id: str
    file: str
    reason: str


@dataclass(frozen=True)
class Decisions:
    """What became of the decisions."""

    given: int
    used: int
    """Those that a claim of the set is about."""
    done: int
    excluded: tuple[Left, ...]
    failed: tuple[Left, ...]

    def as_json(self) -> dict[str, Any]:
        """One object."""
        return asdict(self)


@dataclass(frozen=True)
class Contents:
    """What is in the set."""

    main: int
    contrast: int
    classes: tuple[Count, ...]
    strategies: tuple[Count, ...]
    usage_types: dict[str, int]
    """Supported main claims, the most frequent type first."""
    mirrors: dict[str, int]
    """Contrast claims, by the strategy whose wording they have."""

    def as_json(self) -> dict[str, Any]:
        """One object; shares to four places."""
        return {**asdict(self), "classes": _rows(self.classes), "strategies": _rows(self.strategies)}


def count_claims(facts: CardFacts, records: Sequence[DecisionRecord], claims: Sequence[GoldClaim]) -> Contents:
    """The counts of the set.

    Args:
        facts: the shares that were wanted.
        records: the candidates tell which strategy a contrast claim mirrors.
        claims: main and contrast claims; a claim without a label is in no class.
    """
    main = [claim for claim in claims if claim.subset != CONTRAST]
    contrast = [claim for claim in claims if claim.subset == CONTRAST]
    mirrors = {(one.opinion_id, one.claim): one.mirror for record in records for one in record.candidates if one.mirror}
    types = Counter(claim.usage_type or NONE for claim in main if claim.label == "supported")
    mirrored = Counter(str(mirrors.get((claim.opinion_id, claim.claim), NONE)) for claim in contrast)
    return Contents(
        main=len(main),
        contrast=len(contrast),
        classes=tuple(_class(facts, main, label) for label in LABELS),
        strategies=tuple(count for label in LABELS for count in _strategies(facts, main, label)),
        usage_types=_by_size(types),
        mirrors=_by_size(mirrored),
    )


def count_decisions(records: Sequence[DecisionRecord], claims: Sequence[GoldClaim]) -> Decisions:
    """What became of the decisions, in the order of their ids."""

    def left(status: str) -> tuple[Left, ...]:
        chosen = sorted((one for one in records if one.status == status), key=lambda one: one.opinion_id)
        return tuple(Left(one.opinion_id, one.file, one.reason) for one in chosen)

    return Decisions(
        given=len(records),
        used=len({claim.opinion_id for claim in claims}),
        done=sum(one.status == "done" for one in records),
        excluded=left("excluded"),
        failed=left("failed"),
    )


def _class(facts: CardFacts, main: Sequence[GoldClaim], label: Label) -> Count:
    found = sum(claim.label == label for claim in main)
    paper = PAPER_CLASSES[label]
    return Count(
        label=label,
        strategy=None,
        claims=found,
        share=_share(found, len(main)),
        wanted=facts.wanted_class(label),
        paper_claims=paper,
        paper_share=_share(paper, sum(PAPER_CLASSES.values())),
    )


def _strategies(facts: CardFacts, main: Sequence[GoldClaim], label: Label) -> list[Count]:
    """The paper's strategies of the class, then any other that occurs."""
    found = Counter(claim.strategy for claim in main if claim.label == label and claim.strategy)
    paper = PAPER_STRATEGIES[label]
    counts = [
        Count(
            label=label,
            strategy=strategy,
            claims=found[strategy],
            share=_share(found[strategy], found.total()),
            wanted=facts.wanted_strategy(strategy, label),
            paper_claims=count,
            paper_share=_share(count, sum(paper.values())),
        )
        for strategy, count in paper.items()
    ]
    others = sorted(str(name) for name in found if name not in paper)
    return counts + [Count(label, one, found[one], _share(found[one], found.total()), 0.0, 0, 0.0) for one in others]


def _rows(counts: Sequence[Count]) -> list[dict[str, Any]]:
    return [
        {name: round(value, 4) if isinstance(value, float) else value for name, value in asdict(one).items()}
        for one in counts
    ]


def _by_size(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
