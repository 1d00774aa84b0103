"""Made-up votes with known properties, for benchmarks and tests. Nothing in them was said by a real model."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from parcel_agents.ensemble.ballots import NOT_FOUND, REFUTED, SUPPORTED, Ballots, Codes, Member
from parcel_agents.eval.vote_table import VoteTable
from parcel_agents.types import LABELS, GoldClaim

CLASS_SIZES = {SUPPORTED: 849, REFUTED: 1698, NOT_FOUND: 849}
OPINIONS = 85
ACCURACIES = (0.97, 0.95, 0.94, 0.93, 0.93, 0.91, 0.81)
"""Of seven models, about those of PARCEL, table 2."""
FAILED_BY_AT_LEAST = (3396, 892, 480, 290, 140, 65, 27, 8)
"""Claims that at least 0, 1, 2 ... of the seven fail. Those of 3, 6 and 7 are PARCEL's (table 7); the others are
chosen so that the models' accuracies come out about right."""
COSTS = (0.004, 0.006, 0.003, 0.002, 0.001, 0.0008, 0.0005)
LATENCIES = (6.0, 20.0, 9.0, 5.0, 4.0, 3.0, 2.0)


def paper_like_votes(rng: np.random.Generator, *, repeat: int = 1) -> VoteTable:
    """Seven members' votes on 3,396 claims of 85 opinions, with the paper's class sizes and hard-claim counts.

    Args:
        rng: deals everything that the counts leave open.
        repeat: how many such sets to put one after another, each with opinions of its own.
    """
    sets = [_one_set(rng) for _ in range(repeat)]
    gold = np.concatenate([gold for gold, _, _ in sets])
    choices = np.concatenate([choices for _, choices, _ in sets])
    opinions = np.concatenate([opinions + place * OPINIONS for place, (_, _, opinions) in enumerate(sets)])
    claims, width = choices.shape
    members = tuple(Member(f"model-{place + 1}") for place in range(width))
    return VoteTable(
        tuple(
            GoldClaim(id=f"c{row}", opinion_id=f"o{opinion}", claim=f"(made-up claim {row})", label=LABELS[label])
            for row, (opinion, label) in enumerate(zip(opinions, gold, strict=True))
        ),
        Ballots(members, choices, np.full(choices.shape, np.nan), np.zeros((claims, width, width), np.bool_)),
        gold,
        opinions,
        np.zeros(choices.shape, dtype=np.int8),
        np.tile(COSTS, (claims, 1)),
        np.tile(LATENCIES, (claims, 1)),
        np.zeros(choices.shape, dtype=np.bool_),
    )


def _one_set(rng: np.random.Generator) -> tuple[Codes, Codes, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Labels, votes and opinions of 3,396 claims."""
    gold = rng.permutation(np.repeat(list(CLASS_SIZES), list(CLASS_SIZES.values())).astype(np.int8))
    opinions = rng.permutation(np.arange(len(gold)) % OPINIONS)
    exactly = -np.diff([*FAILED_BY_AT_LEAST, 0])
    failures = rng.permutation(np.repeat(np.arange(len(exactly)), exactly))
    # Of n failures on a claim, each member gets one with a chance that grows with its error rate (Gumbel's trick draws
    # n without replacement).
    keys = np.log(1 - np.array(ACCURACIES)) + rng.gumbel(size=(len(gold), len(ACCURACIES)))
    wrong = np.argsort(np.argsort(-keys, axis=1), axis=1) < failures[:, None]
    choices = np.repeat(gold[:, None], len(ACCURACIES), axis=1)
    # An error on a not-found claim is mostly support; otherwise the two wrong labels are about as frequent.
    first, second = (gold + 1) % 3, (gold + 2) % 3
    chance = np.where(gold == NOT_FOUND, 0.85, 0.5)[:, None]
    choices[wrong] = np.where(rng.random(wrong.shape) < chance, first[:, None], second[:, None])[wrong]
    return gold, choices.astype(np.int8), opinions.astype(np.int64)


def measure_replay(seed: int = 0) -> dict[str, Any]:
    """Seconds that replay takes on `paper_like_votes`: all subsets, six policies, 2,000 resamples of every rate."""
    from parcel_agents.eval.metrics import RESAMPLES, intervals
    from parcel_agents.eval.replay.combinations import POLICY_NAMES, replay

    rng = np.random.default_rng(seed)
    table = paper_like_votes(rng)
    started = time.perf_counter()
    replayed = replay(table, rng, POLICY_NAMES)
    decided = time.perf_counter()
    intervals(replayed.confusion, rng)
    done = time.perf_counter()
    subsets = len(replayed.combinations) // len(POLICY_NAMES)
    work = len(table) * len(replayed.combinations)
    return {
        "claims": len(table),
        "subsets": subsets,
        "policies": len(POLICY_NAMES),
        "resamples": RESAMPLES,
        "seconds": round(done - started, 2),
        "of_which_deciding": round(decided - started, 2),
        "of_which_bootstrap": round(done - decided, 2),
        "claims_x_subsets_x_policies_per_second": round(work / (done - started)),
    }
