"""The exceptions that end a whole run: asking on would fail in the same way, or cost more than was allowed."""

from __future__ import annotations

from typing import ClassVar

from parcel_agents.errors import ParcelError
from parcel_agents.types import Outcome


class RunStoppedError(ParcelError):
    """Base of all. The verify graph lets it through, where every other exception becomes a missing vote."""

    outcome: ClassVar[Outcome] = "error"
    """The outcome of the vote that there would have been."""


class AuthError(RunStoppedError):
    """The provider does not accept the key, or there is none."""

    outcome = "auth"


class QuotaError(RunStoppedError):
    """The account has no credit, or no requests left for the day."""

    outcome = "rate_limited"


class CostCapError(RunStoppedError):
    """The next call could cross the cap on costs."""
