"""How fast the panel is: on an opinion that is indexed already, and from the start of a process with empty caches."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from parcel_agents.api import verify
from parcel_agents.config import environment
from parcel_agents.errors import ParcelError
from parcel_agents.eval.bootstrap import Estimate
from parcel_agents.eval.datasets import Dataset
from parcel_agents.eval.verdicts.asking import Panel
from parcel_agents.eval.verdicts.entries import Entry
from parcel_agents.types import Claim

SECTION = "speed"
ROUNDS = 3
COLD_CHARACTERS = 60_000
COLD_CLAIMS = 20
_MAIN = "from parcel_agents.cli import main; main()"


def measure_speed(
    data: Dataset, panel: Panel, *, config: Path | None = None, clock: Callable[[], float] = time.perf_counter
) -> Iterator[Entry]:
    """An entry for warm claims a second, and one for the seconds of a cold start.

    Args:
        data: claims and opinions to take the time with.
        panel: the panel.
        config: the file that the panel was configured by, for the process of the cold start.
        clock: seconds.
    """
    longest = sorted(data.by_opinion(), key=lambda id: abs(len(data.opinions[id].text) - COLD_CHARACTERS))
    yield _warm(data, panel, longest[:ROUNDS], clock)
    yield _cold(data, panel, longest[0], config, clock)


def _warm(data: Dataset, panel: Panel, opinion_ids: list[str], clock: Callable[[], float]) -> Entry:
    """Median over some opinions; the ends of the interval are the slowest and the fastest."""
    rates, asked = [], 0
    for opinion_id in opinion_ids:
        opinion = data.opinions[opinion_id]
        texts = [claim.claim for claim in data.by_opinion()[opinion_id]]
        verify(opinion, texts[:1], context=panel.context)
        # A word more makes claims that no cache has seen, so that their embedding is part of the time.
        fresh = [f"{text} once more" for text in texts]
        started = clock()
        verify(opinion, fresh, context=panel.context)
        rates.append(len(fresh) / (clock() - started))
        asked += len(fresh)
    figure = Estimate(statistics.median(rates), min(rates), max(rates))
    return Entry(SECTION, {"state": "warm"}, {"claims": asked, "opinions": len(rates)}, {"claims_per_s": figure})


def _cold(data: Dataset, panel: Panel, opinion_id: str, config: Path | None, clock: Callable[[], float]) -> Entry:
    """Raises ParcelError if the process fails."""
    opinion = data.opinions[opinion_id]
    texts = [claim.claim for claim in data.claims if claim.opinion_id == opinion_id]
    texts = (texts * COLD_CLAIMS)[:COLD_CLAIMS]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "opinion.txt").write_text(opinion.text, encoding="utf-8")
        lines = [json.dumps({"id": str(place), "claim": text}) for place, text in enumerate(texts)]
        (folder / "claims.jsonl").write_text("\n".join(lines), encoding="utf-8")
        command = [sys.executable, "-c", _MAIN, "verify", str(folder / "opinion.txt"), "--json"]
        command += ["--claims", str(folder / "claims.jsonl"), "--panel", panel.config.settings.panel]
        command += ["--config", str(config)] if config is not None else []
        started = clock()
        done = subprocess.run(
            command,
            env={**environment(), "PARCEL_AGENTS_CACHE_DIR": str(folder / "cache")},
            capture_output=True,
            text=True,
            check=False,
        )
        seconds = clock() - started
    if len(done.stdout.splitlines()) != len(texts):
        raise ParcelError(f"`parcel-agents verify` of the cold start failed: {done.stderr.strip()[-300:]}")
    counts = {"claims": len({Claim.of(text).id for text in texts}), "characters": len(opinion.text)}
    return Entry(SECTION, {"state": "cold"}, counts, {"seconds": Estimate(seconds)})
