"""Panels and settings, from TOML files. The only module that reads the environment.

A setting is taken from the argument, else the environment, else the user's file, else the default. The user's
file is the one named by `--config` or PARCEL_AGENTS_CONFIG, else `parcel-agents.toml` in the current folder.
Its panels and verifiers are added to the built-in ones of `panels.toml`; an unknown key is an error.
"""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path, user_data_path
from pydantic import ConfigDict, Field, ValidationError, field_validator

from parcel_agents.errors import ConfigError
from parcel_agents.types import Frozen

DEFAULT_PANEL = "embedded"
DEFAULT_FILE = "parcel-agents.toml"
_PREFIX = "PARCEL_AGENTS_"


class KindConfig(Frozen):
    """A table that names a kind of part, and holds settings that the kind itself checks."""

    model_config = ConfigDict(frozen=True, extra="allow")

    kind: str

    @property
    def settings(self) -> dict[str, Any]:
        """Everything but the kind."""
        return dict(self.model_extra or {})


class VerifierConfig(KindConfig):
    """One `[verifier.NAME]` table."""


class SourceConfig(KindConfig):
    """One `[source.NAME]` table: where opinions come from that are not among the files."""


class AcceptConfig(Frozen):
    """The least score at which a tier's decision stands: a share of its votes, or a probability."""

    supported: float = Field(ge=0)
    other: float = Field(ge=0)


class TierConfig(Frozen):
    """Verifiers that are asked together."""

    verifiers: tuple[str, ...] = Field(min_length=1)
    accept: AcceptConfig | None = None
    """Without it, the next tier is asked unless nothing it could say would change the decision."""


class PanelConfig(Frozen):
    """One `[panel.NAME]` table: tiers of verifiers, and the policy that resolves their votes."""

    policy: str = "majority"
    """A policy's name, or a file with a fitted one (`.json`; relative to the file that names it)."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """Settings of the policy, which it checks itself."""
    about: str = ""
    tier: tuple[TierConfig, ...] = Field(min_length=1)

    @property
    def verifiers(self) -> tuple[str, ...]:
        """The names of all its verifiers, tier by tier."""
        return tuple(name for tier in self.tier for name in tier.verifiers)


class Settings(Frozen):
    """The `[settings]` table."""

    panel: str = DEFAULT_PANEL
    retriever: str = "hybrid"
    concurrency: int = Field(default=8, ge=1, le=1024)
    """How many verifiers may run at the same time, over all claims."""
    top_k: int = Field(default=10, ge=1)
    """How many passages are retrieved per claim."""
    cache_dir: Path | None = None
    """Where embeddings and models' answers are kept; None for the user's cache folder."""
    answer_cache: bool = True
    """Whether models' answers are kept and used again."""
    deadline_s: float | None = Field(default=None, gt=0)
    """Seconds that a claim may take, waiting for its turn aside; None for no deadline. Models have their own."""
    fail_closed: bool = False
    """True to withhold Supported where any verifier that was asked gave no vote."""
    max_cost_usd: float | None = Field(default=None, gt=0)
    """The most that a run may cost; None for no cap."""
    sources: tuple[str, ...] = ()
    """Who is asked for opinions that are not among the files, in order; in the environment with commas between."""

    @field_validator("sources", mode="before")
    @classmethod
    def _names(cls, given: object) -> object:
        return [name.strip() for name in given.split(",")] if isinstance(given, str) else given

    @property
    def cache_path(self) -> Path:
        """The folder for caches."""
        return self.cache_dir or user_cache_path("parcel-agents", appauthor=False)


