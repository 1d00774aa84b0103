"""The exceptions a user can meet. Each message names what was given and what to do about it."""

from __future__ import annotations


class ParcelError(Exception):
    """Base of every error that this package raises on purpose; its text is fit to be shown to a user."""


class InputError(ParcelError):
    """A file, claim or argument that cannot be used as given (exit status 2)."""


class OpinionError(InputError):
    """An opinion file that cannot be read as a judicial opinion."""


class ClaimError(InputError):
    """A claim that cannot be verified as it stands, or a claims file with such a line."""


class ConfigError(InputError):
    """A panel, verifier or setting that is unknown or contradicts itself."""


class MissingDependencyError(ParcelError):
    """A library, or the weights a library carries, that a component needs and this environment lacks."""
