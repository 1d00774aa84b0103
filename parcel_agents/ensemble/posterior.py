"""What fitted policies share: members by name, parameters read back, and the rule that decides by probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from pydantic import ValidationError

from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, Ballots, Bools, Codes, Floats
from parcel_agents.ensemble.base import Decisions
from parcel_agents.types import LABELS, Frozen

ROUNDING = 1e-9
"""What sums of floating-point numbers may be off by: a score this close to one half is a tie."""

_Shape = TypeVar("_Shape", bound=Frozen)


def read_parameters(shape: type[_Shape], parameters: Mapping[str, Any]) -> _Shape:
    """The parameters as the given model has them.

    Raises:
        ValueError: they are not of this shape; each place that is wrong is named.
    """
    try:
        return shape.model_validate(parameters, strict=True)
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, one['loc'])) or 'parameters'}: {one['msg']}" for one in error.errors()]
        raise ValueError("; ".join(wrong)) from error


def columns_of(ballots: Ballots, fitted: Sequence[str]) -> list[int | None]:
    """For each member that a policy was fitted on, its column in the ballots; None where it is not of their panel.

    Raises:
        ValueError: the panel has a member that the policy was not fitted on.
    """
    column = {member.name: place for place, member in enumerate(ballots.members)}
    unknown = sorted(set(column) - set(fitted))
    if unknown:
        raise ValueError(f"not fitted on {', '.join(map(repr, unknown))}; fitted on: {', '.join(fitted)}")
    return [column.get(name) for name in fitted]


def over_half(scores: Floats) -> Codes:
    """(claims,): the label whose score is more than one half, ABSTAINED where none is."""
    wins: Bools = scores > 0.5 + ROUNDING
    return np.where(wins.any(axis=1), wins.argmax(axis=1), ABSTAINED).astype(np.int8)


def decide_by(posterior: Floats, ballots: Ballots) -> Decisions:
    """The label that is more likely than not, where enough members answered and one of them gave it.

    More than half of the panel must have answered, with a label or an abstention. A probability knows nothing of the
    members who failed, so without this a panel would shrink to whoever is left.
    """
    labels = over_half(posterior)
    quorum = 2 * (ballots.choices < FAILED).sum(axis=1) > len(ballots.members)
    given = (ballots.choices == labels[:, None]).any(axis=1)
    return Decisions(np.where(quorum & given, labels, ABSTAINED).astype(np.int8), posterior)


def softmax(logits: Floats) -> Floats:
    """(claims, labels): probabilities with these logarithms, up to a constant a claim.

    The row's maximum is subtracted first: the likelihood of many votes is smaller than what a float can hold.
    """
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: Floats = odds / odds.sum(axis=1, keepdims=True)
    return probabilities


def in_words(decisions: Decisions) -> str:
    """The rule of `decide_by` as applied to the one claim that was decided."""
    likeliest = int(decisions.scores[0].argmax())
    found = f"probability {_rounded(decisions.scores[0, likeliest])} that it is {LABELS[likeliest].replace('_', ' ')}"
    if decisions.labels[0] != ABSTAINED:
        return found
    if over_half(decisions.scores)[0] == ABSTAINED:
        return "no label is more likely than not"
    return f"{found}, but nobody says so or too few answered"


def _rounded(probability: float) -> str:
    # Rounding to 1.00 would promise what no panel can.
    return "above .99" if probability > 0.99 else f"{probability:.2f}".removeprefix("0")
