"""Tasks over a made-up opinion, for verifiers and checks that need no retriever."""

from __future__ import annotations

from parcel_agents.opinions import parse_opinion
from parcel_agents.retrievers import make_retriever
from parcel_agents.types import Claim
from parcel_agents.verifiers import Task

COURT = "We hold that an officer may not open the stern locker of a moored boat before the owner has been asked."
FILLER = "The tide was low, and gulls walked about on the mud as they do there in spring, whatever anybody might say."
"""Prose enough for an opinion, and about nothing."""


def task(claim: str, court: str = COURT, *, dissent: str = "", closing: str = "Order affirmed.") -> Task:
    """A claim about an opinion with these words of the Court and of a dissent."""
    separate = f"Quist, J. (dissenting). {dissent}\n\n" if dissent else ""
    text = (
        f"# People v Marlowe\n\nOPINION OF THE COURT\n\nFerris, J.\n\n{court}\n\n{FILLER}\n\n{separate}"
        f"Judges Abara and Lund concur.\n\n{closing}\n"
    )
    opinion = parse_opinion(text, suffix=".md")
    return Task(Claim.of(claim), opinion, make_retriever("bm25").index(opinion), ())
