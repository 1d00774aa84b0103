"""Checks of the text, one file a kind of defect; together they are the verifier `checks`.

A check reports what it finds and is silent otherwise: finding nothing wrong is no evidence that a claim is
supported, so the verifier never votes `supported`.
"""

from parcel_agents.verifiers.checks.verifier import ChecksVerifier

__all__ = ["ChecksVerifier"]
