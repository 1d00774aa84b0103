"""Imported by a process that forks others: when this is there, everything that a run loads has been loaded."""

from __future__ import annotations

import tempfile
from pathlib import Path

from fakes import steady

from parcel_agents.cli import app  # noqa: F401
from parcel_agents.eval.datasets import load_dataset

steady.register()
with tempfile.TemporaryDirectory() as folder:
    # The first opinion loads what cuts sentences.
    load_dataset(steady.write_dataset(Path(folder) / "data", opinions=1))