class Config(Frozen):
    """A whole configuration."""

    settings: Settings = Settings()
    panel: dict[str, PanelConfig] = Field(default_factory=dict)
    verifier: dict[str, VerifierConfig] = Field(default_factory=dict)
    source: dict[str, SourceConfig] = Field(default_factory=dict)

    def get_panel(self, name: str) -> PanelConfig:
        """The panel with this name.

        Raises:
            ConfigError: there is none, or one of its verifiers is not configured.
        """
        if name not in self.panel:
            raise ConfigError(f"unknown panel {name!r}; known: {', '.join(sorted(self.panel))}")
        panel = self.panel[name]
        if twice := [name for name, count in Counter(panel.verifiers).items() if count > 1]:
            raise ConfigError(f"panel {name!r} names the verifier {twice[0]!r} twice")
        for verifier in panel.verifiers:
            if verifier not in self.verifier:
                raise ConfigError(
                    f"panel {name!r} names the verifier {verifier!r}, which has no [verifier.{verifier}] table; "
                    f"known: {', '.join(sorted(self.verifier))}"
                )
        return panel

    def get_sources(self) -> dict[str, SourceConfig]:
        """The tables of the sources that the settings name, in their order.

        Raises:
            ConfigError: a source is named twice, or has no table.
        """
        names = self.settings.sources
        if twice := [name for name, count in Counter(names).items() if count > 1]:
            raise ConfigError(f"settings.sources names {twice[0]!r} twice")
        for name in names:
            if name not in self.source:
                known = ", ".join(sorted(self.source)) or "none"
                fault = f"settings.sources names {name!r}, which has no [source.{name}] table"
                raise ConfigError(f"{fault}; known: {known}")
        return {name: self.source[name] for name in names}


def environment() -> Mapping[str, str]:
    """The environment, where the keys of providers are."""
    return os.environ


def kept_path() -> Path:
    """The folder for what users keep, such as the briefs that the web app has checked."""
    return user_data_path("parcel-agents", appauthor=False)


def load_config(path: Path | None = None, *, environ: Mapping[str, str] | None = None, **arguments: Any) -> Config:
    """The configuration in force.

    Args:
        path: the user's file; None for the one the environment names, or the default file if it is there.
        environ: the environment; None for the process's own.
        arguments: settings given by the caller; None means not given.

    Raises:
        ConfigError: a file is missing or not TOML, or a key or value is not allowed.
    """
    environ = os.environ if environ is None else environ
    named = path or (Path(environ[f"{_PREFIX}CONFIG"]) if environ.get(f"{_PREFIX}CONFIG") else None)
    builtin = _parse(files("parcel_agents").joinpath("panels.toml").read_text(encoding="utf-8"), "panels.toml")
    user: dict[str, Any] = {}
    if named is not None:
        try:
            user = _parse(named.read_text(encoding="utf-8"), str(named))
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{named}: the configuration cannot be read ({error})") from error
    elif Path(DEFAULT_FILE).is_file():
        user = _parse(Path(DEFAULT_FILE).read_text(encoding="utf-8"), DEFAULT_FILE)
    _place_policies(user, (named or Path(DEFAULT_FILE)).parent)
    _place_folders(user, (named or Path(DEFAULT_FILE)).parent)
    settings = dict(user.get("settings", {}))
    for field in Settings.model_fields:
        if value := environ.get(f"{_PREFIX}{field.upper()}"):
            settings[field] = value
        if arguments.get(field) is not None:
            settings[field] = arguments[field]
    merged = {
        **user,
        "settings": settings,
        "panel": {**builtin.get("panel", {}), **user.get("panel", {})},
        "verifier": {**builtin.get("verifier", {}), **user.get("verifier", {})},
    }
    try:
        return Config.model_validate(merged)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"{named or DEFAULT_FILE}: {key}: {first['msg']}") from error


def _place_policies(user: dict[str, Any], folder: Path) -> None:
    """Make the files of fitted policies, named relative to the file, findable from the current folder."""
    panels = user.get("panel", {})
    for panel in panels.values() if isinstance(panels, dict) else ():
        policy = panel.get("policy") if isinstance(panel, dict) else None
        if isinstance(policy, str) and policy.endswith(".json"):
            panel["policy"] = str(folder / policy)


def _place_folders(user: dict[str, Any], folder: Path) -> None:
    """The same for the folders of sources."""
    sources = user.get("source", {})
    for source in sources.values() if isinstance(sources, dict) else ():
        if isinstance(source, dict) and source.get("kind") == "folder" and isinstance(source.get("folder"), str):
            source["folder"] = str(folder / source["folder"])


def _parse(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{where}: is not TOML ({error})") from error
