"""The process that parses uploaded files: little memory, no keys in its environment, and it may die.

It reads one JSON line for each file from standard input, writes what it found into a file, and answers with one line.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

MAX_WRITTEN_BYTES = 300_000_000
MAX_CPU_SECONDS = 3_600
"""Of the whole process: it ends one day, also where nobody is left to end it."""


def main() -> None:
    """Answer until standard input ends."""
    _limit(int(sys.argv[1]))
    # What a library prints must not be taken for an answer.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in sys.stdin:
        answers.write(f"{json.dumps(answer(json.loads(line)))}\n")
        answers.flush()


def _limit(memory: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_WRITTEN_BYTES, MAX_WRITTEN_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def answer(asked: dict[str, Any]) -> dict[str, str]:
    """Read one file; nothing where that was done, else the fault."""
    from parcel_agents.errors import ParcelError

    path, out = Path(asked["path"]), Path(asked["out"])
    try:
        found = _brief(path) if asked["kind"] == "brief" else _opinion(path, asked["name"])
        new = out.with_name(f"{out.name}.new")
        with new.open("wb") as file:
            file.write(found)
            file.flush()
            # A file that is there is never read again, so it must not be one that a power cut has emptied.
            os.fsync(file.fileno())
        new.replace(out)
    except ParcelError as error:
        # The file's own name stands before it in the app; the one it is stored under is nobody's business.
        return {"fault": str(error).removeprefix(f"{path}: ").replace(str(path), asked["name"])}
    except MemoryError:
        return {"fault": "takes too much memory to read"}
    except RecursionError:
        return {"fault": "is nested too deeply to be read"}
    except Exception as error:  # noqa: BLE001 - a parser may raise anything, and one file is one file
        return {"fault": f"could not be read ({type(error).__name__})"}
    return {}


def _brief(path: Path) -> bytes:
    from parcel_agents.briefs.check import read_brief
    from parcel_agents.server.model import ReadBrief

    source, citations = read_brief(path)
    found = ReadBrief(text=source.text, opinion=source.opinion, pages=source.pages, citations=citations)
    return found.model_dump_json().encode("utf-8", "replace")


def _opinion(path: Path, name: str) -> bytes:
    from pydantic import TypeAdapter

    from parcel_agents.briefs.shelf import Shelved, shelve
    from parcel_agents.types import Opinion

    opinion = Opinion.load(path).model_copy(update={"source": name})
    return TypeAdapter(Shelved).dump_json(shelve(name, opinion))


if __name__ == "__main__":
    main()
