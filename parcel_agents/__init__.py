"""Checks whether a judicial opinion really supports what a citation says of it.

>>> from parcel_agents import Opinion, verify
>>> verdicts = verify(Opinion.load("opinion.md"), ["(holding that the waiver was invalid)"])  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parcel_agents.api import averify, build_verify_graph, make_context, verify
    from parcel_agents.claim_keys import claim_key
    from parcel_agents.types import Claim, Opinion, Verdict, Vote

__all__ = [
    "Claim",
    "Opinion",
    "Verdict",
    "Vote",
    "averify",
    "build_verify_graph",
    "claim_key",
    "make_context",
    "verify",
]

_MODULES = {
    "Claim": "parcel_agents.types",
    "Opinion": "parcel_agents.types",
    "Verdict": "parcel_agents.types",
    "Vote": "parcel_agents.types",
    "claim_key": "parcel_agents.claim_keys",
}


def __getattr__(name: str) -> Any:
    """Import public names when they are first used: `parcel-agents --help` needs none of the graphs' libraries."""
    if name not in __all__:
        raise AttributeError(f"module 'parcel_agents' has no attribute {name!r}")
    return getattr(import_module(_MODULES.get(name, "parcel_agents.api")), name)
