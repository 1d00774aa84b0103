"""Communities of claims that fail together.

Two claims are alike as far as the verifiers that they fail are the same (Jaccard: those that both fail, of those that
either fails). Communities are found by Louvain's method (Blondel et al., doi:10.1088/1742-5468/2008/10/P10008) on the
graph of this likeness. Claims with the same failures are one node that weighs as many: an edge weighs likeness x claims
of the one x claims of the other, and a loop holds the pairs within. That gives claims with one pattern one community,
and costs the same for a hundred claims and a hundred thousand.

What Louvain finds depends on the order in which it visits the nodes. It is run in several, the grouping of most
modularity is taken, and how far the others agree with it is told: where they do not, there are no clear communities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np

from parcel_agents.hard.patterns import Ints, Patterns

Graph = Any
"""`networkx.Graph`, whose type parameter differs between its stubs and its runtime."""
MAX_NODES = 150
"""Patterns that make the graph, the most frequent ones; a rarer one joins the community it is most like."""
RUNS = 5
"""Orders of visits that are tried."""


@dataclass(frozen=True)
class Community:
    """Claims that fail much the same verifiers."""

    claims: tuple[int, ...]
    """Rows of the table."""
    share_failing: dict[str, float]
    """By verifier: the share of these claims that fail it."""

    @property
    def core(self) -> tuple[str, ...]:
        """The verifiers that more than half of these claims fail."""
        return tuple(name for name, share in self.share_failing.items() if share > 0.5)


@dataclass(frozen=True)
class Grouping:
    """Claims in communities."""

    communities: tuple[Community, ...]
    """The largest first."""
    agreement: float
    """Of the other groupings that were found with this one: the mean of their adjusted Rand indices (Hubert and Arabie,
    doi:10.1007/BF01908075), 1 for the same, 0 for what chance would give."""


def communities(patterns: Patterns, rows: Ints, *, seed: int = 0) -> Grouping:
    """The communities of some claims.

    Args:
        patterns: who fails which claim.
        rows: the claims to group, each of which fails somebody; none gives none.
        seed: of Louvain's order of visits.
    """
    of_claim = patterns.of_claim[rows]
    counts = Counter(of_claim.tolist())
    used = sorted(counts, key=lambda pattern: (-counts[pattern], pattern))
    masks = {pattern: int(patterns.masks[pattern]) for pattern in used}
    graph = _graph(used[:MAX_NODES], masks, counts)
    tried = [_louvain(graph, seed + run) for run in range(RUNS)]
    quality = [_modularity(graph, groups) for groups in tried]
    best = int(np.argmax(quality))
    sizes = np.array([counts[pattern] for pattern in used[:MAX_NODES]], dtype=np.int64)
    numbers = [_numbers(groups, used[:MAX_NODES]) for groups in tried]
    agreement = [rand_index(numbers[best], numbers[run], sizes) for run in range(RUNS) if run != best]
    groups = tried[best]
    for pattern in used[MAX_NODES:]:
        _nearest(groups, masks, counts, pattern).append(pattern)
    place = _place(groups)
    number_of = np.array([place[pattern] for pattern in of_claim.tolist()], dtype=np.int64)
    found = [_community(patterns, rows[number_of == number]) for number in range(len(groups))]
    return Grouping(tuple(sorted(found, key=lambda one: (-len(one.claims), one.claims))), float(np.mean(agreement)))


def rand_index(one: Ints, other: Ints, sizes: Ints) -> float:
    """The adjusted Rand index of two groupings: pairs of claims that both put together, beside chance.

    Args:
        one: (patterns,) number of the community.
        other: the same of the other grouping.
        sizes: (patterns,) how many claims each stands for. Fewer than two claims agree.
    """
    table = np.zeros((one.max(initial=0) + 1, other.max(initial=0) + 1))
    np.add.at(table, (one, other), sizes)
    cells, rows, columns, whole = (
        float((counts * (counts - 1) / 2).sum())
        for counts in (table, table.sum(axis=1), table.sum(axis=0), table.sum(keepdims=True))
    )
    chance = rows * columns / whole if whole else 0.0
    most = (rows + columns) / 2
    return (cells - chance) / (most - chance) if most != chance else 1.0


def likeness(one: int, other: int) -> float:
    """Of the verifiers in either set, the share that is in both; 1 for two empty sets."""
    return (one & other).bit_count() / union if (union := (one | other).bit_count()) else 1.0


def _graph(used: Sequence[int], masks: dict[int, int], counts: Counter[int]) -> Graph:
    graph: nx.Graph[int] = nx.Graph()
    for place, pattern in enumerate(used):
        size = counts[pattern]
        # The pairs within a pattern; a loop counts twice in its node's degree, as each of these pairs would.
        graph.add_edge(pattern, pattern, weight=size * (size - 1) / 2)
        for other in used[place + 1 :]:
            if alike := likeness(masks[pattern], masks[other]):
                graph.add_edge(pattern, other, weight=alike * size * counts[other])
    return graph


def _louvain(graph: Graph, seed: int) -> list[list[int]]:
    """The groups of patterns; each alone where no claim is like another."""
    if not graph.size(weight="weight"):
        return [[pattern] for pattern in graph]
    found = nx.community.louvain_communities(graph, weight="weight", seed=seed)
    return sorted((sorted(group) for group in found), key=lambda group: group[0])


def _modularity(graph: Graph, groups: list[list[int]]) -> float:
    """Rounded, so that the order of a sum decides nothing; 0 without edges."""
    return (
        round(nx.community.modularity(graph, [set(group) for group in groups]), 9)
        if graph.size(weight="weight")
        else 0.0
    )


def _numbers(groups: list[list[int]], patterns: Sequence[int]) -> Ints:
    place = _place(groups)
    return np.array([place[pattern] for pattern in patterns], dtype=np.int64)


def _place(groups: list[list[int]]) -> dict[int, int]:
    return {pattern: number for number, group in enumerate(groups) for pattern in group}


def _nearest(groups: list[list[int]], masks: dict[int, int], counts: Counter[int], pattern: int) -> list[int]:
    """The community whose claims are most like those of the pattern, on average."""

    def mean(group: list[int]) -> float:
        total = sum(counts[other] for other in group)
        return sum(counts[other] * likeness(masks[pattern], masks[other]) for other in group) / total

    return max(groups, key=mean)


def _community(patterns: Patterns, rows: Ints) -> Community:
    masks = patterns.masks[patterns.of_claim[rows]]
    shares = {name: float((masks >> bit & 1).mean()) for bit, name in enumerate(patterns.names)}
    return Community(tuple(rows.tolist()), shares)
