from __future__ import annotations

import numpy as np
import pytest
from fakes.ballots import codes
from fakes.tables import table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from parcel_agents import ensemble
from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, NOT_FOUND, REFUTED, SUPPORTED
from parcel_agents.ensemble.base import make_policy
from parcel_agents.ensemble.calibration import UNLABELLED
from parcel_agents.errors import ConfigError, InputError
from parcel_agents.eval.metrics import confusion_by_opinion
from parcel_agents.eval.replay.cascade_orders import cheapest_orders, probability_orders
from parcel_agents.eval.replay.combinations import MAX_MEMBERS, Combination, oracle, pareto, replay
from parcel_agents.eval.replay.comparison import choose_by_halves, compare
from parcel_agents.eval.replay.independence import independence
from parcel_agents.eval.replay.reach import reach
from parcel_agents.eval.replay.report import make_report
from parcel_agents.eval.replay.rows import front
from parcel_agents.eval.synthetic import measure_replay, paper_like_votes
from parcel_agents.eval.vote_table import VoteTable
from parcel_agents.types import LABELS, Vote

S, R, N, A, F = SUPPORTED, REFUTED, NOT_FOUND, ABSTAINED, FAILED
VOTING = ("majority", "plurality", "unanimous")


def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def small() -> VoteTable:
    rows = [[S, S, R], [S, R, R], [N, N, S], [R, R, R], [S, S, S], [N, A, F]]
    return table_of(rows, [S, R, N, R, N, N], opinions=[0, 0, 1, 1, 2, 2], costs=[1.0, 2.0, 4.0])


def as_vote(name: str, choice: int) -> Vote:
    label = LABELS[choice] if choice < ABSTAINED else None
    return Vote(verifier=name, outcome="timeout" if choice == FAILED else "ok", label=label)


def test_every_subset_is_decided_as_the_graph_decides_its_votes() -> None:
    table = small()
    replayed = replay(table, rng(), VOTING)
    assert len(replayed.combinations) == 7 * 3
    for place, one in enumerate(replayed.combinations):
        for row, choices in enumerate(table.ballots.choices):
            panel = [table.ballots.members[member] for member in one.members]
            votes = [as_vote(table.names[member], int(choices[member])) for member in one.members]
            resolution = ensemble.resolve(make_policy(one.policy), panel, votes)
            assert resolution is not None
            said = int(replayed.decisions[place, row])
            assert resolution.label == (None if said == ABSTAINED else LABELS[said])


def test_costs_add_up_and_latency_is_that_of_the_slowest() -> None:
    replayed = replay(small(), rng(), ("majority",))
    assert replayed.cost[replayed.find((0, 2), "majority")] == pytest.approx(5.0)
    assert replayed.latency[replayed.find((0, 1, 2), "majority")] == pytest.approx(1.0)


def test_unlabelled_claims_are_left_out() -> None:
    replayed = replay(table_of([[S], [R], [S]], [S, UNLABELLED, S]), rng(), ("majority",))
    assert replayed.decisions.shape == (1, 2)


