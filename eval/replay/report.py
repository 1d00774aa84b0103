"""What a replay says: figures of every combination, beside the best single verifier, the majority and the oracle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from parcel_agents.ensemble.ballots import FAILED, Codes
from parcel_agents.ensemble.rates import Rates, rates
from parcel_agents.eval.claim_only import claim_only_accuracy
from parcel_agents.eval.metrics import RESAMPLES
from parcel_agents.eval.replay.combinations import Replay, replay
from parcel_agents.eval.replay.comparison import Comparison, HeldOutChoice, choose_by_halves, compare
from parcel_agents.eval.replay.independence import Independence, independence
from parcel_agents.eval.replay.reach import Reach, reach
from parcel_agents.eval.replay.rows import Row, oracle_row, rows_of
from parcel_agents.eval.vote_table import NOT_RECORDED, OUTCOMES, VoteTable
from parcel_agents.types import LABELS


@dataclass(frozen=True)
class ReplayReport:
    """Everything that is computed from one votes file."""

    claims: int
    opinions: int
    notes: tuple[str, ...]
    """What the reader must know: claims left out, votes missing, classes without claims."""
    majority_class: float
    claim_only_baseline: float
    rows: tuple[Row, ...]
    """Every combination."""
    oracle: Row
    best_single: int
    """Places among the rows."""
    whole: dict[str, int]
    """By policy, the combination of all verifiers."""
    most_accurate: int
    safest: int
    """The lowest false entailment rate among those at least as accurate as the best single verifier."""
    against_best_single: dict[int, Comparison]
    """By place among the rows."""
    held_out: HeldOutChoice | None
    independence: Independence
    reach: Reach


def make_report(
    table: VoteTable,
    rng: np.random.Generator,
    policies: Sequence[str] = (),
    *,
    resamples: int = RESAMPLES,
    progress: Callable[[], None] = lambda: None,
) -> tuple[Replay, ReplayReport]:
    """The replay of a run's votes, and the report on it.

    Args:
        table: the votes.
        rng: draws folds, resamples and signs.
        policies: names of policies; none given: those that are replayed by default. Majority is always there.
        resamples: draws of the bootstrap.
        progress: called after each of the steps.

    Raises:
        InputError: see `replay`.
    """
    chosen = ("majority", *(name for name in policies if name != "majority")) if policies else ()
    replayed = replay(table, rng, chosen, progress)
    known = replayed.table
    width = len(known.names)
    totals = rates(replayed.confusion.sum(axis=1))
    rows = rows_of(replayed, rng, resamples)
    progress()
    singles = [replayed.find((member,), "majority") for member in range(width)]
    best_single = _best(totals, singles)
    everywhere = range(len(rows))
    good_enough = [place for place in everywhere if totals.accuracy[place] >= totals.accuracy[best_single]]
    most_accurate = _best(totals, everywhere)
    safest = min(good_enough, key=lambda place: (float(np.nan_to_num(totals.fer[place])), -totals.accuracy[place]))
    whole = {name: replayed.find(range(width), name) for name in dict.fromkeys(c.policy for c in replayed.combinations)}
    rivals = dict.fromkeys([*whole.values(), most_accurate, safest])
    best, seed = replayed.decisions[best_single], int(rng.integers(2**32))
    against = {
        # The same draws for all, so that equal decisions get equal p-values.
        place: compare(replayed.decisions[place], best, known.gold, known.opinions, np.random.default_rng(seed))
        for place in rivals
        if place != best_single
    }
    progress()
    return replayed, ReplayReport(
        claims=len(known),
        opinions=int(known.opinions.max()) + 1,
        notes=(*_notes(table), *replayed.skipped),
        majority_class=float(np.bincount(known.gold).max() / len(known)),
        claim_only_baseline=claim_only_accuracy(known.claims),
        rows=rows,
        oracle=oracle_row(known, rng, resamples),
        best_single=best_single,
        whole=whole,
        most_accurate=most_accurate,
        safest=safest,
        against_best_single=against,
        held_out=choose_by_halves(replayed.confusion, rng),
        independence=independence(replayed, rng),
        reach=reach(replayed),
    )


def _notes(table: VoteTable) -> list[str]:
    """What makes the figures other than a reader would think."""
    known = table.labelled()
    notes = []
    if (unlabelled := len(table) - len(known)) > 0:
        notes.append(f"{unlabelled} of {len(table)} claims have no label and are left out")
    for member, name in enumerate(table.names):
        codes = known.outcomes[:, member]
        missing = int((known.ballots.choices[:, member] >= FAILED).sum())
        if missing:
            kinds: dict[str, int] = {
                **{outcome: int((codes == code).sum()) for code, outcome in enumerate(OUTCOMES) if outcome != "ok"},
                "not in the run": int((codes == NOT_RECORDED).sum()),
            }
            said = ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count)
            notes.append(
                f"{name} has no vote on {missing} of {len(known)} claims ({said}); they stay in the count as missing "
                "votes, so the panel does not shrink"
            )
    notes += kept_notes(known)
    for label in _absent(known.gold):
        rate = f"; the FER on {label} is unknown" if label != "supported" else ""
        notes.append(f"no claim is labelled {label}: macro F1 is that of the other classes{rate}")
    if known.opinions.max() == 0:
        notes.append("all claims are about one opinion: there are no intervals, and nothing follows for other opinions")
    elif known.opinions.max() < 9:
        notes.append(f"with {int(known.opinions.max()) + 1} opinions the intervals are rough")
    return notes


def kept_notes(table: VoteTable) -> list[str]:
    """Whose cost and time are not what was measured."""
    notes = []
    for member, name in enumerate(table.names):
        if kept := int(table.kept[:, member].sum()):
            spent = "taken from its other votes" if kept < len(table) else "not known, and count as nothing"
            notes.append(f"{kept} votes of {name} were kept from before: their cost and time are {spent}")
    return notes


def _absent(gold: Codes) -> list[str]:
    return [label.replace("_", " ") for code, label in enumerate(LABELS) if not (gold == code).any()]


def _best(totals: Rates, places: Sequence[int] | range) -> int:
    """The place with the highest accuracy; of several the lowest false entailment rate, then the first."""
    return min(places, key=lambda place: (-totals.accuracy[place], float(np.nan_to_num(totals.fer[place]))))
