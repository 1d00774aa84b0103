"""Deterministic verifiers of about a millisecond a vote, a data set for them, and a process that can be killed.

python -m fakes.steady run DATASET --out RUN --config FILE      # the command line, with these verifiers
"""

from __future__ import annotations

import asyncio
import json
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

from parcel_agents.errors import ConfigError
from parcel_agents.registry import VERIFIERS
from parcel_agents.types import LABELS, Label, Vote
from parcel_agents.verifiers import Task

OPINION = """# *Vole v Marsh Ferry {number}*

OPINION OF THE COURT

Vole, J. The operator of ferry number {number} owes its passengers the care of a prudent carrier, and must answer for
the icy gangway.
"""


@dataclass(frozen=True)
class SteadyVerifier:
    """Its vote depends on its name, its settings and the claim alone."""

    name: str
    delay_s: float = 0.001
    salt: str = ""
    raises: str = ""
    """Claims whose id holds this text make it raise."""
    log: str = ""
    """A file that gets one byte for each call."""
    casts: frozenset[Label] = frozenset(LABELS)

    async def verify(self, task: Task) -> Vote:
        if self.log:
            with Path(self.log).open("ab", buffering=0) as log:
                log.write(b".")
        await asyncio.sleep(self.delay_s)
        if self.raises and self.raises in task.claim.id:
            raise RuntimeError(f"no luck with {task.claim.id}")
        digest = zlib.crc32(f"{self.name} {self.salt} {task.claim.id}".encode())
        return Vote(
            verifier=self.name,
            outcome="ok",
            label=LABELS[digest % 3],
            confidence=(digest % 100) / 100,
            reason="of a certain length " * (1 + digest % 20),
            read=tuple(hit.passage for hit in task.hits),
        )


def register() -> None:
    """Make the kind `steady` known, once."""
    if "steady" not in VERIFIERS.names():
        try:
            VERIFIERS.register("steady", SteadyVerifier)
        except ConfigError:
            return


def write_dataset(folder: Path, *, opinions: int = 4, claims: int = 5) -> Path:
    """A data set of so many opinions, and so many claims on each."""
    (folder / "opinions").mkdir(parents=True)
    rows = []
    for opinion in range(opinions):
        (folder / "opinions" / f"o{opinion}.md").write_text(OPINION.format(number=opinion))
        rows += [
            {
                "id": f"o{opinion}-{number}",
                "opinion_id": f"o{opinion}",
                "claim": f"(holding that operator {opinion} must answer for fall {number})",
                "label": LABELS[number % 3],
            }
            for number in range(claims)
        ]
    (folder / "claims.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return folder


def write_config(
    path: Path, *, verifiers: int = 3, concurrency: int = 4, top_k: int = 3, **settings: str | float
) -> Path:
    """A panel `mine` of so many steady verifiers `v0`, `v1` ..., all with these settings."""
    names = [f"v{number}" for number in range(verifiers)]
    lines = [
        "[settings]",
        'retriever = "bm25"',
        'panel = "mine"',
        f"concurrency = {concurrency}",
        f"top_k = {top_k}",
        "[panel.mine]",
        "[[panel.mine.tier]]",
        f"verifiers = {json.dumps(names)}",
    ]
    for name in names:
        lines += [f"[verifier.{name}]", 'kind = "steady"']
        lines += [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    path.write_text("\n".join(lines) + "\n")
    return path


def main(arguments: list[str]) -> None:
    """The command line in this process, which may be killed at any moment."""
    from parcel_agents.cli import app

    register()
    app(arguments, prog_name="parcel-agents")


if __name__ == "__main__":
    main(sys.argv[1:])
