"""How votes become a verdict, one method a file; `base` is the contract that graphs and replay share."""

from parcel_agents.ensemble.ballots import Ballots, Member
from parcel_agents.ensemble.base import Decisions, Policy, make_policy
from parcel_agents.ensemble.resolve import resolve

__all__ = ["Ballots", "Decisions", "Member", "Policy", "make_policy", "resolve"]
