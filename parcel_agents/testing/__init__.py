"""A test kit for verifiers, policies and retrievers of other packages.

Each check takes the part as its factory makes it and raises `AssertionError` in plain words where it breaks the
contract that the graph relies on. `docs/extending.md` shows a package that uses them.
"""

from parcel_agents.testing.opinion import example_opinion
from parcel_agents.testing.policy import check_policy
from parcel_agents.testing.retriever import check_retriever
from parcel_agents.testing.verifier import check_verifier

__all__ = ["check_policy", "check_retriever", "check_verifier", "example_opinion"]
