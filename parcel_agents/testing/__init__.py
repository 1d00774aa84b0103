"""A test kit for verifiers, policies, retrievers and opinion sources of other packages.

Each check takes the part as its factory makes it and raises `AssertionError` in plain words where it breaks the
contract that a checked claim relies on. `docs/extending.md` shows a package that uses them.
"""

from parcel_agents.testing.opinion import example_opinion
from parcel_agents.testing.policy import check_policy
from parcel_agents.testing.retriever import check_retriever
from parcel_agents.testing.source import check_source
from parcel_agents.testing.verifier import check_verifier

__all__ = ["check_policy", "check_retriever", "check_source", "check_verifier", "example_opinion"]
