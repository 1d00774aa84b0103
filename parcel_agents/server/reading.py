"""Uploaded files, parsed in another process with limits of time and memory."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from parcel_agents.config import environment

_KEPT = ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "TZ", "TMPDIR")
"""Of the environment: a parser of foreign files has no use for the keys of providers."""


@dataclass
class Reader:
    """Reads one file after the other; a process that hangs or dies costs one file and is replaced."""

    seconds: float
    memory: int
    command: tuple[str, ...] = (sys.executable, "-P", "-m", "parcel_agents.server.reading_worker")
    _process: asyncio.subprocess.Process | None = None

    async def read(self, kind: Literal["brief", "opinion"], path: Path, out: Path, *, name: str) -> str | None:
        """Why the file cannot be read; None if it was, and `out` holds what was found.

        Args:
            kind: what to look for in it.
            path: the file.
            out: where to write what is found.
            name: how the user calls the file.
        """
        if self._process is not None and self._process.returncode is not None:
            # It ended while it had nothing to do: by its own limit, or by the system.
            await self.close()
        process = self._process or await self._start()
        asked = json.dumps({"kind": kind, "path": str(path), "out": str(out), "name": name})
        try:
            if process.stdin is None or process.stdout is None:
                raise ValueError("the reading process has no pipes")
            process.stdin.write(f"{asked}\n".encode())
            await process.stdin.drain()
            answer = await asyncio.wait_for(process.stdout.readline(), self.seconds)
            return str(json.loads(answer).get("fault", "")) or None
        except TimeoutError:
            await self.close()
            return f"could not be read within {self.seconds:g} seconds"
        except (OSError, ValueError, RuntimeError):
            # Killed by the system for its memory, or crashed in a library: no line, or half of one.
            await self.close()
            return "could not be read: the reading process broke down over it"
        except asyncio.CancelledError:
            await self.close()
            raise

    async def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()

    async def _start(self) -> asyncio.subprocess.Process:
        environ = environment()
        self._process = await asyncio.create_subprocess_exec(
            *self.command,
            str(self.memory),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={name: environ[name] for name in _KEPT if name in environ},
            # A Ctrl-C in the terminal is for the app, which ends this process itself.
            start_new_session=True,
        )
        return self._process
