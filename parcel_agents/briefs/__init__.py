"""Briefs: the explanatory parentheticals of a brief, checked against the opinions they cite."""
