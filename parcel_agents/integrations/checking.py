"""One panel at work over a library: what the tools, the MCP server and the HTTP API ask.

A claim that was checked is not checked again: the same panel gives the same answer, and a model may cost money.
Whatever goes wrong is a verdict that says the claim could not be checked, and never one that looks like a check.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from parcel_agents.api import averify, make_context, unusable
from parcel_agents.background import arun, run
from parcel_agents.briefs.shelf import Match, Shelved
from parcel_agents.briefs.sources import make_sources
from parcel_agents.claim_keys import claim_key
from parcel_agents.config import Config, load_config
from parcel_agents.errors import ParcelError
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.integrations.library import Library
from parcel_agents.types import Claim, Opinion, Verdict

Opinions = Library | Opinion | Iterable[Opinion] | Path | str
"""Opinions in memory, or the folder that holds their files."""

KEPT_VERDICTS = 2_000

MAX_CLAIM = 4_000
"""Characters of a claim; one of too many words gets a verdict that says so."""

_ASKING = ThreadPoolExecutor(max_workers=4, thread_name_prefix="parcel-agents-sources")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Checked:
    """A verdict, and the opinion that it is about, where it was clear which."""

    verdict: Verdict
    match: Match
    key: str
    """Stands for claim, opinion and panel (see `claim_key`); empty where there is no opinion."""

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
            opinions: opinions, or the folder that holds them; the configuration's sources are asked for others.
            panel: the panel's name; None for the one the configuration names.
            config: the configuration; None for the one in force.
            context: a panel at work to use instead.

        Raises:
            ConfigError: the panel, a source or something they name is unknown.
            InputError: the folder is none.
        """
        if config is None and context is None:
            config = load_config()
        # A panel that was made by hand says nothing of sources.
        sources = () if config is None else make_sources(config)
        self.library = opinions if isinstance(opinions, Library) else Library(opinions, sources=sources)
        self.context = context or make_context(panel=panel, config=config)
        self._verdicts: OrderedDict[tuple[str, str], Verdict] = OrderedDict()
        """By opinion and claim; touched in the package's loop alone."""

    def check(self, claims: Sequence[str], opinion: str) -> list[Checked]:
        """A verdict on each claim about the opinion that a citation, name, file name or id stands for."""
        return run(self._check(claims, opinion))

    async def acheck(self, claims: Sequence[str], opinion: str) -> list[Checked]:
        """As `check`, for asynchronous callers."""
        return await arun(self._check(claims, opinion))

    async def find(self, reference: str) -> Match:
        """See `Library.find`. Sources may be slow; who asks for what is at hand does not wait for them."""
        match = await asyncio.to_thread(self.library.at_hand, reference)
        if match.status == "not_at_hand" and self.library.has_sources:
            match = await asyncio.get_running_loop().run_in_executor(_ASKING, self.library.find, reference)
        return match

    async def acheck_opinion(self, claims: Sequence[str], shelved: Shelved, why: str) -> list[Checked]:
        """As `acheck`, about an opinion that is known already.

        Args:
            claims: what to check.
            shelved: the opinion.
            why: how it is known to be the one that is meant.
        """
        return await arun(self._check_match(claims, Match("at_hand", why, shelved), ""))

    async def _check(self, claims: Sequence[str], reference: str) -> list[Checked]:
        try:
            match = await self.find(reference)
        except (ParcelError, OSError) as error:
            match = Match("not_matched", f"the opinions cannot be read ({type(error).__name__})")
        return await self._check_match(claims, match, reference)

    async def _check_match(self, claims: Sequence[str], match: Match, reference: str) -> list[Checked]:
        if match.shelved is None:
            return [Checked(self._unchecked(claim, absence(match, reference)), match, "") for claim in claims]
        opinion = match.shelved.opinion
        keys = {claim: claim_key(self.context, opinion.id, claim) for claim in claims}
        done = {claim: self._verdicts[opinion.id, claim] for claim in keys if (opinion.id, claim) in self._verdicts}
        wanted = [Claim.of(claim) for claim in keys if claim not in done]

        def keep(verdict: Verdict) -> None:
            done[verdict.claim] = verdict
            self._keep(opinion, verdict)

        fault = ""
        try:
            if wanted:
                await averify(opinion, wanted, context=self.context, on_verdict=keep)
        except ParcelError as error:
            fault = str(error)
        except Exception as error:  # noqa: BLE001 - see the next line
            # A drafter must not take a crash for anything but a claim that nobody has checked.
            _log.exception("a check of %d claims crashed", len(claims))
            fault = f"the check failed ({type(error).__name__}); see the log"
        verdicts = [done.get(claim) or self._unchecked(claim, fault, opinion.id) for claim in claims]
        return [Checked(verdict, match, keys[verdict.claim]) for verdict in verdicts]

    def _keep(self, opinion: Opinion, verdict: Verdict) -> None:
        """Remember a verdict; where a vote is missing, the next attempt may get it."""
        if verdict.error is None and all(vote.outcome == "ok" for vote in verdict.votes):
            self._verdicts[opinion.id, verdict.claim] = verdict
            self._verdicts.move_to_end((opinion.id, verdict.claim))
            while len(self._verdicts) > KEPT_VERDICTS:
                self._verdicts.popitem(last=False)

    def _unchecked(self, claim: str, fault: str, opinion_id: str | None = None) -> Verdict:
        return unusable(Claim.of(claim).id, claim, fault, opinion_id=opinion_id, policy=self.context.policy.name)


def absence(match: Match, reference: str) -> str:
    """Why no opinion could be asked, in words."""
    told = "not at hand" if match.status == "not_at_hand" else "not certain which is meant"
    near = f"; nearest: {', '.join(match.candidates)}" if match.candidates else ""
    return f"the opinion {reference[:120]!r} is {told}: {match.why}{near}"
