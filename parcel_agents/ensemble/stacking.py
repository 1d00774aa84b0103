"""Stacking: a regression on who said what, how sure they are, and whether they point to the same place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import FiniteFloat

from parcel_agents.ensemble.ballots import FAILED, Ballots, Bools, Floats
from parcel_agents.ensemble.base import Decisions
from parcel_agents.ensemble.calibration import Calibration
from parcel_agents.ensemble.posterior import columns_of, decide_by, in_words, read_parameters, softmax
from parcel_agents.types import LABELS, Frozen

PENALTIES = (0.1, 1.0, 10.0)
"""What cross-validation chooses from: scikit-learn's `C`, the inverse strength of the penalty."""
FOLDS = 3

_ANSWERS = len(LABELS) + 1
_OWN = _ANSWERS + len(LABELS)
_READ = _OWN + len(LABELS)
"""Of each vote: its choice, its confidence by label, and by label whether it cites what another cites."""
_POOLED = [*range(len(LABELS)), *range(_OWN, _READ)]


class _Parameters(Frozen):
    members: list[str]
    penalty: FiniteFloat
    centre: list[list[FiniteFloat]]
    coefficients: list[list[FiniteFloat]]
    intercept: list[FiniteFloat]


@dataclass(frozen=True)
class Stacking:
    """The label that is more likely than not by a multinomial logistic regression on the votes.

    The features of a claim are

    - for each member, which label it gave, or that it abstained;
    - for each member and label, how much surer than usual it is, where it gave that label and said how sure it is;
    - for each label, the share of the members who gave it, and of those who gave it and cite a place in the opinion
      that another who gave it cites too.

    All are centred, and whatever is missing stands at its mean: a failed or unasked vote counts as the member's
    average vote, and a confidence that was not given as its usual one. A failure has no coefficient of its own, since
    failing would then speak for a label, also for members that were never asked. The regression sees that members err
    together, which `DawidSkene` does not, and needs labelled claims for it.

    The words of the claim are no feature and should not become one: false claims that were made by editing true ones
    give themselves away by their wording, so a regression that reads them learns how the benchmark was made.

    D. H. Wolpert, Stacked generalization, Neural Networks 5 (1992), doi:10.1016/S0893-6080(05)80023-1.
    """

    members: tuple[str, ...]
    penalty: float
    """The `C` that was chosen."""
    centre: Floats
    """(members, 10): the mean of what is read from a member's votes, where it was there."""
    coefficients: Floats
    """(labels, features): seven features a member, and six of all members."""
    intercept: Floats
    """(labels,)"""
    name: str = "stacking"
    calibrated: ClassVar[bool] = True
    joint: ClassVar[bool] = True
    """What is learned of a member depends on who else is there, so another panel needs another fit."""
    reads: ClassVar[frozenset[str]] = frozenset({"confidence", "evidence"})

    def __post_init__(self) -> None:
        if len(set(self.members)) != len(self.members):
            raise ValueError(f"two members have one name: {sorted(self.members)}")
        width = len(self.members)
        expected = ((width, _READ), (len(LABELS), width * _OWN + len(_POOLED)), (len(LABELS),))
        shapes = (self.centre.shape, self.coefficients.shape, self.intercept.shape)
        if shapes != expected:
            raise ValueError(
                f"shapes of centre, coefficients, intercept: {width} members take {expected}, not {shapes}"
            )

    @classmethod
    def fit(cls, calibration: Calibration, *, rng: np.random.Generator, penalties: Sequence[float] = PENALTIES) -> Self:
        """The regression on the labelled claims; of the penalties, the best by log loss on opinions held out.

        Raises:
            ValueError: fewer than two opinions have labelled claims of some label.
        """
        labelled = calibration.labelled()
        _check_that_opinions_can_be_held_out(labelled)
        # By name, whatever the order of the panel: sums depend on their order.
        members = tuple(sorted(member.name for member in labelled.ballots.members))
        read = _read(labelled.ballots, members)
        there = ~np.isnan(read)
        centre = np.nan_to_num(read).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
        features, gold = _features(read, centre), labelled.gold.astype(np.int64)
        fold = labelled.folds(min(FOLDS, len(np.unique(labelled.opinions))), rng)
        from threadpoolctl import threadpool_limits

        # The arrays are small: threads would only wait for each other, ten times as long where the cores are busy.
        with threadpool_limits(limits=1):
            penalty = _choose(features, gold, fold, sorted(penalties))
            (fitted,) = _regress(features, gold, [penalty])
        return cls(members, penalty, centre, fitted.coefficients, fitted.intercept)

    def posterior(self, ballots: Ballots) -> Floats:
        """(claims, labels): how likely each label is, given the votes.

        Raises:
            ValueError: the panel has a member that the policy was not fitted on.
        """
        features = _features(_read(ballots, self.members), self.centre)
        return _Fitted(self.coefficients, self.intercept).posterior(features)

    def decide(self, ballots: Ballots) -> Decisions:
        """See `Policy.decide` and `decide_by`: more likely than not, given by somebody, and a quorum answered."""
        return decide_by(self.posterior(ballots), ballots)

    def explain(self, decisions: Decisions) -> str:
        """See `Policy.explain`."""
        return in_words(decisions)

    def parameters(self) -> dict[str, Any]:
        """What was fitted, as JSON."""
        return {
            "members": list(self.members),
            "penalty": self.penalty,
            "centre": self.centre.tolist(),
            "coefficients": self.coefficients.tolist(),
            "intercept": self.intercept.tolist(),
        }

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> Self:
        """The policy with these parameters.

        Raises:
            ValueError: they are not what `parameters` returns.
        """
        given = read_parameters(_Parameters, parameters)
        for what, rows in (("centre", given.centre), ("coefficients", given.coefficients)):
            if len({len(row) for row in rows}) != 1:
                raise ValueError(f"{what}: expected rows of one length, got {[len(row) for row in rows]}")
        return cls(
            tuple(given.members),
            given.penalty,
            np.array(given.centre, dtype=np.float64),
            np.array(given.coefficients, dtype=np.float64),
            np.array(given.intercept, dtype=np.float64),
        )


