"""What the maker of a data set tells of itself, and the counts of the paper's set to hold beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import Field

from parcel_agents.generation.balance import CLASS_WEIGHTS, PAPER_COUNTS, PAPER_SHARES
from parcel_agents.generation.model import LABEL_OF, RULES, Exemplars, Strategy
from parcel_agents.types import LABELS, Frozen, Label

Key = TypeVar("Key", bound=str)

PAPER_BALANCE: Mapping[Label, float] = {**CLASS_WEIGHTS}

PAPER_CLASSES: Mapping[Label, int] = {"supported": 849, "refuted": 1698, "not_found": 849}
"""Claims of the paper's set (section 3.3.3 and figure 2)."""
PAPER_STRATEGIES: Mapping[Label, Mapping[Strategy, int]] = {
    label: {name: count for name, count in PAPER_COUNTS.items() if LABEL_OF[name] == label} for label in LABELS
}
"""Claims by strategy (figure 2). Those of the refuted claims are six short of their class; shares are of the sum."""


class CardFacts(Frozen):
    """How a data set was made."""

    name: str
    made_by: str
    """`rules`, or the model that wrote the claims."""
    blind_model: str | None = None
    """The model that labelled each claim again from the opinion and the claim alone; None if there was none."""
    prompts: dict[str, str] = Field(default_factory=dict)
    """Hash of each prompt, by its name."""
    seed: int
    per_opinion: int
    """Supported claims that a decision may give; of the other classes in proportion."""
    balance: dict[Label, float] = Field(default_factory=lambda: dict(PAPER_BALANCE))
    """The classes wanted, as parts of any whole."""
    shares: dict[Strategy, float] = Field(default_factory=lambda: {**PAPER_SHARES})
    """The strategies wanted, as parts of their class."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Of this package, and of what else matters, by name."""
    created: str
    """When it was made, as the caller writes it."""
    exemplars: Exemplars | None = None
    """None where no model was shown any; their rating is part of what the set cost."""

    @property
    def without_model(self) -> bool:
        """True if rules alone made the claims."""
        return self.made_by == RULES

    def wanted_class(self, label: Label) -> float:
        """The share of all main claims that were to have this label."""
        return _part(self.balance, label)

    def most_of(self, label: Label) -> int:
        """The claims of this label that one decision may give, with the wanted balance."""
        supported = self.balance.get("supported", 0.0)
        return round(self.per_opinion * self.balance.get(label, 0.0) / supported) if supported else self.per_opinion

    def as_json(self) -> dict[str, Any]:
        """The facts; of the exemplars, which may be words of real filings, the counts alone."""
        row = self.model_dump(mode="json")
        if self.exemplars is not None:
            row["exemplars"] |= {"kept": len(self.exemplars.kept), "shown": len(self.exemplars.shown)}
        return row

    def wanted_strategy(self, strategy: Strategy, label: Label) -> float:
        """The share of the class's claims that were to be made in this way."""
        return _part({one: self.shares.get(one, 0.0) for one in PAPER_STRATEGIES[label]}, strategy)


def _part(parts: Mapping[Key, float], key: Key) -> float:
    whole = sum(parts.values())
    return parts.get(key, 0.0) / whole if whole else 0.0
