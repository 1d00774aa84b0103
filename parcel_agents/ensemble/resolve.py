"""One claim: from the votes of a panel to a resolution in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, UNASKED, Ballots, Member
from parcel_agents.ensemble.base import Policy, waiting
from parcel_agents.types import LABELS, Label, Resolution, Vote

MAX_COMPLETIONS = 50_000
"""Beyond so many ways in which the missing votes could have gone, they are said to matter."""

_Ballot = tuple[int, float, bool]
"""A vote that might have been given: its choice, its confidence, and whether it points where the others point."""


def resolve(
    policy: Policy, panel: Sequence[Member], votes: Sequence[Vote], *, tier: int | None = None
) -> Resolution | None:
    """What the policy makes of the votes on one claim; None if it wants the next tier asked first.

    The confidence is the score of the label where the policy is calibrated, else the mean of what the winning votes
    say of themselves, None if they say nothing. A member without a vote counts as one whose vote is missing.

    Args:
        policy: the policy.
        panel: the whole configured panel.
        votes: the votes of those who were asked.
        tier: the last tier that was asked; None for all of them.

    Raises:
        ValueError: a vote is by nobody of the panel, or a member has two.
    """
    # Sums of floating-point numbers depend on their order, so the order is fixed: nothing else depends on it.
    members = sorted(panel, key=lambda member: member.name)
    ballots = Ballots.of(members, [votes])
    if tier is not None:
        ballots = ballots.until(tier)
        if waiting(policy, ballots)[0]:
            return None
    decisions = policy.decide(ballots)
    decided = int(decisions.labels[0])
    choices = ballots.choices[0]
    counted = [place for place, choice in enumerate(choices) if choice == decided != ABSTAINED]
    return Resolution(
        label=LABELS[decided] if decided != ABSTAINED else None,
        reason=f"{_tally(ballots)}: {policy.explain(decisions)}",
        confidence=_confidence(policy.calibrated, float(decisions.score_of_label()[0]), ballots, counted),
        counted=tuple(members[place].name for place in counted),
        missing=_named(ballots, FAILED),
        unasked=_named(ballots, UNASKED),
        missing_could_change=missing_could_change(policy, ballots, decided),
    )


def missing_could_change(policy: Policy, ballots: Ballots, decided: int) -> bool:
    """True if some way in which the missing votes on the one claim could have gone gives another decision.

    Votes that were not asked for are not missing; a way in which they would have been asked for is another decision.
    Confidence and evidence of a missing vote are tried at their extremes. With more than `MAX_COMPLETIONS` ways the
    answer is True: said to matter rather than guessed not to.
    """
    missing = [place for place, choice in enumerate(ballots.choices[0]) if choice == FAILED]
    if not missing:
        return False
    ways = [list(_ways(ballots.members[place], policy.reads)) for place in missing]
    if np.prod([float(len(way)) for way in ways]) > MAX_COMPLETIONS:
        return True
    completed = _completions(ballots, missing, list(product(*ways)))
    return bool((policy.decide(completed).labels != decided).any())


def _ways(member: Member, reads: frozenset[str]) -> Iterator[_Ballot]:
    """The votes that a member could give, as far as the policy can tell them apart."""
    yield ABSTAINED, float("nan"), False
    confidences = (0.0, 1.0) if "confidence" in reads else (float("nan"),)
    places = (False, True) if "evidence" in reads else (False,)
    for label in sorted(LABELS.index(label) for label in member.casts):
        for confidence, shares in product(confidences, places):
            yield label, confidence, shares


def _completions(ballots: Ballots, missing: list[int], ways: list[tuple[_Ballot, ...]]) -> Ballots:
    choices = np.repeat(ballots.choices, len(ways), axis=0)
    confidence = np.repeat(ballots.confidence, len(ways), axis=0)
    shared = np.repeat(ballots.shared, len(ways), axis=0)
    choices[:, missing] = [[choice for choice, _, _ in way] for way in ways]
    confidence[:, missing] = [[sure for _, sure, _ in way] for way in ways]
    points = np.array([[there for _, _, there in way] for way in ways], dtype=np.bool_)
    points_there = np.diagonal(shared, axis1=1, axis2=2).copy()
    points_there[:, missing] = points
    for place in missing:
        common = (choices == choices[:, [place]]) & points_there & points_there[:, [place]]
        shared[:, place, :] = common
        shared[:, :, place] = common
    return Ballots(ballots.members, choices, confidence, shared)


def _confidence(calibrated: bool, score: float, ballots: Ballots, counted: list[int]) -> float | None:
    if not counted:
        return None
    if calibrated:
        return score
    own = ballots.confidence[0, counted]
    own = own[~np.isnan(own)]
    return float(own.mean()) if len(own) else None


def _tally(ballots: Ballots) -> str:
    """Who said what, such as `2 of 3 answered; 2 supported; no vote from c`."""
    choices = ballots.choices[0]
    counts: dict[Label, int] = {label: int(count) for label, count in zip(LABELS, ballots.counts[0], strict=True)}
    said = ", ".join(f"{count} {label.replace('_', ' ')}" for label, count in counts.items() if count)
    abstained = int((choices == ABSTAINED).sum())
    silent = ", ".join(_named(ballots, FAILED))
    unasked = int((choices == UNASKED).sum())
    words = [f"{int((choices < FAILED).sum())} of {len(choices)} answered"]
    words += [said] if said else []
    words += [f"{abstained} abstained"] if abstained else []
    words += [f"no vote from {silent}"] if silent else []
    words += [f"{unasked} not asked"] if unasked else []
    return "; ".join(words)


def _named(ballots: Ballots, code: int) -> tuple[str, ...]:
    """The members whose vote has this code."""
    return tuple(m.name for m, choice in zip(ballots.members, ballots.choices[0], strict=True) if choice == code)
