"""How votes become a verdict, one method a file; `base` is the contract that graphs and replay share."""

from parcel_agents.ensemble.base import Member, Policy, make_policy

__all__ = ["Member", "Policy", "make_policy"]
