"""From the records of decisions to the set: what goes in, and the files that tell of the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from parcel_agents.errors import InputError
from parcel_agents.generation.balance import choose
from parcel_agents.generation.folder import OutFolder
from parcel_agents.generation.model import Candidate, DecisionRecord, Disagreement
from parcel_agents.generation.orders import Wanted
from parcel_agents.types import GoldClaim, Opinion

CLAIMS, CONTRAST, REVIEW, DROPPED = "claims.jsonl", "claims_contrast.jsonl", "review.jsonl", "dropped.jsonl"
KEEP, DROP = "keep", "drop"
_DECISIONS = ("", KEEP, DROP)


def assemble(
    folder: OutFolder, records: Sequence[DecisionRecord], opinions: Mapping[str, Opinion], wanted: Wanted
) -> tuple[GoldClaim, ...]:
    """The claims of the set, whose files are written anew. What a person decided in the review file is heeded and kept.

    Args:
        folder: where the files go.
        records: of the decisions that are done.
        opinions: those decisions, by id.
        wanted: the balance.

    Raises:
        InputError: the review file holds a decision that is neither keep nor drop.
    """
    decided = read_decisions(folder)
    fit = [one for record in records for one in record.candidates if decided.get(one.id) != DROP]
    in_question = [one for record in records for one in record.review]
    kept = [one.candidate for one in in_question if decided.get(one.candidate.id) == KEEP]
    fit += kept
    # Which claims are drawn depends on the seed of the set alone, not on the order in which decisions came to an end.
    fit.sort(key=lambda one: (one.opinion_id, one.kind, one.id))
    rng = np.random.default_rng(folder.meta.settings["seed"])
    chosen = choose(fit, wanted.shares, wanted.per_opinion, rng, first={one.id for one in kept})
    chosen.sort(key=lambda one: (one.opinion_id, one.id))
    rows = [_row(one, opinions[one.opinion_id]) for one in chosen]
    main = [row for row in rows if not row["mirror"]]
    contrast = [row for row in rows if row["mirror"]]
    folder.write_lines(CLAIMS, main)
    folder.write_lines(CONTRAST, contrast)
    asked = {one.candidate.id for one in in_question}
    # What a person wrote stays, though the claim is not in question now or its decision was not read this time.
    stays = [
        row
        for row in folder.read_lines(REVIEW)
        if row.get("decision") and row.get("opinion_id") and str(row.get("id")) not in asked
    ]
    folder.write_lines(REVIEW, [*(_review_row(one, opinions, decided) for one in in_question), *stays])
    folder.write_lines(DROPPED, _dropped_rows(records))
    return tuple(
        GoldClaim.model_validate({**row, "subset": subset})
        for subset, given in (("claims", main), ("contrast", contrast))
        for row in given
    )


def _row(candidate: Candidate, opinion: Opinion) -> dict[str, Any]:
    """A line of the claims file: the fields of `GoldClaim`, and how the claim was made."""
    first = candidate.evidence[0] if candidate.evidence else None
    return {
        "id": candidate.id,
        "opinion_id": candidate.opinion_id,
        "claim": candidate.claim,
        "label": candidate.label,
        "strategy": candidate.strategy,
        "usage_type": candidate.usage_type,
        "mirror": candidate.mirror,
        "evidence": opinion.text[first.start : first.end] if first else None,
        "evidence_spans": [{"start": span.start, "end": span.end} for span in candidate.evidence],
        "source": candidate.source,
        "changed_from": candidate.changed_from,
        "changed_to": candidate.changed_to,
        "made_by": candidate.made_by,
    }


def _review_row(one: Disagreement, opinions: Mapping[str, Opinion], decided: Mapping[str, str]) -> dict[str, Any]:
    candidate = one.candidate
    text = opinions[candidate.opinion_id].text
    return {
        "id": candidate.id,
        "opinion_id": candidate.opinion_id,
        "claim": candidate.claim,
        "meant": candidate.label,
        "strategy": candidate.strategy or candidate.mirror,
        "blind": one.said,
        "outcome": one.outcome,
        "reason": one.reason,
        "evidence_of_writer": [text[span.start : span.end] for span in candidate.evidence],
        "evidence_of_blind_reader": [text[span.start : span.end] for span in one.evidence],
        "decision": decided.get(candidate.id, ""),
    }


def _dropped_rows(records: Sequence[DecisionRecord]) -> Iterator[dict[str, Any]]:
    for record in records:
        for one in record.dropped:
            yield {"opinion_id": record.opinion_id, **one.model_dump(mode="json")}


def read_decisions(folder: OutFolder) -> dict[str, str]:
    """What a person wrote into the review file, by the claim's id.

    Raises:
        InputError: a line is damaged, or holds a decision that is neither keep nor drop.
    """
    found = {}
    for row in folder.read_lines(REVIEW):
        decision = str(row.get("decision") or "").strip().lower()
        if decision not in _DECISIONS:
            raise InputError(
                f"{folder.path / REVIEW}: {row.get('claim')!s:.120}: unknown decision {decision[:40]!r}; write "
                f"{KEEP!r} for a claim that goes into the set with the label it was meant to have, "
                f"{DROP!r} for one that does not"
            )
        found[str(row.get("id"))] = decision
    return found
