"""What counts as a failure: a verifier answered, and not with the right label. A missing vote is none.

That is what `report`'s table 7 and `eval.replay.reach` count, and the other side of accuracy. The paper's models always
give one of three labels, so that "misclassified" is all it needs; ours may also abstain (a check that found nothing
says nothing), which carries a claim no further. An abstention misled nobody, though, and a panel that mostly abstains
fails nearly everything. Who wants to know what misleads counts wrong labels alone (`wrong_only`). Missing votes are
counted apart either way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, Ballots, Bools, Codes
from parcel_agents.types import LABELS


@dataclass(frozen=True)
class Failures:
    """Votes on labelled claims, as right, wrong, abstained or absent; of each vote exactly one holds."""

    names: tuple[str, ...]
    """The verifiers."""
    gold: Codes
    """(claims,): code of the right label."""
    choices: Codes
    """(claims, verifiers): code of a label, ABSTAINED, or a code from FAILED on."""
    wrong_only: bool = False
    """Whether an abstention is no failure."""

    def __len__(self) -> int:
        return len(self.gold)

    @cached_property
    def right(self) -> Bools:
        """(claims, verifiers): True where the verifier gave the right label."""
        return np.asarray(self.choices == self.gold[:, None])

    @cached_property
    def wrong(self) -> Bools:
        """(claims, verifiers): True where the verifier gave another label."""
        return np.asarray((self.choices < ABSTAINED) & ~self.right)

    @cached_property
    def abstained(self) -> Bools:
        """(claims, verifiers): True where it looked and gave no label."""
        return np.asarray(self.choices == ABSTAINED)

    @cached_property
    def failed(self) -> Bools:
        """(claims, verifiers): True where the claim fails the verifier."""
        return self.wrong if self.wrong_only else np.asarray(self.wrong | self.abstained)

    @cached_property
    def absent(self) -> Bools:
        """(claims, verifiers): True where there is no vote, because it failed or stands nowhere in the run."""
        return np.asarray(self.choices >= FAILED)

    @cached_property
    def counted(self) -> Bools:
        """(claims, verifiers): True where the verifier is right or fails."""
        return np.asarray(self.right | self.failed)

    @cached_property
    def failed_by(self) -> NDArray[np.int64]:
        """(claims,): how many verifiers the claim fails."""
        return np.asarray(self.failed.sum(axis=1), dtype=np.int64)

    def hard(self, k: int) -> Bools:
        """(claims,): True where at least k verifiers fail.

        Raises:
            ValueError: k is not between 1 and the number of verifiers.
        """
        if not 1 <= k <= len(self.names):
            raise ValueError(f"k is {k}; it must be from 1 to {len(self.names)}, the number of verifiers")
        return np.asarray(self.failed_by >= k)


def failures_of(ballots: Ballots, gold: Codes, *, wrong_only: bool = False) -> Failures:
    """The failures of a panel.

    Args:
        ballots: the votes.
        gold: (claims,) codes of labels.
        wrong_only: whether an abstention is no failure.

    Raises:
        ValueError: a claim has no label, or there are not as many labels as claims.
    """
    if gold.shape != (len(ballots),):
        raise ValueError(f"{len(gold)} labels for {len(ballots)} claims")
    if len(gold) and not (gold.min() >= 0 and gold.max() < len(LABELS)):
        raise ValueError("a claim has no label; failures are defined on labelled claims only")
    names = tuple(member.name for member in ballots.members)
    return Failures(names, gold, ballots.choices, wrong_only)