@pytest.mark.parametrize(
    ("table", "policies", "error", "message"),
    [
        (table_of([[S]], [UNLABELLED]), (), InputError, "no labelled claim"),
        (table_of([[S] * 13], [S]), (), InputError, rf"13 verifiers have 8,191 subsets; choose at most {MAX_MEMBERS}"),
        (small(), ("dice",), ConfigError, "unknown policy 'dice'"),
        # One opinion leaves nothing to fit on.
        (
            table_of([[S, S], [R, R]], [S, R], opinions=[0, 0]),
            ("weighted",),
            InputError,
            "cannot be fitted on the other",
        ),
    ],
)
def test_what_cannot_be_replayed_says_why(
    table: VoteTable, policies: tuple[str, ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        replay(table, rng(), policies)


def test_policies_of_the_default_that_cannot_be_fitted_are_said_to_be_left_out() -> None:
    replayed = replay(table_of([[S, S], [R, R]], [S, R], opinions=[0, 0]), rng())
    assert {one.policy for one in replayed.combinations} == {"majority", "plurality", "unanimous"}
    assert [text.split("'")[1] for text in replayed.skipped] == ["weighted", "dawid_skene"]


def test_no_claim_is_decided_by_a_policy_that_saw_its_opinion() -> None:
    # The first member is always right but on the last opinion, where the second one is. Weights that had seen that
    # opinion's many claims would follow the second member there.
    rows = [[S, R]] * 10 + [[R, S]] * 30
    gold = [S] * 40
    opinions = [row // 2 for row in range(10)] + [99] * 30
    replayed = replay(table_of(rows, gold, opinions=opinions), rng(), ("weighted",))
    decided = replayed.decisions[replayed.find((0, 1), "weighted")]
    assert (decided[10:] != S).all()


def test_the_oracle_is_right_where_anybody_is_and_never_wrong() -> None:
    assert oracle(table_of([[S, R], [R, R], [A, F], [N, S]], [S, S, N, N])).tolist() == [S, A, A, N]


def test_what_is_not_beaten_in_all_three_figures_is_the_front() -> None:
    cost = np.array([1.0, 2.0, 2.0, 3.0, 1.0, 0.5])
    fer = np.array([0.2, 0.1, 0.1, 0.1, 0.2, np.nan])
    accuracy = np.array([0.8, 0.8, 0.9, 0.9, 0.8, 0.9])
    # 1 is beaten by 2 on accuracy, 3 by 2 on cost, 4 repeats 0, and 5 has no rate.
    assert pareto(cost, fer, accuracy) == [0, 2]


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=30))
def test_everything_off_the_front_is_beaten_by_something_on_it(points: list[tuple[int, int, int]]) -> None:
    figures = np.array(points, dtype=float)
    kept = pareto(figures[:, 0], figures[:, 1], figures[:, 2])
    signed = figures * [1, 1, -1]
    for place, point in enumerate(signed):
        beaten = any((signed[other] <= point).all() and (signed[other] < point).any() for other in range(len(signed)))
        assert (place in kept) <= (not beaten)
        assert any((signed[other] <= point).all() for other in kept)


def test_a_paired_test_counts_what_only_one_has_right() -> None:
    gold = np.array([S, S, R, R, N, N], dtype=np.int8)
    first = np.array([S, S, R, S, N, A], dtype=np.int8)
    second = np.array([S, R, S, S, A, A], dtype=np.int8)
    found = compare(first, second, gold, np.arange(6), rng())
    assert (found.only_first_right, found.only_second_right) == (3, 0)
    assert found.accuracy_gain == pytest.approx(3 / 6)
    assert found.mcnemar_p == pytest.approx(2 * 0.5**3)
    # Of the 8 ways to sign three opinions' differences, 2 are as extreme as all three the same.
    assert found.permutation_p == pytest.approx(0.25, abs=0.02)
    assert (found.only_first_false, found.only_second_false) == (0, 1)


def test_many_claims_of_one_opinion_are_no_evidence_for_others() -> None:
    gold = np.full(40, S, dtype=np.int8)
    first, second = gold.copy(), np.where(np.arange(40) < 20, R, S).astype(np.int8)
    found = compare(first, second, gold, (np.arange(40) < 20).astype(np.int64), rng())
    assert found.mcnemar_p < 1e-4
    assert found.permutation_p > 0.9


def test_equal_decisions_are_not_different() -> None:
    same = np.array([S, R], dtype=np.int8)
    found = compare(same, same, same, np.arange(2), rng())
    assert (found.mcnemar_p, found.permutation_p, found.fer_permutation_p) == (1.0, 1.0, 1.0)


def test_choosing_among_noise_is_worth_nothing_elsewhere() -> None:
    draw = rng()
    gold = draw.integers(0, 3, 600).astype(np.int8)
    noise = draw.integers(0, 3, (200, 600)).astype(np.int8)
    chosen = choose_by_halves(confusion_by_opinion(noise, gold, np.arange(600) % 60), draw)
    assert chosen is not None
    assert chosen.accuracy_where_chosen > 0.38
    assert chosen.accuracy_elsewhere == pytest.approx(1 / 3, abs=0.02)
    assert choose_by_halves(confusion_by_opinion(noise, gold, np.zeros(600, np.int64)), draw) is None


def test_copies_are_one_vote_and_independent_errors_are_many() -> None:
    draw = rng()
    gold = draw.integers(0, 3, 3000).astype(np.int8)
    one = np.where(draw.random(3000) < 0.2, (gold + 1) % 3, gold)
    apart = np.where(draw.random((3000, 4)) < 0.2, (gold[:, None] + 1) % 3, gold[:, None])
    copies = independence(replay(table_of(np.tile(one[:, None], 4).tolist(), gold.tolist()), draw, ("majority",)), draw)
    assert (copies.effective_votes, copies.mean_correlation) == (pytest.approx(1.0), pytest.approx(1.0))
    several = independence(replay(table_of(apart.tolist(), gold.tolist()), draw, ("majority",)), draw)
    assert several.effective_votes == pytest.approx(4.0, abs=0.4)
    assert several.independent_accuracy == pytest.approx(several.majority_accuracy, abs=0.02)


def test_pairs_and_worth_worked_by_hand() -> None:
    rows = [[S, S], [R, R], [R, S], [S, A]]
    found = independence(replay(table_of(rows, [S, S, S, S]), rng(), ("majority",)), rng())
    (pair,) = found.pairs
    # Both labelled three claims, wrong together on one: rates 2/3 and 1/3, together 1/3,
    # phi = (1/3 - 2/9) / sqrt(2/3 * 1/3 * 1/3 * 2/3) = (1/9) / (2/9).
    assert (pair.claims, pair.both_wrong, pair.same_wrong_label) == (3, 1, 1)
    assert pair.both_wrong_if_independent == pytest.approx(3 * 2 / 3 * 1 / 3)
    assert pair.correlation == pytest.approx(0.5)
    # Alone 2/4 each; the majority of both 1/4 (an abstention of one who can support counts against it).
    # Shapley of each: (2/4 + (1/4 - 2/4)) / 2 = 1/8, and they add up to the accuracy of both.
    assert [worth.shapley for worth in found.worth] == [pytest.approx(1 / 8)] * 2
    assert sum(worth.shapley for worth in found.worth) == pytest.approx(found.majority_accuracy)
    assert found.effective_votes == pytest.approx(2 / (1 + 0.5))


def test_verifiers_that_are_never_wrong_have_no_correlation() -> None:
    found = independence(replay(table_of([[S, S], [R, R]], [S, R]), rng(), ("majority",)), rng())
    assert np.isnan(found.mean_correlation)
    assert np.isnan(found.effective_votes)


def test_the_reach_of_votes_with_the_papers_hard_claims() -> None:
    found = reach(replay(paper_like_votes(rng()), rng(), ("majority",)))
    counts = {hard.failed_by: hard.claims for hard in found.hard}
    assert (counts[3], counts[6], counts[7]) == (290, 27, 8)
    shares = {hard.failed_by: f"{hard.share:.2%}" for hard in found.hard}
    assert (shares[3], shares[7]) == ("8.54%", "0.24%")
    by = {hard.failed_by: hard for hard in found.hard}
    # A majority of seven needs four that are right, so it is right on all claims that just three fail, and on none that
    # more fail; where six fail only the one that is right can carry a claim alone; where all fail nobody can.
    assert by[3].majority_right == counts[3] - counts[4]
    assert all(by[k].majority_right == 0 for k in range(4, 8))
    assert found.majority_ceiling == pytest.approx(1 - counts[4] / 3396)
    assert found.any_choice_ceiling == pytest.approx(1 - 8 / 3396)
    assert [by[k].largest_panel for k in range(1, 8)] == [7, 7, 7, 5, 3, 1, 0]
    assert by[6].best_panel_right > 0
    assert len(by[6].best_panel) == 1
    assert by[7].best_panel == ()


def test_abstentions_and_missing_votes_do_not_hide_in_the_reach() -> None:
    found = reach(replay(table_of([[S, A, F], [R, F, F], [S, S, S]], [S, S, S]), rng(), ("majority",)))
    assert [hard.claims for hard in found.hard] == [2, 0, 0]
    # One abstains and one failed, and still the lone supporter is no majority of the three; alone it is.
    assert (found.hard[0].majority_right, found.hard[0].largest_panel) == (0, 1)
    assert found.claims_with_missing_votes == 2
    # The missing votes might all have been right, so they do not lower the ceiling: 1 right and 1 missing against 0
    # wrong labels; 0 right and 2 missing against 1.
    assert found.majority_ceiling == 1.0


@settings(max_examples=25)
@given(st.data())
def test_the_cheapest_order_asks_for_no_more_than_any_other_and_changes_nothing(data: st.DataObject) -> None:
    width = data.draw(st.integers(2, 4))
    rows = data.draw(st.lists(st.lists(codes(), min_size=width, max_size=width), min_size=1, max_size=6))
    costs = data.draw(st.lists(st.integers(1, 9), min_size=width, max_size=width))
    table = table_of(rows, [S] * len(rows), costs=[float(cost) for cost in costs])
    replayed = replay(table, rng(), ("majority",))
    whole = replayed.find(range(width), "majority")
    found = {frozenset(one.order): one for one in cheapest_orders(replayed, ("majority",))}[frozenset(range(width))]
    np.testing.assert_array_equal(found.decisions, replayed.decisions[whole])
    assert found.cost <= replayed.cost[whole] + 1e-9
    from itertools import permutations

    from fakes.ballots import ballots_of

    from parcel_agents.ensemble.base import asked
    from parcel_agents.ensemble.cascade import Cascade

    for order in permutations(range(width)):
        tiers = [order.index(member) for member in range(width)]
        mask = asked(Cascade(make_policy("majority")), ballots_of(rows, tiers=tiers))
        cost = float((mask * table.costs).sum(axis=1).mean())
        assert found.cost <= cost + 1e-9
        if order == found.order:
            assert found.cost == pytest.approx(cost)
            assert found.asked == pytest.approx(float(mask.sum(axis=1).mean()))


def test_a_probability_cascade_asks_all_orders_and_stops_where_it_is_sure() -> None:
    table = paper_like_votes(rng()).columns([0, 5, 6])
    replayed = replay(table, rng(), ("majority", "dawid_skene"))
    found = [one for one, _ in probability_orders(replayed, rng())]
    # Orders of two of three, and of three: 6 + 6, at three thresholds.
    assert len(found) == 36
    assert all(1 <= one.asked <= len(one.order) for one in found)
    strict = {one.order: one for one in found if one.threshold == 0.99}
    loose = {one.order: one for one in found if one.threshold == 0.9}
    assert all(strict[order].asked >= loose[order].asked for order in strict)


def test_the_report_says_what_a_reader_must_know() -> None:
    rows = [[S, S, F], [R, R, F], [S, R, N], [N, N, N]]
    gold = [S, S, UNLABELLED, N]
    casts = [frozenset(LABELS), frozenset(LABELS), frozenset({"refuted", "not_found"})]
    _, report = make_report(table_of(rows, gold, casts=casts), rng(), ("majority",), resamples=50)  # type: ignore[arg-type]
    notes = "\n".join(report.notes)
    assert "1 of 4 claims have no label" in notes
    assert "v2 has no vote on 2 of 3 claims (2 timeout)" in notes
    assert "no claim is labelled refuted" in notes
    assert "with 3 opinions the intervals are rough" in notes
    assert report.majority_class == pytest.approx(2 / 3)
    assert np.isnan(report.claim_only_baseline)


def test_one_opinion_has_no_intervals_and_says_so() -> None:
    _, report = make_report(table_of([[S, S], [R, S]], [S, R], opinions=[0, 0]), rng())
    assert any("all claims are about one opinion" in note for note in report.notes)
    assert all(np.isnan(end) for row in report.rows for ends in row.intervals.values() for end in ends)


def test_the_best_single_verifier_is_always_among_the_rivals() -> None:
    _, report = make_report(paper_like_votes(rng()), rng(), ("plurality",), resamples=50)
    assert report.rows[report.best_single].name == "model-1"
    assert set(report.whole) == {"majority", "plurality"}
    accuracy = [row.rates["accuracy"] for row in report.rows]
    assert accuracy[report.most_accurate] == max(accuracy)
    assert accuracy[report.safest] >= accuracy[report.best_single]
    assert report.rows[report.safest].rates["fer"] <= report.rows[report.best_single].rates["fer"]
    assert report.oracle.rates["accuracy"] == pytest.approx(1 - 8 / 3396)


def test_the_front_has_cascades_and_nothing_on_it_is_beaten() -> None:
    table = paper_like_votes(rng()).columns([0, 3, 6])
    replayed, report = make_report(table, rng(), ("unanimous", "dawid_skene"), resamples=50)
    best, compared = front(replayed, report.rows, rng(), 50)
    assert compared > len(report.rows)
    assert any(row.name.startswith("cascade of ") for row in best)
    figures = np.array([(row.cost, row.rates["fer"], -row.rates["accuracy"]) for row in best])
    for place, point in enumerate(figures):
        others = np.delete(figures, place, axis=0)
        assert not ((others <= point).all(axis=1) & (others < point).any(axis=1)).any()


def test_a_combination_names_its_verifiers() -> None:
    names = ("checks", "glm")
    assert Combination((1,), "majority").words(names) == "glm"
    assert Combination((1,), "veto").words(names) == "veto of glm"
    assert Combination((0, 1), "majority").words(names) == "majority of checks, glm"


@pytest.mark.slow
def test_replay_at_the_papers_size_is_quick() -> None:
    measured = measure_replay()
    assert (measured["claims"], measured["subsets"], measured["policies"], measured["resamples"]) == (
        3396,
        127,
        6,
        2000,
    )
    # 10 seconds on two cores at rest; a machine with other work gets thrice that.
    assert measured["seconds"] < 30
