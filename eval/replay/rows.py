"""Combinations of verifiers and policies with their figures, and which of them nothing else beats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from parcel_agents.ensemble.rates import Counts, Rates, confusion, rates
from parcel_agents.eval.metrics import RESAMPLES, confusion_by_opinion, intervals
from parcel_agents.eval.replay.cascade_orders import PROBABILITIES, CascadeOrder, cheapest_orders, probability_orders
from parcel_agents.eval.replay.combinations import Replay, learns, oracle, pareto
from parcel_agents.eval.vote_table import VoteTable

RATES = tuple(field.name for field in fields(Rates))


@dataclass(frozen=True)
class Row:
    """A set of decisions on the labelled claims, with its figures."""

    name: str
    verifiers: tuple[str, ...]
    """In the order of asking, for a cascade."""
    policy: str
    rates: dict[str, float]
    """By name of the rate (see `Rates`); nan for a share of nothing."""
    intervals: dict[str, tuple[float, float]]
    """95%, by a bootstrap over opinions; nan with fewer than two opinions."""
    cost: float
    """Dollars a claim."""
    asked: float
    """Verifiers asked for a claim."""
    latency: float
    """Seconds a claim: of the slowest verifier, or for a cascade of all asked, one after another."""
    threshold: float | None = None
    """The probability at which a cascade's label stands."""

    def as_json(self) -> dict[str, Any]:
        """Flat: a field per rate, and one per interval."""
        row = {name: value for name, value in asdict(self).items() if name not in ("rates", "intervals")}
        for name in RATES:
            row[name] = self.rates[name]
            row[f"{name}_interval"] = list(self.intervals[name])
        return row


def rows_of(replayed: Replay, rng: np.random.Generator, resamples: int = RESAMPLES) -> tuple[Row, ...]:
    """The figures of every combination."""
    names = replayed.table.names
    figures = _figures(replayed.confusion, rng, resamples)
    return tuple(
        Row(
            one.words(names),
            tuple(names[member] for member in one.members),
            one.policy,
            *figures[place],
            cost=float(replayed.cost[place]),
            asked=float(len(one.members)),
            latency=float(replayed.latency[place]),
        )
        for place, one in enumerate(replayed.combinations)
    )


def oracle_row(table: VoteTable, rng: np.random.Generator, resamples: int = RESAMPLES) -> Row:
    """The figures of the best choice among the votes (see `oracle`)."""
    by_opinion = confusion_by_opinion(oracle(table)[None], table.gold, table.opinions)
    cost, latency = float(table.costs.sum(axis=1).mean()), float(table.latencies.max(axis=1).mean())
    figures = _figures(by_opinion, rng, resamples)[0]
    return Row("oracle", table.names, "oracle", *figures, cost=cost, asked=float(len(table.names)), latency=latency)


def front(
    replayed: Replay, rows: Sequence[Row], rng: np.random.Generator, resamples: int = RESAMPLES
) -> tuple[list[Row], int]:
    """What nothing else beats in cost, false entailment rate and accuracy together, and how many were compared.

    Compared are all combinations and all cascades that ask one verifier after another. Where votes cost nothing, the
    number of verifiers asked stands for the cost.
    """
    voting = tuple(name for name in dict.fromkeys(c.policy for c in replayed.combinations) if not learns(name))
    cascades = list(cheapest_orders(replayed, voting))
    totals = [confusion(one.decisions, replayed.table.gold) for one in cascades]
    if any(one.policy == PROBABILITIES for one in replayed.combinations):
        for one, total in probability_orders(replayed, rng):
            cascades.append(one)
            totals.append(total)
    found = rates(np.stack([*replayed.confusion.sum(axis=1), *totals]))
    free = not replayed.table.costs.any()
    cost = [row.asked if free else row.cost for row in rows] + [one.asked if free else one.cost for one in cascades]
    kept = pareto(np.array(cost), found.fer, found.accuracy)
    beaten_by_none = [cascades[place - len(rows)] for place in kept if place >= len(rows)]
    made = iter(_cascade_rows(replayed, beaten_by_none, rng, resamples))
    return [rows[place] if place < len(rows) else next(made) for place in kept], len(cost)


def _cascade_rows(
    replayed: Replay, cascades: Sequence[CascadeOrder], rng: np.random.Generator, resamples: int
) -> list[Row]:
    if not cascades:
        return []
    table = replayed.table
    decisions = np.stack([one.decisions for one in cascades])
    figures = _figures(confusion_by_opinion(decisions, table.gold, table.opinions), rng, resamples)
    return [
        Row(
            _words(one, table.names),
            tuple(table.names[member] for member in one.order),
            one.policy,
            *figures[place],
            cost=one.cost,
            asked=one.asked,
            latency=one.latency,
            threshold=one.threshold,
        )
        for place, one in enumerate(cascades)
    ]


def _words(one: CascadeOrder, names: Sequence[str]) -> str:
    until = f" until {one.threshold:g} likely" if one.threshold else ""
    return f"cascade of {' > '.join(names[member] for member in one.order)} ({one.policy}{until})"


def _figures(
    by_opinion: Counts, rng: np.random.Generator, resamples: int
) -> list[tuple[dict[str, float], dict[str, tuple[float, float]]]]:
    """Rates and intervals of each set of decisions."""
    totals, ends = rates(by_opinion.sum(axis=1)), intervals(by_opinion, rng, resamples)
    return [
        (
            {name: float(getattr(totals, name)[place]) for name in RATES},
            {name: (float(ends[name].low[place]), float(ends[name].high[place])) for name in RATES},
        )
        for place in range(len(by_opinion))
    ]
