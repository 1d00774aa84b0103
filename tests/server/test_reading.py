"""Files are parsed in another process: what hangs, explodes or dies there costs one file."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from fakes.checks import BRIEF, FILES, MARLOWE, serving

from parcel_agents.server.model import ReadBrief
from parcel_agents.server.reading import Reader

MEMORY = 1_500_000_000

# A worker whose files say what it shall do.
ODD = """
import json, os, resource, sys, time
from pathlib import Path
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
for line in sys.stdin:
    words = Path(json.loads(line)["path"]).read_text()
    if words == "hang": time.sleep(60)
    if words == "die": os._exit(9)
    if words == "babble": print("{no json")
    elif words == "environment": print(json.dumps({"fault": ",".join(sorted(os.environ))}))
    elif words == "explode":
        try: bytes(4_000_000_000); print("{}")
        except MemoryError: print(json.dumps({"fault": "too much"}))
    else: print("{}")
    sys.stdout.flush()
"""


def odd(tmp_path: Path, *contents: str, seconds: float = 20.0) -> list[str | None]:
    async def run() -> list[str | None]:
        reader = Reader(seconds, MEMORY, command=(sys.executable, "-S", "-c", ODD))
        found = []
        for number, content in enumerate(contents):
            path = tmp_path / f"{number}"
            path.write_text(content)
            found.append(await reader.read("opinion", path, tmp_path / "out", name="x"))
        await reader.close()
        return found

    return asyncio.run(run())


def test_a_file_that_hangs_is_given_up_and_the_next_is_read(tmp_path: Path) -> None:
    assert odd(tmp_path, "fine", "hang", "fine", seconds=2.0) == [None, "could not be read within 2 seconds", None]


def test_a_process_that_dies_is_replaced(tmp_path: Path) -> None:
    broke = "could not be read: the reading process broke down over it"
    assert odd(tmp_path, "die", "fine", "babble", "fine") == [broke, None, broke, None]


def test_memory_is_limited(tmp_path: Path) -> None:
    assert odd(tmp_path, "explode", "fine") == ["too much", None]


def test_the_process_has_no_keys(tmp_path: Path, monkeypatch: object) -> None:
    os.environ["OPENROUTER_API_KEY"] = "nobody"
    try:
        (names,) = odd(tmp_path, "environment")
    finally:
        del os.environ["OPENROUTER_API_KEY"]
    assert names is not None
    assert "PATH" in names.split(",")
    assert "KEY" not in names


def test_the_real_process_reads_and_says_what_it_cannot(tmp_path: Path) -> None:
    async def run() -> list[str | None]:
        reader = Reader(60.0, MEMORY)
        found = []
        texts = {"brief.txt": BRIEF, "opinion.md": MARLOWE, "deep.html": "<div>" * 100_000, "empty.md": "Two words"}
        for name, text in texts.items():
            path = tmp_path / name
            path.write_text(text)
            kind = "brief" if name.startswith("brief") else "opinion"
            found.append(await reader.read(kind, path, tmp_path / f"{name}.json", name=f"my {name}"))
        await reader.close()
        return found

    brief, opinion, deep, empty = asyncio.run(run())
    assert (brief, opinion) == (None, None)
    assert deep
    assert empty == "no opinion in it (2 words of prose); is this the right file?"
    read = ReadBrief.model_validate_json((tmp_path / "brief.txt.json").read_bytes())
    assert len(read.citations) == 4
    assert '"source":"my opinion.md"' in (tmp_path / "opinion.md.json").read_text()
    assert not (tmp_path / "empty.md.json").exists()


def test_a_job_is_read_by_the_real_process(tmp_path: Path) -> None:
    with serving(tmp_path, reader=Reader) as server:
        record = server.checked(opinions=[*FILES, ("broken.pdf", b"%PDF-1.4 nothing")])
        assert record.job.state == "done", record.job.why
        assert len(record.done()) == 4
        assert [fault.partition(":")[0] for fault in record.job.left_out] == ["broken.pdf"]


def test_a_brief_that_hangs_could_not_be_read_and_the_app_lives(tmp_path: Path) -> None:
    def hanging(seconds: float, memory: int) -> Reader:
        return Reader(seconds, memory, command=(sys.executable, "-c", "import time; time.sleep(60)"))

    with serving(tmp_path, reader=hanging, read_seconds=0.5) as server:
        record = server.checked()
        assert record.job.state == "failed"
        page = server.client.get(f"/jobs/{record.job.id}").text
        assert "The brief could not be read: brief.txt could not be read within 0.5 seconds." in page
        assert "Go on with the check" in page
