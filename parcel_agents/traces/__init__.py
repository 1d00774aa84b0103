"""Evidence traces: one claim, what became of it, and all that this rests on, as data and as a page to read.

`building.py` makes traces of verdicts; those of a brief are made in `briefs/traces.py` and those of a run in
`eval/traces.py`. `page.py` writes a book of traces as one file of HTML, `graph.py` as a graph, `schema.py` describes
`trace.json`.
"""

from parcel_agents.traces.building import from_verdicts
from parcel_agents.traces.model import Asked, Trace, TraceBook

__all__ = ["Asked", "Trace", "TraceBook", "from_verdicts"]
