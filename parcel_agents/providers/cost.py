"""What calls cost: prices times tokens, the account of a run with its cap, and the estimate before a run."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from dataclasses import dataclass

from parcel_agents.errors import ConfigError
from parcel_agents.providers.spec import ModelSpec
from parcel_agents.providers.stop import CostCapError
from parcel_agents.providers.waiting import Waiters
from parcel_agents.types import Usage

_BYTES_PER_TOKEN = 4.0
_FEWEST_BYTES_PER_TOKEN = 3.0
"""Legal English has four and a half; other scripts have fewer characters a token, but more bytes a character."""
_MOST_OVERHEAD = 500
"""Tokens that the form of the answer and the server's own frame add to a prompt, at most."""


def cost_usd(spec: ModelSpec, usage: Usage) -> float:
    """What the tokens cost; 0 where no price is known."""
    if spec.input_price is None or spec.output_price is None:
        return 0.0
    cached_price = spec.input_price if spec.cached_price is None else spec.cached_price
    fresh = usage.input_tokens - usage.cached_tokens
    return (
        fresh * spec.input_price + usage.cached_tokens * cached_price + usage.output_tokens * spec.output_price
    ) / 1e6


def add_usage(one: Usage, other: Usage) -> Usage:
    """The tokens of both."""
    return Usage(
        input_tokens=one.input_tokens + other.input_tokens,
        cached_tokens=one.cached_tokens + other.cached_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
    )


def estimate_tokens(size: int) -> int:
    """Tokens in a text of so many bytes, roughly."""
    return int(size / _BYTES_PER_TOKEN) + 1


def most_usage(spec: ModelSpec, size: int) -> Usage:
    """The most that a call can use: a prompt of so many bytes, and an answer up to the limit."""
    tokens = int(size / _FEWEST_BYTES_PER_TOKEN) + _MOST_OVERHEAD
    return Usage(input_tokens=tokens, output_tokens=spec.max_output_tokens)


@dataclass(frozen=True)
class Reservation:
    """Money set aside for a call under way."""

    amount_usd: float


class Account:
    """What a run has spent, and how much of its cap is spoken for.

    A call sets aside the most it can cost and gets back what it did not use. Where only the calls under way could
    make it cross the cap, it waits for them; where it could cross the cap by itself, the run stops.
    """

    def __init__(self, cap_usd: float | None = None) -> None:
        """Take the cap; None for none."""
        self.cap_usd = cap_usd
        self.spent_usd = 0.0
        self.reserved_usd = 0.0
        self._waiters = Waiters()
        self._lock = threading.Lock()

    async def reserve(self, amount_usd: float) -> Reservation:
        """Set the amount aside.

        Raises:
            CostCapError: it does not fit under the cap even when all calls under way cost nothing.
        """
        while True:
            with self._lock:
                cap = self.cap_usd
                if cap is None or self.spent_usd + self.reserved_usd + amount_usd <= cap:
                    self.reserved_usd += amount_usd
                    return Reservation(amount_usd)
                if self.spent_usd + amount_usd > cap:
                    raise CostCapError(
                        f"stopped before the cap of ${cap:.2f}: ${self.spent_usd:.4f} is spent and the next call may "
                        f"cost up to ${amount_usd:.4f}; raise --max-cost, or lower max_output_tokens"
                    )
                turn = self._waiters.join()
            try:
                await turn
            except asyncio.CancelledError:
                with self._lock:
                    self._waiters.wake()
                raise

    def settle(self, reservation: Reservation, spent_usd: float) -> None:
        """Give back what was set aside, and write down what was spent."""
        with self._lock:
            self.reserved_usd = max(0.0, self.reserved_usd - reservation.amount_usd)
            self.spent_usd += spent_usd
            self._waiters.wake()


def check_prices(cap_usd: float | None, specs: Iterable[ModelSpec]) -> None:
    """Make sure that a cap can hold.

    Raises:
        ConfigError: there is a cap, and a model without a price.
    """
    unpriced = sorted({spec.model for spec in specs if not spec.priced})
    if cap_usd is not None and unpriced:
        raise ConfigError(
            f"--max-cost cannot hold without prices: set input_price and output_price for {', '.join(unpriced)} "
            "(0 for a model that costs nothing)"
        )


@dataclass(frozen=True)
class Estimate:
    """What a run is going to ask for, and about what it costs."""

    votes: int = 0
    cached_votes: int = 0
    """Votes that the answer cache already holds; they cost nothing and are not among the tokens."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    """At the full input price: the provider's own prompt cache can only make it less."""
    most_usd: float = 0.0
    """If every answer were as long as it may be."""
    unpriced: tuple[str, ...] = ()
    """Models whose price is not known; their cost is not in the sums."""

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(
            votes=self.votes + other.votes,
            cached_votes=self.cached_votes + other.cached_votes,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost_usd=self.cost_usd + other.cost_usd,
            most_usd=self.most_usd + other.most_usd,
            unpriced=tuple(sorted({*self.unpriced, *other.unpriced})),
        )


def estimate_call(spec: ModelSpec, size: int, output_tokens: int) -> Estimate:
    """One vote with a prompt of so many bytes and an answer of so many tokens."""
    usage = Usage(input_tokens=estimate_tokens(size), output_tokens=min(output_tokens, spec.max_output_tokens))
    return Estimate(
        votes=1,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost_usd=cost_usd(spec, usage),
        most_usd=cost_usd(spec, most_usage(spec, size)),
        unpriced=() if spec.priced else (spec.model,),
    )
