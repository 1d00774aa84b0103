"""The writer that asks no model: all claims that the rules find in a decision."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from parcel_agents.generation.model import Candidate
from parcel_agents.generation.rules import World, write_by_rules
from parcel_agents.generation.writing import Order, Written
from parcel_agents.types import content_hash

_KEPT = 64
"""Decisions whose claims are kept: each kind is ordered by itself, and several decisions are under way."""


@dataclass
class RuleWriter:
    """Gives what there is of a kind, however much was ordered."""

    world: World
    seed: int
    contrast: bool
    learns: bool = False
    _found: dict[str, list[Candidate]] = field(default_factory=dict)

    async def write(self, order: Order) -> Written:
        """See `Writer`."""
        return Written(candidates=tuple(one for one in self._all(order) if one.kind == order.kind))

    def _all(self, order: Order) -> list[Candidate]:
        """All claims about the decision; they depend on the seed and the decision, not on what came before."""
        if order.opinion_id not in self._found:
            rng = np.random.default_rng([self.seed, int(content_hash(order.opinion_id), 16)])
            found = write_by_rules(order.opinion_id, order.opinion, self.world, rng, contrast=self.contrast)
            if len(self._found) >= _KEPT:
                del self._found[next(iter(self._found))]
            self._found[order.opinion_id] = list(found)
        return self._found[order.opinion_id]
