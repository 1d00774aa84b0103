"""Every extension point on one screen: the names under which parts can be chosen, and who makes them.

A built-in is one file and one line here. Another package adds its own by an entry point in the group named
below, or at run time with `register`. Factories are imported only when asked for, since some load heavy
libraries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from inspect import signature
from typing import Any

from parcel_agents.errors import ConfigError

Factory = Callable[..., Any]


class Registry:
    """Factories of one kind by name."""

    def __init__(self, kind: str, group: str, builtin: Mapping[str, str]) -> None:
        """Take the built-ins as `module:attribute`; `group` is the entry point group that plug-ins use."""
        self.kind = kind
        self.group = group
        self._targets: dict[str, str | Factory] = dict(builtin)

    def register(self, name: str, factory: Factory) -> None:
        """Add a factory under a name that is not taken."""
        if name in self.names():
            raise ConfigError(f"{self.kind} {name!r} is registered already")
        self._targets[name] = factory

    def names(self) -> list[str]:
        """All known names, sorted."""
        return sorted({*self._targets, *(entry.name for entry in entry_points(group=self.group))})

    def create(self, name: str, /, **settings: Any) -> Any:
        """Make the part with this name.

        Raises:
            ConfigError: the name is unknown, or the factory does not take these settings.
        """
        factory = self.factory(name)
        try:
            return factory(**settings)
        except TypeError as error:
            raise ConfigError(f"{self.kind} {name!r} cannot be made with {sorted(settings)}: {error}") from error

    def takes(self, name: str, parameter: str) -> bool:
        """True if the factory with this name has such a parameter; ConfigError if there is no factory."""
        return parameter in signature(self.factory(name)).parameters

    def factory(self, name: str) -> Factory:
        """What makes the part with this name; ConfigError if there is none."""
        target = self._targets.get(name)
        if target is None:
            found = [entry for entry in entry_points(group=self.group) if entry.name == name]
            if not found:
                raise ConfigError(f"unknown {self.kind} {name!r}; known: {', '.join(self.names())}")
            loaded: Factory = found[0].load()
            return loaded
        if isinstance(target, str):
            module, attribute = target.split(":")
            imported: Factory = getattr(import_module(module), attribute)
            return imported
        return target


RETRIEVERS = Registry(
    "retriever",
    "parcel_agents.retrievers",
    {
        "bm25": "parcel_agents.retrievers.bm25:BM25Retriever",
        "dense": "parcel_agents.retrievers.dense:DenseRetriever",
        "hybrid": "parcel_agents.retrievers.hybrid:HybridRetriever",
    },
)

VERIFIERS = Registry(
    "verifier kind",
    "parcel_agents.verifiers",
    {
        "agent": "parcel_agents.verifiers.agent:make_agent_verifier",
        "checks": "parcel_agents.verifiers.checks:ChecksVerifier",
        "combined": "parcel_agents.verifiers.combined:make_combined_verifier",
        "llm": "parcel_agents.verifiers.llm:make_llm_verifier",
        "nli": "parcel_agents.verifiers.nli:make_nli_verifier",
        "similarity": "parcel_agents.verifiers.similarity:SimilarityVerifier",
    },
)

POLICIES = Registry(
    "policy",
    "parcel_agents.policies",
    {
        "dawid_skene": "parcel_agents.ensemble.dawid_skene:DawidSkene",
        "majority": "parcel_agents.ensemble.voting:Majority",
        "plurality": "parcel_agents.ensemble.voting:Plurality",
        "stacking": "parcel_agents.ensemble.stacking:Stacking",
        "unanimous": "parcel_agents.ensemble.voting:Unanimous",
        "veto": "parcel_agents.ensemble.voting:Veto",
        "weighted": "parcel_agents.ensemble.weighted:Weighted",
    },
)

SOURCES = Registry(
    "source kind",
    "parcel_agents.opinion_sources",
    {
        "folder": "parcel_agents.briefs.folder_source:FolderSource",
    },
)
