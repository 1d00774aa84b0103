"""Claims that may be mislabelled, in a file for a person to decide, and the figures with those decisions.

A line a claim, as JSON: the claim, its gold label, the votes and the places they point to, and two fields to fill in:

    "decision": "supported", "refuted" or "not_found": the right label, the gold one included
                "exclude": the claim is no good, and is to count for nothing
                "": not decided; the gold label stands
    "note":     why
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from parcel_agents.ensemble.ballots import ABSTAINED
from parcel_agents.ensemble.rates import Rates, confusion, rates
from parcel_agents.errors import InputError
from parcel_agents.eval.hard.study import Study
from parcel_agents.eval.vote_table import VoteTable
from parcel_agents.types import LABELS, SCHEMA_VERSION

EXCLUDE = "exclude"
DECISIONS = (*LABELS, EXCLUDE, "")
FIGURES = ("accuracy", "macro_f1", "fer")


@dataclass(frozen=True)
class Decision:
    """What a person decided of a claim."""

    claim_id: str
    decision: str
    note: str


@dataclass(frozen=True)
class Change:
    """A verifier's figures by the gold labels and by the decided ones; nan for a share of nothing."""

    verifier: str
    before: dict[str, float]
    after: dict[str, float]


@dataclass(frozen=True)
class Adjudicated:
    """What decisions do to the figures."""

    decided: int
    confirmed: int
    """Gold labels that stay."""
    relabelled: int
    excluded: int
    undecided: int
    changes: tuple[Change, ...]

    @property
    def caution(self) -> str:
        """What such figures must not be read as."""
        return (
            "Only claims on which the verifiers agreed against the gold label were looked at, so that decisions can "
            "hardly but raise their figures: labels that are wrong in their favour stay unseen."
        )


def adjudication_lines(study: Study) -> list[str]:
    """A line for each claim that is likely mislabelled, the hardest first."""
    lines = []
    for id in study.found["diagnosed"]:
        suspects = [cause for cause in study.diagnoses[id]["causes"] if cause["name"] == "likely_mislabelled"]
        for cause in suspects:
            lines.append(json.dumps(_line(study, id, cause), ensure_ascii=False))
    return lines


def write_adjudication(path: Path, study: Study) -> int:
    """Write the file; how many claims it holds.

    Raises:
        InputError: it is there already and may hold decisions, or cannot be written.
    """
    lines = adjudication_lines(study)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
    except FileExistsError as error:
        raise InputError(f"{path}: is there already, and may hold decisions; name another file") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from error
    return len(lines)


def read_decisions(path: Path, table: VoteTable) -> list[Decision]:
    """The decisions of a file.

    Raises:
        InputError: a line is no decision, is about a claim that the runs do not have or that had another label or text,
            or a claim stands there twice.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from error
    claims = {claim.id: claim for claim in table.claims}
    found: dict[str, Decision] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        row = _parsed(line, where)
        claim = claims.get(str(row.get("claim_id")))
        if claim is None:
            raise InputError(f"{where}: is about the claim {row.get('claim_id')!r}, which the runs do not have")
        if (row.get("gold"), row.get("claim")) != (claim.label, claim.claim):
            raise InputError(
                f"{where}: the claim {claim.id!r} has another label or text in the runs; make the file anew"
            )
        if claim.id in found:
            raise InputError(f"{where}: the claim {claim.id!r} stands there twice")
        decision = row.get("decision") or ""
        if decision not in DECISIONS:
            raise InputError(f"{where}: the decision {decision!r} is none of {', '.join(DECISIONS[:-1])}, or empty")
        found[claim.id] = Decision(claim.id, decision, str(row.get("note") or ""))
    return list(found.values())


def adjudicate(table: VoteTable, decisions: list[Decision]) -> Adjudicated:
    """The figures of every verifier before and after; a missing vote is not right, and an abstention neither."""
    row_of = {claim.id: row for row, claim in enumerate(table.claims)}
    gold, keep = table.gold.copy(), np.ones(len(table), dtype=np.bool_)
    counts = {"confirmed": 0, "relabelled": 0, "excluded": 0, "undecided": 0}
    for one in decisions:
        row = row_of[one.claim_id]
        if not one.decision:
            counts["undecided"] += 1
        elif one.decision == EXCLUDE:
            counts["excluded"] += 1
            keep[row] = False
        else:
            label = DECISIONS.index(one.decision)  # the labels stand first
            counts["confirmed" if gold[row] == label else "relabelled"] += 1
            gold[row] = label
    said = np.minimum(table.ballots.choices, ABSTAINED)
    changes = [
        Change(
            name,
            _figures(rates(confusion(said[:, column], table.gold))),
            _figures(rates(confusion(said[keep, column], gold[keep]))),
        )
        for column, name in enumerate(table.names)
    ]
    return Adjudicated(
        sum(counts.values()) - counts["undecided"],
        counts["confirmed"],
        counts["relabelled"],
        counts["excluded"],
        counts["undecided"],
        tuple(changes),
    )


def _figures(found: Rates) -> dict[str, float]:
    return {name: float(getattr(found, name)) for name in FIGURES}


def _parsed(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InputError(f"{where}: is no JSON ({error})") from error
    if not isinstance(row, dict):
        raise InputError(f"{where}: is no JSON object")
    return row


def _line(study: Study, id: str, cause: Mapping[str, Any]) -> dict[str, Any]:
    claim = study.claims[id]
    return {
        "schema_version": SCHEMA_VERSION,
        "claim_id": id,
        "opinion_id": claim.opinion_id,
        "claim": claim.claim,
        "gold": claim.label,
        "strategy": claim.strategy,
        "gold_evidence": claim.evidence,
        "said": cause["details"]["said"],
        "votes": [
            vote.model_dump(mode="json", include={"verifier", "label", "confidence", "reason", "evidence"})
            for vote in study.votes[id]
        ],
        "evidence": [
            {key: place[key] for key in ("passage", "start", "end", "voice", "page", "text")}
            for place in cause["places"]
        ],
        "decision": "",
        "note": "",
    }
