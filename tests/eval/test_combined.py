"""Training of the verifier `combined`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from parcel_agents.errors import InputError
from parcel_agents.eval.combined import MeasuredClaims, Risk, train_combined
from parcel_agents.types import LABELS
from parcel_agents.verifiers.combined.measures import MEASURES
from parcel_agents.verifiers.combined.verifier import decide


def drawn(opinions: int, *, noise: float, each: int = 6, seed: int = 0) -> MeasuredClaims:
    """Claims on made-up opinions: `absent` tells those not found, `coverage` the supported ones, up to noise."""
    rng = np.random.default_rng(seed)
    labels = [LABELS[i % 3] for i in range(opinions * each)]
    values = [
        dict.fromkeys(MEASURES, 0.0)
        | {
            "absent": (label == "not_found") + noise * rng.normal(),
            "coverage": (label == "supported") + noise * rng.normal(),
            # Against its sign: what the model must not learn.
            "similarity": -(label == "supported") + noise * rng.normal(),
        }
        for label in labels
    ]
    names = tuple(f"opinion {i // each}" for i in range(opinions * each))
    no = (False,) * len(labels)
    return MeasuredClaims(tuple(values), no, no, tuple(labels), names)


def test_the_votes_are_right_where_the_measures_tell() -> None:
    claims = drawn(200, noise=0.1)
    model = train_combined(claims, "made up")
    said = [decide(model, values, near_verbatim=False)[0] for values in claims.values]
    right = [gold == label for gold, label in zip(claims.labels, said, strict=True) if label]
    assert len(right) > 0.6 * len(said)
    assert np.mean(right) >= 0.95
    assert model.report["not_found"]["recall"] > 0.99


def test_a_weight_of_the_wrong_sign_is_nought() -> None:
    model = train_combined(drawn(40, noise=0.3), "made up")
    assert model.supported.coefficients["similarity"].weight == 0
    assert model.supported.coefficients["coverage"].weight > 0


def test_too_few_opinions_never_vote_supported() -> None:
    few = train_combined(drawn(40, noise=0.0), "made up", risk=Risk(max_fer=0.02))
    assert few.supported.threshold is None
    # The same claims can show a looser bound.
    assert train_combined(drawn(40, noise=0.0), "made up", risk=Risk(max_fer=0.2)).supported.threshold is not None


def test_the_threshold_of_support_keeps_the_bound_on_unseen_opinions() -> None:
    model = train_combined(drawn(300, noise=0.35), "made up", risk=Risk(max_fer=0.05))
    unseen = drawn(300, noise=0.35, seed=1)
    said = np.array([decide(model, values, near_verbatim=False)[0] == "supported" for values in unseen.values])
    unsupported = ~unseen.are("supported")
    assert said.any()
    assert said[unsupported].mean() <= 0.05


def test_claims_that_follow_a_sentence_are_left_to_the_comparison_with_it() -> None:
    claims = drawn(40, noise=0.1)
    model = train_combined(replace(claims, near_verbatim=(True,) * len(claims.labels)), "made up")
    assert (model.not_found.threshold, model.supported.threshold) == (None, None)


def test_false_support_of_repeated_sentences_counts_at_every_threshold() -> None:
    claims = drawn(200, noise=0.0)
    assert train_combined(claims, "made up").supported.threshold is not None
    wrong = tuple(label == "refuted" for label in claims.labels)
    assert train_combined(replace(claims, repeats=wrong), "made up").supported.threshold is None


def test_claims_with_equal_probabilities_vote_together_or_not_at_all() -> None:
    claims = drawn(40, noise=0.0)
    alike = tuple(
        values | {"absent": 1.0} if label == "refuted" else values
        for values, label in zip(claims.values, claims.labels, strict=True)
    )
    # Half of what looks absent is refuted: no threshold has the precision.
    assert train_combined(replace(claims, values=alike), "made up").not_found.threshold is None


@pytest.mark.parametrize("seed", range(3))
def test_hopeless_measures_make_a_model_that_never_supports(seed: int) -> None:
    model = train_combined(drawn(8, noise=5.0, each=3, seed=seed), "made up")
    assert model.supported.threshold is None


def test_measures_can_be_left_out() -> None:
    model = train_combined(drawn(40, noise=0.3), "made up", leave_out=["absent"])
    assert "absent" not in model.not_found.coefficients
    assert "absent" not in model.supported.coefficients


@pytest.mark.parametrize("opinions", [0, 7])
def test_few_opinions_are_refused(opinions: int) -> None:
    with pytest.raises(InputError, match="at least 8 opinions"):
        train_combined(drawn(opinions, noise=0.1), "made up")
