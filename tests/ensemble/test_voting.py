from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents import ensemble
from parcel_agents.ensemble import Member, make_policy
from parcel_agents.errors import ConfigError
from parcel_agents.types import LABELS, Label, Resolution, Vote

S, R, N = "supported", "refuted", "not_found"
FAILED = "failed"
OBJECTOR = frozenset({R, N})


def panel(*names: str, objectors: tuple[str, ...] = ()) -> list[Member]:
    return [Member(name, OBJECTOR) if name in objectors else Member(name) for name in names]


def vote(name: str, choice: str | None, confidence: float | None = None) -> Vote:
    if choice == FAILED:
        return Vote(verifier=name, outcome="timeout")
    label: Label | None = next((label for label in LABELS if label == choice), None)
    return Vote(verifier=name, outcome="ok", label=label, confidence=confidence)


VOTING = ("majority", "plurality", "unanimous", "veto")


def resolve(members: list[Member], choices: dict[str, str | None], policy: str = "majority", **how: Any) -> Resolution:
    votes = [vote(name, choice) for name, choice in choices.items()]
    resolution = ensemble.resolve(make_policy(policy, **how), members, votes)
    assert resolution is not None
    return resolution


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({"a": S, "b": S, "c": R}, S),
        ({"a": S, "b": R, "c": N}, None),  # no label has more than half
        ({"a": S, "b": R}, None),  # a tie abstains
        ({"a": S, "b": S, "c": FAILED}, S),  # two of three, whatever the third would have said
        ({"a": S, "b": FAILED, "c": FAILED}, None),  # the panel does not shrink to one
        ({"a": N, "b": None, "c": None}, N),  # abstentions leave the count ...
        ({"a": S, "b": None, "c": None}, None),  # ... but one supporter of three able ones is no majority
        ({"a": S, "b": S, "c": None}, S),
        ({"a": N, "b": FAILED, "c": None}, None),  # one of two who did not abstain
        ({"a": None, "b": None, "c": None}, None),
        ({"a": FAILED, "b": FAILED, "c": FAILED}, None),
    ],
)
def test_majority_of_the_configured_panel(choices: dict[str, str | None], expected: str | None) -> None:
    assert resolve(panel(*choices), choices).label == expected


@pytest.mark.parametrize(
    ("checks", "other", "expected"),
    [
        (None, S, S),  # the checks had no objection, and the only one who can support does
        (N, S, None),  # an objection stands against it
        (N, None, N),
        (N, N, N),
        (FAILED, S, None),  # the objection might have come
        (None, FAILED, None),
        (None, None, None),
    ],
)
def test_a_check_that_only_objects(checks: str | None, other: str | None, expected: str | None) -> None:
    members = panel("checks", "other", objectors=("checks",))
    assert resolve(members, {"checks": checks, "other": other}).label == expected


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({"a": S, "b": S, "c": R, "d": N, "e": None}, S),  # two against one each
        ({"a": S, "b": R}, None),  # a tie abstains
        ({"a": R, "b": N, "c": R}, R),
        ({"a": S, "b": S, "c": R, "d": FAILED}, None),  # the missing vote could bring refuted level
        ({"a": S, "b": S, "c": S, "d": R, "e": FAILED}, S),
        ({"a": S, "b": None, "c": None}, None),  # those who could have said so and did not outnumber it
        ({"a": N, "b": None, "c": None}, N),
        ({"a": None, "b": None}, None),
        ({"a": FAILED}, None),
    ],
)
def test_plurality_leads_whatever_the_missing_votes_say(choices: dict[str, str | None], expected: str | None) -> None:
    assert resolve(panel(*choices), choices, "plurality").label == expected


@pytest.mark.parametrize(
    ("choices", "at_least", "expected"),
    [
        ({"a": S, "b": S, "c": S}, None, S),
        ({"a": S, "b": S, "c": None}, None, None),  # one who could say so did not
        ({"a": S, "b": S, "c": FAILED}, None, None),
        ({"a": S, "b": S, "c": R}, 2, S),
        ({"a": S, "b": S, "c": R}, 3, None),
        ({"a": S, "b": S}, 5, S),  # more than the panel has means all
        ({"a": R, "b": R, "c": S}, None, R),  # the other labels need no unanimity
        ({"a": S, "checks": None}, None, S),  # checks cannot say so
    ],
)
def test_support_takes_all_or_so_many(
    choices: dict[str, str | None], at_least: int | None, expected: str | None
) -> None:
    assert resolve(panel(*choices, objectors=("checks",)), choices, "unanimous", at_least=at_least).label == expected


