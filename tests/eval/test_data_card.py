"""The card of a generated data set."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parcel_agents.eval.data_card import Card, CardFacts, make_card
from parcel_agents.eval.data_card.facts import PAPER_CLASSES, PAPER_STRATEGIES
from parcel_agents.eval.data_card.losses import count_losses
from parcel_agents.eval.data_card.markdown import BY_RULES
from parcel_agents.generation.balance import PAPER_SHARES
from parcel_agents.generation.model import (
    LABEL_OF,
    RULES,
    STRATEGIES,
    Candidate,
    DecisionRecord,
    Disagreement,
    Dropped,
    Exemplars,
    Stage,
    Strategy,
    WritingFailure,
)
from parcel_agents.types import GoldClaim, Label, Opinion, Outcome, Usage

WRITER, READER = "openai/hathersage-1", "gemini/quist-2"


def facts(**given: Any) -> CardFacts:
    known = {"name": "ferries", "made_by": WRITER, "seed": 7, "per_opinion": 10, "created": "today"}
    return CardFacts.model_validate({**known, **given})


def candidate(opinion: str, kind: str, words: str) -> Candidate:
    """Of a strategy, `supported` or `contrast`."""
    strategy = next((one for one in STRATEGIES if one == kind), None)
    return Candidate(
        opinion_id=opinion,
        claim=f"({kind} that Ferris moored {words})",
        label=LABEL_OF[strategy] if strategy else "supported",
        strategy=strategy,
        usage_type="holding" if kind == "supported" else None,
        mirror="authority_swap" if kind == "contrast" else None,
        made_by=WRITER,
    )


def dropped(stage: Stage, kind: str, rule: str, words: str = "nothing") -> Dropped:
    return Dropped(stage=stage, kind=kind, reason=rule, rule=rule, claim=f"({kind} that Ferris moored {words})")


def disagreement(one: Candidate, said: Label | None, outcome: Outcome = "ok") -> Disagreement:
    return Disagreement(candidate=one, outcome=outcome, said=said, reason="the dissent says so")


def record(opinion: str, candidates: Sequence[Candidate] = (), **given: Any) -> DecisionRecord:
    known = {"opinion_id": opinion, "file": f"{opinion}.md", "status": "done", "candidates": tuple(candidates)}
    return DecisionRecord.model_validate({**known, **given})


def in_set(one: Candidate) -> GoldClaim:
    return GoldClaim(
        id=one.id,
        opinion_id=one.opinion_id,
        claim=one.claim,
        label=one.label,
        strategy=one.strategy,
        usage_type=one.usage_type,
        subset="contrast" if one.mirror else "claims",
    )


def card_of(given: CardFacts, records: Sequence[DecisionRecord], chosen: Sequence[Candidate]) -> Card:
    ids = {one.opinion_id for one in records}
    opinions = {id: Opinion(id=id, text="Ferris moored the ferry.", parts=(), passages=()) for id in ids}
    return make_card(given, records, [in_set(one) for one in chosen], opinions, np.random.default_rng(0))


KINDS = ("supported", "logic_reversal", "scope_contradiction", "phantom_citation", "contrast")
MADE = {opinion: [candidate(opinion, kind, "a boat") for kind in KINDS] for opinion in ("marlowe", "quist")}
EXTRA = candidate("marlowe", "supported", "a second boat")
WRONG = candidate("quist", "missing_detail", "a third boat")
RECORDS = (
    record(
        "marlowe",
        [*MADE["marlowe"], EXTRA],
        dropped=(
            dropped("checks", "phantom_citation", "phantom is cited"),
            dropped("checks", "phantom_citation", "phantom is cited"),
            dropped("duplicates", "supported", "near duplicate"),
        ),
        usage=Usage(input_tokens=1000, cached_tokens=100, output_tokens=50),
        cost_usd=0.5,
        requests=4,
    ),
    record(
        "quist",
        MADE["quist"],
        dropped=(dropped("writing", "missing_detail", "no brackets"),),
        review=(disagreement(WRONG, "refuted"),),
        failures=(WritingFailure(kind="authority_swap", outcome="refused", detail="no"),),
        usage=Usage(input_tokens=500, output_tokens=20),
        cost_usd=0.25,
        requests=3,
    ),
    record("ferris", status="excluded", reason="900 characters, fewer than 2,000"),
    record("hathersage", status="failed", reason="the server hung up", requests=1),
)
CHOSEN = (*MADE["marlowe"], *MADE["quist"])


@pytest.fixture(scope="module")
def card() -> Card:
    return card_of(facts(blind_model=READER, prompts={"write_v1": "12ab"}), RECORDS, CHOSEN)


def test_classes_and_strategies_stand_beside_the_papers(card: Card) -> None:
    # 2 supported, 4 refuted (2 of each of two strategies) and 2 not found; two contrast claims stand apart.
    assert [(one.label, one.claims, one.share, one.paper_claims) for one in card.contents.classes] == [
        ("supported", 2, 0.25, 849),
        ("refuted", 4, 0.5, 1698),
        ("not_found", 2, 0.25, 849),
    ]
    by_name = {one.strategy: one for one in card.contents.strategies}
    assert (by_name["logic_reversal"].claims, by_name["logic_reversal"].share) == (2, 0.5)
    # 789 / (789 + 363 + 256 + 284) = 789 / 1692, as the paper's 46.6%.
    assert by_name["logic_reversal"].paper_share == pytest.approx(0.466, abs=0.0005)
    assert (card.contents.main, card.contents.contrast) == (8, 2)
    assert card.contents.usage_types == {"holding": 2}
    assert card.contents.mirrors == {"authority_swap": 2}


def test_the_papers_counts_add_up() -> None:
    assert sum(PAPER_CLASSES.values()) == 3396
    assert sum(PAPER_STRATEGIES["refuted"].values()) == 1692
    assert sum(PAPER_STRATEGIES["not_found"].values()) == 849
    assert sum(PAPER_SHARES.values()) == pytest.approx(2)
    for label, each in PAPER_STRATEGIES.items():
        for strategy, count in each.items():
            assert facts().wanted_strategy(strategy, label) == pytest.approx(count / sum(each.values()))
    assert {s for each in PAPER_STRATEGIES.values() for s in each} == set(STRATEGIES)
    assert all(LABEL_OF[s] == label for label, each in PAPER_STRATEGIES.items() for s in each)


def test_what_was_written_is_lost_left_over_or_in_the_set(card: Card) -> None:
    fates = {one.kind: one for one in card.losses.fates}
    supported, phantom, detail = fates["supported"], fates["phantom_citation"], fates["missing_detail"]
    assert (supported.written, supported.lost["duplicates"], supported.left_over, supported.used) == (4, 1, 1, 2)
    assert (phantom.written, phantom.lost["checks"], phantom.drop_rate, phantom.used) == (4, 2, 0.5, 2)
    assert (detail.written, detail.lost["writing"], detail.lost["blind"], detail.used) == (2, 1, 1, 0)
    # 4 supported, 4 phantoms, 2 details, and 2 each of two more strategies and of contrast.
    assert card.losses.written == 16
    assert card.losses.rates == {"writing": 1 / 16, "checks": 2 / 16, "duplicates": 1 / 16, "blind": 1 / 16}
    assert [(one.stage, one.rule, one.claims) for one in card.losses.rules] == [
        ("writing", "no brackets", 1),
        ("checks", "phantom is cited", 2),
        ("duplicates", "near duplicate", 1),
        ("blind", "said refuted", 1),
    ]
    assert card.losses.failures == {"authority_swap: refused": 1}


def test_a_disagreement_that_stands_among_the_dropped_too_is_one_loss() -> None:
    both = record(
        "quist",
        dropped=(dropped("blind", "missing_detail", "said refuted", "a third boat"),),
        review=(disagreement(WRONG, "refuted"),),
    )
    (fate,) = count_losses([both], []).fates
    assert (fate.written, fate.lost["blind"]) == (1, 1)


def test_disagreements_are_counted_by_intended_and_said_label() -> None:
    other = candidate("quist", "missing_detail", "a fourth boat")
    silent = candidate("quist", "logic_reversal", "a fifth boat")
    reviewed = record(
        "quist",
        review=(disagreement(WRONG, "refuted"), disagreement(other, "refuted"), disagreement(silent, None, "timeout")),
    )
    found = count_losses([reviewed], [])
    assert [(one.label, one.said, one.claims) for one in found.readings] == [
        ("refuted", None, 1),
        ("not_found", "refuted", 2),
    ]
    assert [one.rule for one in found.rules] == ["said refuted", "no label (timeout)"]


def test_the_class_with_the_fewest_for_its_share_limits_the_set(card: Card) -> None:
    # Wanted 1:2:1. Supported 3 / .25 = 12, refuted 4 / .5 = 8, not found 2 / .25 = 8; of equals the first.
    assert [(one.passed, one.enough_for) for one in card.balance.supplies] == [(3, 12), (4, 8), (2, 8)]
    assert card.balance.limited_by == "refuted"
    # Not made, or less of them than the paper's share; logic reversal and scope are half of the refuted each.
    assert card.balance.short == ("distractor_swap", "authority_swap", "unaddressed_argument", "missing_detail")


def test_what_is_over_the_limit_per_decision_makes_no_larger_set() -> None:
    # Ten supported claims of one decision, of which two may go in: with 1:2:1 that is a set of 8, of 2 : 4 : 2.
    many = [candidate("quist", "supported", f"boat {place}") for place in range(10)]
    refuted = [candidate("quist", "logic_reversal", f"boat {place}") for place in range(10)]
    absent = [candidate("quist", "phantom_citation", f"boat {place}") for place in range(10)]
    given = facts(per_opinion=2)
    made = card_of(given, [record("quist", [*many, *refuted, *absent])], [*many[:2], *refuted[:4], *absent[:2]])
    assert [(one.passed, one.usable, one.enough_for) for one in made.balance.supplies] == [
        (10, n, 8) for n in (2, 4, 2)
    ]


def test_decisions_without_claims_are_named_with_their_reasons(card: Card) -> None:
    found = card.decisions
    assert (found.given, found.used, found.done) == (4, 2, 2)
    assert [(one.opinion_id, one.reason) for one in found.excluded] == [("ferris", "900 characters, fewer than 2,000")]
    text = card.as_markdown()
    assert "4 given: 2 done (2 with claims in the set), 1 excluded, 1 failed." in text
    assert "- 1: 900 characters, fewer than 2,000 (ferris)" in text
    assert "- 1: the server hung up (hathersage)" in text


def test_reasons_that_differ_in_numbers_alone_are_one_line() -> None:
    short = [
        record(f"d{n}", status="excluded", reason=f"has {n},100 characters, fewer than 2,000") for n in range(1, 13)
    ]
    text = card_of(facts(), short, []).as_markdown()
    assert "- 12: such as: has 1,100 characters, fewer than 2,000 (d1, d10, d11, d12, " in text
    assert " and 2 more)" in text


def test_a_claim_that_a_person_kept_is_no_loss() -> None:
    other = candidate("quist", "missing_detail", "a fourth boat")
    reviewed = record("quist", MADE["quist"], review=(disagreement(WRONG, "refuted"), disagreement(other, "refuted")))
    made = card_of(facts(blind_model=READER), [reviewed], [*MADE["quist"], WRONG])
    (detail,) = [one for one in made.losses.fates if one.kind == "missing_detail"]
    assert (detail.written, detail.lost["blind"], detail.used) == (2, 1, 1)
    # Five that it agreed on, and these two.
    assert "did not agree on 2 of 7 (.286). These are not in the set, but for 1 that a person put there." in (
        made.as_markdown()
    )


def test_exemplars_are_counted_and_their_rating_is_paid_for() -> None:
    shown = Exemplars(
        harvested=700, unusable=300, shallow=220, kept=("(noting that Ferris sank)",), requests=28, cost_usd=0.5
    )
    made = card_of(facts(exemplars=shown), RECORDS, CHOSEN)
    assert (made.spent.requests, made.spent.cost_usd) == (36, 1.25)
    assert "700 parentheticals harvested; 300 left out that quote" in made.as_markdown()
    # They may be the words of a real brief, and stand in a file of their own.
    assert "sank" not in made.as_markdown() + json.dumps(made.as_json())
    assert made.as_json()["exemplars"]["kept"] == 1


def test_spending_counts_failed_decisions_too(card: Card) -> None:
    spent = card.spent
    assert (spent.requests, spent.input_tokens, spent.cached_tokens, spent.output_tokens) == (8, 1500, 100, 70)
    assert spent.cost_usd == 0.75
    assert "8 requests; 1,500 tokens in (100 of them cached), 70 out; $0.7500." in card.as_markdown()
    assert "broke off" not in card.as_markdown()


@pytest.mark.parametrize(("records", "known"), [(RECORDS, 0.75), ([], 0.0)])
def test_the_cost_counts_decisions_that_broke_off(records: Sequence[DecisionRecord], known: float) -> None:
    chosen = CHOSEN if records else ()
    ids = {one.opinion_id for one in records}
    opinions = {id: Opinion(id=id, text="Ferris moored the ferry.", parts=(), passages=()) for id in ids}
    rng = np.random.default_rng(0)
    made = make_card(facts(), records, [in_set(one) for one in chosen], opinions, rng, spent_usd=1.0)
    assert (made.spent.cost_usd, made.spent.unfinished_usd) == (1.0, 1.0 - known)
    assert made.as_json()["spent"]["cost_usd"] == 1.0
    assert "out; $1.0000." in made.as_markdown()
    assert f"Of the dollars {1.0 - known:.4f} went into decisions that broke off" in made.as_markdown()


def test_the_markdown_has_figures_as_the_readme_writes_them(card: Card) -> None:
    text = card.as_markdown()
    assert "| ... logic reversal | 2 | .500 | .466 | 789 | .466 |" in text
    assert "| Refuted | 4 | .500 | .500 | 1,698 | .500 |" in text
    assert "| phantom citation | 4 | 0 | 2 | 0 | 0 | .500 | 0 | 2 |" in text
    assert "| Not Found | 0 | 1 |  | 0 |" in text
    assert "prompts: write_v1 `12ab`" in text
    assert "The main claims cannot be probed: the claims are about 2 opinions, and it takes 5." in text
    assert "nan" not in text
    assert "—" not in text


def test_a_set_made_by_rules_says_so_at_the_top() -> None:
    made = card_of(facts(made_by=RULES), RECORDS[:1], MADE["marlowe"])
    head = made.as_markdown().split("## ")[0]
    assert BY_RULES[1:] in head
    assert made.as_json()["by_rules_alone"] is True
    assert "No second reader labelled the claims." in made.as_markdown()
    assert made.limits[0].startswith("Rules alone made the claims.")


def test_a_set_made_by_rules_and_read_by_a_model_does_not_say_that_nobody_read_it() -> None:
    head = card_of(facts(made_by=RULES, blind_model=READER), RECORDS[:1], MADE["marlowe"]).as_markdown().split("## ")[0]
    assert BY_RULES[1:] not in head
    assert f"no model wrote these claims; {READER} checked them" in head


def test_a_set_made_by_a_model_is_not_marked(card: Card) -> None:
    assert "rules alone" not in card.as_markdown()
    assert card.as_json()["by_rules_alone"] is False


def test_limits_name_what_a_user_must_know(card: Card) -> None:
    limits = "\n".join(card.limits)
    assert f"Claims on which {READER} disagreed are left out" in limits
    assert "All claims are about 2 decisions" in limits
    assert "1 of 4 decisions are excluded" in limits
    assert "No claim was made by distractor swap, authority swap, unaddressed argument, missing detail." in limits
    same = card_of(facts(blind_model=WRITER), RECORDS, CHOSEN)
    assert any("The blind reader is the model that wrote the claims" in limit for limit in same.limits)


def test_wording_that_tells_the_label_is_a_known_limit() -> None:
    opinions = [f"marlowe-{number}" for number in range(6)]
    chosen = [candidate(opinion, kind, "a boat") for opinion in opinions for kind in KINDS[:4]]
    made = card_of(facts(), [record(opinion) for opinion in opinions], chosen)
    assert any("The wording alone gives 1 of the labels of the claims away" in limit for limit in made.limits)
    assert "There are no contrast claims, which are true in the wording of the false ones." in made.limits


def test_an_empty_set_has_a_card() -> None:
    made = card_of(facts(exemplars=Exemplars()), [], [])
    assert made.balance.limited_by is None
    assert "0 claims about 0 judicial decisions" in made.as_markdown()
    assert "No request was sent, and nothing spent." in made.as_markdown()
    json.dumps(made.as_json(), allow_nan=False)


def test_the_json_holds_all_of_it(card: Card) -> None:
    row = json.loads(json.dumps(card.as_json(), allow_nan=False))
    assert row["claims"]["classes"][1]["share"] == 0.5
    assert row["losses"]["drop_rates"]["checks"] == 0.125
    assert row["limited"]["limited_by"] == "refuted"
    assert row["decisions"]["failed"][0]["opinion_id"] == "hathersage"
    assert row["probe"]["main"]["cannot_be_probed"].startswith("the claims are about 2 opinions")
    assert row["prompts"] == {"write_v1": "12ab"}


def test_wanted_shares_are_parts_of_any_whole() -> None:
    asked: dict[Strategy, float] = {"logic_reversal": 3, "distractor_swap": 1, "phantom_citation": 5}
    given = facts(balance={"supported": 1, "refuted": 1}, shares=asked)
    assert [given.wanted_class(label) for label in PAPER_CLASSES] == [0.5, 0.5, 0]
    assert given.wanted_strategy("logic_reversal", "refuted") == 0.75
    assert given.wanted_strategy("phantom_citation", "not_found") == 1
    assert given.wanted_strategy("missing_detail", "not_found") == 0


@settings(max_examples=10)
@given(st.randoms(use_true_random=False))
def test_the_order_of_records_and_claims_does_not_matter(random: Random) -> None:
    records, chosen = list(RECORDS), list(CHOSEN)
    random.shuffle(records)
    random.shuffle(chosen)
    assert card_of(facts(), records, chosen).as_json() == card_of(facts(), RECORDS, CHOSEN).as_json()


@given(
    st.lists(
        st.tuples(st.sampled_from(KINDS), st.sampled_from(["keep", "use", "checks", "blind", "review"])), max_size=20
    )
)
def test_the_parts_of_every_kind_add_up_to_what_was_written(rows: list[tuple[str, str]]) -> None:
    made = [(candidate("quist", kind, f"boat {place}"), fate) for place, (kind, fate) in enumerate(rows)]
    done = record(
        "quist",
        [one for one, fate in made if fate in ("keep", "use")],
        dropped=tuple(
            Dropped(
                stage="checks" if fate == "checks" else "blind", kind=one.kind, reason="", rule="x", claim=one.claim
            )
            for one, fate in made
            if fate in ("checks", "blind")
        ),
        review=tuple(disagreement(one, None, "error") for one, fate in made if fate == "review"),
    )
    found = count_losses([done], [in_set(one) for one, fate in made if fate == "use"])
    assert found.written == len(rows)
    for fate in found.fates:
        assert fate.written == sum(fate.lost.values()) + fate.left_over + fate.used
        assert 0 <= fate.drop_rate <= 1
