from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score, precision_recall_fscore_support

from parcel_agents.ensemble.ballots import ABSTAINED
from parcel_agents.ensemble.rates import confusion
from parcel_agents.eval.bootstrap import Bootstrap, Estimate, by_opinion, ratio
from parcel_agents.eval.claim_only import claim_only_accuracy, claim_only_labels
from parcel_agents.eval.metrics import answered, class_rates, confusion_by_opinion, figures, intervals
from parcel_agents.types import LABELS, GoldClaim, Label

# Rows are what the claims are: supported, refuted, not found; columns what was said: these, then nothing.
HAND = np.array([[6.0, 1.0, 1.0, 2.0], [1.0, 7.0, 0.0, 2.0], [2.0, 0.0, 3.0, 0.0]])


def test_every_figure_by_hand() -> None:
    found = {name: float(value) for name, value in figures(HAND).items()}
    # 25 claims, of them 6 + 7 + 3 right, 4 without an answer.
    assert found["accuracy"] == pytest.approx(16 / 25)
    assert found["decided"] == pytest.approx(21 / 25)
    assert found["accuracy_of_decided"] == pytest.approx(16 / 21)
    # Called supported: 1 of 10 refuted and 2 of 5 not found.
    assert found["fer_refuted"] == pytest.approx(1 / 10)
    assert found["fer_not_found"] == pytest.approx(2 / 5)
    assert found["fer"] == pytest.approx(3 / 15)
    # Supported: said 6 + 1 + 2 = 9 times, 10 claims; F1 = 2 * 6 / (9 + 10).
    assert found["supported.precision"] == pytest.approx(6 / 9)
    assert found["supported.recall"] == pytest.approx(6 / 10)
    assert found["supported.f1"] == pytest.approx(12 / 19)
    # Refuted: said 8 times, 10 claims. Not found: said 4 times, 5 claims.
    assert found["refuted.f1"] == pytest.approx(14 / 18)
    assert found["not_found.f1"] == pytest.approx(6 / 9)
    assert found["macro_f1"] == pytest.approx((12 / 19 + 14 / 18 + 6 / 9) / 3)
    assert found["not_found>supported"] == pytest.approx(2 / 5)
    assert found["refuted>none"] == pytest.approx(2 / 10)


def test_the_papers_false_entailment_rates_are_shares_of_the_class() -> None:
    # llama-3.3-70b, FER on not found 48.76%: 414 of 849 claims.
    found = figures(np.array([[849.0, 0, 0, 0], [20, 1678, 0, 0], [414, 53, 382, 0]]))
    assert round(100 * float(found["fer_not_found"]), 2) == 48.76
    assert float(found["fer"]) == pytest.approx(434 / 2547)


def test_on_answered_claims_those_without_an_answer_are_out_of_the_count() -> None:
    found = figures(answered(HAND))
    assert float(found["accuracy"]) == pytest.approx(16 / 21)
    # Of 8 refuted claims that were answered, one is called supported.
    assert float(found["fer_refuted"]) == pytest.approx(1 / 8)
    assert HAND[0, ABSTAINED] == 2


def test_a_class_without_claims_has_no_recall_and_leaves_the_mean() -> None:
    found = figures(np.array([[3.0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 1, 0]]))
    assert math.isnan(float(found["refuted.recall"]))
    assert math.isnan(float(found["refuted.f1"]))
    assert math.isnan(float(found["fer_refuted"]))
    assert float(found["refuted.precision"]) == 0.0
    # 2 * 3 / (4 + 4) and 2 * 1 / (1 + 2)
    assert float(found["macro_f1"]) == pytest.approx((6 / 8 + 2 / 3) / 2)


def test_a_class_that_was_never_named_has_no_precision_and_f1_zero() -> None:
    found = class_rates(np.array([[2.0, 0, 0, 0], [1, 0, 0, 1], [0, 0, 2, 0]]))
    assert math.isnan(found.precision[1])
    assert found.recall[1] == 0
    assert found.f1[1] == 0


labels = st.integers(0, 2)


@given(st.lists(st.tuples(labels, labels), min_size=1, max_size=60))
def test_answered_claims_are_measured_as_scikit_learn_does(pairs: list[tuple[int, int]]) -> None:
    gold, said = (np.array(side, dtype=np.int8) for side in zip(*pairs, strict=True))
    counts = confusion(said, gold)
    there = sorted(set(gold.tolist()))
    found = figures(counts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = precision_recall_fscore_support(gold, said, labels=[0, 1, 2], zero_division=np.nan)
        # Only classes that have claims are in the mean, so their F1 is not diluted by one that is not in the data.
        macro = f1_score(gold, said, labels=there, average="macro", zero_division=0)
    assert float(found["accuracy"]) == pytest.approx(accuracy_score(gold, said))
    assert float(found["macro_f1"]) == pytest.approx(macro)
    assert counts[:, :3].tolist() == confusion_matrix(gold, said, labels=[0, 1, 2]).tolist()
    for place, label in enumerate(LABELS):
        assert float(found[f"{label}.precision"]) == pytest.approx(parts[0][place], nan_ok=True)
        assert float(found[f"{label}.recall"]) == pytest.approx(parts[1][place], nan_ok=True)
        if place in there:
            assert float(found[f"{label}.f1"]) == pytest.approx(np.nan_to_num(parts[2][place]))


@given(st.lists(st.tuples(labels, st.integers(0, 3)), min_size=1, max_size=60))
def test_with_abstentions_recall_and_f1_are_those_of_a_fourth_answer(pairs: list[tuple[int, int]]) -> None:
    gold, said = (np.array(side, dtype=np.int8) for side in zip(*pairs, strict=True))
    found = figures(confusion(said, gold))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = precision_recall_fscore_support(gold, said, labels=[0, 1, 2], zero_division=np.nan)
    for place, label in enumerate(LABELS):
        assert float(found[f"{label}.recall"]) == pytest.approx(parts[1][place], nan_ok=True)
    assert sum(float(np.nan_to_num(found[f"refuted>{way}"])) for way in (*LABELS, "none")) in (0, pytest.approx(1))


def test_an_interval_is_that_of_a_plain_loop_over_the_same_draws() -> None:
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 3, 40).astype(np.int8)
    said = np.where(rng.random(40) < 0.7, gold, rng.integers(0, 4, 40)).astype(np.int8)
    opinions = rng.integers(0, 8, 40)
    bootstrap = Bootstrap.of(8, np.random.default_rng(1), 300)
    found = bootstrap.estimates(confusion_by_opinion(said[None], gold, opinions)[0], figures)
    looped = []
    for draw in bootstrap.draws:
        drawn = np.concatenate([np.flatnonzero(opinions == o) for o in range(8) for _ in range(int(draw[o]))])
        looped.append({name: float(value) for name, value in figures(confusion(said[drawn], gold[drawn])).items()})
    for name, estimate in found.items():
        values = np.array([one[name] for one in looped])
        low, high = np.nanquantile(values, [0.025, 0.975])
        assert estimate.low == pytest.approx(low, abs=1e-6), name
        assert estimate.high == pytest.approx(high, abs=1e-6), name


