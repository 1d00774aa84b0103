"""What the verify graph tells while it works, to whoever streams it (or a graph around it) with the mode `custom`.

Each event is plain JSON with `source` (`parcel_agents`), `event` and `claim_id`:

- `tier`: a tier's turn has come; `tier` from 0, and the names of its `verifiers`.
- `vote`: a verifier is done; its name, the `outcome`, the `label` if any, and `latency_s`.
- `resolved`: the verdict is there; its `label` if any, the `reason`, and the `error` if it could not be checked.
"""

from __future__ import annotations

from langgraph.config import get_stream_writer

from parcel_agents.graphs.state import Json, VerifyContext
from parcel_agents.types import Verdict, Vote

SOURCE = "parcel_agents"


def tell_tier(claim_id: str, tier: int, context: VerifyContext) -> None:
    """A tier's turn has come."""
    names = [verifier.name for verifier in context.tiers[tier]]
    _tell({"event": "tier", "claim_id": claim_id, "tier": tier, "verifiers": names})


def tell_vote(claim_id: str, vote: Vote) -> None:
    """A verifier is done."""
    known = vote.model_dump(mode="json", include={"verifier", "outcome", "label", "latency_s"})
    _tell({"event": "vote", "claim_id": claim_id, **known})


def tell_resolved(verdict: Verdict) -> None:
    """The verdict is there; before, a policy's label may still fall for want of a passage."""
    _tell({"event": "resolved", **verdict.model_dump(mode="json", include={"claim_id", "label", "reason", "error"})})


def _tell(event: Json) -> None:
    """Nothing happens where nobody listens, or where a node is called outside a graph."""
    try:
        writer = get_stream_writer()
    except (RuntimeError, KeyError):
        return
    writer({"source": SOURCE, **event})
