"""What a verifier's votes depend on, as it is written down beside them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from parcel_agents.config import VerifierConfig
from parcel_agents.providers.secrets import redact
from parcel_agents.store import VerifierMeta
from parcel_agents.types import LABELS, content_hash
from parcel_agents.verifiers.agent import AgentVerifier
from parcel_agents.verifiers.agent_prompt import load_agent_prompt
from parcel_agents.verifiers.base import Verifier
from parcel_agents.verifiers.combined import CombinedVerifier
from parcel_agents.verifiers.llm import LlmVerifier

OPERATIONAL = frozenset(
    "api_key_env rpm tpm limit_group concurrency timeout_s deadline_s retries input_price cached_price "
    "output_price".split()
)
"""Settings of a verifier that may change while a run goes on: they say how it is asked, and not what."""
_SECRET = frozenset("key api_key token password secret authorization credentials headers".split())


def prompt_id(verifier: Verifier) -> str | None:
    """Name and hash of a verifier's prompt file, as its votes give them; None where it has none."""
    if isinstance(verifier, LlmVerifier):
        return verifier.settings.template().id
    return load_agent_prompt().id if isinstance(verifier, AgentVerifier) else None


def describe_verifier(verifier: Verifier, config: VerifierConfig) -> VerifierMeta:
    """What a run and a fitted policy keep of a verifier: all that its votes depend on, and no secret."""
    settings: Any = getattr(verifier, "settings", None)
    if isinstance(settings, BaseModel):
        # A default that is written out is no change.
        table = settings.model_dump(mode="json", exclude_defaults=True)
    else:
        table = config.settings
    if isinstance(verifier, CombinedVerifier):
        # The file may be trained anew under the same name.
        table = {**table, "weights": content_hash(verifier.model.model_dump_json())}
    return VerifierMeta(
        kind=config.kind,
        casts=tuple(label for label in LABELS if label in verifier.casts),
        settings={key: _harmless(key, value) for key, value in table.items() if key not in OPERATIONAL},
        prompt=prompt_id(verifier),
    )


def _harmless(key: str, value: Any) -> Any:
    """The value as JSON, with whatever may be a key to something replaced by `***`."""
    if key.lower().removeprefix("extra_") in _SECRET:
        return "***"
    if isinstance(value, dict):
        return {inner: _harmless(inner, each) for inner, each in value.items()}
    if isinstance(value, list | tuple):
        return [_harmless("", each) for each in value]
    return redact(value, ()) if isinstance(value, str) else value if isinstance(value, int | float) else str(value)