def test_both_ways_to_an_interval_agree() -> None:
    rng = np.random.default_rng(2)
    gold = rng.integers(0, 3, 60).astype(np.int8)
    said = rng.integers(0, 3, 60).astype(np.int8)
    counts = confusion_by_opinion(said[None], gold, rng.integers(0, 10, 60))
    one = intervals(counts, np.random.default_rng(3), 200)["fer"]
    other = Bootstrap.of(10, np.random.default_rng(3), 200).estimates(counts[0], figures)["fer"]
    assert (one.low[0], one.high[0]) == pytest.approx((other.low, other.high))


def test_one_opinion_has_no_interval() -> None:
    found = Bootstrap.of(1, np.random.default_rng(0)).estimates(HAND[None], figures)
    assert found["accuracy"].value == pytest.approx(16 / 25)
    assert math.isnan(found["accuracy"].low)
    assert math.isnan(found["accuracy"].high)


def test_claims_of_one_opinion_are_drawn_together() -> None:
    # 50 opinions of 20 claims each, all right or all wrong: as uncertain as 50 claims, not as 1,000.
    right = np.repeat(np.arange(50) % 2, 20).astype(float)
    opinions = np.repeat(np.arange(50), 20)
    counts = np.stack([by_opinion(right, opinions, 50), by_opinion(np.ones(1000), opinions, 50)], axis=1)
    found = Bootstrap.of(50, np.random.default_rng(0), 2000).estimates(counts, ratio)["ratio"]
    # The standard error of a share of .5 over 50 draws is .071; 1.96 times that is .139.
    assert found.high - found.value == pytest.approx(0.139, abs=0.02)


def test_an_interval_leaves_out_resamples_in_which_the_figure_does_not_exist() -> None:
    # Only one opinion of two has a refuted claim, and it is called supported.
    counts = np.zeros((2, 3, 4))
    counts[0, 1, 0], counts[1, 0, 0] = 1, 1
    found = Bootstrap.of(2, np.random.default_rng(0), 200).estimates(counts, figures)
    assert found["fer_refuted"] == Estimate(1.0, 1.0, 1.0)
    assert math.isnan(found["fer_not_found"].low)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 6), st.data())
def test_an_interval_stays_within_the_scale(groups: int, data: st.DataObject) -> None:
    cells = st.lists(st.integers(0, 5), min_size=12 * groups, max_size=12 * groups)
    counts = np.array(data.draw(cells), dtype=float).reshape(groups, 3, 4)
    for estimate in Bootstrap.of(groups, np.random.default_rng(0), 50).estimates(counts, figures).values():
        assert math.isnan(estimate.value) or -1e-6 <= estimate.value <= 1 + 1e-6
        assert math.isnan(estimate.low) or -1e-6 <= estimate.low <= estimate.high <= 1 + 1e-6


def worded(opinion: str, label: Label, words: str) -> GoldClaim:
    return GoldClaim(id=f"{opinion}{label}{words}", opinion_id=opinion, claim=f"({words})", label=label)


def test_the_baseline_guesses_from_the_words_of_other_opinions() -> None:
    claims = [
        worded(opinion, label, f"{word} that boat {place} was moored")
        for opinion in "abcdef"
        for place in range(3)
        for label, word in (("supported", "holding"), ("refuted", "denying"), ("not_found", "citing"))
    ]
    guesses = claim_only_labels(claims)
    assert guesses is not None
    assert [LABELS[guess] for guess in guesses] == [claim.label for claim in claims]


def test_the_baseline_never_sees_the_opinion_it_guesses_for() -> None:
    # The word tells the label, but in each opinion another word does, so the others teach nothing.
    claims = [
        worded(opinion, label, f"{opinion}{label} {opinion}{label}")
        for opinion in "abcdef"
        for label in ("supported", "refuted")
        for _ in range(3)
    ]
    assert claim_only_accuracy(claims) <= 0.5


@pytest.mark.parametrize("count", [0, 4])
def test_without_five_opinions_there_is_no_baseline(count: int) -> None:
    claims = [worded(opinion, label, label) for opinion in "abcd"[:count] for label in LABELS]
    assert claim_only_labels(claims) is None
    assert math.isnan(claim_only_accuracy(claims))


def test_one_label_is_no_task() -> None:
    assert claim_only_labels([worded(opinion, "supported", "x") for opinion in "abcdef"]) is None
