from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.errors import ConfigError
from parcel_agents.generation.balance import PAPER_SHARES, check_shares, choose, divide
from parcel_agents.generation.model import LABEL_OF, STRATEGIES, Candidate, Strategy

REFUTED = {name: share for name, share in PAPER_SHARES.items() if LABEL_OF[name] == "refuted"}


def candidates(opinion_id: str, counts: dict[str, int], types: int = 5) -> list[Candidate]:
    made = []
    for kind, count in counts.items():
        strategy = next((one for one in STRATEGIES if one == kind), None)
        mirror: Strategy | None = "missing_detail" if kind == "contrast" else None
        for number in range(count):
            made.append(
                Candidate(
                    opinion_id=opinion_id, claim=f"({kind} {number} of {opinion_id})",
                    label=LABEL_OF[strategy] if strategy else "supported", strategy=strategy, mirror=mirror,
                    usage_type=f"type{number % types}" if kind == "supported" else None, made_by="test",
                )
            )  # fmt: skip
    return made


PLENTY = {"supported": 30, "contrast": 30, **dict.fromkeys(STRATEGIES, 30)}
counts_of_opinions = st.lists(
    st.fixed_dictionaries({kind: st.integers(0, 12) for kind in ("supported", "contrast", *STRATEGIES)}),
    min_size=1,
    max_size=5,
)


def draw(pool: list[Candidate], per_opinion: int = 10, seed: int = 0) -> list[Candidate]:
    return choose(pool, PAPER_SHARES, per_opinion, np.random.default_rng(seed))


def test_the_paper_s_own_numbers_come_out_of_its_shares() -> None:
    assert divide(1692, REFUTED) == {
        "logic_reversal": 789, "distractor_swap": 363, "scope_contradiction": 284, "authority_swap": 256,
    }  # fmt: skip


def test_what_a_full_strategy_cannot_take_goes_to_the_others() -> None:
    counts = divide(100, REFUTED, {"authority_swap": 3, "logic_reversal": 20})
    assert counts["authority_swap"] == 3
    assert counts["logic_reversal"] == 20
    # 77 are left for distractor (363) and scope (284): 43.2 and 33.8.
    assert counts["distractor_swap"] == 43
    assert counts["scope_contradiction"] == 34


@given(
    st.integers(0, 300),
    st.dictionaries(st.sampled_from(STRATEGIES), st.floats(0, 5), min_size=1),
    st.dictionaries(st.sampled_from(STRATEGIES), st.integers(0, 60)),
)
def test_division_fills_the_room_there_is_and_no_more(
    total: int, shares: dict[Strategy, float], room: dict[Strategy, int]
) -> None:
    counts = divide(total, shares, room)
    assert all(count <= room.get(name, total) for name, count in counts.items())
    takers = [name for name, share in shares.items() if share > 0]
    assert sum(counts.values()) == min(total, sum(room.get(name, total) for name in takers))


def test_a_set_from_plenty_is_1_2_1_with_the_wanted_strategies() -> None:
    chosen = [one for one in draw(candidates("a", PLENTY) + candidates("b", PLENTY)) if not one.mirror]
    assert Counter(one.label for one in chosen) == {"supported": 20, "refuted": 40, "not_found": 20}
    kinds = Counter(one.kind for one in chosen)
    assert kinds["logic_reversal"] == 19  # .466 of 40
    assert kinds["phantom_citation"] == 8  # .389 of 20


def test_there_is_a_contrast_claim_for_two_others() -> None:
    chosen = draw(candidates("a", PLENTY) + candidates("b", PLENTY))
    assert sum(one.mirror is not None for one in chosen) == 40


def test_usage_types_take_turns() -> None:
    chosen = [one for one in draw(candidates("a", PLENTY)) if one.kind == "supported"]
    assert set(Counter(one.usage_type for one in chosen).values()) == {2}


@given(counts_of_opinions, st.integers(1, 12), st.integers(0, 5))
def test_a_set_keeps_the_class_balance_and_the_limit_of_each_opinion(
    counts: list[dict[str, int]], per_opinion: int, seed: int
) -> None:
    pool = [one for number, given_ in enumerate(counts) for one in candidates(f"o{number}", given_)]
    chosen = draw(pool, per_opinion, seed)
    main = [one for one in chosen if not one.mirror]
    labels = Counter(one.label for one in main)
    assert labels["refuted"] == 2 * labels["supported"] == 2 * labels["not_found"]
    of_opinion = Counter((one.opinion_id, one.label) for one in main)
    assert all(count <= per_opinion * (2 if label == "refuted" else 1) for (_, label), count in of_opinion.items())
    assert len({one.id for one in chosen}) == len(chosen)
    # No larger set of this balance was there: one more unit would lack some class.
    there = Counter(one.label for one in pool if not one.mirror)
    if labels["supported"] < min(there["supported"], there["refuted"] // 2, there["not_found"]):
        assert max(of_opinion.values(), default=per_opinion) >= per_opinion


@given(counts_of_opinions, st.integers(0, 5))
def test_the_same_seed_draws_the_same_set(counts: list[dict[str, int]], seed: int) -> None:
    pool = [one for number, given_ in enumerate(counts) for one in candidates(f"o{number}", given_)]
    assert draw(pool, seed=seed) == draw(pool, seed=seed)


def test_shares_are_of_a_class_and_those_not_given_are_the_paper_s() -> None:
    shares = check_shares({"phantom_citation": 0, "unaddressed_argument": 0})
    assert shares["missing_detail"] == 1
    assert shares["logic_reversal"] == pytest.approx(789 / 1692)


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"ghosts": 1.0}, "unknown strategy 'ghosts'"),
        ({"missing_detail": -1.0}, "must be zero or more"),
        ({"missing_detail": float("nan")}, "must be zero or more"),
        ({"missing_detail": 0.0, "phantom_citation": 0.0, "unaddressed_argument": 0.0}, "makes not found claims"),
    ],
)
def test_shares_that_make_no_sense_are_refused(given_: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        check_shares(given_)
