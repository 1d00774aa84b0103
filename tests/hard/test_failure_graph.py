from __future__ import annotations

import io
import itertools
import math
import random
import time
from typing import Any

import networkx as nx
import numpy as np
import pytest
from fakes.ballots import ballots_of, codes
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, NOT_FOUND, REFUTED, SUPPORTED
from parcel_agents.hard.choosing import controls_for, hardest_first
from parcel_agents.hard.cofailure import co_failures
from parcel_agents.hard.communities import communities, likeness, rand_index
from parcel_agents.hard.covers import Covers, covers
from parcel_agents.hard.failures import Failures, failures_of
from parcel_agents.hard.graph import as_graphml, as_node_link, failure_graph
from parcel_agents.hard.patterns import failing_patterns, patterns_of
from parcel_agents.hard.plain import plain
from parcel_agents.hard.worth import worths
from parcel_agents.types import LABELS, GoldClaim

S, R, N, A, X = SUPPORTED, REFUTED, NOT_FOUND, ABSTAINED, FAILED


def failures(rows: list[list[int]], gold: list[int] | None = None, names: list[str] | None = None) -> Failures:
    return failures_of(ballots_of(rows, names=names), np.array(gold or [S] * len(rows), dtype=np.int8))


def claims_of(found: Failures) -> list[GoldClaim]:
    return [
        GoldClaim(id=f"c{row}", opinion_id="marlowe", claim=f"(holding number {row})", label=LABELS[code])
        for row, code in enumerate(found.gold)
    ]


def test_lift_is_what_is_seen_over_what_chance_would_give() -> None:
    # Both answer 8 claims: v0 fails 4 of them, v1 fails 2, both fail 2. By chance 8 x 4/8 x 2/8 = 1, so the lift is 2.
    # To fail both by an abstention is no wrong label in common.
    rows = [[R, R], [A, A], [R, S], [R, S], [S, S], [S, S], [S, S], [S, S], [X, R], [A, X]]
    (pair,) = co_failures(failures(rows))
    assert (pair.claims, pair.together, pair.same_label) == (8, 2, 1)
    assert (pair.expected, pair.lift) == (1.0, 2.0)
    assert pair.expected_by_label == pair.expected


def test_a_hard_label_alone_is_no_lift_by_label() -> None:
    # Of four supported claims both fail all, of four refuted ones none: 8 x 1/2 x 1/2 = 2 by chance, 4 label by label.
    (pair,) = co_failures(failures([[N, N]] * 4 + [[R, R]] * 4, [S] * 4 + [R] * 4))
    assert (pair.expected, pair.lift) == (2.0, 2.0)
    assert (pair.expected_by_label, pair.lift_by_label) == (4.0, 1.0)


def test_a_verifier_that_never_fails_has_no_lift() -> None:
    (pair,) = co_failures(failures([[S, R], [S, S]]))
    assert math.isnan(pair.lift)
    assert math.isnan(pair.lift_by_label)


def test_a_claim_that_nobody_gets_right_is_left_out_of_the_cover() -> None:
    # v1 is right on claims 0 and 1, v0 on 1, v2 on 2; claim 3 nobody gets right.
    found = covers(failures([[R, S, R], [S, S, R], [R, X, S], [R, A, N]]))
    assert (found.claims, found.coverable) == (4, 3)
    assert [(step.verifier, step.adds, step.covered) for step in found.greedy] == [("v1", 2, 2), ("v2", 1, 3)]
    assert found.exact == (("v1", "v2"),)


def test_the_exact_cover_may_be_smaller_than_the_greedy_one() -> None:
    # The classic trap: a and b split six claims between them, and c takes four of them first.
    right = {"a": {0, 1, 2}, "b": {3, 4, 5}, "c": {1, 2, 3, 4}}
    rows = [[S if claim in right[name] else R for name in "abc"] for claim in range(6)]
    found = covers(failures(rows, names=list("abc")))
    assert [step.verifier for step in found.greedy] == ["c", "a", "b"]
    assert found.exact == (("a", "b"),)


def test_with_nothing_to_cover_the_panel_is_empty() -> None:
    assert covers(failures([[R, R]])) == Covers(1, 0, (), ((),))


def test_more_than_a_dozen_verifiers_have_no_exact_cover() -> None:
    assert covers(failures([[S] * 13])).exact is None


