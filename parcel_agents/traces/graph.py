"""Traces as a graph: claims, passages, verifiers and verdicts, and who points to what.

claim -has-> verdict -rests_on-> passage           relation: supports, contradicts, nearest
verifier -votes_on-> claim                         outcome, label, reason
verifier -points_to-> passage                      relation; `claim` says in which vote
verdict -counts-> verifier                         whose label is the verdict's
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import networkx as nx

from parcel_agents.traces.model import Trace, TraceBook, TracedOpinion
from parcel_agents.types import EvidenceRef

if TYPE_CHECKING:
    Graph = nx.MultiDiGraph[str]

# What XML has no place for; text from files may hold it.
_NOT_XML = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def trace_graph(book: TraceBook) -> Graph:
    """The book as a graph; a passage is one node however many claims it is evidence of, and so is a verifier."""
    graph: Graph = nx.MultiDiGraph()
    for trace in book.traces:
        _add(graph, trace, book.opinions.get(trace.opinion_id or ""))
    return graph


def as_graphml(book: TraceBook) -> str:
    """The graph as GraphML, for Gephi, yEd and the like."""
    lines = nx.generate_graphml(trace_graph(book), named_key_ids=True)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + "\n".join(lines) + "\n"


def _add(graph: Graph, trace: Trace, opinion: TracedOpinion | None) -> None:
    claim, verdict = f"claim/{trace.number}", f"verdict/{trace.number}"
    name = opinion.name if opinion else None
    graph.add_node(claim, **_plain(kind="claim", label=trace.claim, claim_id=trace.claim_id, opinion=name))
    confidence = trace.verdict.confidence if trace.verdict else None
    graph.add_node(
        verdict, **_plain(kind="verdict", label=trace.status, reason=trace.why, confidence=confidence, opinion=name)
    )
    graph.add_edge(claim, verdict, **_plain(kind="has", label="verdict"))
    if trace.verdict is None or opinion is None:
        return
    for vote in trace.verdict.votes:
        verifier = f"verifier/{_xml(vote.verifier)}"
        graph.add_node(verifier, **_plain(kind="verifier", label=vote.verifier, model=vote.model))
        said = vote.label or ("abstained" if vote.outcome == "ok" else vote.outcome)
        about = _plain(
            kind="votes_on", label=said, outcome=vote.outcome, reason=vote.reason, confidence=vote.confidence
        )
        graph.add_edge(verifier, claim, **about)
        if vote.label is not None and vote.label == trace.verdict.label:
            graph.add_edge(verdict, verifier, **_plain(kind="counts", label=vote.label))
        for ref in vote.evidence:
            passage = _passage(graph, trace, opinion, ref)
            graph.add_edge(
                verifier, passage, **_plain(kind="points_to", label=ref.relation, relation=ref.relation, claim=claim)
            )
    for evidence in trace.verdict.evidence:
        passage = _passage(graph, trace, opinion, evidence, voice=evidence.voice, page=evidence.page)
        relation = evidence.relation
        graph.add_edge(verdict, passage, **_plain(kind="rests_on", label=relation, relation=relation))


def _passage(graph: Graph, trace: Trace, opinion: TracedOpinion, ref: EvidenceRef, **more: str | None) -> str:
    node = f"passage/{_xml(trace.opinion_id or '')}/{ref.start}-{ref.end}"
    about = {"kind": "passage", "label": opinion.text[ref.start : ref.end], "passage": ref.passage, **more}
    graph.add_node(node, **_plain(**about, opinion=opinion.name))
    return node


def _plain(**attributes: Any) -> dict[str, Any]:
    """The attributes that have a value, without the characters that XML does not know."""
    return {
        key: _xml(value) if isinstance(value, str) else value for key, value in attributes.items() if value is not None
    }


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
