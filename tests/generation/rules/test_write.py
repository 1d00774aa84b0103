from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from fakes.harbor import barge, harbor
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.citations.authorities import Authority, find_authorities, names_authority
from parcel_agents.generation.model import LABEL_OF, STRATEGIES, Candidate
from parcel_agents.generation.rules import World, write_by_rules
from parcel_agents.generation.rules.arguments import ARGUMENTS
from parcel_agents.generation.rules.wording import is_well_formed
from parcel_agents.generation.rules.write import MOST_OF_A_STRATEGY, MOST_SUPPORTED

OPINION = harbor()
TEXT = " ".join(OPINION.text.split())
WORLD = World.of({"marlowe": OPINION, "tallow": barge()})


@cache
def claims(seed: int, *, contrast: bool = True) -> tuple[Candidate, ...]:
    return tuple(write_by_rules("marlowe", OPINION, WORLD, np.random.default_rng(seed), contrast=contrast))


seeds = st.integers(min_value=0, max_value=12)


@given(seeds)
def test_the_same_seed_gives_the_same_claims(seed: int) -> None:
    again = write_by_rules("marlowe", OPINION, WORLD, np.random.default_rng(seed), contrast=True)
    assert tuple(again) == claims(seed)


@given(seeds)
def test_claims_are_well_formed_and_each_is_made_once(seed: int) -> None:
    made = claims(seed)
    assert all(is_well_formed(one.claim) and one.made_by == "rules" for one in made)
    assert len({one.claim for one in made}) == len(made)


@given(seeds)
def test_labels_follow_the_strategy(seed: int) -> None:
    for one in claims(seed):
        assert one.label == (LABEL_OF[one.strategy] if one.strategy else "supported")
        assert one.strategy is None or one.mirror is None


@given(seeds)
def test_the_changed_words_stand_in_the_claim_and_the_old_ones_in_its_source(seed: int) -> None:
    for one in claims(seed):
        if one.strategy:
            assert one.changed_to
            assert one.changed_to in one.claim
            assert one.changed_from in one.source


@given(seeds)
def test_evidence_lies_in_the_opinion_and_only_what_is_not_found_has_none(seed: int) -> None:
    for one in claims(seed):
        assert bool(one.evidence) == (one.label != "not_found")
        assert all(OPINION.text[span.start : span.end].strip() for span in one.evidence)


@given(seeds)
def test_the_distractor_occurs_in_the_opinion(seed: int) -> None:
    for one in claims(seed):
        if one.strategy == "distractor_swap":
            assert one.changed_to.removeprefix("the ") in TEXT


@given(seeds)
def test_the_phantom_is_never_named_by_the_opinion(seed: int) -> None:
    phantoms = [one for one in claims(seed) if one.strategy == "phantom_citation"]
    assert phantoms
    for one in phantoms:
        found = find_authorities(one.changed_to) or [Authority("case", one.changed_to, one.changed_to)]
        assert not any(names_authority(OPINION.text, authority) for authority in found)


@given(seeds)
def test_the_detail_is_absent_from_the_opinion(seed: int) -> None:
    for one in claims(seed):
        if one.strategy == "missing_detail":
            assert one.changed_to not in TEXT


@given(seeds)
def test_the_opinion_has_no_word_of_an_unaddressed_argument(seed: int) -> None:
    terms = {argument.clause: argument.terms for argument in ARGUMENTS}
    for one in claims(seed):
        if one.strategy == "unaddressed_argument":
            assert not [term for term in terms[one.changed_to] if term in TEXT.lower()]


def test_every_strategy_is_made_within_its_cap() -> None:
    counts = Counter(one.strategy for one in claims(0, contrast=False))
    assert set(STRATEGIES) < set(counts)
    assert counts[None] <= MOST_SUPPORTED
    assert all(counts[strategy] <= MOST_OF_A_STRATEGY for strategy in STRATEGIES)


def test_contrast_claims_are_true_and_come_only_when_asked_for() -> None:
    mirrors = {one.mirror for one in claims(0) if one.mirror}
    assert mirrors == {
        "phantom_citation",
        "missing_detail",
        "authority_swap",
        "scope_contradiction",
        "unaddressed_argument",
    }
    assert not [one for one in claims(0, contrast=False) if one.mirror]


def test_true_reliance_names_the_case_behind_the_sentence() -> None:
    (one,) = [one for one in claims(0) if one.mirror == "phantom_citation"]
    assert "Ferris" in one.claim
    assert "a warrant is required for the search of a moored boat" in one.claim


def test_a_real_parenthetical_of_another_decision_keeps_its_words() -> None:
    claim = "(a search of the stern locker of a moored boat by the officers was unlawful without the owner's leave)"
    (one,) = [one for one in claims(0) if one.claim == claim]
    assert one.label == "supported"


def test_a_decision_is_no_world_to_itself() -> None:
    alone = World.of({"marlowe": OPINION})
    made = write_by_rules("marlowe", OPINION, alone, np.random.default_rng(0), contrast=False)
    assert not [one for one in made if one.strategy == "phantom_citation"]


def test_briefs_give_parentheticals_too() -> None:
    brief = (
        "See People v Marlowe, 195 NY3d 200, 203 (2014) (holding that no officer may open the locker of a boat without"
        " asking its owner)."
    )
    world = World.of({"marlowe": OPINION}, [brief])
    assert world.about("marlowe", OPINION) == (
        "(holding that no officer may open the locker of a boat without asking its owner)",
    )


@pytest.mark.parametrize("lead", ["argument that", "contention that", "whether"])
def test_what_the_court_passes_over_is_told_in_the_same_words(lead: str) -> None:
    assert any(lead in one.claim for one in claims(0) if one.strategy == "unaddressed_argument")


def test_what_the_court_says_it_leaves_is_a_true_claim() -> None:
    true = {one.claim for one in claims(0) if one.mirror == "unaddressed_argument"}
    assert true == {
        "(finding it unnecessary to decide whether the owner of the pier had given leave to the officers)",
        "(rejecting as without merit defendant's remaining contentions on appeal)",
    }


def test_only_a_decision_with_a_dissent_has_its_voices_swapped() -> None:
    swapped = [one for one in claims(0) if one.strategy == "authority_swap"]
    assert swapped
    other = write_by_rules("tallow", barge(), WORLD, np.random.default_rng(0), contrast=True)
    assert not [one for one in other if "authority_swap" in (one.strategy, one.mirror)]
