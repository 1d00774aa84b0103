"""What a run holds: for each verifier its votes, its failures, and what they cost."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass, field

from parcel_agents.store import Run


@dataclass(frozen=True)
class VerifierSummary:
    """The votes of one verifier."""

    verifier: str
    ok: int
    failed: dict[str, int]
    """Claims whose vote failed, by outcome."""
    missing: int
    """Claims without a line: nobody has come to ask."""
    cost_usd: float
    """Of all its votes, those included that were repeated."""
    median_latency_s: float | None
    """Of the votes that are ok and were not kept from before; None without one."""


@dataclass(frozen=True)
class RunSummary:
    """The votes of the panel; those of verifiers that have left it count for the cost alone."""

    claims: int
    votes: int
    """How many there are to be: one a claim of each verifier."""
    ok: int
    cost_usd: float
    verifiers: tuple[VerifierSummary, ...]

    @property
    def complete(self) -> bool:
        """True if every verifier has voted on every claim, and no vote has failed."""
        return self.ok == self.votes


@dataclass
class _Count:
    ok: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    cost_usd: float = 0.0
    latencies: list[float] = field(default_factory=list)


def summarise(run: Run) -> RunSummary:
    """What the run holds."""
    counts: dict[str, _Count] = {}
    for row in run.lines():
        count = counts.setdefault(row["verifier"], _Count())
        count.cost_usd += row.get("cost_usd", 0.0)
        if row["outcome"] == "ok":
            count.failed.pop(row["claim_id"], None)
            count.ok += 1
            if not row.get("cached"):
                count.latencies.append(row.get("latency_s", 0.0))
        else:
            count.failed[row["claim_id"]] = row["outcome"]
    total = len(run.claims)
    rows = []
    for name in run.meta.panel.verifiers:
        count = counts.get(name, _Count())
        rows.append(
            VerifierSummary(
                verifier=name,
                ok=count.ok,
                failed=dict(Counter(count.failed.values()).most_common()),
                missing=total - count.ok - len(count.failed),
                cost_usd=round(count.cost_usd, 6),
                median_latency_s=statistics.median(count.latencies) if count.latencies else None,
            )
        )
    return RunSummary(
        claims=total,
        votes=total * len(rows),
        ok=sum(row.ok for row in rows),
        cost_usd=round(sum(count.cost_usd for count in counts.values()), 6),
        verifiers=tuple(rows),
    )
