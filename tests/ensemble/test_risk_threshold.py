"""The threshold of `risk`, and the policy that holds to it."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest
from fakes.risk import Echo, choose, claims, clean
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents import ensemble
from parcel_agents.ensemble import Ballots, Member, Policy, make_policy
from parcel_agents.ensemble.ballots import ABSTAINED, NOT_FOUND, REFUTED, SUPPORTED, Bools
from parcel_agents.ensemble.base import asked
from parcel_agents.ensemble.calibration import UNLABELLED, Calibration
from parcel_agents.ensemble.risk import RiskControlled, choose_threshold, support
from parcel_agents.ensemble.risk_report import Cost
from parcel_agents.errors import ConfigError, InputError
from parcel_agents.types import Vote


def with_errors(scores: list[float], opinions: int = 100) -> Calibration:
    """As `clean(opinions)`, but as many refuted claims as scores are called Supported, with these scores."""
    calm = clean(opinions)
    choices, confidence = calm.ballots.choices.copy(), calm.ballots.confidence.copy()
    rows = np.flatnonzero(calm.gold == REFUTED)[: len(scores)]
    choices[rows, 0], confidence[rows, 0] = SUPPORTED, scores
    return replace(calm, ballots=replace(calm.ballots, choices=choices, confidence=confidence))


@pytest.mark.parametrize(
    ("scores", "threshold"),
    [
        ([], 0.0),
        ([0.95], 0.0),  # one error in 100 claims: .037
        ([0.95, 0.5], 0.9),  # two: .118, so the second is kept out; between .5 and .9 nothing was seen
        ([0.95, 0.5, 0.85, 0.6], 0.9),
        ([0.95, 0.9, 0.3], 0.95),  # the second ties with the supported claims at .9
        ([0.95, 0.95], None),  # two at the very top: nothing may be called Supported
    ],
)
def test_loosest_threshold_that_passes(scores: list[float], threshold: float | None) -> None:
    report = choose(with_errors(scores))
    assert report.threshold == threshold
    assert report.p_value <= 0.05


def test_report_counts_before_and_after() -> None:
    report = choose(with_errors([0.95, 0.5, 0.6]))
    assert (report.claims, report.opinions, report.unsupported, report.unlabelled) == (200, 100, 100, 0)
    assert report.before == Cost(decided=1.0, supported_recall=1.0, fer=0.03, fer_refuted=0.03, fer_not_found=nan())
    assert report.after == Cost(decided=0.99, supported_recall=1.0, fer=0.01, fer_refuted=0.01, fer_not_found=nan())
    assert report.p_value == pytest.approx(0.95**100 + 100 * 0.05 * 0.95**99)


def nan() -> Any:
    return pytest.approx(float("nan"), nan_ok=True)


def test_report_in_words_and_as_json() -> None:
    report = choose(with_errors([0.95, 0.5, 0.6]))
    text = "\n".join(report.lines())
    assert "score of 0.9 or more by echo" in text
    assert "at most 5% are called Supported, with 95% confidence" in text
    assert "200 claims about 100 opinions, 100 of them unsupported" in text
    assert "3.0% ->   1.0%" in text
    assert "- not found ones                    no such claims" in text
    assert "What is not guaranteed" in text
    assert json.loads(json.dumps(asdict(report)))["before"]["fer"] == 0.03


def test_report_says_when_nothing_passes_and_when_all_do() -> None:
    report = choose(with_errors([0.95, 0.95]))
    assert "Nothing is called Supported" in report.lines()[0]
    assert (report.after.supported_recall, report.after.fer) == (0, 0)
    assert "No threshold is needed: echo passes" in choose(clean(100)).lines()[0]


def test_claims_without_a_label_are_left_out() -> None:
    calibration = with_errors([0.95])
    extra = claims([UNLABELLED] * 3, [SUPPORTED] * 3, [0.99] * 3, [500, 501, 502])
    ballots = Ballots(
        calibration.ballots.members,
        np.concatenate([calibration.ballots.choices, extra.ballots.choices]),
        np.concatenate([calibration.ballots.confidence, extra.ballots.confidence]),
        np.concatenate([calibration.ballots.shared, extra.ballots.shared]),
    )
    more = Calibration(
        ballots, np.append(calibration.gold, extra.gold), np.append(calibration.opinions, extra.opinions)
    )
    report = choose(more)
    assert report.unlabelled == 3
    assert replace(report, unlabelled=0, before=report.after) == replace(
        choose(calibration), before=report.after, after=report.after
    )
    assert "3 more without a label were left out" in "\n".join(report.lines())


@pytest.mark.parametrize("per_opinion", [1, 15])
def test_refusal_names_the_number_that_is_enough(per_opinion: int) -> None:
    with pytest.raises(InputError, match="too few") as refusal:
        choose(clean(40, per_opinion), 0.02)
    words = str(refusal.value)
    needed = int(words.partition("it takes ")[2].split()[0])
    assert needed == (149 if per_opinion == 1 else 171)
    assert f"40 opinions with {40 * per_opinion} unsupported claims" in words
    assert f"about {needed * per_opinion} unsupported claims at {per_opinion} an opinion" in words
    assert choose(clean(needed, per_opinion), 0.02).threshold == 0
    with pytest.raises(InputError, match="too few"):
        choose(clean(needed - 1, per_opinion), 0.02)
    lowest = float(words.partition("could show is ")[2].partition("%")[0]) / 100
    assert choose(clean(40, per_opinion), lowest).threshold == 0
    with pytest.raises(InputError, match="too few"):
        choose(clean(40, per_opinion), lowest - 0.002)


def test_refusal_hints_at_unequal_opinions() -> None:
    sizes = [1] * 50 + [20]
    opinions = np.repeat(np.arange(51), sizes).tolist()
    gold = [SUPPORTED, *[REFUTED] * len(opinions)]
    calibration = claims(gold, [REFUTED] * len(gold), [0.5] * len(gold), [0, *opinions])
    with pytest.raises(InputError, match=r"The largest has 20: opinions of more equal size would do with fewer"):
        choose(calibration)


@pytest.mark.parametrize(
    ("gold", "opinions", "message"),
    [
        ([UNLABELLED, UNLABELLED], [0, 1], "no claim of the calibration set has a label"),
        ([SUPPORTED, SUPPORTED], [0, 1], "none of the 2 labelled claims is refuted or not found"),
        ([REFUTED, NOT_FOUND, UNLABELLED], [0, 1, 2], "none of the 2 labelled claims is supported"),
        ([REFUTED, SUPPORTED], [7, 7], "all 2 labelled claims are about one opinion"),
    ],
)
def test_one_sided_sets_are_refused(gold: list[int], opinions: list[int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        choose(claims(gold, [SUPPORTED] * len(gold), [0.5] * len(gold), opinions))


@pytest.mark.parametrize(("max_fer", "confidence"), [(0.0, 0.95), (1.5, 0.95), (0.02, 1.0), (0.02, -1.0)])
def test_rates_that_are_none_are_refused(max_fer: float, confidence: float) -> None:
    with pytest.raises(ConfigError, match="must lie between 0 and 1"):
        choose_threshold(Echo(), clean(60), max_fer=max_fer, confidence=confidence)


@given(st.lists(st.sampled_from([0.2, 0.5, 0.9, 0.95, 1.0]), max_size=12), st.floats(0.03, 0.3), st.floats(1, 3))
def test_a_looser_bound_never_has_the_higher_threshold(scores: list[float], bound: float, factor: float) -> None:
    calibration = with_errors(scores)
    strict, loose = choose(calibration, bound).threshold, choose(calibration, bound * factor).threshold
    assert (np.inf if loose is None else loose) <= (np.inf if strict is None else strict)


# The policy


@given(
    st.lists(st.tuples(st.sampled_from([SUPPORTED, REFUTED, NOT_FOUND, ABSTAINED]), st.floats(0, 1)), min_size=1),
    st.one_of(st.none(), st.floats(0, 1)),
)
def test_only_takes_support_away(votes: list[tuple[int, float]], threshold: float | None) -> None:
    said, scores = map(list, zip(*votes, strict=True))
    ballots = claims([SUPPORTED] * len(said), said, scores, [0] * len(said)).ballots
    inner, outer = Echo().decide(ballots), RiskControlled(Echo(), threshold, 0.02, 0.95).decide(ballots)
    changed = outer.labels != inner.labels
    assert (inner.labels[changed] == SUPPORTED).all()
    assert (outer.labels[changed] == ABSTAINED).all()
    assert (outer.scores == inner.scores).all()
    least = np.inf if threshold is None else threshold
    assert (support(outer)[outer.labels == SUPPORTED] >= least).all()


def test_a_score_off_in_its_last_digits_still_meets_the_threshold() -> None:
    report = choose(with_errors([0.95, 0.5]))
    ballots = claims([SUPPORTED], [SUPPORTED], [0.9 - 1e-13], [0]).ballots
    assert RiskControlled.of(Echo(), report).decide(ballots).labels[0] == SUPPORTED


def test_is_a_policy_as_its_inner_one_is() -> None:
    policy: Policy = RiskControlled(make_policy("majority"), 0.8, 0.02, 0.95)
    assert policy.name == "majority (FER <= 2%)"
    assert (policy.calibrated, policy.reads) == (False, frozenset())
    assert asked(policy, clean(2).ballots).all()


def test_asks_whom_its_inner_one_asks() -> None:
    class Idle(Echo):
        def asked(self, ballots: Ballots) -> Bools:
            return np.zeros(ballots.choices.shape, dtype=np.bool_)

    assert not asked(RiskControlled(Idle(), 0.8, 0.02, 0.95), clean(2).ballots).any()


@pytest.mark.parametrize(
    ("threshold", "label", "reason"),
    [
        (0.8, None, "supported with a score of .67, below the threshold of .80 that keeps false support under 2%"),
        (0.667, None, "supported with a score of .6667, below the threshold of .6670 that keeps"),
        (None, None, "supported with a score of .67, but no score was found that keeps false support under 2%"),
        (0.5, "supported", "majority"),
    ],
)
def test_reason_in_words(threshold: float | None, label: str | None, reason: str) -> None:
    votes = [Vote(verifier=name, outcome="ok", label="supported") for name in "ab"]
    votes.append(Vote(verifier="c", outcome="ok", label="refuted"))
    policy = RiskControlled(make_policy("majority"), threshold, 0.02, 0.95)
    resolution = ensemble.resolve(policy, [Member(name) for name in "abc"], votes)
    assert resolution is not None
    assert resolution.label == label
    assert reason in resolution.reason


def test_an_abstention_of_the_policy_itself_keeps_its_reason() -> None:
    votes = [Vote(verifier="a", outcome="ok", label="supported"), Vote(verifier="b", outcome="ok", label="refuted")]
    policy = RiskControlled(make_policy("majority"), 0.8, 0.02, 0.95)
    resolution = ensemble.resolve(policy, [Member("a"), Member("b")], votes)
    assert resolution is not None
    assert resolution.reason.endswith("no majority")
