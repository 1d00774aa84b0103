"""The hardest claims, each with gold label, votes, evidence and causes side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from parcel_agents.eval.hard.study import Study
from parcel_agents.hard.causes import IN_WORDS
from parcel_agents.hard.claim import cut, letters
from parcel_agents.types import GoldClaim, Vote

CARDS = 10


@dataclass(frozen=True)
class Quoted:
    """Words of the opinion, and whose they are."""

    text: str
    whose: str
    """Voice and page; empty where the opinion is not at hand."""


@dataclass(frozen=True)
class VoteCard:
    """A vote as it is shown."""

    verifier: str
    said: str
    """A label, `abstained`, or the outcome of a vote that failed."""
    right: bool | None
    """None where no label was given."""
    confidence: float | None
    reason: str
    quoted: tuple[Quoted, ...]


@dataclass(frozen=True)
class CauseCard:
    """A cause as it is shown."""

    title: str
    reason: str


@dataclass(frozen=True)
class Card:
    """A hard claim."""

    claim: GoldClaim
    about: str
    """The opinion's name and citation, where they are known."""
    failed_by: int
    votes: tuple[VoteCard, ...]
    causes: tuple[CauseCard, ...]
    quoted: tuple[Quoted, ...]
    """The places that the causes point to, each once, without the data set's evidence, which stands in the claim."""
    failed: tuple[str, ...]
    """Causes whose diagnosis failed, and why."""


def cards(study: Study, count: int = CARDS) -> list[Card]:
    """The hardest claims of those that were diagnosed."""
    return [_card(study, id, study.diagnoses[id]) for id in study.found["diagnosed"][:count]]


def _card(study: Study, id: str, diagnosis: dict[str, Any]) -> Card:
    claim = study.claims[id]
    opinion = study.opinions.get(claim.opinion_id)
    about = ", ".join(part for part in (opinion.name, opinion.citation) if part) if opinion else ""
    votes = study.votes.get(id, ())
    return Card(
        claim,
        about or claim.opinion_id,
        int(study.failures.failed_by[study.row_of[id]]),
        tuple(_vote(study, claim, vote) for vote in votes),
        tuple(CauseCard(IN_WORDS[cause["name"]], cause["reason"]) for cause in diagnosis["causes"]),
        tuple(_places(claim, diagnosis["causes"])),
        tuple(f"{name}: {reason}" for name, reason in diagnosis["failed"].items()),
    )


def _places(claim: GoldClaim, causes: list[dict[str, Any]]) -> Iterator[Quoted]:
    seen = {letters(claim.evidence or "")}
    for place in (place for cause in causes for place in cause["places"][:3]):
        if letters(place["text"]) not in seen:
            seen.add(letters(place["text"]))
            yield _quoted(place)


def _vote(study: Study, claim: GoldClaim, vote: Vote) -> VoteCard:
    opinion = study.opinions.get(claim.opinion_id)
    places: list[Quoted] = []
    for ref in vote.evidence[:3]:
        if opinion is not None and opinion.has_passage(ref.passage):
            places.append(_quoted(cut(opinion, ref).model_dump()))
        else:
            places.append(Quoted(f"{ref.passage}, characters {ref.start} to {ref.end}", ""))
    said = vote.label or ("abstained" if vote.outcome == "ok" else vote.outcome)
    right = None if vote.label is None else vote.label == claim.label
    return VoteCard(vote.verifier, said, right, vote.confidence, vote.reason, tuple(places))


def _quoted(place: dict[str, Any]) -> Quoted:
    page = f", page {place['page']}" if place["page"] else ""
    return Quoted(place["text"], f"{place['voice']}{page}")
