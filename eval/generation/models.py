"""The models that write and check claims."""

from __future__ import annotations

from parcel_agents.config import Config
from parcel_agents.errors import ConfigError
from parcel_agents.providers import Providers
from parcel_agents.providers.spec import PROVIDERS, check_settings
from parcel_agents.verifiers.llm import LlmSettings, LlmVerifier, make_llm_verifier


def model_settings(spec: str, config: Config) -> LlmSettings:
    """The settings of a model.

    Args:
        spec: the name of a `[verifier.NAME]` table of kind llm, or a model such as `openai:gpt-5` with the usual ones.
        config: where the tables are.

    Raises:
        ConfigError: it is neither.
    """
    if spec in config.verifier:
        table = config.verifier[spec]
        if table.kind != "llm":
            raise ConfigError(f"[verifier.{spec}] is of kind {table.kind!r}; name one of kind 'llm'")
        return check_settings(LlmSettings, spec, table.settings)
    if spec.partition(":")[0] not in PROVIDERS:
        known = sorted(name for name, table in config.verifier.items() if table.kind == "llm")
        raise ConfigError(
            f"unknown model {spec!r}; give provider:name with one of {', '.join(PROVIDERS)}, or a [verifier.NAME] "
            f"table of kind llm: {', '.join(known) or 'none is configured'}"
        )
    return check_settings(LlmSettings, spec, {"model": spec})


def blind_settings(spec: str, config: Config) -> LlmSettings:
    """Those of the blind reader: it is given the whole opinion, and has to point to passages.

    What is not found in some passages may be in the others; an opinion that does not fit is not read at all.

    Raises:
        ConfigError: see `model_settings`.
    """
    given = model_settings(spec, config)
    return given.model_copy(update={"context": "full", "protocol": "evidence", "prompt": None})


def blind_reader(spec: str, config: Config, providers: Providers) -> LlmVerifier:
    """The blind reader as a verifier.

    Raises:
        ConfigError: see `model_settings`.
    """
    settings = blind_settings(spec, config).model_dump(exclude_unset=True)
    return make_llm_verifier("blind", providers=providers, **settings)
