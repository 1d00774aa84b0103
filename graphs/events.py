"""What the verify graph tells while it works, to whoever streams it (or a graph around it) with the mode `custom`.

Each event is plain JSON with `source` (`parcel_agents`), `event` and `claim_id`:

- `tier`: a tier's turn has come; `tier` from 0, and the names of its `verifiers`.
- `vote`: a verifier is done; its name, the `outcome`, the `label` if any, and `latency_s`.
- `resolved`: no more is asked; the `label` that the votes carry, if any, and the policy's `reason`.
"""

from __future__ import annotations

from langgraph.config import get_stream_writer

from parcel_agents.graphs.state import Json, VerifyContext
from parcel_agents.types import Resolution, Vote

SOURCE = "parcel_agents"


def tell_tier(claim_id: str, tier: int, context: VerifyContext) -> None:
    """A tier's turn has come."""
    names = [verifier.name for verifier in context.tiers[tier]]
    _tell({"event": "tier", "claim_id": claim_id, "tier": tier, "verifiers": names})


def tell_vote(claim_id: str, vote: Vote) -> None:
    """A verifier is done."""
    known = vote.model_dump(mode="json", include={"verifier", "outcome", "label", "latency_s"})
    _tell({"event": "vote", "claim_id": claim_id, **known})


def tell_resolved(claim_id: str, resolution: Resolution) -> None:
    """No more is asked."""
    told = {"event": "resolved", "claim_id": claim_id, "label": resolution.label, "reason": resolution.reason}
    _tell(told)


def _tell(event: Json) -> None:
    """Nothing happens where nobody listens, or where a node is called outside a graph."""
    try:
        writer = get_stream_writer()
    except (RuntimeError, KeyError):
        return
    writer({"source": SOURCE, **event})
