"""The card itself: everything that is counted and measured of a generated data set, and its two forms."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from parcel_agents.eval.artefacts import Probe, probe
from parcel_agents.eval.data_card.balance import Balance, find_balance
from parcel_agents.eval.data_card.counts import Contents, Decisions, count_claims, count_decisions
from parcel_agents.eval.data_card.facts import CardFacts
from parcel_agents.eval.data_card.limits import known_limits
from parcel_agents.eval.data_card.losses import Losses, count_losses
from parcel_agents.eval.report.tables import Table
from parcel_agents.generation.model import DecisionRecord, Exemplars
from parcel_agents.types import SCHEMA_VERSION, GoldClaim, Opinion

_LEAST_USD = 1e-9


@dataclass(frozen=True)
class Spent:
    """What the making cost: all decisions, failed ones and those that broke off too, and the rating of exemplars.

    Answers that were kept from before cost nothing.
    """

    requests: int
    input_tokens: int
    cached_tokens: int
    """Of the input, those that the provider had from before."""
    output_tokens: int
    cost_usd: float
    unfinished_usd: float
    """Of the cost, what went into decisions that broke off; their requests and tokens are not known here."""

    @classmethod
    def of(cls, parts: Sequence[DecisionRecord | Exemplars], spent_usd: float = 0.0) -> Spent:
        """The sums, with the cost of the set as a whole where more was spent than on these parts."""
        known = math.fsum(one.cost_usd for one in parts)
        # Sums in another order differ in their last digits.
        more = spent_usd - known if spent_usd - known > _LEAST_USD else 0.0
        return cls(
            requests=sum(one.requests for one in parts),
            input_tokens=sum(one.usage.input_tokens for one in parts),
            cached_tokens=sum(one.usage.cached_tokens for one in parts),
            output_tokens=sum(one.usage.output_tokens for one in parts),
            cost_usd=known + more,
            unfinished_usd=more,
        )


@dataclass(frozen=True)
class Card:
    """A data card."""

    facts: CardFacts
    contents: Contents
    decisions: Decisions
    balance: Balance
    losses: Losses
    spent: Spent
    probe: Probe
    limits: tuple[str, ...]
    """Sentences on what the set is not good for."""

    def as_json(self) -> dict[str, Any]:
        """One object that JSON can hold: null for a figure over nothing."""
        return {
            "schema_version": SCHEMA_VERSION,
            **self.facts.as_json(),
            "by_rules_alone": self.facts.without_model,
            "decisions": self.decisions.as_json(),
            "claims": self.contents.as_json(),
            "limited": self.balance.as_json(),
            "losses": self.losses.as_json(),
            "spent": {
                **asdict(self.spent),
                "cost_usd": round(self.spent.cost_usd, 6),
                "unfinished_usd": round(self.spent.unfinished_usd, 6),
            },
            "probe": self.probe.as_json(),
            "known_limits": list(self.limits),
        }

    def summary(self) -> list[Table]:
        """What a maker wants to see at once: the claims, what was lost, and what the wording gives away."""
        from parcel_agents.eval.artefacts.tables import all_tables
        from parcel_agents.eval.data_card.tables import claims_table, fates_table

        guesses = all_tables(self.probe)[:1]
        return [claims_table(self.contents), fates_table(self.losses), *guesses]

    def as_markdown(self) -> str:
        """The card for a reader, as `CARD.md`."""
        from parcel_agents.eval.data_card.markdown import write_card

        return write_card(self)


def make_card(
    facts: CardFacts,
    records: Sequence[DecisionRecord],
    claims: Sequence[GoldClaim],
    opinions: Mapping[str, Opinion],
    rng: np.random.Generator,
    *,
    spent_usd: float = 0.0,
) -> Card:
    """The card of a data set; the order of records and claims does not matter.

    Args:
        facts: how it was made.
        records: one a decision, those that came to nothing included.
        claims: of the set; contrast claims are those of the subset `contrast`.
        opinions: by id; all that the claims are about.
        rng: draws opinions for the intervals of the probe.
        spent_usd: what the set has cost as a whole, decisions that broke off included.
    """
    ordered = sorted(records, key=lambda one: one.opinion_id)
    contents = count_claims(facts, ordered, claims)
    decisions = count_decisions(ordered, claims)
    found = probe(claims, opinions, rng)
    return Card(
        facts=facts,
        contents=contents,
        decisions=decisions,
        balance=find_balance(facts, ordered, contents),
        losses=count_losses(ordered, claims),
        spent=Spent.of([*ordered, facts.exemplars] if facts.exemplars else ordered, spent_usd),
        probe=found,
        limits=tuple(known_limits(facts, contents, decisions, found)),
    )