@pytest.mark.parametrize(
    ("choices", "by", "expected"),
    [
        ({"a": S, "b": S, "checks": None}, (), S),
        ({"a": S, "b": S, "checks": N}, (), None),
        ({"a": S, "b": S, "checks": FAILED}, (), None),  # the objection might have come
        ({"a": R, "b": R, "checks": N}, (), R),  # a veto is against support only
        ({"a": S, "b": S, "c": R}, ("c",), None),
        ({"a": S, "b": S, "c": R}, (), S),  # nobody here can only object
    ],
)
def test_an_objection_keeps_a_claim_from_being_supported(
    choices: dict[str, str | None], by: tuple[str, ...], expected: str | None
) -> None:
    resolution = resolve(panel(*choices, objectors=("checks",)), choices, "veto", by=by)
    assert resolution.label == expected
    if expected is None:
        assert f"a majority for support, which {' or '.join(by) or 'a check'} objects to" in resolution.reason


def test_a_vote_that_was_never_given_counts_as_missing() -> None:
    resolution = resolve(panel("a", "b", "c"), {"a": S})
    assert resolution.label is None
    assert resolution.missing == ("b", "c")
    assert resolution.missing_could_change
    assert "1 of 3 answered" in resolution.reason


def test_missing_votes_that_cannot_matter_are_said_not_to() -> None:
    resolution = resolve(panel("a", "b", "c"), {"a": S, "b": S, "c": FAILED})
    assert not resolution.missing_could_change
    resolution = resolve(panel("a", "b", "c", "d"), {"a": S, "b": S, "c": S, "d": FAILED})
    assert (resolution.missing, resolution.missing_could_change) == (("d",), False)


def test_confidence_is_the_mean_of_the_winners_own() -> None:
    votes = [vote("a", S, 0.9), vote("b", S, 0.7), vote("c", R, 0.1)]
    resolution = ensemble.resolve(make_policy("majority"), panel("a", "b", "c"), votes)
    assert resolution.confidence == pytest.approx(0.8)
    assert resolution.counted == ("a", "b")
    assert ensemble.resolve(make_policy("majority"), panel("a"), [vote("a", S)]).confidence is None


@pytest.mark.parametrize(
    ("votes", "message"),
    [
        ([vote("x", S)], "not of the panel"),
        ([vote("a", S), vote("a", R)], "two votes by 'a'"),
    ],
)
def test_strange_votes_are_refused(votes: list[Vote], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ensemble.resolve(make_policy("majority"), panel("a", "b"), votes)


def test_an_unknown_policy_names_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"unknown policy 'majorty'; known: .*majority"):
        make_policy("majorty")


choices = st.sampled_from([S, R, N, None, FAILED])


@given(
    st.sampled_from(VOTING),
    st.lists(choices, min_size=1, max_size=7),
    st.randoms(use_true_random=False),
    st.integers(0, 3),
)
def test_order_of_votes_and_members_never_matters(
    name: str, given_: list[str | None], random: object, objectors: int
) -> None:
    names = [f"v{i}" for i in range(len(given_))]
    members = panel(*names, objectors=tuple(names[:objectors]))
    # An objector cannot support.
    votes = [
        vote(name, None if i < objectors and c == S else c)
        for i, (name, c) in enumerate(zip(names, given_, strict=True))
    ]
    policy = make_policy(name)
    expected = ensemble.resolve(policy, members, votes)
    random.shuffle(votes)  # type: ignore[attr-defined]
    random.shuffle(members)  # type: ignore[attr-defined]
    assert ensemble.resolve(policy, members, votes) == expected


@given(st.sampled_from(VOTING), st.lists(choices, min_size=1, max_size=6), st.data())
def test_one_more_supporter_never_lowers_support(name: str, given_: list[str | None], data: st.DataObject) -> None:
    names = [f"v{i}" for i in range(len(given_))]
    before = resolve(panel(*names), dict(zip(names, given_, strict=True)), name)
    changed = data.draw(st.integers(0, len(given_) - 1))
    after = [S if i == changed else choice for i, choice in enumerate(given_)]
    if before.label == S:
        assert resolve(panel(*names), dict(zip(names, after, strict=True)), name).label == S


@given(st.sampled_from(VOTING), st.lists(choices, min_size=1, max_size=5), st.integers(0, 2))
def test_missing_could_change_agrees_with_trying_everything(
    name: str, given_: list[str | None], objectors: int
) -> None:
    names = [f"v{i}" for i in range(len(given_))]
    members = panel(*names, objectors=tuple(names[:objectors]))
    cast = {
        name: None if i < objectors and choice == S else choice
        for i, (name, choice) in enumerate(zip(names, given_, strict=True))
    }
    missing = [member for member in members if cast[member.name] == FAILED]
    reached = {
        resolve(members, {**cast, **{m.name: c for m, c in zip(missing, combination, strict=True)}}, name).label
        for combination in product(*([*member.casts, None] for member in missing))
    }
    resolution = resolve(members, cast, name)
    assert resolution.missing_could_change == (reached != {resolution.label})


def test_more_missing_votes_than_can_be_tried_are_said_to_matter() -> None:
    choices = dict.fromkeys("abcdefghi", FAILED) | {"z": S}
    resolution = resolve(panel(*choices), choices)
    assert (resolution.label, resolution.missing_could_change) == (None, True)
