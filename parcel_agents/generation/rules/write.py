"""All claims that the rules make about one decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

import numpy as np

from parcel_agents.generation.model import Candidate
from parcel_agents.generation.rules.case import Case
from parcel_agents.generation.rules.details import missing_details, true_details
from parcel_agents.generation.rules.edits import edits, strong_qualifiers, true_negations
from parcel_agents.generation.rules.phantoms import phantoms, true_reliance
from parcel_agents.generation.rules.supported import supported
from parcel_agents.generation.rules.unaddressed import truly_passed_over, unaddressed
from parcel_agents.generation.rules.voices import true_attributions, voice_swaps
from parcel_agents.generation.rules.world import World
from parcel_agents.types import Opinion

MOST_SUPPORTED = 25
MOST_OF_A_STRATEGY = 15
"""Of each strategy, and of the contrast claims that mirror it."""


def write_by_rules(
    opinion_id: str, opinion: Opinion, world: World, rng: np.random.Generator, *, contrast: bool
) -> Iterator[Candidate]:
    """Claims about an opinion, true ones first, then by strategy; each text once.

    Args:
        opinion_id: as the data set names the decision.
        opinion: the decision.
        world: what other decisions and briefs give.
        rng: draws leads, order and details; the same state gives the same claims.
        contrast: add true claims in the wording of the false ones.
    """
    case = Case.of(opinion_id, opinion, rng)
    mirrors = list(_mirrors(case, rng)) if contrast else []
    taken = {one.source for one in mirrors}
    free = [one for one in case.statements if one.sentence not in taken]
    kinds: list[Iterable[Candidate]] = [
        islice(supported(case, free, world), MOST_SUPPORTED),
        *(
            islice(found, MOST_OF_A_STRATEGY)
            for found in (
                edits(case, "logic_reversal", rng),
                edits(case, "distractor_swap", rng),
                edits(case, "scope_contradiction", rng),
                voice_swaps(case, rng),
                phantoms(case, world, rng),
                unaddressed(case, rng),
                missing_details(case, world, rng),
            )
        ),
        mirrors,
    ]
    seen: set[str] = set()
    for candidate in chain.from_iterable(kinds):
        if candidate.claim not in seen:
            seen.add(candidate.claim)
            yield candidate


def _mirrors(case: Case, rng: np.random.Generator) -> Iterator[Candidate]:
    """True claims in the wording of the false ones; each statement gives one, and half of them are left alone."""
    used: set[str] = set()
    half = case.statements[::2]
    # What is rare comes first, and may be had of every statement.
    for found in (
        truly_passed_over(case),
        true_reliance(case, case.statements, rng),
        strong_qualifiers(case, half),
        true_details(case, half),
        true_attributions(case, half, rng),
        true_negations(case, half),
    ):
        fresh = (one for one in found if one.source not in used)
        for candidate in islice(fresh, MOST_OF_A_STRATEGY):
            used.add(candidate.source)
            yield candidate
