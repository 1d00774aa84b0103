"""Keys that stand for a check: the same claim about the same opinion by the same panel has the same key, anywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from parcel_agents.config import Config
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.store import VerifierMeta
from parcel_agents.types import content_hash
from parcel_agents.verifiers.description import OPERATIONAL


def claim_key(context: VerifyContext, opinion_id: str, claim: str) -> str:
    """Sixteen hexadecimal digits for a claim, an opinion and all that the panel's verdict depends on.

    Empty for a panel that was made by hand: nothing tells what its verdicts depend on.

    Args:
        context: the panel at work.
        opinion_id: the opinion's id, which depends on its content.
        claim: the claim's text.
    """
    if not context.panel_id:
        return ""
    # These can be changed in a context that a configuration made.
    asked = [context.panel_id, context.policy.name, context.top_k, context.fail_closed]
    return content_hash(json.dumps([*asked, opinion_id, claim]))


def panel_id(config: Config, panel: str, described: Mapping[str, VerifierMeta]) -> str:
    """Sixteen hexadecimal digits for a panel as configured: verifiers, models, prompts, policy, retrieval, version.

    Args:
        config: the configuration.
        panel: the panel's name; two of one name may be quite different, and the same under two names.
        described: what each of its verifiers is, see `describe_verifier`.
    """
    chosen, settings = config.get_panel(panel), config.settings
    fitted = Path(chosen.policy).read_text(encoding="utf-8") if chosen.policy.endswith(".json") else None
    told = {
        "version": version("parcel-agents"),
        # A policy may be fitted anew under the same name, and the same may lie elsewhere.
        "panel": chosen.model_dump(mode="json", exclude={"about", "policy"} if fitted else {"about"}),
        "fitted": fitted,
        "verifiers": {name: meta.model_dump(mode="json") for name, meta in sorted(described.items())},
        # Descriptions leave out what may be a key to something, such as headers, and a model may depend on that.
        "settings": {name: _asked(config.verifier[name].settings) for name in sorted(described)},
        "retriever": settings.retriever,
        "top_k": settings.top_k,
        "fail_closed": settings.fail_closed,
    }
    return content_hash(json.dumps(told, sort_keys=True))


def _asked(settings: Mapping[str, Any]) -> str:
    told = {key: value for key, value in settings.items() if key not in OPERATIONAL}
    return content_hash(json.dumps(told, sort_keys=True, default=str))
