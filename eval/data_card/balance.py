"""What kept a set from being larger, or from having the shares that were wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from parcel_agents.eval.data_card.counts import Contents
from parcel_agents.eval.data_card.facts import CardFacts
from parcel_agents.generation.model import DecisionRecord
from parcel_agents.types import LABELS, Label

MUCH = 0.02
"""A strategy that is so much of its class short of the share that was wanted is named."""


@dataclass(frozen=True)
class Supply:
    """How many claims of a class passed everything, and how large a set they are enough for."""

    label: Label
    passed: int
    usable: int
    """Of these, as many as one decision may give."""
    used: int
    enough_for: int | None
    """Claims of a whole set with the wanted shares of the classes; None for a class that is not wanted."""


@dataclass(frozen=True)
class Balance:
    """Supplies of the classes, and the strategies that are short."""

    supplies: tuple[Supply, ...]
    short: tuple[str, ...]
    """Strategies that are well below the share that was wanted."""

    @property
    def limited_by(self) -> Label | None:
        """The wanted class that is enough for the smallest set, the first on a tie; None where nothing passed."""
        wanted = [(one.enough_for, one.label) for one in self.supplies if one.enough_for is not None]
        return min(wanted, key=lambda pair: pair[0])[1] if wanted and any(one.passed for one in self.supplies) else None

    def as_json(self) -> dict[str, Any]:
        """One object."""
        return {"limited_by": self.limited_by, **asdict(self)}


def find_balance(facts: CardFacts, records: Sequence[DecisionRecord], contents: Contents) -> Balance:
    """What the classes had, of the main claims of the decisions that are done."""
    candidates = [one for record in records if record.status == "done" for one in record.candidates if not one.mirror]
    used = {count.label: count.claims for count in contents.classes}
    supplies = []
    for label in LABELS:
        passed = Counter(one.opinion_id for one in candidates if one.label == label)
        usable = max(sum(min(count, facts.most_of(label)) for count in passed.values()), used[label])
        wanted = facts.wanted_class(label)
        enough_for = int(usable / wanted + 1e-9) if wanted else None
        supplies.append(Supply(label, max(passed.total(), used[label]), usable, used[label], enough_for))
    short = [str(one.strategy) for one in contents.strategies if used[one.label] and one.share < one.wanted - MUCH]
    return Balance(tuple(supplies), tuple(short))
