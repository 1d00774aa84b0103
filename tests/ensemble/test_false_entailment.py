"""The test of a false entailment rate: its p-values by hand and by law."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.ensemble.false_entailment_test import FalseEntailmentTest, lowest_bound


def p_value(sizes: list[int], errors: list[int], max_fer: float) -> float:
    return FalseEntailmentTest(np.array(sizes), max_fer).p_value(np.array(errors))


@pytest.mark.parametrize(
    ("opinions", "errors", "expected"),
    [
        (59, 0, 0.95**59),  # .0485: with one claim an opinion 59 are enough for 5% at 95% ...
        (58, 0, 0.95**58),  # .0510: ... and 58 are not
        (93, 1, 0.95**93 + 93 * 0.05 * 0.95**92),  # .0500
        (4, 4, 1.0),
    ],
)
def test_one_claim_an_opinion_is_the_exact_binomial(opinions: int, errors: int, expected: float) -> None:
    wrong = [1] * errors + [0] * (opinions - errors)
    assert p_value([1] * opinions, wrong, 0.05) == pytest.approx(expected)


def test_four_opinions_of_two_claims_by_hand() -> None:
    # a = 1/2, so at worst m_g = 1 in each. k = 2, 2.5, 4 for q = 1, 1.25, 2; one error in one opinion:
    # e = .4 (1 - 1/2) / (1/2)^4 + .4 (1 - 1/2.5) / (3/5)^4 + .2 (1 - 1/4) / (3/4)^4
    #   = .4 * 8          + .4 * .6 / .1296       + .2 * .75 / .31640625 = 3.2 + 1.851852 + .474074 = 5.525926
    assert p_value([2, 2, 2, 2], [1, 0, 0, 0], 0.5) == pytest.approx(1 / 5.525926)
    # Both wrong in one: 0 for k = 2, then .4 * .2 / .1296 + .2 * .5 / .31640625 = .617284 + .316049 < 1
    assert p_value([2, 2, 2, 2], [2, 0, 0, 0], 0.5) == 1


def test_unequal_opinions_by_hand() -> None:
    # n = (1, 3), a = 1/4: the m_g sum to 1; the mean size is 2.
    # q = 1:    k = (2, 3),   level 2:    m = (0, 1),       W = 1 * 2/3
    # q = 1.25: k = (2.5, 3), level 2.25: m = (.25, .75),   W = .9 * .75 = .675
    # q = 2:    k = (4, 4),   level 3.5:  m = (.5, .5),     W = .875^2 = .765625
    # no error: e = .4 * 1.5 + .4 / .675 + .2 / .765625 = .6 + .592593 + .261224 = 1.453817
    assert p_value([1, 3], [0, 0], 0.25) == pytest.approx(1 / 1.453817)


sizes_and_errors = st.lists(
    st.integers(1, 9).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size))), min_size=1, max_size=30
)
bounds = st.floats(0.01, 0.6)


@given(sizes_and_errors, bounds, st.randoms(use_true_random=False))
def test_order_of_opinions_never_matters(opinions: list[tuple[int, int]], bound: float, random: object) -> None:
    sizes, errors = map(list, zip(*opinions, strict=True))
    random.shuffle(opinions)  # type: ignore[attr-defined]
    again_sizes, again_errors = map(list, zip(*opinions, strict=True))
    assert p_value(sizes, errors, bound) == pytest.approx(p_value(again_sizes, again_errors, bound))


@given(sizes_and_errors, bounds, st.data())
def test_one_error_less_never_raises_the_p_value(
    opinions: list[tuple[int, int]], bound: float, data: st.DataObject
) -> None:
    sizes, errors = map(list, zip(*opinions, strict=True))
    place = data.draw(st.integers(0, len(sizes) - 1))
    fewer = [max(0, count - (i == place)) for i, count in enumerate(errors)]
    assert p_value(sizes, fewer, bound) <= p_value(sizes, errors, bound) * (1 + 1e-9)


@given(sizes_and_errors, bounds)
def test_more_such_opinions_without_error_lower_the_p_value(opinions: list[tuple[int, int]], bound: float) -> None:
    sizes = [size for size, _ in opinions]
    none = [0] * len(sizes)
    assert p_value(sizes * 2, none * 2, bound) < p_value(sizes, none, bound)


@given(sizes_and_errors, bounds, st.floats(1.0, 1.5))
def test_a_looser_bound_has_the_lower_p_value(opinions: list[tuple[int, int]], bound: float, factor: float) -> None:
    sizes, errors = map(list, zip(*opinions, strict=True))
    assert p_value(sizes, errors, bound * factor) <= p_value(sizes, errors, bound) * (1 + 1e-9)


@given(st.lists(st.tuples(st.integers(1, 9), st.floats(0, 1)), min_size=2, max_size=7), st.floats(0.01, 0.9))
def test_p_value_is_valid_whatever_the_rates_of_the_opinions(drawn: list[tuple[int, float]], level: float) -> None:
    # Opinions wrong as a whole or not at all, each with a rate of its own; the bound is the rate they really have.
    # All outcomes are enumerated, so this is the probability itself: P(p <= level) <= level.
    sizes, rates = np.array([size for size, _ in drawn]), np.array([rate for _, rate in drawn])
    bound = float((sizes * rates).sum() / sizes.sum())
    if not 0.001 < bound < 0.999 or (sizes.max() == 1 and bound > 0.5):
        return
    test = FalseEntailmentTest(sizes, bound)
    rejected = 0.0
    for wrong in product((0, 1), repeat=len(sizes)):
        hits = np.array(wrong)
        if test.p_value(hits * sizes) <= level:
            rejected += float(np.prod(np.where(hits, rates, 1 - rates)))
    assert rejected <= level * (1 + 1e-6) or (sizes.max() == 1 and level > 0.25)


@pytest.mark.parametrize("sizes", [[1], [8], [7, 8], [1, 2, 15]])
@pytest.mark.parametrize("max_fer", [0.02, 0.05, 0.3])
def test_opinions_needed_are_needed_and_enough(sizes: list[int], max_fer: float) -> None:
    needed = FalseEntailmentTest(np.array(sizes), max_fer).opinions_needed(0.95)
    times = -(-needed // len(sizes))
    none = [0] * len(sizes)
    assert p_value(sizes * times, none * times, max_fer) <= 0.05
    fewer = (needed - 1) // len(sizes)
    assert p_value(sizes * fewer, none * fewer, max_fer) > 0.05


def test_opinions_needed_by_hand() -> None:
    # One claim each: log .05 / log .98 = 148.3. Eight each, without the weights: the same, as .98^149 is W^-1.
    # With them: .4 / .98^171 = 12.65, .4 / (1 - .02 / 1.25)^171 = 6.31, .2 / .99^171 = 1.12; 20.08 in all.
    assert FalseEntailmentTest(np.array([1]), 0.02).opinions_needed(0.95) == 149
    assert FalseEntailmentTest(np.array([8]), 0.02).opinions_needed(0.95) == 171


def test_lowest_bound_by_hand() -> None:
    assert lowest_bound(np.ones(59, dtype=np.int64), 0.95) == pytest.approx(1 - 0.05 ** (1 / 59))
    sizes = np.full(40, 15)
    lowest = lowest_bound(sizes, 0.95)
    assert p_value([15] * 40, [0] * 40, lowest) == pytest.approx(0.05, rel=1e-4)


@pytest.mark.parametrize(("sizes", "bound"), [([], 0.1), ([0, 2], 0.1), ([2], 0.0), ([2], 1.0)])
def test_impossible_tests_are_refused(sizes: list[int], bound: float) -> None:
    with pytest.raises(ValueError, match=r"needed|needs"):
        FalseEntailmentTest(np.array(sizes, dtype=np.int64), bound)
