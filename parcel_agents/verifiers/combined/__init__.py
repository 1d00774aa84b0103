"""The verifier `combined`: a small calibrated model over what the text shows for and against a claim.

`measures` says what is measured and keeps the words behind each number, `profile` what is known of an opinion whatever
the claim, `particulars` the facts that a sentence can have otherwise. `model` weighs them; its numbers and the report
of their training stand in `combined.json`. `reasons` puts into words what decided.
"""

from parcel_agents.verifiers.combined.verifier import CombinedVerifier, make_combined_verifier

__all__ = ["CombinedVerifier", "make_combined_verifier"]
