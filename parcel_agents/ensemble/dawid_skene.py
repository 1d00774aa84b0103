"""Dawid-Skene: the truth and each member's errors estimated from one another, held by claims of known label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import FiniteFloat

from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, UNASKED, Ballots, Bools, Codes, Floats
from parcel_agents.ensemble.base import Decisions
from parcel_agents.ensemble.calibration import UNLABELLED, Calibration
from parcel_agents.ensemble.posterior import columns_of, decide_by, in_words, read_parameters, softmax
from parcel_agents.types import LABELS, Frozen

CHOICES = (*LABELS, "abstained")
"""What an answer can be, in the order of the codes."""
SMOOTHING = 0.5
"""Votes of each kind that are added to what was counted (Jeffreys' prior): what was never seen can still happen."""
TOLERANCE = 1e-6
"""EM ends when the log-likelihood of a claim grows by less, on average."""
MAX_STEPS = 300
MEMBERS_WITHOUT_ANCHORS = 3
"""With fewer members and no labelled claims, very different confusions explain the votes equally well."""

_T = TypeVar("_T")


class _Parameters(Frozen):
    priors: dict[str, FiniteFloat]
    confusion: dict[str, dict[str, dict[str, FiniteFloat]]]


@dataclass(frozen=True)
class DawidSkene:
    r"""The label that is more likely than not, given how each member errs.

    Claim `i` has a true label `y_i`, drawn with probabilities `pi_k`. Given `y_i = k`, member `j` makes the choice
    `c` - a label or an abstention - with probability `theta_j[k, c]`, independently of the other members. Hence

        P(y_i = k | votes)  is proportional to  pi_k * product over j who answered of theta_j[k, c_ij]

    The two steps of EM, repeated until the log-likelihood stands still (with the logarithm of the prior, which the
    smoothing stands for):

    - E: the posterior `T_ik` of each claim's label by the line above, but 1 for the label of a claim whose label is
      known (a gold anchor).
    - M: `pi_k` and `theta_j[k, c]` are the shares of the claims and of the choices, counted with weights `T_ik`, with
      `SMOOTHING` added to each count.

    With all labels known this is counting, in closed form. With none it is the method of the paper; the posteriors
    begin as the shares of the labels given, which also ties each class to the label that most members give it. With
    some of each label they begin there or where the anchors alone put them, whichever is likelier.

    A vote that failed or was not asked for carries no information. That is right for a cascade, which asks by the
    votes it has seen, and an assumption about failures: a member that fails more on false claims than on true ones
    breaks it. A member who never answered says nothing either way. Two members that err together are counted as two
    witnesses, so the probabilities are too close to 0 and 1 for panels of similar models.

    A. P. Dawid and A. M. Skene, Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm,
    Applied Statistics 28 (1979), doi:10.2307/2346806.
    """

    members: tuple[str, ...]
    confusion: Floats
    """(members, labels, choices): how likely each choice of a member is, given the true label; rows sum to 1."""
    priors: Floats
    """(labels,): how likely each label is before any vote."""
    name: str = "dawid_skene"
    calibrated: ClassVar[bool] = True
    reads: ClassVar[frozenset[str]] = frozenset()

    def __post_init__(self) -> None:
        if len(set(self.members)) != len(self.members):
            raise ValueError(f"two members have one name: {sorted(self.members)}")
        if self.confusion.shape != (len(self.members), len(LABELS), len(CHOICES)) or len(self.priors) != len(LABELS):
            raise ValueError(f"confusions of shape {self.confusion.shape} for {len(self.members)} members")
        for what, rows in (("the priors", self.priors), ("each row of a confusion", self.confusion)):
            if not ((rows > 0).all() and np.allclose(rows.sum(axis=-1), 1)):
                raise ValueError(f"{what} must be probabilities above 0 that sum to 1")

    @classmethod
    def fit(cls, calibration: Calibration, *, smoothing: float = SMOOTHING, max_steps: int = MAX_STEPS) -> Self:
        """Confusions and priors from labelled claims, unlabelled ones, or both.

        After `max_steps` EM ends where it is; the log-likelihood has grown in each step.

        Raises:
            ValueError: smoothing is not above 0, or a label cannot be learned: no labelled claim has it, and there are
                no unlabelled claims, or nobody gives it there, or fewer than three members give labels there.
        """
        if not smoothing > 0:
            raise ValueError(f"smoothing is {smoothing}, but without any a single vote could rule a label out")
        ballots = calibration.ballots
        # By name, whatever the order of the panel: sums depend on their order.
        order = sorted(range(len(ballots.members)), key=lambda place: ballots.members[place].name)
        choices, gold = ballots.choices[:, order], calibration.gold
        known = gold != UNLABELLED
        _check_that_labels_can_be_learned(choices[~known], gold[known])
        # The smoothing and the anchors are counts that stay as they are.
        anchors = np.eye(len(LABELS))[gold[known]]
        fixed = _Counts(smoothing + _tally(anchors, _one_hot(choices[known])), smoothing + anchors.sum(axis=0))
        anchored = bool(anchors.any(axis=0).all())
        counts = fixed if known.all() else _em(fixed, choices[~known], max_steps, anchored=anchored)
        names = tuple(ballots.members[place].name for place in order)
        confusion = counts.choices / counts.choices.sum(axis=2, keepdims=True)
        return cls(names, np.ascontiguousarray(confusion.transpose(1, 0, 2)), counts.labels / counts.labels.sum())

    def posterior(self, ballots: Ballots) -> Floats:
        """(claims, labels): how likely each label is, given the votes; the priors where nobody answered.

        Raises:
            ValueError: the panel has a member that the policy was not fitted on.
        """
        logits = np.repeat(np.log(self.priors)[None], len(ballots), axis=0)
        for column, confusion in zip(columns_of(ballots, self.members), self.confusion, strict=True):
            if column is not None:
                says = np.zeros((UNASKED + 1, len(LABELS)))
                says[: len(CHOICES)] = np.log(confusion.T)
                logits += says[ballots.choices[:, column]]
        return softmax(logits)

    def decide(self, ballots: Ballots) -> Decisions:
        """See `Policy.decide` and `decide_by`: more likely than not, given by somebody, and a quorum answered."""
        return decide_by(self.posterior(ballots), ballots)

    def explain(self, decisions: Decisions) -> str:
        """See `Policy.explain`."""
        return in_words(decisions)

    def parameters(self) -> dict[str, Any]:
        """What was fitted, as JSON."""
        return {
            "priors": dict(zip(LABELS, self.priors.tolist(), strict=True)),
            "confusion": {
                member: {label: dict(zip(CHOICES, row, strict=True)) for label, row in zip(LABELS, rows, strict=True)}
                for member, rows in zip(self.members, self.confusion.tolist(), strict=True)
            },
        }

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> Self:
        """The policy with these parameters.

        Raises:
            ValueError: they are not what `parameters` returns.
        """
        given = read_parameters(_Parameters, parameters)
        members = tuple(sorted(given.confusion))
        rows = [
            _in_order(row, CHOICES, f"confusion of {member!r}")
            for member in members
            for row in _in_order(given.confusion[member], LABELS, f"confusion of {member!r}")
        ]
        confusion = np.array(rows, dtype=np.float64).reshape(len(members), len(LABELS), len(CHOICES))
        return cls(members, confusion, np.array(_in_order(given.priors, LABELS, "priors"), dtype=np.float64))


@dataclass(frozen=True)
class _Counts:
    choices: Floats
    """(labels, members, choices): how often each choice was made where the label is true."""
    labels: Floats
    """(labels,): how many claims have the label."""


@dataclass(frozen=True)
class _Expected:
    posterior: Floats
    """(patterns, labels)"""
    likelihood: float
    """Logarithm, of the votes and the anchors, with the prior."""


@dataclass(frozen=True)
class _Em:
    """The two steps on claims of unknown label."""

    fixed: _Counts
    """Of the anchors, with the smoothing; the same in each step."""
    seen: Floats
    """(patterns, members * choices): see `_one_hot`."""
    repeats: NDArray[np.int64]
    """(patterns,): how many claims have these votes."""

    def expect(self, counts: _Counts) -> _Expected:
        log_confusion = np.log(counts.choices / counts.choices.sum(axis=2, keepdims=True))
        log_priors = np.log(counts.labels / counts.labels.sum())
        logits = self.seen @ log_confusion.reshape(len(LABELS), -1).T + log_priors
        peak = logits.max(axis=1, keepdims=True)
        joint = np.exp(logits - peak)
        total = joint.sum(axis=1, keepdims=True)
        likelihood = float(self.repeats @ (peak + np.log(total))[:, 0])
        likelihood += float((self.fixed.choices * log_confusion).sum() + self.fixed.labels @ log_priors)
        return _Expected(joint / total, likelihood)

    def maximise(self, posterior: Floats) -> _Counts:
        expected = posterior * self.repeats[:, None]
        return _Counts(self.fixed.choices + _tally(expected, self.seen), self.fixed.labels + expected.sum(axis=0))


def _em(fixed: _Counts, choices: Codes, max_steps: int, *, anchored: bool) -> _Counts:
    """The fixed counts, and those that the claims of unknown label are expected to add to them."""
    # Claims with equal votes have equal posteriors: a few hundred patterns stand for thousands of claims.
    _, first, repeats = np.unique(_keys(choices), return_index=True, return_counts=True)
    em = _Em(fixed, _one_hot(choices[first]), repeats)
    # A few anchors may mislead, and a majority that errs together does: EM does not find its way out of either.
    counts = em.maximise(_plurality(choices[first]))
    if anchored:
        counts = max(counts, em.maximise(em.expect(fixed).posterior), key=lambda start: em.expect(start).likelihood)
    reached = -np.inf
    for _ in range(max_steps):
        expected = em.expect(counts)
        if expected.likelihood - reached < TOLERANCE * len(choices):
            break
        reached = expected.likelihood
        counts = em.maximise(expected.posterior)
    return counts


def _tally(weights: Floats, seen: Floats) -> Floats:
    """(labels, members, choices): how often each choice was made, with claims weighted by how likely the label is."""
    counts: Floats = (weights.T @ seen).reshape(len(LABELS), -1, len(CHOICES))
    return counts


def _one_hot(choices: Codes) -> Floats:
    """(claims, members * choices): 1 for what a member chose; only zeros where its vote is missing."""
    claims, members = choices.shape
    chosen: Bools = choices[:, :, None] == np.arange(len(CHOICES))
    return chosen.reshape(claims, members * len(CHOICES)).astype(np.float64)


def _plurality(choices: Codes) -> Floats:
    """(claims, labels): the shares of the labels given; equal ones where nobody gave a label."""
    votes = np.stack([(choices == label).sum(axis=1) for label in range(len(LABELS))], axis=1).astype(np.float64)
    votes[votes.sum(axis=1) == 0] = 1
    shares: Floats = votes / votes.sum(axis=1, keepdims=True)
    return shares


def _keys(choices: Codes) -> NDArray[np.int64]:
    """(claims,): a number that is equal where the votes are, failed and unasked ones taken for one."""
    keys = np.zeros(len(choices), dtype=np.int64)
    for column in np.minimum(choices, FAILED).T:
        if keys.max(initial=0) > np.iinfo(np.int64).max // (FAILED + 2):
            keys = np.unique(keys, return_inverse=True)[1]
        keys = keys * (FAILED + 1) + column
    return keys


def _check_that_labels_can_be_learned(unlabelled: Codes, gold: Codes) -> None:
    for code, label in enumerate(LABELS):
        if (gold == code).any():
            continue
        if not len(unlabelled):
            raise ValueError(f"no labelled claim is {label}, and there are no unlabelled claims to learn from")
        if not (unlabelled == code).any():
            raise ValueError(f"no labelled claim is {label}, and no member gives that label on an unlabelled one")
        speaking = int((unlabelled < ABSTAINED).any(axis=0).sum())
        if speaking < MEMBERS_WITHOUT_ANCHORS:
            raise ValueError(
                f"no labelled claim is {label}, and without one it takes {MEMBERS_WITHOUT_ANCHORS} members who give "
                f"labels on unlabelled claims; there are {speaking}"
            )


def _in_order(values: Mapping[str, _T], keys: tuple[str, ...], where: str) -> list[_T]:
    if set(values) != set(keys):
        raise ValueError(f"{where}: expected the keys {', '.join(keys)}, got {', '.join(values) or 'none'}")
    return [values[key] for key in keys]