def test_claims_that_fail_the_same_verifiers_are_one_community() -> None:
    rows = [[R, R, S, S]] * 5 + [[S, S, R, R]] * 3 + [[S, S, S, S]]
    found = failures(rows)
    grouping = communities(failing_patterns(found), np.flatnonzero(found.failed_by))
    one, other = grouping.communities
    assert grouping.agreement == 1.0
    assert (one.claims, one.core) == ((0, 1, 2, 3, 4), ("v0", "v1"))
    assert (other.claims, other.core) == ((5, 6, 7), ("v2", "v3"))


def test_without_hard_claims_there_is_no_community() -> None:
    assert communities(failing_patterns(failures([[S, S]])), np.array([], dtype=np.int64)).communities == ()


def test_failures_without_structure_have_no_clear_communities() -> None:
    # Six verifiers that fail apart, each as often as not.
    choices = np.where(np.random.default_rng(3).random((400, 6)) < 0.5, R, S)
    found = failures(choices.tolist())
    assert communities(failing_patterns(found), np.flatnonzero(found.failed_by)).agreement < 0.8


def test_the_rand_index_is_of_pairs_beside_chance() -> None:
    # Of {1, 2}, {3, 4} and {1, 2}, {3}, {4}: one pair in both, 2 and 1 of 6 in each: (1 - 2/6) / (3/2 - 2/6) = 4/7.
    one, other, single = np.array([0, 0, 1, 1]), np.array([0, 0, 1, 2]), np.ones(4, dtype=np.int64)
    assert rand_index(one, other, single) == pytest.approx(4 / 7)
    assert rand_index(np.array([0, 1]), np.array([0, 1]), np.array([2, 2])) == 1.0
    assert rand_index(one, 1 - one, single) == 1.0
    assert rand_index(single[:1] - 1, single[:1] - 1, single[:1]) == 1.0


def test_likeness_is_of_sets() -> None:
    assert [likeness(0b011, 0b110), likeness(0b1, 0b1), likeness(0b1, 0b10), likeness(0, 0)] == [1 / 3, 1, 0, 1]


def test_the_graph_has_both_kinds_of_nodes_and_survives_its_files() -> None:
    found = failures([[R, R], [S, S], [S, N]], names=["checks", "a \x00 model & more"])
    graph = failure_graph(found, claims_of(found), co_failures(found), ())
    assert {node for node, about in graph.nodes(data=True) if about["kind"] == "claim"} == {"c:c0", "c:c2"}
    assert graph.edges["v:checks", "c:c0"] == {"kind": "fails", "label": "refuted"}
    assert graph.edges["v:checks", "v:a \x00 model & more"]["together"] == 1
    read = nx.read_graphml(io.BytesIO(as_graphml(graph).encode()))
    assert read.nodes["c:c0"]["failed_by"] == 2
    assert "v:a � model & more" in read
    again = nx.node_link_graph(as_node_link(graph), edges="edges")
    assert nx.utils.graphs_equal(again, graph)


def test_the_hardest_come_first_and_ties_keep_their_order() -> None:
    ballots = ballots_of([[S, S, S], [R, S, X], [R, S, S], [R, R, S], [N, S, S]])
    ballots.confidence[4, 0] = 0.9
    found = failures_of(ballots, np.zeros(5, dtype=np.int8))
    # Claim 3 fails two; of those that fail one, fewest get 1 right; the wrong vote on 4 is surer than the one on 2.
    assert hardest_first(found, ballots, 1, ["marlowe"] * 5) == [3, 1, 4, 2]


def test_of_claims_as_hard_the_first_of_each_opinion_come_first() -> None:
    ballots = ballots_of([[R]] * 4)
    found = failures_of(ballots, np.zeros(4, dtype=np.int8))
    assert hardest_first(found, ballots, 1, ["marlowe", "marlowe", "quist", "marlowe"]) == [0, 2, 1, 3]


def test_a_wrong_label_is_harder_than_an_abstention() -> None:
    ballots = ballots_of([[A, A, S], [A, R, S], [S, S, S]])
    ballots.confidence[0, 0] = 1.0
    assert hardest_first(failures_of(ballots, np.zeros(3, dtype=np.int8)), ballots, 2, ["marlowe"] * 3) == [1, 0]


def test_controls_are_of_the_same_labels_and_not_hard() -> None:
    found = failures([[N], [N], [S], [S], [S], [R]], [S, S, S, S, S, R])
    hard = found.hard(1)
    controls = controls_for(found, hard, [0, 1], 200, seed=0)
    assert len(controls) == 2
    assert set(controls) <= {2, 3, 4}
    assert len(controls_for(found, hard, [0, 1], 1, seed=0)) == 1
    assert len(controls_for(found, hard, [], 200, seed=0)) == 0


