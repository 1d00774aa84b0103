from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from fakes.generator import STATES, THINGS, decision
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.generation.balance import PAPER_SHARES, Shares, check_shares
from parcel_agents.generation.decisions import has_separate_opinion
from parcel_agents.generation.model import LABEL_OF, STRATEGIES, USAGE_TYPES, Candidate, WritingFailure
from parcel_agents.generation.orders import REJECTED_SHOWN, Wanted, allot, everything, fill
from parcel_agents.generation.writing import Order, Written
from parcel_agents.opinions import parse_opinion
from parcel_agents.retrievers.bm25 import BM25Index
from parcel_agents.types import Label, Span, Usage

OPINION = parse_opinion(decision("Marlowe"), suffix=".md")
INDEX = BM25Index(OPINION)
LABELS: tuple[Label, ...] = ("refuted", "not_found")


def wanted(per_opinion: int = 10, shares: Shares = PAPER_SHARES, *, contrast: bool = False) -> Wanted:
    return Wanted(per_opinion, shares, tuple(USAGE_TYPES), contrast)


def decisions(number: int, with_separate: int) -> dict[str, bool]:
    return {f"o{place}": place < with_separate for place in range(number)}


def test_over_all_decisions_the_strategies_have_the_wanted_shares() -> None:
    orders = allot(wanted(), decisions(40, 20))
    asked: Counter[str] = Counter()
    for kinds in orders.values():
        asked.update({kind: count for kind, count in kinds.items() if kind != "supported"})
    for name, share in PAPER_SHARES.items():
        # Of 800 refuted and 400 not-found claims, with a third to spare; small orders have at least one to spare.
        of_class = 800 if LABEL_OF[name] == "refuted" else 400
        assert share * of_class <= asked[name] <= 1.3 * share * of_class + 40


def test_only_decisions_with_a_separate_opinion_are_asked_for_authority_swaps() -> None:
    separate = decisions(6, 2)
    orders = allot(wanted(), separate)
    assert {id for id, kinds in orders.items() if "authority_swap" in kinds} == {"o0", "o1"}
    # Of 120 refuted claims 18 would be swaps; two decisions take 4 each, twice the share of one, and 5 to spare.
    assert {orders[id]["authority_swap"] for id in ("o0", "o1")} == {10}


@given(
    st.integers(1, 12),
    st.dictionaries(st.text("ab", min_size=1, max_size=4), st.booleans(), max_size=8),
    st.dictionaries(st.sampled_from(STRATEGIES), st.floats(0.01, 5), max_size=7),
    st.booleans(),
)
def test_every_decision_is_asked_for_its_part_and_for_no_negative_number(
    per_opinion: int, separate: dict[str, bool], given_: dict[str, float], contrast: bool
) -> None:
    orders = allot(wanted(per_opinion, check_shares(given_), contrast=contrast), separate)
    assert orders.keys() == separate.keys()
    for id, kinds in orders.items():
        assert all(count >= 2 for count in kinds.values())
        assert kinds.keys() <= {"supported", "contrast", *STRATEGIES}
        assert kinds["supported"] > per_opinion
        assert ("contrast" in kinds) == contrast
        assert separate[id] or "authority_swap" not in kinds
        for label in LABELS:
            of_class = [count for kind, count in kinds.items() if LABEL_OF.get(kind) == label]  # type: ignore[call-overload]
            assert sum(of_class) >= per_opinion * (2 if label == "refuted" else 1) + len(of_class)


