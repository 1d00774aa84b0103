"""Keys that stand for a check: the same claim about the same opinion by the same panel has the same key, anywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from parcel_agents.config import Config
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.store import VerifierMeta
from parcel_agents.types import content_hash


def claim_key(context: VerifyContext, opinion_id: str, claim: str) -> str:
    """Sixteen hexadecimal digits for a claim, an opinion and all that the panel's verdict depends on.

    Args:
        context: the panel at work.
        opinion_id: the opinion's id, which depends on its content.
        claim: the claim's text.
    """
    return content_hash(json.dumps([context.panel_id, opinion_id, claim]))


def panel_id(config: Config, panel: str, described: Mapping[str, VerifierMeta]) -> str:
    """Sixteen hexadecimal digits for a panel as configured: verifiers, models, prompts, policy, retrieval, version.

    Args:
        config: the configuration.
        panel: the panel's name; two of one name may be quite different, and the same under two names.
        described: what each of its verifiers is, see `describe_verifier`.
    """
    chosen, settings = config.get_panel(panel), config.settings
    told = {
        "version": version("parcel-agents"),
        "panel": chosen.model_dump(mode="json", exclude={"about"}),
        # A policy may be fitted anew under the same name.
        "fitted": Path(chosen.policy).read_text(encoding="utf-8") if chosen.policy.endswith(".json") else None,
        "verifiers": {name: meta.model_dump(mode="json") for name, meta in sorted(described.items())},
        "retriever": settings.retriever,
        "top_k": settings.top_k,
        "fail_closed": settings.fail_closed,
    }
    return content_hash(json.dumps(told, sort_keys=True))
