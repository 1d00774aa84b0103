"""A study as JSON objects, one a row of a kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from parcel_agents.eval.hard.adjudication import Adjudicated
from parcel_agents.eval.hard.findings import findings
from parcel_agents.eval.hard.study import Study
from parcel_agents.types import LABELS


def json_rows(study: Study, adjudicated: Adjudicated | None = None) -> Iterator[dict[str, Any]]:
    """`study`, then a row per group of claims, pair, community, verifier to add, cause and leakage rate; then a row per
    hard claim, the hardest first, with its causes where it was diagnosed; then what adjudication changed."""
    found, graph = study.found, study.found["failure_graph"]
    yield {
        "row": "study",
        "runs": [name for name, _ in study.board.metas],
        "dataset": study.board.metas[0][1].dataset.model_dump(mode="json"),
        "verifiers": list(study.failures.names),
        "panel": list(study.board.panel),
        "claims": len(study.failures),
        "k": study.k,
        "hard": len(found["hard"]),
        "diagnosed": len(found["diagnosed"]),
        "controls": len(found["controls"]),
        "communities_agree": graph["agreement"],
        "unexplained": found["summary"]["unexplained"],
        "edits": found["summary"]["edits"],
        "findings": findings(study),
        "notes": list(study.notes),
        "stopped": study.stopped,
    }
    yield from ({"row": "group", **one} for one in found["distribution"])
    yield from ({"row": "pair", **one} for one in graph["pairs"])
    yield from ({"row": "community", "number": number, **one} for number, one in enumerate(graph["communities"], 1))
    yield {"row": "covers", **graph["covers"]}
    yield from ({"row": "worth", **one} for one in graph["worth"])
    yield from ({"row": "cause", **one} for one in found["summary"]["causes"])
    yield from ({"row": "leakage", **one} for one in found["summary"]["leakage"])
    yield from _claims(study)
    if adjudicated is not None:
        yield {"row": "adjudicated", **asdict(adjudicated), "caution": adjudicated.caution}


def _claims(study: Study) -> Iterator[dict[str, Any]]:
    choices, names = study.failures.choices, study.failures.names
    for id in study.found["hard"]:
        row = study.row_of[id]
        claim = study.board.table.claims[row]
        about = study.diagnoses.get(id)
        yield {
            "row": "claim",
            "claim_id": id,
            "opinion_id": claim.opinion_id,
            "claim": claim.claim,
            "gold": claim.label,
            "strategy": claim.strategy,
            "failed_by": int(study.failures.failed_by[row]),
            "votes": {name: _said(int(code)) for name, code in zip(names, choices[row], strict=True)},
            "diagnosed": about is not None,
            "causes": about["causes"] if about else [],
            "unknown": about["unknown"] if about else [],
            "failed": about["failed"] if about else {},
            "probes": about["probes"] if about else [],
        }


def _said(code: int) -> str:
    return LABELS[code] if code < len(LABELS) else "abstained" if code == len(LABELS) else "missing"
