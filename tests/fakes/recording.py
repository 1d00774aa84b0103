"""A run of steady verifiers over a small data set."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fakes import steady

from parcel_agents.api import make_context
from parcel_agents.config import load_config
from parcel_agents.eval.datasets import Dataset, load_dataset
from parcel_agents.eval.runs.opening import describe, open_run
from parcel_agents.eval.runs.recording import record_votes
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.store import Run


@dataclass
class Bench:
    """A data set of 4 opinions with 5 claims each, a panel of 3 steady verifiers, and a run folder."""

    folder: Path
    data: Dataset
    context: VerifyContext
    config: Path

    @property
    def out(self) -> Path:
        return self.folder / "run"

    def open(self) -> Run:
        config = load_config(self.config, environ={})
        meta = describe(self.data, "data", config, self.context, created=datetime(2026, 1, 2, tzinfo=UTC))
        return open_run(self.out, meta, self.data.claims)

    def record(self) -> Run:
        with self.open() as run:
            asyncio.run(record_votes(run, self.data, self.context))
        return run


def bench(folder: Path, data: Dataset | None = None, **config: Any) -> Bench:
    if not (folder / "data").exists():
        steady.write_dataset(folder / "data")
    file = steady.write_config(folder / "panel.toml", **{"delay_s": 0, **config})
    context = make_context(config=load_config(file, environ={}), environ={})
    return Bench(folder, data or load_dataset(folder / "data"), context, file)


def final(run: Run) -> dict[tuple[str, str], dict[str, Any]]:
    """The final votes by pair, without what depends on the machine."""
    return {(row["claim_id"], row["verifier"]): {**row, "latency_s": None} for row in run.rows()}


def choose_claims(data: Dataset, count: int) -> Dataset:
    return replace(data, claims=data.claims[:count])
