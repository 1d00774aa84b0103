"""The failure graph in a file: GraphML, JSON or a picture, by the file's name."""

from __future__ import annotations

import json
from collections.abc import Callable

from parcel_agents.eval.hard.picture import failure_picture
from parcel_agents.eval.hard.study import Study
from parcel_agents.hard.cofailure import co_failures
from parcel_agents.hard.graph import Graph, as_graphml, as_node_link, failure_graph


def graph_of(study: Study) -> Graph:
    """The failure graph of all claims that fail somebody; see `hard.graph`."""
    failures = study.failures
    return failure_graph(failures, study.board.table.claims, co_failures(failures), study.communities)


FORMS: dict[str, Callable[[Study], str]] = {
    ".graphml": lambda study: as_graphml(graph_of(study)),
    ".json": lambda study: json.dumps(as_node_link(graph_of(study)), ensure_ascii=False) + "\n",
    ".svg": failure_picture,
}
"""By the end of a file's name."""
