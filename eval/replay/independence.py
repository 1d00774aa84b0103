"""How many votes a panel really has: do its verifiers err apart or together?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from parcel_agents.ensemble.ballots import ABSTAINED, Ballots, Bools, Codes
from parcel_agents.ensemble.base import make_policy
from parcel_agents.ensemble.rates import rates
from parcel_agents.eval.metrics import confusion_by_opinion
from parcel_agents.eval.replay.combinations import Replay
from parcel_agents.eval.vote_table import VoteTable
from parcel_agents.types import LABELS

SHUFFLES = 100


@dataclass(frozen=True)
class Pair:
    """Two verifiers on the claims that both labelled."""

    one: str
    other: str
    claims: int
    both_wrong: int
    both_wrong_if_independent: float
    """What their error rates would give if they erred apart."""
    same_wrong_label: int
    """Of `both_wrong`, how often they agree on the wrong label."""
    correlation: float
    """Of being wrong (phi coefficient); nan where one of them is never, or always, wrong."""


@dataclass(frozen=True)
class Worth:
    """What a verifier adds to a majority vote."""

    verifier: str
    accuracy_alone: float
    accuracy_without_it: float
    """Of the majority of all others; nan where there is no other."""
    fer_without_it: float
    shapley: float
    """Its mean gain in accuracy over all orders in which a panel could be put together (Shapley value)."""


@dataclass(frozen=True)
class Independence:
    """The report on a panel."""

    verifiers: int
    effective_votes: float
    """Verifiers / (1 + (verifiers - 1) x mean correlation) (Kish's effective sample size); nan without a correlation.
    At most the number of verifiers: errors that avoid each other are not counted as more."""
    mean_correlation: float
    majority_accuracy: float
    majority_fer: float
    independent_accuracy: float
    """Of the majority, had each verifier erred as often in each class but apart from the others."""
    independent_fer: float
    best_single: str
    best_single_accuracy: float
    oracle_accuracy: float
    """Share of the claims that at least one verifier decides rightly."""
    pairs: tuple[Pair, ...]
    worth: tuple[Worth, ...]


def independence(replayed: Replay, rng: np.random.Generator) -> Independence:
    """The report on the labelled claims of a run; the replay must hold the policy `majority`."""
    table = replayed.table
    width = len(table.names)
    pairs = tuple(_pair(table, one, other) for one, other in combinations(range(width), 2))
    correlations = np.array([pair.correlation for pair in pairs])
    known = correlations[~np.isnan(correlations)]
    mean = float(known.mean()) if len(known) else float("nan")
    accuracy = {
        one.members: float(rates(replayed.confusion[place].sum(axis=0)).accuracy)
        for place, one in enumerate(replayed.combinations)
        if one.policy == "majority"
    }
    whole = rates(replayed.confusion[replayed.find(range(width), "majority")].sum(axis=0))
    alone = [accuracy[(member,)] for member in range(width)]
    best = int(np.argmax(alone))
    apart = _shuffled(table, rng)
    return Independence(
        width,
        _effective(width, mean),
        mean,
        float(whole.accuracy),
        float(whole.fer),
        apart[0],
        apart[1],
        table.names[best],
        alone[best],
        float((table.ballots.choices == table.gold[:, None]).any(axis=1).mean()),
        pairs,
        tuple(_worth(replayed, member, accuracy) for member in range(width)),
    )


def _effective(verifiers: int, correlation: float) -> float:
    if np.isnan(correlation):
        return float("nan")
    return float(verifiers / max(1 + (verifiers - 1) * correlation, 1.0))


def _pair(table: VoteTable, one: int, other: int) -> Pair:
    choices = table.ballots.choices[:, [one, other]]
    both = (choices < ABSTAINED).all(axis=1)
    wrong: Bools = choices[both] != table.gold[both][:, None]
    together = wrong.all(axis=1)
    claims = int(both.sum())
    rate = wrong.mean(axis=0) if claims else np.zeros(2)
    spread = float(np.sqrt((rate * (1 - rate)).prod()))
    return Pair(
        table.names[one],
        table.names[other],
        claims,
        int(together.sum()),
        float(rate.prod() * claims),
        int((choices[both][together, 0] == choices[both][together, 1]).sum()),
        float((together.mean() - rate.prod()) / spread) if spread else float("nan"),
    )


def _worth(replayed: Replay, member: int, accuracy: dict[tuple[int, ...], float]) -> Worth:
    width = len(replayed.table.names)
    others = tuple(other for other in range(width) if other != member)
    without = rates(replayed.confusion[replayed.find(others, "majority")].sum(axis=0)) if others else None
    gain = 0.0
    for size in range(width):
        for before in combinations(others, size):
            with_it = tuple(sorted((*before, member)))
            # A panel of nobody decides nothing rightly.
            gain += (accuracy[with_it] - accuracy.get(before, 0.0)) / (width * comb(width - 1, size))
    return Worth(
        replayed.table.names[member],
        accuracy[(member,)],
        float(without.accuracy) if without else float("nan"),
        float(without.fer) if without else float("nan"),
        gain,
    )


def _shuffled(table: VoteTable, rng: np.random.Generator) -> tuple[float, float]:
    """Accuracy and FER of the majority when each verifier's votes are dealt anew within each class."""
    policy = make_policy("majority")
    rows = [np.flatnonzero(table.gold == label) for label in range(len(LABELS))]
    choices = table.ballots.choices.copy()
    decided: list[Codes] = []
    for _ in range(SHUFFLES):
        for within in rows:
            choices[within] = rng.permuted(choices[within], axis=0)
        dealt = Ballots(table.ballots.members, choices, table.ballots.confidence, table.ballots.shared)
        decided.append(policy.decide(dealt).labels)
    found = rates(confusion_by_opinion(np.stack(decided), table.gold, table.opinions).sum(axis=1))
    return float(found.accuracy.mean()), float(found.fer.mean())
