"""The verifier `similarity`: does the claim repeat a sentence of the opinion, word for word?

A claim that repeats a sentence of the right voice is supported, unless the sentence only reports what a party argued,
a court below held or a witness said and the claim leaves that out. Everything else, a paraphrase above all, looks the
same whether true or turned into its opposite: the verifier abstains.
"""

from __future__ import annotations

from dataclasses import dataclass

from parcel_agents.types import Label, Vote
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.matching import Match, closest_match


@dataclass(frozen=True)
class SimilarityVerifier:
    """See the module."""

    name: str
    casts: frozenset[Label] = frozenset({"supported"})

    async def verify(self, task: Task) -> Vote:
        """See `Verifier.verify`."""
        read = tuple(passage.id for passage in task.opinion.passages)
        match = closest_match(task)
        if match is not None and match.supports:
            return vote_for_repeated(self.name, match, read)
        return Vote(verifier=self.name, outcome="ok", reason=_why_undecided(match), read=read)


def vote_for_repeated(name: str, match: Match, read: tuple[str, ...]) -> Vote:
    """The vote of a verifier for a claim that repeats the sentence of a match."""
    return Vote(
        verifier=name,
        outcome="ok",
        label="supported",
        reason="the quoted words stand in the opinion, and nothing there takes them back or gives them to somebody else"
        if match.quoted
        else "the claim repeats a sentence of the opinion with no difference that matters",
        evidence=(match.ref,),
        read=read,
    )


def _why_undecided(match: Match | None) -> str:
    if match is None:
        return "no sentence says this in the claim's words; similarity cannot tell whether others support it"
    if match.verbatim:
        return "a sentence says this, but in another voice than the claim names"
    return f"close to a sentence, but {'; '.join(match.alignment.differences[:3])}"
