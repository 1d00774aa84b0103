"""What voting can reach: claims that many verifiers fail together, and what no vote can get right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, SUPPORTED, Codes
from parcel_agents.eval.replay.combinations import Replay
from parcel_agents.eval.vote_table import VoteTable


@dataclass(frozen=True)
class HardClaims:
    """The claims that at least `failed_by` of the verifiers fail (PARCEL, table 7)."""

    failed_by: int
    claims: int
    share: float
    largest_panel: int
    """Of the panels whose majority is right on some claim that exactly so many fail, the size of the largest; 0 if
    there is none. Of n verifiers that all give a label, 2 (n - failed_by) - 1 at most."""
    majority_right: int
    """Decided rightly by the majority of all verifiers."""
    majority_false_support: int
    """Called supported by it though they are not."""
    majority_undecided: int
    best_panel_right: int
    """The most that the majority of any one panel decides rightly."""
    best_panel: tuple[str, ...]


@dataclass(frozen=True)
class Reach:
    """Ceilings of voting on the labelled claims of a run."""

    verifiers: int
    claims: int
    majority_ceiling: float
    """Accuracy that no majority of all verifiers can exceed: the share of claims on which more of them are right than
    give a wrong label, missing votes counted as right."""
    any_choice_ceiling: float
    """Accuracy that no choice among the votes can exceed: the share of claims that at least one verifier gets right."""
    hard: tuple[HardClaims, ...]
    claims_with_missing_votes: int


def reach(replayed: Replay) -> Reach:
    """What voting can reach; the replay must hold the policy `majority`.

    A verifier fails a claim if it answers without giving the right label; an abstention fails it too, since it does
    not carry the claim. A missing vote is no failure, and is counted apart.
    """
    table = replayed.table
    width = len(table.names)
    failed = failed_by(table)
    choices = table.ballots.choices
    right = (choices == table.gold[:, None]).sum(axis=1)
    wrong = ((choices < ABSTAINED) & (choices != table.gold[:, None])).sum(axis=1)
    missing = (choices >= FAILED).sum(axis=1)
    majorities = [place for place, one in enumerate(replayed.combinations) if one.policy == "majority"]
    sizes = np.array([len(replayed.combinations[place].members) for place in majorities])
    hits = replayed.decisions[majorities] == table.gold
    whole = replayed.decisions[replayed.find(range(width), "majority")]
    hard: list[HardClaims] = []
    for count in range(1, width + 1):
        which = failed >= count
        per_panel = hits[:, which].sum(axis=1)
        best = int(per_panel.argmax())
        members = replayed.combinations[majorities[best]].members if which.any() and per_panel[best] else ()
        hard.append(
            HardClaims(
                count,
                int(which.sum()),
                float(which.mean()),
                int((sizes * hits[:, failed == count].any(axis=1)).max()),
                int((whole == table.gold)[which].sum()),
                int(((whole == SUPPORTED) & (table.gold != SUPPORTED))[which].sum()),
                int((whole == ABSTAINED)[which].sum()),
                int(per_panel[best]),
                tuple(table.names[member] for member in members),
            )
        )
    return Reach(
        width,
        len(table),
        float((right + missing > wrong).mean()),
        float((right > 0).mean()),
        tuple(hard),
        int((missing > 0).sum()),
    )


def failed_by(table: VoteTable) -> Codes:
    """(claims,): how many verifiers answered without giving the right label."""
    choices = table.ballots.choices
    return np.asarray(((choices <= ABSTAINED) & (choices != table.gold[:, None])).sum(axis=1), dtype=np.int8)