def test_the_verifier_to_add_is_the_one_that_the_majority_gains_most_from() -> None:
    # The panel of v0 and v1 ties on claims 0 and 1 and abstains; v2 breaks both ties rightly, v3 one of them wrongly.
    rows = [[S, R, S, R], [S, R, S, S], [R, R, R, S]]
    ballots, gold = ballots_of(rows), np.zeros(3, dtype=np.int8)
    hard = failures_of(ballots, gold).hard(2)
    first, second = worths(ballots, gold, hard, ["v0", "v1"])
    assert (first.verifier, first.how, first.covered, first.accuracy_gain) == ("v2", "added", 0, pytest.approx(2 / 3))
    assert (second.verifier, second.covered, second.accuracy_gain) == ("v3", 1, pytest.approx(1 / 3))


def test_without_others_the_members_are_taken_away() -> None:
    ballots, gold = ballots_of([[S, R, S], [S, R, S]]), np.zeros(2, dtype=np.int8)
    found = worths(ballots, gold, np.zeros(2, dtype=np.bool_), ["v0", "v1", "v2"])
    assert {one.how for one in found} == {"taken away"}
    assert found[-1].verifier == "v1"


votes = st.integers(1, 5).flatmap(
    lambda width: hnp.arrays(np.int8, st.tuples(st.integers(1, 25), st.just(width)), elements=codes())
)


@given(votes)
def test_the_exact_cover_is_never_larger_than_the_greedy_one_and_covers_all(choices: np.ndarray) -> None:
    found = failures(choices.tolist())
    cover = covers(found)
    assert cover.exact is not None
    for panel in cover.exact:
        assert len(panel) <= len(cover.greedy)
        places = [found.names.index(name) for name in panel]
        assert int(found.right[:, places].any(axis=1).sum()) == cover.coverable
    # By trying all panels: these are the smallest, and all of them.
    names = sorted(found.names)
    covering = [
        panel
        for size in range(len(names) + 1)
        for panel in itertools.combinations(names, size)
        if found.right[:, [found.names.index(name) for name in panel]].any(axis=1).sum() == cover.coverable
    ]
    least = min(map(len, covering))
    assert set(cover.exact) == {panel for panel in covering if len(panel) == least}


def test_every_smallest_panel_is_found_however_many_there_are() -> None:
    # Twelve pairs of twins need one of each pair: 2^6 panels of six.
    rows = [[S if column // 2 == claim else R for column in range(12)] for claim in range(6)]
    assert len(covers(failures(rows)).exact or ()) == 64


@given(votes, st.randoms(use_true_random=False))
def test_permuting_the_verifiers_changes_nothing(choices: np.ndarray, shuffler: random.Random) -> None:
    names = [f"model {number}" for number in range(choices.shape[1])]
    order = list(range(len(names)))
    shuffler.shuffle(order)
    gold = np.zeros(len(choices), dtype=np.int8)
    one = ballots_of(choices.tolist(), names=names)
    other = one.columns(order)
    assert _all(one, gold) == _all(other, gold)


def _all(ballots: Any, gold: Any) -> Any:
    found = failures_of(ballots, gold)
    pairs = {frozenset((pair.one, pair.other)): (pair.together, pair.expected_by_label) for pair in co_failures(found)}
    grouped = communities(failing_patterns(found), np.flatnonzero(found.failed_by))
    first = sorted(member.name for member in ballots.members)[:1]
    worth = plain(worths(ballots, gold, found.hard(1), first))
    return covers(found), pairs, grouped, hardest_first(found, ballots, 1, ["marlowe"] * len(found)), worth


def test_too_many_verifiers_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 62"):
        patterns_of(tuple(map(str, range(63))), np.zeros((1, 63), dtype=np.bool_))


@pytest.mark.slow
def test_a_hundred_thousand_claims_take_seconds() -> None:
    rng = np.random.default_rng(0)
    choices = np.where(rng.random((100_000, 12)) < rng.beta(0.4, 2, (100_000, 1)), R, S).astype(np.int8)
    found = Failures(
        tuple(f"v{number}" for number in range(12)),
        np.zeros(100_000, dtype=np.int8),
        choices,
    )
    started = time.process_time()  # others may use the machine
    grouped = communities(failing_patterns(found), np.flatnonzero(found.hard(3)))
    assert sum(len(one.claims) for one in grouped.communities) == int(found.hard(3).sum())
    assert covers(found).exact
    assert len(co_failures(found)) == 66
    assert time.process_time() - started < 45
