"""How far a run has come: a bar where a person is watching, else a line every ten seconds, on standard error."""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from parcel_agents.cli import output
from parcel_agents.types import Outcome

BAR_EVERY_S = 0.25
LINE_EVERY_S = 10.0
_WINDOW_S = 60.0
"""The speed is that of the last minute: kept answers at the beginning say nothing of the rest."""


@dataclass
class Meter:
    """Counts votes, and tells their speed and the time left."""

    total: int
    """How many votes there are to be."""
    ok: int
    """How many are there and ok."""
    to_come: int
    """How many are going to be given now."""
    clock: Callable[[], float]
    """Seconds on a monotonic clock."""
    cost_usd: float = 0.0
    failed: Counter[str] = field(default_factory=Counter)
    """Votes of this process that failed, by outcome."""
    _given: int = 0
    _points: deque[tuple[float, int]] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self._points.append((self.clock(), 0))

    def count(self, outcome: Outcome, cost_usd: float) -> None:
        """Take note of a vote."""
        self._given += 1
        self.cost_usd += cost_usd
        if outcome == "ok":
            self.ok += 1
        else:
            self.failed[outcome] += 1

    def per_second(self) -> float:
        """Votes per second over the last minute, 0.0 before the first; also moves that minute on."""
        now = self.clock()
        if now > self._points[-1][0]:
            self._points.append((now, self._given))
        while len(self._points) > 2 and self._points[1][0] <= now - _WINDOW_S:
            self._points.popleft()
        since, before = self._points[0]
        return (self._given - before) / (now - since) if now > since else 0.0

    def words(self) -> str:
        """Everything on one line."""
        speed = self.per_second()
        left = f"{duration((self.to_come - self._given) / speed)} left" if speed else "time left unknown"
        said = [f"{self.ok:,} of {self.total:,} votes", f"{speed:.1f} a second", f"${self.cost_usd:.4f}"]
        if self.failed:
            said.append(f"{self.failed.total():,} failed ({counted(self.failed)})")
        return ", ".join([*said, left])


@asynccontextmanager
async def shown(meter: Meter) -> AsyncIterator[None]:
    """Show the meter while the body runs."""
    import asyncio

    ticker = asyncio.create_task(_bar(meter) if sys.stderr.isatty() else _lines(meter))
    try:
        yield
    finally:
        ticker.cancel()
        await asyncio.gather(ticker, return_exceptions=True)


def counted(failed: Counter[str] | dict[str, int]) -> str:
    """Failures by outcome, the most frequent first."""
    return ", ".join(f"{outcome} {count:,}" for outcome, count in Counter(failed).most_common())


def duration(seconds: float) -> str:
    """Hours, minutes and seconds: `1:02:03`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


async def _lines(meter: Meter) -> None:
    import asyncio

    while True:
        await asyncio.sleep(LINE_EVERY_S)
        output.say(meter.words())


async def _bar(meter: Meter) -> None:
    import asyncio

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(bar_width=20), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("", total=meter.total)
        while True:
            bar.update(task, completed=meter.ok, description=meter.words(), refresh=True)
            await asyncio.sleep(BAR_EVERY_S)
