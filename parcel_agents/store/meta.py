"""What `run.json` says of a run: what was asked, of whom, with which settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field

from parcel_agents.config import AcceptConfig
from parcel_agents.types import SCHEMA_VERSION, Frozen, Label


class DatasetMeta(Frozen):
    """The claims that were asked about."""

    name: str
    source: str
    """The folder's or file's name, without the folders above it: a run may be moved to another machine."""
    hash: str
    """Depends on the chosen claims with all their fields, and on the texts and passages of their opinions."""
    claims: int
    opinions: int


class PanelMeta(Frozen):
    """The panel of the latest command."""

    name: str
    policy: str
    tiers: tuple[tuple[str, ...], ...]
    settings: dict[str, Any] = Field(default_factory=dict)
    """Settings of the policy."""
    accept: tuple[AcceptConfig | None, ...] = ()
    """Per tier, the scores from which its decision stands."""
    fitted: dict[str, Any] | None = None
    """What the policy's file holds, where the policy is one."""

    @property
    def verifiers(self) -> tuple[str, ...]:
        """The names of all its verifiers, tier by tier."""
        return tuple(dict.fromkeys(name for tier in self.tiers for name in tier))


class VerifierMeta(Frozen):
    """One verifier as it voted."""

    kind: str
    casts: tuple[Label, ...]
    """The labels it can ever give."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """What its table says, without defaults, secrets, and settings that cannot change a vote."""
    prompt: str | None = None
    """Name and hash of its prompt file, as its votes give them; None where it asks no model."""


class SettingsMeta(Frozen):
    """Settings of the whole run that votes depend on."""

    retriever: str
    top_k: int


class RunMeta(Frozen):
    """The whole of `run.json`."""

    schema_version: int = SCHEMA_VERSION
    dataset: DatasetMeta
    panel: PanelMeta
    verifiers: dict[str, VerifierMeta]
    """Those of the panel, and those of earlier panels whose votes the run still holds."""
    settings: SettingsMeta
    versions: dict[str, str]
    """Of Python, this package and what votes depend on, when the run began."""
    created: str
    """When the run began, in the form of ISO 8601."""

    def continued_by(self, wanted: RunMeta) -> RunMeta:
        """The description after a further command: its panel, and the verifiers of both."""
        verifiers = {**self.verifiers, **wanted.verifiers}
        return self.model_copy(update={"panel": wanted.panel, "verifiers": verifiers})

    def differences(self, wanted: RunMeta) -> list[str]:
        """What another command would change that votes depend on, each field by name with both values.

        Further verifiers, fewer verifiers, another policy and another name of the panel are no differences: they
        leave the votes what they are.
        """
        found = list(_differing("dataset", {"hash": self.dataset.hash}, {"hash": wanted.dataset.hash}))
        found += _differing("settings", self.settings.model_dump(), wanted.settings.model_dump())
        found += verifier_differences(self.verifiers, wanted.verifiers)
        return found


def verifier_differences(old: Mapping[str, VerifierMeta], new: Mapping[str, VerifierMeta]) -> list[str]:
    """In what the verifiers that both have differ, each field by name with both values."""
    return [
        difference
        for name in sorted({*old} & {*new})
        for difference in _differing(f"verifier.{name}", _votes_depend_on(old[name]), _votes_depend_on(new[name]))
    ]


def _votes_depend_on(verifier: VerifierMeta) -> dict[str, Any]:
    return {"kind": verifier.kind, "prompt": verifier.prompt, **verifier.settings}


def _differing(table: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) != new.get(key):
            yield f"{table}.{key} is {_shown(new, key)}, was {_shown(old, key)}"


def _shown(values: dict[str, Any], key: str) -> str:
    return repr(values[key]) if values.get(key) is not None else "not given"
