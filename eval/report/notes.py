"""What a reader of a report must know before its figures."""

from __future__ import annotations

from parcel_agents.ensemble.ballots import FAILED
from parcel_agents.eval.vote_table import VoteTable
from parcel_agents.types import LABELS

FEW_OPINIONS = 10


def notes_on(table: VoteTable) -> list[str]:
    """Claims left out, votes missing, classes without claims, too few opinions."""
    known = table.labelled()
    notes = []
    if (unlabelled := len(table) - len(known)) > 0:
        notes.append(f"{unlabelled:,} of {len(table):,} claims have no label and are left out")
    missing = (known.ballots.choices >= FAILED).sum(axis=0)
    if missing.any():
        who = ", ".join(f"{name} {count:,}" for name, count in zip(table.names, missing, strict=True) if count)
        notes.append(
            f"{missing.sum():,} of {known.ballots.choices.size:,} votes are missing ({who}): on all claims they are "
            "not right, and they stay in the count, so that no panel shrinks; the table of outcomes says how they ended"
        )
    for code, label in enumerate(LABELS):
        if not (known.gold == code).any():
            rate = "; there is no FER on it" if label != "supported" else ""
            notes.append(f"no claim is labelled {label}: macro F1 is that of the other classes{rate}")
    opinions = len(set(known.opinions.tolist()))
    if opinions == 1:
        notes.append("all claims are about one opinion: there are no intervals, and nothing follows for other opinions")
    elif opinions < FEW_OPINIONS:
        notes.append(f"with {opinions} opinions the intervals are rough")
    return notes
