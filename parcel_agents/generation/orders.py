"""What to ask a writer for, decision by decision, and asking until it is there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from parcel_agents.generation.balance import CLASS_WEIGHTS, CONTRAST_SHARE, Shares, divide
from parcel_agents.generation.checks import find_fault
from parcel_agents.generation.duplicates import find_duplicates
from parcel_agents.generation.model import LABEL_OF, STRATEGIES, Candidate, Dropped, Strategy
from parcel_agents.generation.writing import Order, Writer, Written
from parcel_agents.providers.cost import add_usage
from parcel_agents.retrievers import Index

SPARE = 1.3
"""So many times the number wanted is asked for, since some claims are going to be dropped."""
ROUNDS = 2
"""So often a writer is asked for the same kind at most."""
REJECTED_SHOWN = 20
"""So many of the rejected claims are shown to the writer at most."""


@dataclass(frozen=True)
class Wanted:
    """What every decision is to give."""

    per_opinion: int
    """Supported claims; refuted ones are twice as many, not-found ones as many."""
    shares: Shares
    usage_types: tuple[str, ...]
    contrast: bool


def allot(wanted: Wanted, separate: Mapping[str, bool]) -> dict[str, dict[str, int]]:
    """How many claims of each kind each decision is asked for, with some to spare.

    Over all decisions the strategies have the wanted shares. Only decisions with a separate opinion are asked for
    authority swaps, for up to twice as many each, and for fewer of the others.

    Args:
        wanted: the numbers for a decision.
        separate: by opinion id, whether it has a separate opinion.
    """
    orders: dict[str, dict[str, int]] = {id: {"supported": _spare(wanted.per_opinion)} for id in separate}
    for label in ("refuted", "not_found"):
        shares = {name: share for name, share in wanted.shares.items() if LABEL_OF[name] == label}
        each = wanted.per_opinion * CLASS_WEIGHTS[label]
        room = {name: each * len(separate) for name in shares}
        if "authority_swap" in shares:
            nominal = math.ceil(each * shares["authority_swap"])
            room["authority_swap"] = min(2 * nominal, each) * sum(separate.values())
        left = divide(each * len(separate), shares, room)
        # Those with a separate opinion first: they alone can take authority swaps.
        able = [id for id in separate if separate[id]]
        for place, id in enumerate([*able, *(id for id in separate if not separate[id])]):
            counts = _portion(left, each, able_left=max(len(able) - place, 0))
            for name, count in counts.items():
                left[name] -= count
                if count:
                    orders[id][name] = _spare(count)
    if wanted.contrast:
        number = math.ceil(CONTRAST_SHARE * sum(CLASS_WEIGHTS.values()) * wanted.per_opinion)
        for id in separate:
            orders[id]["contrast"] = _spare(number)
    return orders


def everything(wanted: Wanted, separate: Mapping[str, bool]) -> dict[str, dict[str, int]]:
    """An order for each kind, for a writer that gives all it can whatever the number."""
    kinds = ["supported", *STRATEGIES, *(["contrast"] if wanted.contrast else [])]
    return {id: dict.fromkeys(kinds, wanted.per_opinion) for id in separate}


def _portion(left: Mapping[Strategy, int], each: int, *, able_left: int) -> dict[Strategy, int]:
    """What one decision takes of what is left to give out.

    Args:
        left: claims that no decision has taken yet.
        each: how many to take.
        able_left: how many decisions, with this one, can still take authority swaps; 0 if this one cannot.
    """
    swaps = min(each, math.ceil(left.get("authority_swap", 0) / able_left)) if able_left else 0
    others: dict[Strategy, int] = {name: count for name, count in left.items() if name != "authority_swap"}
    portion = divide(each - swaps, {name: float(count) for name, count in others.items()}, others)
    return {**portion, "authority_swap": swaps} if swaps else portion


def _spare(count: int) -> int:
    return max(count + 1, round(count * SPARE))


async def fill(writer: Writer, order: Order, index: Index) -> Written:
    """Claims of the order that are fit for the set, with what was dropped; a writer may be asked twice.

    Raises:
        RunStoppedError: see `Writer.write`.
    """
    total = Written()
    for _ in range(ROUNDS if writer.learns else 1):
        more = await writer.write(
            replace(
                order,
                wanted=order.wanted - len(total.candidates),
                written=tuple(one.claim for one in total.candidates),
                rejected=total.dropped[:REJECTED_SHOWN],
            )
        )
        fit, unfit = sort_out(more.candidates, index)
        if writer.learns:
            fit, surplus = _new_ones(fit, total.candidates, order.wanted)
            unfit += surplus
        total = Written(
            candidates=(*total.candidates, *fit),
            dropped=(*total.dropped, *more.dropped, *unfit),
            # What came before a failure is kept, and the failure told all the same.
            failure=more.failure,
            usage=add_usage(total.usage, more.usage),
            cost_usd=total.cost_usd + more.cost_usd,
            requests=total.requests + more.requests,
        )
        if more.failure is not None or len(total.candidates) >= order.wanted:
            break
    return total


def _new_ones(
    fit: Sequence[Candidate], before: Sequence[Candidate], wanted: int
) -> tuple[list[Candidate], list[Dropped]]:
    """Those that do not repeat what was there before, until the order is filled; and the others, with the reason.

    Each claim is going to cost a blind reading, and a model may answer with any number.
    """
    again = {place - len(before): dropped for place, dropped in find_duplicates([*before, *fit])}
    new = [one for place, one in enumerate(fit) if place not in again]
    room = max(wanted - len(before), 0)
    too_many = [
        Dropped(stage="checks", kind=one.kind, rule="too many", reason="is more than was asked for", claim=one.claim)
        for one in new[room:]
    ]
    return new[:room], [*again.values(), *too_many]


def sort_out(candidates: Sequence[Candidate], index: Index) -> tuple[list[Candidate], list[Dropped]]:
    """The claims that the checks find nothing wrong with, and the others."""
    fit, unfit = [], []
    for candidate in candidates:
        fault = find_fault(candidate, index)
        if fault is None:
            fit.append(candidate)
        else:
            unfit.append(
                Dropped(
                    stage="checks", kind=candidate.kind, rule=fault.rule, reason=fault.reason, claim=candidate.claim
                )
            )
    return fit, unfit
