"""Asking a panel about a whole data set: what to ask, the work itself, and what it came to."""
