"""What the web app may do, as the command line says it."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path

from parcel_agents.errors import ConfigError

LEAST_TOKEN = 16
"""Characters: a shorter token could be guessed by trying."""


@dataclass(frozen=True)
class ServerSettings:
    """Where the app listens, and its limits."""

    folder: Path
    """Holds a folder for each job."""
    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = None
    """What a user has to give before anything is shown; None asks nobody, which is for this machine alone."""
    max_upload_bytes: int = 100_000_000
    """Of a brief and its opinions together."""
    max_files: int = 500
    jobs: int = 1
    """Jobs that are at work at the same time; the others wait."""
    max_waiting: int = 50
    read_seconds: float = 60.0
    """For one file."""
    read_bytes: int = 1_500_000_000
    """Memory of the process that parses files."""
    max_claims: int = 5_000
    """Of one brief."""
    opinions: Path | None = None
    """A folder of opinions that need not be sent: what is cited is looked for here."""
    sources: bool = False
    """True if the configuration names sources that are asked for opinions as well."""

    def __post_init__(self) -> None:
        """Refuse to serve others without a token.

        Raises:
            ConfigError: the app would be open to the network, or the token can be guessed.
        """
        if self.token is not None and len(self.token) < LEAST_TOKEN:
            raise ConfigError(f"the token has {len(self.token)} characters; give one of at least {LEAST_TOKEN}")
        if self.token is None and not is_loopback(self.host):
            raise ConfigError(
                f"--host {self.host} can be reached from other machines, so a token is needed: put a long random one "
                "into an environment variable and name that with --token-env"
            )

    @property
    def brief_alone(self) -> bool:
        """True if a brief may come without opinions, since they may be found elsewhere."""
        return self.sources or self.opinions is not None

    def serves(self, host: str) -> bool:
        """True if a request may name this host; a page of another site that points its name here is not served."""
        name = host.lower().rstrip(".")
        if name == "localhost" or (_address(name) is not None and is_loopback(name)):
            return True
        bound = _address(self.host)
        # Bound to every address, the app has any name; the token and its cookie keep others out.
        return name == self.host.lower() or (bound is not None and bound.is_unspecified)


def is_loopback(host: str) -> bool:
    """True if a host can be reached from this machine alone."""
    address = _address(host)
    return host.lower() == "localhost" or (address is not None and address.is_loopback)


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
