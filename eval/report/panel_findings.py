"""A few sentences on a panel: how independent its votes are, and what voting can reach."""

from __future__ import annotations

import math

import numpy as np

from parcel_agents.eval.replay.combinations import MAX_MEMBERS, replay
from parcel_agents.eval.replay.independence import independence
from parcel_agents.eval.replay.reach import reach
from parcel_agents.eval.report.evaluation import RunVotes

FEWEST = 2


def panel_findings(run: RunVotes, rng: np.random.Generator) -> tuple[str, ...]:
    """What `parcel-agents replay` says of the panel, in short; nothing for one verifier, or for too many."""
    if not FEWEST <= len(run.panel.columns) <= MAX_MEMBERS:
        return ()
    replayed = replay(run.table.columns(run.panel.columns), rng, ("majority",))
    votes, limits = independence(replayed, rng), reach(replayed)
    lines = []
    if not math.isnan(votes.effective_votes):
        lines.append(
            f"{votes.verifiers} verifiers make {votes.effective_votes:.2f} effective votes: the mean correlation of "
            f"their errors is {votes.mean_correlation:.2f}."
        )
    lines.append(
        f"The majority is right on {votes.majority_accuracy:.3f} of the claims; had the verifiers erred apart, it "
        f"would be on {votes.independent_accuracy:.3f}."
    )
    lines.append(
        f"{votes.best_single}, the best alone, is right on {votes.best_single_accuracy:.3f}; at least one of them is "
        f"on {votes.oracle_accuracy:.3f}, which no choice among their votes can exceed."
    )
    lines.append(f"No majority of all {limits.verifiers} can be right on more than {limits.majority_ceiling:.3f}.")
    return tuple(lines)
