"""What was asked of whom, by which versions, when: the head of a book of traces."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version

from parcel_agents.config import Config
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.traces.model import Asked


def asked_of(config: Config, context: VerifyContext) -> Asked:
    """What is asked of whom, by which versions, now."""
    return Asked(
        panel=config.settings.panel,
        tiers=tuple(tuple(verifier.name for verifier in tier) for tier in context.tiers),
        policy=context.policy.name,
        retriever=config.settings.retriever,
        top_k=context.top_k,
        versions={
            "python": platform.python_version(),
            "parcel_agents": version("parcel-agents"),
            "panel": context.panel_id,
        },
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
