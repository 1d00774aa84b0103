"""A panel that answers by the words of the claim, and an opinion of a made-up court."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

from parcel_agents.ensemble import make_policy
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.opinions import parse_opinion
from parcel_agents.retrievers import make_retriever
from parcel_agents.types import LABELS, EvidenceRef, Label, Opinion, Vote
from parcel_agents.verifiers import Task

TEXT = """# *Matter of Quist v Hathersage*
**99 NY3d 41**  
**March 3, 2023**  
**Ferris, J.**  

**Court of Appeals**

In the Matter of Emory Quist, Appellant,
v
Hathersage Harbor Board, Respondent.

Argued January 9, 2023; decided March 3, 2023

{**99 NY3d at 43} OPINION OF THE COURT

Ferris, J.

The harbor board denied the permit and gave the applicant no reasons of any kind for it.

We hold that a board that denies a permit must state its reasons in writing within thirty days.

Marlowe, J. (dissenting). Nothing in the statute asks for reasons, and I would confirm the determination.
"""
OPINION: Opinion = parse_opinion(TEXT, suffix=".md")
REFERENCE = "Matter of Quist v Hathersage, 99 NY3d 41 (2023)"
TRUE = "(holding that a board that denies a permit must state its reasons in writing)"
FALSE = "(holding that a board need not state reasons when it denies a permit, contrary)"
ABSENT = "(holding that nowhere may a board charge a fee for a permit)"
UNCLEAR = "(suggesting in unclear words that reasons may be brief)"
BROKEN = "(holding that the verifier is broken by this very claim)"


@dataclass
class ByWords:
    """Votes as the claim's words say; fails on `broken`, and waits on `slow`."""

    name: str = "words"
    casts: frozenset[Label] = frozenset(LABELS)
    cancelled: int = 0
    calls: int = 0
    started: list[float] = field(default_factory=list)

    async def verify(self, task: Task) -> Vote:
        self.calls += 1
        self.started.append(time.monotonic())
        claim = task.claim.text
        if "broken" in claim:
            raise RuntimeError("the verifier is broken")
        if "slow" in claim:
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
        label: Label | None = (
            "refuted"
            if "contrary" in claim
            else "not_found"
            if "nowhere" in claim
            else None
            if "unclear" in claim
            else "supported"
        )
        passage = task.opinion.passage(task.hits[0].passage)
        relation = "contradicts" if label == "refuted" else "supports"
        ref = EvidenceRef(passage=passage.id, start=passage.start, end=passage.end, relation=relation)
        evidence = (ref,) if label in ("supported", "refuted") else ()
        read = tuple(hit.passage for hit in task.hits)
        return Vote(verifier=self.name, outcome="ok", label=label, evidence=evidence, read=read, reason="by its words")


def context(*verifiers: ByWords, deadline_s: float | None = None) -> VerifyContext:
    made = VerifyContext(
        retriever=make_retriever("bm25"),
        tiers=(verifiers or (ByWords(),),),
        policy=make_policy("majority"),
        top_k=3,
        concurrency=8,
        clock=time.perf_counter,
        deadline_s=deadline_s,
    )
    made.add(OPINION)
    return made
