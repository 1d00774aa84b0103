"""Claims with known errors, and a policy that says what its only member says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from parcel_agents.ensemble import Ballots, Decisions, Member, Policy
from parcel_agents.ensemble.ballots import NOT_FOUND, REFUTED, SUPPORTED
from parcel_agents.ensemble.calibration import Calibration
from parcel_agents.ensemble.risk import choose_threshold
from parcel_agents.ensemble.risk_report import RiskReport


@dataclass(frozen=True)
class Echo:
    """The label of the only member, its confidence as the score of `supported`."""

    name: str = "echo"
    calibrated: bool = True
    reads: frozenset[str] = frozenset({"confidence"})

    def decide(self, ballots: Ballots) -> Decisions:
        scores = np.zeros((len(ballots), 3))
        scores[:, SUPPORTED] = ballots.confidence[:, 0]
        return Decisions(ballots.choices[:, 0], scores)

    def explain(self, decisions: Decisions) -> str:
        return "as the member says"


def claims(gold: list[int], said: list[int], score: list[float], opinions: list[int]) -> Calibration:
    size = len(gold)
    shared = np.zeros((size, 1, 1), dtype=np.bool_)
    ballots = Ballots((Member("a"),), np.array(said, dtype=np.int8)[:, None], np.array(score)[:, None], shared)
    return Calibration(ballots, np.array(gold, dtype=np.int8), np.array(opinions))


def clean(opinions: int, per_opinion: int = 1) -> Calibration:
    """Opinions with one supported claim each, found with .9, and some unsupported ones, none called Supported."""
    gold = [SUPPORTED, *[REFUTED, NOT_FOUND] * per_opinion][: per_opinion + 1]
    said = [SUPPORTED, *[REFUTED] * per_opinion]
    numbers = np.repeat(np.arange(opinions), per_opinion + 1).tolist()
    return claims(gold * opinions, said * opinions, [0.9, *[0.2] * per_opinion] * opinions, numbers)


def choose(calibration: Calibration, max_fer: float = 0.05, policy: Policy | None = None) -> RiskReport:
    return choose_threshold(policy or Echo(), calibration, max_fer=max_fer, confidence=0.95)
