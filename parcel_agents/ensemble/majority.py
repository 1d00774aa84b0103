"""Majority of the configured panel, else abstention.

A label wins with more than half of the votes of the members who did not abstain. A member whose vote is missing
(it failed, or was not asked) has not abstained and stays in the count, so a panel never shrinks because a model
answered badly. A false entailment is the costly error, so `supported` must also win more than half of *all*
members that can say so: a lone supporter among models that abstain does not carry a claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from parcel_agents.ensemble.base import Member, votes_by_member
from parcel_agents.types import LABELS, Label, Resolution, Vote

_Cast = dict[str, Label | None]


@dataclass(frozen=True)
class Majority:
    """The policy `majority`."""

    name: str = "majority"

    def resolve(self, panel: Sequence[Member], votes: Sequence[Vote]) -> Resolution:
        """See `Policy.resolve`. A tie abstains. The confidence is the mean of the winning votes' own."""
        found = votes_by_member(panel, votes)
        cast: _Cast = {name: vote.label for name, vote in found.items() if vote is not None}
        missing = tuple(sorted(name for name, vote in found.items() if vote is None))
        label = _winner(panel, cast)
        winners = sorted(name for name, choice in cast.items() if choice == label and label is not None)
        confidences = [
            vote.confidence for name in winners if (vote := found[name]) is not None and vote.confidence is not None
        ]
        return Resolution(
            label=label,
            reason=_reason(panel, cast, missing, label),
            confidence=sum(confidences) / len(confidences) if confidences else None,
            counted=tuple(winners),
            missing=missing,
            missing_could_change=any(_winner(panel, other) != label for other in _completions(panel, cast)),
        )


def _winner(panel: Sequence[Member], cast: _Cast) -> Label | None:
    """The label that carries; `cast` holds the votes that were given, None for an abstention."""
    speaking = sum(1 for member in panel if member.name not in cast or cast[member.name] is not None)
    counts = {label: sum(1 for choice in cast.values() if choice == label) for label in LABELS}
    for label, count in counts.items():
        able = sum(1 for member in panel if label in member.casts) if label == "supported" else 0
        if 2 * count > max(speaking, able):
            return label
    return None


def _completions(panel: Sequence[Member], cast: _Cast) -> Iterator[_Cast]:
    """Ways in which the missing votes could have been given, one for every reachable count of labels.

    The outcome depends on how many choose what and not on who does: seven missing votes make some hundred
    counts instead of 4^7 combinations.
    """
    missing = [member for member in panel if member.name not in cast]
    reachable: dict[tuple[str, ...], _Cast] = {(): {}}
    for member in missing:
        reachable = {
            tuple(sorted((*counts, str(choice)))): {**given, member.name: choice}
            for counts, given in reachable.items()
            for choice in (*member.casts, None)
        }
    for given in reachable.values():
        yield {**cast, **given}


def _reason(panel: Sequence[Member], cast: _Cast, missing: tuple[str, ...], label: Label | None) -> str:
    counts = {word: sum(1 for choice in cast.values() if choice == word) for word in LABELS}
    said = ", ".join(f"{count} {word.replace('_', ' ')}" for word, count in counts.items() if count)
    abstained = sum(1 for choice in cast.values() if choice is None)
    words = [f"{len(cast)} of {len(panel)} answered"]
    words += [said] if said else []
    words += [f"{abstained} abstained"] if abstained else []
    words += [f"no vote from {', '.join(missing)}"] if missing else []
    return "; ".join(words) + (": majority" if label else ": no majority")
