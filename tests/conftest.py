"""What all tests share: no network, no model hub, caches in a temporary folder."""

from __future__ import annotations

import ipaddress
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# A busy machine is no failure, and what fails once fails again.
settings.register_profile("parcel-agents", deadline=None, derandomize=True)
settings.load_profile("parcel-agents")

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.pop("PARCEL_AGENTS_CONFIG", None)

_connect = socket.socket.connect


def _loopback_only(self: socket.socket, address: Any) -> Any:
    if self.family in (socket.AF_INET, socket.AF_INET6):
        host = address[0]
        if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
            raise AssertionError(f"a test reached for the network: {address}")
    return _connect(self, address)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket.socket, "connect", _loopback_only)


@pytest.fixture(scope="session", autouse=True)
def _cache_dir(tmp_path_factory: pytest.TempPathFactory) -> None:
    # One folder for the session: the example's sentences are embedded once and not once a test.
    os.environ["PARCEL_AGENTS_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def example_opinion() -> Path:
    return Path(__file__).parents[1] / "parcel_agents" / "examples" / "opinions" / "people_v_marlowe.md"


@pytest.fixture
def example_claims() -> Path:
    return Path(__file__).parents[1] / "parcel_agents" / "examples" / "claims.jsonl"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The labelled data and real opinions beside the checkout; they are not part of the repository."""
    folder = Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("needs the data folder ../shared/data, which is not part of the repository")
    return folder
