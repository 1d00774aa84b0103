"""Verifiers: each looks at one claim and one opinion and gives a vote. One file a kind; `base` is the contract."""

from parcel_agents.verifiers.base import Task, Verifier, make_verifier

__all__ = ["Task", "Verifier", "make_verifier"]