@dataclass(frozen=True)
class _Fitted:
    coefficients: Floats
    intercept: Floats

    def posterior(self, features: Floats) -> Floats:
        return softmax(features @ self.coefficients.T + self.intercept)


def _read(ballots: Ballots, members: tuple[str, ...]) -> Floats:
    """(claims, members, 10): what the votes say, nan where there is nothing to read; see `_READ`."""
    read = np.full((len(ballots), len(members), _READ), np.nan)
    others = ~np.eye(len(ballots.members), dtype=np.bool_)
    cites_with_another: Bools = np.asarray((ballots.shared & others).any(axis=2))
    for place, column in enumerate(columns_of(ballots, members)):
        if column is None:
            continue
        choices = ballots.choices[:, column]
        chose = (choices[:, None] == np.arange(_ANSWERS)).astype(np.float64)
        gave = chose[:, : len(LABELS)]
        sure = np.where(gave > 0, ballots.confidence[:, [column]], np.nan)
        votes = np.hstack([chose, sure, gave * cites_with_another[:, [column]]])
        votes[choices >= FAILED] = np.nan
        read[:, place] = votes
    return read


def _features(read: Floats, centre: Floats) -> Floats:
    """(claims, features): what each member says beside its mean, and the means of all members."""
    centred = read - centre
    centred[np.isnan(centred)] = 0
    own = centred[:, :, :_OWN].reshape(len(read), -1)
    return np.hstack([own, centred[:, :, _POOLED].sum(axis=1) / max(read.shape[1], 1)])


def _choose(features: Floats, gold: NDArray[np.int64], fold: NDArray[np.int64], penalties: list[float]) -> float:
    """The penalty with the least log loss on claims held out; of equals the strongest penalty."""
    losses = np.zeros(len(penalties))
    for held in np.unique(fold):
        out = fold == held
        # A regression that never saw a label gives it no probability at all: its loss would drown all others.
        if len(np.unique(gold[~out])) < len(LABELS):
            continue
        for place, fitted in enumerate(_regress(features[~out], gold[~out], penalties)):
            likely = fitted.posterior(features[out])[np.arange(int(out.sum())), gold[out]]
            losses[place] -= np.log(np.maximum(likely, np.finfo(np.float64).tiny)).sum()
    return penalties[int(losses.argmin())]


def _regress(features: Floats, gold: NDArray[np.int64], penalties: Sequence[float]) -> list[_Fitted]:
    """The regression with each of the penalties, each begun where the last one ended."""
    from sklearn.linear_model import LogisticRegression  # takes a second to load; deciding needs only numpy

    model = LogisticRegression(warm_start=True, max_iter=1000)
    fitted = []
    for penalty in penalties:
        model.set_params(C=penalty).fit(features, gold)
        fitted.append(_Fitted(model.coef_.copy(), model.intercept_.copy()))
    return fitted


def _check_that_opinions_can_be_held_out(labelled: Calibration) -> None:
    for code, label in enumerate(LABELS):
        opinions = np.unique(labelled.opinions[labelled.gold == code])
        if not len(opinions):
            raise ValueError(f"no labelled claim is {label}; a regression needs claims of every label")
        if len(opinions) < 2:
            raise ValueError(
                f"all labelled claims that are {label} are about one opinion; to choose the penalty on opinions that "
                "were held out, it takes two"
            )