@given(st.integers(1, 12), st.integers(0, 8))
def test_a_strategy_without_a_share_is_not_asked_for(per_opinion: int, number: int) -> None:
    orders = allot(wanted(per_opinion, check_shares({"phantom_citation": 0})), decisions(number, number // 2))
    assert not any("phantom_citation" in kinds for kinds in orders.values())


def test_rules_are_asked_for_every_kind() -> None:
    assert everything(wanted(3), {"a": False})["a"].keys() == {"supported", *STRATEGIES}
    assert "contrast" in everything(wanted(3, contrast=True), {"a": False})["a"]


@pytest.mark.parametrize("dissent", [True, False])
def test_a_dissent_is_a_separate_opinion(dissent: bool) -> None:
    assert has_separate_opinion(parse_opinion(decision("Marlowe", dissent=dissent), suffix=".md")) is dissent


# Filling an order ------------------------------------------------------------------------------------------------


def good(number: int) -> Candidate:
    claim = f"(crediting testimony that the {THINGS[number]} had been {STATES[number]} by then)"
    return Candidate(
        opinion_id="marlowe", claim=claim, label="supported", evidence=(Span(start=0, end=9),), made_by="test"
    )


def quoting(number: int) -> Candidate:
    return good(number).model_copy(update={"claim": f"(holding that the “{THINGS[number]}” was out of order at sea)"})


@dataclass
class Answers:
    """A writer that answers as the test says, and remembers its orders."""

    answer: Callable[[Order], Written]
    learns: bool = True
    name: str = "test"
    orders: list[Order] = field(default_factory=list)

    async def write(self, order: Order) -> Written:
        self.orders.append(order)
        return self.answer(order)


def filled(writer: Answers, number: int = 3) -> Written:
    order = Order("marlowe", OPINION, "supported", number, ("holding",))
    return asyncio.run(fill(writer, order, INDEX))


def test_a_writer_that_gives_all_is_asked_once() -> None:
    writer = Answers(lambda order: Written(tuple(good(place) for place in range(order.wanted)), requests=1))
    made = filled(writer)
    assert (len(made.candidates), made.dropped, made.requests, len(writer.orders)) == (3, (), 1, 1)


def test_the_second_time_only_what_is_missing_is_asked_for_and_what_was_wrong_is_told() -> None:
    answers = [Written((good(0), quoting(1), quoting(2)), requests=1), Written((good(1), good(2)), requests=1)]
    writer = Answers(lambda order: answers[len(writer.orders) - 1])
    made = filled(writer)
    assert [one.claim for one in made.candidates] == [good(place).claim for place in range(3)]
    second = writer.orders[1]
    assert (second.wanted, second.written) == (2, (good(0).claim,))
    assert [(one.claim, one.rule) for one in second.rejected] == [
        (quoting(place).claim, "quotation") for place in (1, 2)
    ]
    assert made.requests == 2


def test_nobody_is_asked_a_third_time() -> None:
    writer = Answers(lambda order: Written((quoting(0),)))
    assert (filled(writer).candidates, len(writer.orders)) == ((), 2)


def test_a_claim_that_comes_again_does_not_fill_an_order() -> None:
    writer = Answers(lambda order: Written((good(0),) * 3))
    made = filled(writer)
    assert (made.candidates, len(writer.orders)) == ((good(0),), 2)
    assert Counter(one.rule for one in made.dropped) == {"near-duplicate": 5}


def test_what_is_more_than_was_asked_for_is_dropped() -> None:
    made = filled(Answers(lambda order: Written(tuple(good(place) for place in range(9)))))
    assert (len(made.candidates), Counter(one.rule for one in made.dropped)) == (3, {"too many": 6})


def test_a_prompt_does_not_grow_with_what_was_rejected() -> None:
    writer = Answers(lambda order: Written((quoting(0),) * 500))
    made = filled(writer)
    assert (len(writer.orders[1].rejected), len(made.dropped)) == (REJECTED_SHOWN, 1000)


def test_what_came_before_a_failure_is_kept() -> None:
    failure = WritingFailure(kind="supported", outcome="error", detail="500")
    answers = [
        Written((good(0),), usage=Usage(input_tokens=7), cost_usd=0.5, requests=1),
        Written(failure=failure, usage=Usage(input_tokens=2), cost_usd=0.25, requests=3),
    ]
    writer = Answers(lambda order: answers[len(writer.orders) - 1])
    made = filled(writer)
    assert (made.candidates, made.failure) == ((good(0),), failure)
    assert (made.usage.input_tokens, made.cost_usd, made.requests) == (9, 0.75, 4)


def test_a_failure_ends_the_asking() -> None:
    writer = Answers(lambda order: Written(failure=WritingFailure(kind="supported", outcome="refused", detail="no")))
    assert (filled(writer).candidates, len(writer.orders)) == ((), 1)


def test_rules_give_all_they_can_and_are_asked_once() -> None:
    writer = Answers(lambda order: Written(tuple(good(place) for place in range(9))), learns=False)
    assert (len(filled(writer).candidates), len(writer.orders)) == (9, 1)
    assert filled(Answers(lambda order: Written(), learns=False)).candidates == ()
