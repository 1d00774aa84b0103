"""What was asked of whom, by which versions, when: the head of a book of traces."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version

from parcel_agents.config import Config
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.traces.model import Asked
from parcel_agents.types import content_hash
from parcel_agents.verifiers.description import describe_verifier


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
            "panel": _panel_id(config, context),
        },
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _panel_id(config: Config, context: VerifyContext) -> str:
    """All that the votes depend on, in one word: two panels of one name may ask other models."""
    told = [
        describe_verifier(one, config.verifier[one.name]).model_dump_json()
        for one in context.verifiers
        if one.name in config.verifier
    ]
    return content_hash("\n".join(told))[:12]
