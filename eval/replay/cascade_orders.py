"""Recorded votes under every order in which a cascade could ask the verifiers, one at a time.

Two kinds of cascade. With a voting policy a claim ends where the rest of its panel could change nothing: the verdicts
are those of the panel, and only the cost depends on the order. With the probabilities of Dawid and Skene a claim ends
where the label is likely enough, and the verdicts depend on the order too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import ABSTAINED, UNASKED, Ballots, Bools, Codes, Floats
from parcel_agents.ensemble.base import make_policy
from parcel_agents.ensemble.calibration import Calibration
from parcel_agents.ensemble.rates import Counts, confusion
from parcel_agents.eval.replay.combinations import Replay, cross_fitted

THRESHOLDS = (0.9, 0.95, 0.99)
PROBABILITIES = "dawid_skene"


@dataclass(frozen=True)
class CascadeOrder:
    """An order of asking, and what it gives on the labelled claims."""

    order: tuple[int, ...]
    """Columns of the table, first asked first; the last one is asked only where the others did not suffice."""
    policy: str
    threshold: float | None
    """The probability at which a label stands; None where a claim ends when the rest could change nothing."""
    cost: float
    """Mean cost of a claim, in dollars."""
    asked: float
    """Mean number of verifiers asked."""
    latency: float
    """Mean seconds of a claim; they are asked one after another."""
    decisions: Codes
    """(claims,): code of a label, or ABSTAINED."""


def cheapest_orders(replayed: Replay, policies: tuple[str, ...]) -> Iterator[CascadeOrder]:
    """For each combination under a voting policy, the order of its verifiers that costs least.

    All orders are compared, by dynamic programming over the sets of those asked before. Where votes cost nothing, the
    order that asks the fewest verifiers; of several the first by column.
    """
    table = replayed.table
    price = table.costs if table.costs.any() else np.ones_like(table.costs)
    for policy in policies:
        for place, one in enumerate(replayed.combinations):
            if one.policy != policy or len(one.members) < 2:
                continue
            open_after = _open_after(table.ballots.columns(one.members), policy)
            # What it costs to ask a member once some others have been asked: only on the claims still open.
            spent = {prefix: still_open @ price / len(table) for prefix, still_open in open_after.items()}
            yield _settled_order(replayed, place, _cheapest(one.members, spent), open_after)


def _open_after(ballots: Ballots, policy: str) -> dict[frozenset[int], Floats]:
    """For each set of members but the whole: 1.0 for the claims that are open once these have been asked."""
    made = make_policy(policy)
    width = len(ballots.members)
    # Thousands of claims have some hundred patterns of votes, and voting looks at nothing else.
    keys = ballots.choices @ (UNASKED + 1) ** np.arange(width)
    _, first, pattern_of = np.unique(keys, return_index=True, return_inverse=True)
    patterns = ballots.choices[first]
    nothing, nowhere = np.full(patterns.shape, np.nan), np.zeros((*patterns.shape, width), np.bool_)
    still_open: dict[frozenset[int], Floats] = {}
    for size in range(width):
        for asked in combinations(range(width), size):
            choices = patterns.copy()
            choices[:, [member for member in range(width) if member not in asked]] = UNASKED
            undecided = made.decide(Ballots(ballots.members, choices, nothing, nowhere)).labels == ABSTAINED
            still_open[frozenset(asked)] = undecided[pattern_of].astype(np.float64)
    return still_open


def _cheapest(members: tuple[int, ...], spent: dict[frozenset[int], Floats]) -> tuple[int, ...]:
    """The order, by place among the members, in which asking costs least."""
    best: dict[frozenset[int], tuple[float, tuple[int, ...]]] = {frozenset(): (0.0, ())}
    for size in range(1, len(members) + 1):
        for asked in combinations(range(len(members)), size):
            found = []
            for last in asked:
                before = frozenset(asked) - {last}
                cost, order = best[before]
                found.append((cost + float(spent[before][members[last]]), (*order, last)))
            best[frozenset(asked)] = min(found)
    return best[frozenset(range(len(members)))][1]


def _settled_order(
    replayed: Replay, place: int, order: tuple[int, ...], open_after: dict[frozenset[int], Floats]
) -> CascadeOrder:
    one, table = replayed.combinations[place], replayed.table
    still_open = np.stack([open_after[frozenset(order[:turn])] for turn in range(len(order))], axis=1)
    columns = [one.members[member] for member in order]
    return CascadeOrder(
        tuple(columns),
        one.policy,
        None,
        float((still_open * table.costs[:, columns]).sum(axis=1).mean()),
        float(still_open.sum(axis=1).mean()),
        float((still_open * table.latencies[:, columns]).sum(axis=1).mean()),
        replayed.decisions[place],
    )


@dataclass(frozen=True)
class _Prefix:
    """The claims after some verifiers have been asked in some order."""

    order: tuple[int, ...]
    still_open: Bools
    decisions: Codes
    cost: float
    asked: float
    latency: float


def probability_orders(replayed: Replay, rng: np.random.Generator) -> Iterator[tuple[CascadeOrder, Counts]]:
    """Every order of every subset of at least two verifiers at every threshold, with its confusion counts.

    Yields:
        The cascade, and its counts (gold labels, said).
    """
    table = replayed.table
    width = len(table.names)
    calibration = table.calibration()
    labels, sure = _posteriors(calibration, width, replayed.folds, rng)
    for threshold in THRESHOLDS:
        start = _Prefix((), np.ones(len(table), np.bool_), np.full(len(table), ABSTAINED, np.int8), 0.0, 0.0, 0.0)
        stack = [start]
        while stack:
            before = stack.pop()
            for member in range(width):
                if member in before.order:
                    continue
                asked = frozenset((*before.order, member))
                after = _Prefix(
                    (*before.order, member),
                    before.still_open & ~(sure[asked] >= threshold),
                    np.where(before.still_open, labels[asked], before.decisions),
                    before.cost + float(table.costs[before.still_open, member].sum()) / len(table),
                    before.asked + float(before.still_open.mean()),
                    before.latency + float(table.latencies[before.still_open, member].sum()) / len(table),
                )
                stack.append(after)
                if len(after.order) > 1:
                    made = CascadeOrder(
                        after.order, PROBABILITIES, threshold, after.cost, after.asked, after.latency, after.decisions
                    )
                    yield made, confusion(after.decisions, table.gold)


def _posteriors(
    calibration: Calibration, width: int, folds: NDArray[np.int64], rng: np.random.Generator
) -> tuple[dict[frozenset[int], Codes], dict[frozenset[int], Floats]]:
    """For each set of members the label of each claim and its probability, nan without a label."""
    labels: dict[frozenset[int], Codes] = {}
    sure: dict[frozenset[int], Floats] = {}
    fitted = list(cross_fitted(PROBABILITIES, calibration, folds, rng))
    for size in range(1, width + 1):
        for chosen in combinations(range(width), size):
            ballots = calibration.ballots.columns(chosen)
            decided, score = np.full(len(calibration), ABSTAINED, np.int8), np.full(len(calibration), np.nan)
            for held_out, policy in fitted:
                decisions = policy.decide(ballots.rows(held_out))
                decided[held_out], score[held_out] = decisions.labels, decisions.score_of_label()
            labels[frozenset(chosen)], sure[frozenset(chosen)] = decided, score
    return labels, sure
