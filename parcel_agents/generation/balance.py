"""How many claims of each class and strategy go into the set (the paper's figure 2), and which.

The paper has two refuted claims and one not-found claim for each supported one, and strategies in the shares below.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set

import numpy as np

from parcel_agents.errors import ConfigError
from parcel_agents.generation.model import LABEL_OF, STRATEGIES, Candidate, Strategy
from parcel_agents.types import LABELS, Label

CLASS_WEIGHTS: Mapping[Label, int] = {"supported": 1, "refuted": 2, "not_found": 1}

Shares = Mapping[Strategy, float]
"""The share of each strategy in its class; those of a class sum to one."""

PAPER_COUNTS: Mapping[Strategy, int] = {
    "logic_reversal": 789,
    "distractor_swap": 363,
    "scope_contradiction": 284,
    "authority_swap": 256,
    "phantom_citation": 330,
    "unaddressed_argument": 272,
    "missing_detail": 247,
}
"""Figure 2. Six of its 1,698 refuted claims have no strategy."""

CONTRAST_SHARE = 0.5
"""Contrast claims for each claim of the set proper."""


def check_shares(given: Mapping[str, float]) -> Shares:
    """The paper's counts, with those that are given in their place, as shares of each class.

    Raises:
        ConfigError: a strategy is unknown, a share is negative or not finite, or a class is left with nothing.
    """
    for name, share in given.items():
        if name not in STRATEGIES:
            raise ConfigError(f"unknown strategy {name!r}; known: {', '.join(STRATEGIES)}")
        if not (math.isfinite(share) and share >= 0):
            raise ConfigError(f"the share of {name} must be zero or more, not {share}")
    merged = {name: float(given.get(name, PAPER_COUNTS[name])) for name in STRATEGIES}
    totals = {label: sum(share for name, share in merged.items() if LABEL_OF[name] == label) for label in LABELS}
    for label in ("refuted", "not_found"):
        if totals[label] <= 0:
            raise ConfigError(f"no strategy is left that makes {label.replace('_', ' ')} claims")
    return {name: share / totals[LABEL_OF[name]] for name, share in merged.items()}


PAPER_SHARES: Shares = check_shares({})


def divide(
    total: int, shares: Mapping[Strategy, float], room: Mapping[Strategy, int] | None = None
) -> dict[Strategy, int]:
    """So many claims by strategy, in the given shares (largest remainders first).

    Args:
        total: how many.
        shares: relative shares; they need not sum to one.
        room: how many there can be at most, by strategy; what one cannot take goes to the others. The sum falls short
            of the total where all are full.
    """
    room = room or {}
    counts = dict.fromkeys(shares, 0)
    open_to = [name for name, share in shares.items() if share > 0]
    while (left := total - sum(counts.values())) > 0:
        open_to = [name for name in open_to if counts[name] < room.get(name, total)]
        weight = sum(shares[name] for name in open_to)
        if not open_to:
            break
        exact = {name: left * shares[name] / weight for name in open_to}
        added = {name: int(share) for name, share in exact.items()}
        rest = sorted(open_to, key=lambda name: added[name] - exact[name])
        for name in rest[: left - sum(added.values())]:
            added[name] += 1
        for name in open_to:
            counts[name] = min(counts[name] + added[name], room.get(name, total))
    return counts


def choose(
    candidates: Sequence[Candidate],
    shares: Shares,
    per_opinion: int,
    rng: np.random.Generator,
    first: Set[str] = frozenset(),
) -> list[Candidate]:
    """The largest set of the wanted balance, as evenly from the opinions as they allow; contrast claims beside it.

    Args:
        candidates: fit claims of all opinions.
        shares: of the strategies in their classes; one that has too few claims leaves its place to others.
        per_opinion: supported claims an opinion may give; of refuted ones twice as many.
        rng: shuffles the claims of each opinion.
        first: ids of claims that are drawn before others of their kind.
    """
    drawn = _Draw([one for one in candidates if not one.mirror], rng, first)
    there: dict[Label, int] = {
        label: sum(
            min(count, per_opinion * CLASS_WEIGHTS[label])
            for count in Counter(one.opinion_id for one in candidates if one.label == label and not one.mirror).values()
        )
        for label in LABELS
    }
    unit = min(count // CLASS_WEIGHTS[label] for label, count in there.items())
    chosen = drawn.evenly([("supported", unit)], per_opinion)
    for label in ("refuted", "not_found"):
        of_label = {name: share for name, share in shares.items() if LABEL_OF[name] == label}
        counts = divide(unit * CLASS_WEIGHTS[label], of_label, drawn.room(of_label))
        chosen += drawn.evenly(counts.items(), per_opinion * CLASS_WEIGHTS[label])
    wanted = int(CONTRAST_SHARE * sum(CLASS_WEIGHTS.values()) * unit)
    by_mirror = {name: share * CLASS_WEIGHTS[LABEL_OF[name]] for name, share in shares.items()}
    contrast = _Draw([one for one in candidates if one.mirror], rng, first, by_mirror=True)
    most = math.ceil(CONTRAST_SHARE * sum(CLASS_WEIGHTS.values()) * per_opinion)
    chosen += contrast.evenly(divide(wanted, by_mirror, contrast.room(by_mirror)).items(), most)
    return chosen


class _Draw:
    """Claims by kind and opinion, in the order in which they are drawn."""

    def __init__(
        self, candidates: Sequence[Candidate], rng: np.random.Generator, first: Set[str], *, by_mirror: bool = False
    ) -> None:
        self._first = first
        self._queues: dict[str, dict[str, list[Candidate]]] = {}
        for place in rng.permutation(len(candidates)).tolist():
            one = candidates[place]
            kind = str(one.mirror) if by_mirror else one.kind
            self._queues.setdefault(kind, {}).setdefault(one.opinion_id, []).append(one)
        for queues in self._queues.values():
            for opinion_id, queue in queues.items():
                turns = sorted(_alternating(queue), key=lambda one: one.id not in first)
                # Last in the list is drawn first.
                queues[opinion_id] = turns[::-1]

    def room(self, kinds: Iterable[Strategy]) -> dict[Strategy, int]:
        """How many claims there are of each kind."""
        return {kind: sum(map(len, self._queues.get(kind, {}).values())) for kind in kinds}

    def evenly(self, wanted: Iterable[tuple[str, int]], most: int) -> list[Candidate]:
        """So many of each kind, each from an opinion that has given the fewest so far, and `most` from none.

        What a kind cannot give within that limit, the others make up for.
        """
        counts = dict(wanted)
        given: Counter[str] = Counter()
        drawn: list[Candidate] = []
        # The scarce kinds first: the plentiful ones find room in any opinion.
        kinds = sorted(counts, key=lambda kind: sum(map(len, self._queues.get(kind, {}).values())))
        left = dict(counts)
        for first_only in (True, False):
            for kind in kinds:
                while left[kind] > 0 and (more := self._next([kind], given, most, first_only=first_only)):
                    left[kind] -= 1
                    drawn += more
        while len(drawn) < sum(counts.values()) and (more := self._next(list(counts), given, most)):
            drawn += more
        return drawn

    def _next(
        self, kinds: Sequence[str], given: Counter[str], most: int, *, first_only: bool = False
    ) -> list[Candidate]:
        """One claim of one of the kinds, in a list; an empty one if there is none."""
        options = [
            (given[opinion_id], opinion_id, kind)
            for kind in kinds
            for opinion_id, queue in self._queues.get(kind, {}).items()
            if queue and given[opinion_id] < most and (queue[-1].id in self._first or not first_only)
        ]
        if not options:
            return []
        _, opinion_id, kind = min(options)
        given[opinion_id] += 1
        return [self._queues[kind][opinion_id].pop()]


def _alternating(queue: Sequence[Candidate]) -> list[Candidate]:
    """One of each usage type (of each sentence, for false claims) in turn."""
    seen: Counter[str] = Counter()
    turns = []
    for one in queue:
        about = one.usage_type or one.source
        turns.append(seen[about])
        seen[about] += 1
    return [queue[place] for place in sorted(range(len(queue)), key=lambda place: turns[place])]
