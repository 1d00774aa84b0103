"""Training of the verifier `combined`: what it measures of labelled claims, its weights, and when it may vote."""

from parcel_agents.eval.combined.claims import MeasuredClaims, measure_claims
from parcel_agents.eval.combined.thresholds import Risk
from parcel_agents.eval.combined.training import train_combined

__all__ = ["MeasuredClaims", "Risk", "measure_claims", "train_combined"]
