"""Check every explanatory parenthetical of a brief against the opinion that it cites.

Whether an authority is at hand and whether it supports the claim are two questions: a claim whose opinion is not at
hand has no verdict, and is never counted among those that are not supported.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from parcel_agents.api import verify
from parcel_agents.briefs.cited import authority_of, cited_decisions, decision_key, full_authority
from parcel_agents.briefs.shelf import Match, Shelf
from parcel_agents.briefs.source import SourceText, read_source
from parcel_agents.citations.harvest import Harvested, harvest_all
from parcel_agents.citations.model import DECISIONS, Citation
from parcel_agents.citations.quotations import QuotationCheck, check_quotation
from parcel_agents.citations.read import read_citations
from parcel_agents.citations.speakers import find_speaker
from parcel_agents.errors import InputError
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.providers import RunStoppedError
from parcel_agents.types import Claim, Opinion, Verdict
from parcel_agents.verifiers.checks.quotation import quoted_words


@dataclass(frozen=True)
class BriefClaim:
    """A parenthetical, the authority that it describes, and what was found."""

    harvested: Harvested
    match: Match
    verdict: Verdict | None = None
    """None where the opinion is not at hand, or the claim could not be tied to a decision."""
    quotations: tuple[tuple[str, QuotationCheck], ...] = ()
    """The words that it quotes, and whether they stand in the opinion."""


@dataclass(frozen=True)
class BriefReport:
    """All parentheticals of a brief, in its order."""

    claims: tuple[BriefClaim, ...]
    authorities: int
    """Decisions that the brief cites, each once."""
    at_hand: int
    """Those of them whose opinion is among the files."""
    unreadable: tuple[str, ...]
    """Files of the folder that could not be read."""
    stopped: str | None = None
    """What the verifying had to stop for; the claims that it did not come to have no verdict."""


def read_brief(path: Path) -> tuple[SourceText, tuple[Citation, ...]]:
    """The text of a brief, and its citations.

    Raises:
        InputError: the file cannot be read, or cites no decision.
    """
    source = read_source(path)
    citations = read_citations(source.text)
    if not any(citation.kind in DECISIONS for citation in citations) and not any(harvest_all(citations)):
        raise InputError(f"{path}: cites no decision, so there is nothing to check")
    return source, citations


def match_claims(citations: Sequence[Citation], shelf: Shelf) -> BriefReport:
    """The parentheticals and their authorities, nothing verified yet."""
    cited = cited_decisions(citations)
    matches = {key: shelf.match(full_authority(one)) for key, one in cited.items()}
    claims = []
    for found in harvest_all(citations):
        if found.unchecked is not None:
            claims.append(BriefClaim(found, Match("not_matched", f"not checked: {found.unchecked}")))
            continue
        key = decision_key(found.cite, found.name, found.year)
        match = matches.get(key)
        # A brief may cite one decision under two names; each has to agree with the cite.
        if match is None or (found.name and found.name != cited[key].name):
            match = shelf.match(authority_of(found, citations))
        claims.append(BriefClaim(found, match, quotations=_quotations(found, match)))
    at_hand = sum(match.status == "at_hand" for match in matches.values())
    return BriefReport(tuple(claims), len(cited), at_hand, shelf.unreadable)


def verify_claims(
    report: BriefReport, context: VerifyContext, on_verdict: Callable[[Verdict], None] = lambda _: None
) -> BriefReport:
    """The report with a verdict on each claim whose opinion is at hand.

    Where a provider does not accept the key, or the cap on costs is reached, it has the verdicts given before.
    """
    verdicts: dict[int, Verdict] = {}
    stopped: str | None = None

    def keep(verdict: Verdict) -> None:
        verdicts[int(verdict.claim_id)] = verdict
        on_verdict(verdict)

    for opinion, wanted in to_verify(report):
        try:
            verify(opinion, wanted, context=context, on_verdict=keep)
        except RunStoppedError as error:
            stopped = str(error)
            break
    claims = tuple(
        replace(claim, verdict=_renamed(verdicts[place], claim.harvested)) if place in verdicts else claim
        for place, claim in enumerate(report.claims)
    )
    return replace(report, claims=claims, stopped=stopped)


def to_verify(report: BriefReport, *, done: Collection[int] = ()) -> list[tuple[Opinion, list[Claim]]]:
    """Each opinion at hand with its claims, as verifiers take them; a claim's id is its place in the report.

    Args:
        report: the claims and their authorities.
        done: places that are left out.
    """
    found: dict[str, tuple[Opinion, list[Claim]]] = {}
    for place, claim in enumerate(report.claims):
        if claim.match.shelved is not None and place not in done:
            opinion = claim.match.shelved.opinion
            wanted = Claim(id=str(place), text=spoken(claim.harvested))
            found.setdefault(opinion.id, (opinion, []))[1].append(wanted)
    return list(found.values())


def spoken(found: Harvested) -> str:
    """The claim as verifiers take it: one about a separate opinion says so, since others speak for the Court."""
    if found.opinion is None or find_speaker(found.claim).kind == found.opinion:
        return found.claim
    return f"(the {found.opinion}, {found.claim.removeprefix('(')}"


def _quotations(found: Harvested, match: Match) -> tuple[tuple[str, QuotationCheck], ...]:
    if match.shelved is None:
        return ()
    opinion = match.shelved.opinion
    return tuple(
        (words, check_quotation(opinion.text, words, parts=opinion.parts)) for words in quoted_words(found.claim)
    )


def _renamed(verdict: Verdict, found: Harvested) -> Verdict:
    return verdict.model_copy(update={"claim_id": found.id})
