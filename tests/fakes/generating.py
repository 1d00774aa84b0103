"""The command `generate`, given in this process against a fake server."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fakes.generator import FakeAuthor, kind_of, write_decisions
from fakes.server import FakeServer
from typer.testing import CliRunner, Result

from parcel_agents.cli import app
from parcel_agents.generation.model import DecisionRecord


@dataclass
class Workshop:
    """A folder with decisions, a model on the wire that writes and reads, and the data set `out`."""

    folder: Path
    server: FakeServer
    author: FakeAuthor

    @property
    def decisions(self) -> Path:
        return self.folder / "decisions"

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def generate(self, *more: str | Path, per_opinion: int = 2, model: str = "writer") -> Result:
        """The command, always with the same models and without answers from before; `more` comes last."""
        return invoke(
            "generate", self.decisions, "--out", self.out, "--config", self.folder / "models.toml", "--model", model,
            "--blind", "reader", "--per-opinion", per_opinion, "--no-cache", *more,
        )  # fmt: skip

    def lines(self, name: str) -> list[dict[str, Any]]:
        """The objects of a file of the set; none if there is no file."""
        file = self.out / name
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def write_lines(self, name: str, rows: list[dict[str, Any]]) -> None:
        (self.out / name).write_text("".join(json.dumps(row) + "\n" for row in rows))

    def records(self) -> dict[str, DecisionRecord]:
        """By opinion id."""
        files = (self.out / "records").glob("*.json")
        return {one.opinion_id: one for one in (DecisionRecord.model_validate_json(f.read_text()) for f in files)}

    def asked(self, since: int = 0) -> Counter[str]:
        """Requests by kind, without the first so many."""
        return Counter(kind_of(request) for request in self.server.requests[since:])


def invoke(*arguments: str | Path | int) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@contextmanager
def workshop(
    folder: Path, author: FakeAuthor | None = None, *, provider: str = "openai", decisions: int = 1, **settings: Any
) -> Iterator[Workshop]:
    """A workshop with so many decisions, and a cache of its own; the settings are those of both models."""
    author = author or FakeAuthor()
    write_decisions(folder / "decisions", decisions)
    with pytest.MonkeyPatch.context() as patch, FakeServer(author) as server:
        patch.setenv("FAKE_KEY", "sk-not-a-real-key")
        patch.setenv("PARCEL_AGENTS_CACHE_DIR", str(folder / "cache"))
        lines = []
        for name in ("writer", "reader", "other"):
            fields = {
                "kind": "llm", "model": f"{provider}:{name}", "base_url": server.url(provider),
                "api_key_env": "FAKE_KEY", "retries": 0, "input_price": 1.0, "output_price": 2.0, **settings,
            }  # fmt: skip
            lines += [f"[verifier.{name}]", *(f"{key} = {json.dumps(value)}" for key, value in fields.items())]
        lines += [
            "[settings]",
            'retriever = "bm25"',
            "[panel.checks-only]",
            "[[panel.checks-only.tier]]",
            'verifiers = ["checks"]',
        ]
        (folder / "models.toml").write_text("\n".join(lines))
        yield Workshop(folder, server, author)
