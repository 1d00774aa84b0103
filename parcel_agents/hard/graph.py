"""The failure graph: verifiers and claims, and an edge where a claim fails a verifier.

Two views of one thing: the bipartite graph itself, and edges between verifiers, which say how often two fail together
and how that compares with chance. Both are in one networkx graph, so that one file holds all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import networkx as nx
import numpy as np

from parcel_agents.hard.cofailure import CoFailure
from parcel_agents.hard.communities import Community
from parcel_agents.hard.failures import Failures
from parcel_agents.types import LABELS, GoldClaim

Graph = Any
"""`networkx.Graph`, whose type parameter differs between its stubs and its runtime."""


def failure_graph(
    failures: Failures, claims: Sequence[GoldClaim], pairs: Sequence[CoFailure], found: Sequence[Community]
) -> Graph:
    """The graph of the claims that fail somebody.

    Nodes are `v:NAME` with `kind` verifier, `failed` and `right` (claims), and `c:ID` with `kind` claim,
    `gold`, `strategy`, `failed_by` and `community` (from 1; 0 for none). Edges have `kind` fails, with the wrong
    `label` that was given or `abstained`, or together, with `together`, `expected` and, where it exists, `lift`.

    Args:
        failures: the votes.
        claims: what they are on, in the same order.
        pairs: the verifiers by twos.
        found: communities of some of the claims.
    """
    graph: nx.Graph[str] = nx.Graph()
    for column, name in enumerate(failures.names):
        failed, right = int(failures.failed[:, column].sum()), int(failures.right[:, column].sum())
        graph.add_node(f"v:{name}", kind="verifier", bipartite=0, name=name, failed=failed, right=right)
    community_of = {row: number for number, one in enumerate(found, 1) for row in one.claims}
    for row in np.flatnonzero(failures.failed_by).tolist():
        claim = claims[row]
        graph.add_node(
            f"c:{claim.id}",
            kind="claim",
            bipartite=1,
            gold=LABELS[failures.gold[row]],
            strategy=claim.strategy or "",
            failed_by=int(failures.failed_by[row]),
            community=community_of.get(row, 0),
        )
    for row, column in np.argwhere(failures.failed).tolist():
        code = int(failures.choices[row, column])
        label = LABELS[code] if code < len(LABELS) else "abstained"
        graph.add_edge(f"v:{failures.names[column]}", f"c:{claims[row].id}", kind="fails", label=label)
    for pair in pairs:
        about: dict[str, Any] = {"together": pair.together, "expected": pair.expected, "claims": pair.claims}
        if not math.isnan(pair.lift):
            about["lift"] = pair.lift
        graph.add_edge(f"v:{pair.one}", f"v:{pair.other}", kind="together", weight=pair.together, **about)
    return graph


def as_graphml(graph: Graph) -> str:
    """The graph as GraphML, for Gephi, yEd and Cytoscape. What XML cannot hold becomes the replacement mark."""
    cleaned = nx.relabel_nodes(graph, {node: printable(node) for node in graph})
    for _, about in cleaned.nodes(data=True):
        about.update({key: printable(value) for key, value in about.items() if isinstance(value, str)})
    return "\n".join(nx.generate_graphml(cleaned)) + "\n"


def as_node_link(graph: Graph) -> dict[str, Any]:
    """The graph as JSON: `nodes` with their `id`, `edges` with `source` and `target`."""
    return dict(nx.node_link_data(graph, edges="edges"))


def printable(text: str) -> str:
    """The text with a replacement mark for what XML cannot hold."""
    return "".join(
        c if c in "\t\n\r" or (c >= " " and not 0xD800 <= ord(c) <= 0xDFFF and c not in "\ufffe\uffff") else "�"
        for c in text
    )
