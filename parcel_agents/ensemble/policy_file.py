"""Fitted policies as readable JSON: made by `parcel-agents train policy`, named by a panel."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from parcel_agents.config import AcceptConfig, PanelConfig
from parcel_agents.ensemble.base import Policy, make_policy
from parcel_agents.ensemble.cascade import Accept, Cascade
from parcel_agents.errors import ConfigError
from parcel_agents.store import PanelMeta, SettingsMeta, VerifierMeta, verifier_differences
from parcel_agents.types import Frozen


class RiskFile(Frozen):
    """The threshold for `supported` and the guarantee that it was chosen for."""

    threshold: float | None
    """The least score; None where nothing may be called supported."""
    max_fer: float
    confidence: float


class PolicyFile(Frozen):
    """A policy with everything it learned, and what it learned it from."""

    format: int = Field(default=1, ge=1, le=1)
    policy: str
    """The name in the registry."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """What the policy was fitted to, or its settings."""
    tiers: tuple[tuple[str, ...], ...] = Field(min_length=1)
    """The members of the panel that it is made for, in the order in which they are asked."""
    accept: tuple[AcceptConfig | None, ...] = ()
    """Per tier but the last, where a cascade was tuned."""
    risk: RiskFile | None = None
    verifiers: dict[str, VerifierMeta] = Field(default_factory=dict)
    """What each member was when it gave the votes: kind, settings, prompt."""
    settings: SettingsMeta | None = None
    """Of the run that gave the votes: what passages the members were given."""
    report: dict[str, Any] = Field(default_factory=dict)
    """The data that it was made from, and what it reached there."""

    def make(self) -> Policy:
        """The policy at work.

        Raises:
            ConfigError: the policy is unknown or its parameters make no sense.
        """
        policy = _tiered(make_policy(self.policy, **self.parameters), len(self.tiers), self.accept)
        if self.risk is None:
            return policy
        from parcel_agents.ensemble.risk import RiskControlled

        return RiskControlled(policy, self.risk.threshold, max_fer=self.risk.max_fer, confidence=self.risk.confidence)

    def write(self, path: Path) -> None:
        """Store the policy.

        Raises:
            ConfigError: the file cannot be written.
        """
        try:
            path.write_text(json.dumps(self.model_dump(mode="json"), indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"{path}: cannot be written ({error.strerror or error})") from error


def read_policy_file(path: Path) -> PolicyFile:
    """The policy that a file holds.

    Raises:
        ConfigError: the file is missing or holds no policy.
    """
    try:
        return PolicyFile.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: the policy cannot be read ({error})") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"{path}: is no fitted policy ({key}: {first['msg']})") from error


def policy_for(panel: PanelConfig, verifiers: Mapping[str, VerifierMeta], settings: SettingsMeta) -> Policy:
    """The policy of a panel, over its tiers.

    Args:
        panel: the panel.
        verifiers: what its members are; a policy that was fitted to votes of others is refused.
        settings: what passages they are given; so is one that was fitted to votes on others.

    Raises:
        ConfigError: the policy is unknown or has to be fitted, or a fitted one is for other members or tiers.
    """
    accept = tuple(tier.accept for tier in panel.tier)
    if panel.tier[-1].accept is not None:
        raise ConfigError("the last tier's decision always stands; 'accept' belongs to the tiers before it")
    if not panel.policy.endswith(".json"):
        _check_names(panel)
        return _tiered(make_policy(panel.policy, **panel.settings), len(panel.tier), accept)
    if panel.settings or any(accept):
        raise ConfigError(f"{panel.policy}: is a fitted policy and has its own settings; the panel cannot give others")
    fitted = read_policy_file(Path(panel.policy))
    configured = tuple(tuple(sorted(tier.verifiers)) for tier in panel.tier)
    if configured != tuple(tuple(sorted(tier)) for tier in fitted.tiers):
        raise ConfigError(
            f"{panel.policy}: is fitted for the tiers {[list(tier) for tier in fitted.tiers]}, the panel has "
            f"{[list(tier.verifiers) for tier in panel.tier]}; fit it again with `parcel-agents train policy`"
        )
    changed = verifier_differences(fitted.verifiers, verifiers)
    if fitted.settings is not None and fitted.settings != settings:
        changed.append(f"the settings are {settings.model_dump()}, were {fitted.settings.model_dump()}")
    if changed:
        raise ConfigError(
            f"{panel.policy}: was fitted to votes given in another way: {'; '.join(changed)}. Fit it again to a "
            "run of this panel"
        )
    return fitted.make()


def _check_names(panel: PanelConfig) -> None:
    """ConfigError if `by` names somebody who is not of the panel: a veto that nobody has would pass unseen."""
    for name in panel.settings.get("by", ()):
        if name not in panel.verifiers:
            raise ConfigError(
                f"policy {panel.policy!r}: by names {name!r}, who is not of the panel ({', '.join(panel.verifiers)})"
            )


def recorded_policy(panel: PanelMeta) -> Policy:
    """The policy of a panel as a run has it, with its settings and over its tiers.

    Raises:
        ConfigError: the policy is unknown here, or its settings make no sense.
    """
    if panel.fitted is not None:
        return PolicyFile.model_validate(panel.fitted).make()
    return _tiered(make_policy(panel.policy, **panel.settings), len(panel.tiers), panel.accept)


def _tiered(policy: Policy, tiers: int, accept: tuple[AcceptConfig | None, ...]) -> Policy:
    """The policy over so many tiers: itself for one, a cascade for more."""
    if tiers < 2:
        return policy
    return Cascade(policy, tuple(Accept(one.supported, one.other) if one else None for one in accept))
