"""One panel at work over a library: what the tools and the MCP server ask.

Whatever goes wrong is a verdict that says the claim could not be checked, and never one that looks like a check.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from parcel_agents.api import averify, make_context, unusable
from parcel_agents.background import arun, run
from parcel_agents.briefs.shelf import Match
from parcel_agents.config import Config
from parcel_agents.errors import ParcelError
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.integrations.library import Library
from parcel_agents.types import Claim, Opinion, Verdict

Opinions = Library | Opinion | Iterable[Opinion] | Path | str
"""Opinions in memory, or the folder that holds their files."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Checked:
    """A verdict, and the opinion that it is about, where it was clear which."""

    verdict: Verdict
    match: Match

    @property
    def opinion(self) -> Opinion | None:
        """The opinion; None where none is meant for certain."""
        return self.match.shelved.opinion if self.match.shelved else None


class Checker:
    """Checks claims about the opinions of a library, by one panel; for any thread and any event loop."""

    def __init__(
        self,
        opinions: Opinions,
        *,
        panel: str | None = None,
        config: Config | None = None,
        context: VerifyContext | None = None,
    ) -> None:
        """Make the panel ready; indexes are made when an opinion is first asked about.

        Args:
            opinions: opinions, or the folder that holds them.
            panel: the panel's name; None for the one the configuration names.
            config: the configuration; None for the one in force.
            context: a panel at work to use instead.

        Raises:
            ConfigError: the panel or something it names is unknown.
            InputError: the folder is none.
        """
        self.library = opinions if isinstance(opinions, Library) else Library(opinions)
        self.context = context or make_context(panel=panel, config=config)

    def check(self, claims: Sequence[str], opinion: str) -> list[Checked]:
        """A verdict on each claim about the opinion that a citation, name, file name or id stands for."""
        return run(self._check(claims, opinion, None))

    async def acheck(
        self, claims: Sequence[str], opinion: str, on_verdict: Callable[[Verdict], None] | None = None
    ) -> list[Checked]:
        """As `check`; `on_verdict` is called with each verdict when it is there, in another thread."""
        return await arun(self._check(claims, opinion, on_verdict))

    async def _check(
        self, claims: Sequence[str], reference: str, on_verdict: Callable[[Verdict], None] | None
    ) -> list[Checked]:
        try:
            match = await asyncio.to_thread(self.library.find, reference)
        except (ParcelError, OSError) as error:
            match = Match("not_matched", f"the opinions cannot be read ({type(error).__name__})")
        if match.shelved is None:
            return [Checked(self._unchecked(claim, absence(match, reference)), match) for claim in claims]
        opinion = match.shelved.opinion
        done: dict[str, Verdict] = {}

        def keep(verdict: Verdict) -> None:
            done[verdict.claim_id] = verdict
            if on_verdict is not None:
                on_verdict(verdict)

        fault = ""
        try:
            await averify(opinion, [Claim.of(claim) for claim in claims], context=self.context, on_verdict=keep)
        except ParcelError as error:
            fault = str(error)
        except Exception as error:  # noqa: BLE001 - see the next line
            # A drafter must not take a crash for anything but a claim that nobody has checked.
            _log.exception("a check of %d claims crashed", len(claims))
            fault = f"the check failed ({type(error).__name__}); see the log"
        verdicts = [done.get(Claim.of(claim).id) or self._unchecked(claim, fault, opinion.id) for claim in claims]
        return [Checked(verdict, match) for verdict in verdicts]

    def _unchecked(self, claim: str, fault: str, opinion_id: str | None = None) -> Verdict:
        return unusable(Claim.of(claim).id, claim, fault, opinion_id=opinion_id, policy=self.context.policy.name)


def absence(match: Match, reference: str) -> str:
    """Why no opinion could be asked, in words."""
    told = "not at hand" if match.status == "not_at_hand" else "not certain which is meant"
    near = f"; nearest: {', '.join(match.candidates)}" if match.candidates else ""
    return f"the opinion {reference[:120]!r} is {told}: {match.why}{near}"
