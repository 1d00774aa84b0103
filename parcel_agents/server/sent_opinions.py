"""Opinions that clients send as text: read in another process, and known by their ids for a while."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter

from parcel_agents.briefs.shelf import Shelved
from parcel_agents.errors import OpinionError
from parcel_agents.server.reading import Reader
from parcel_agents.types import content_hash

KEPT = 64
KEPT_CHARACTERS = 30_000_000
"""Of all opinions together; the one that was longest not asked about goes first."""
_READINGS = 500
"""After so many texts a reading process is replaced, so that what leaks in it is given back."""
_SHELVED = TypeAdapter(Shelved)


class SentOpinions:
    """Reads what clients send, each text once. Belongs to one event loop."""

    def __init__(self, readers: Sequence[Reader]) -> None:
        """Take the processes that read; with more than one, a slow text does not hold up all others."""
        self._readers = readers
        self._free: asyncio.Queue[Reader] | None = None
        self._kept: OrderedDict[str, Shelved] = OrderedDict()
        self._reading: dict[str, asyncio.Lock] = {}
        self._readings = 0

    def get(self, id: str) -> Shelved | None:
        """An opinion that was sent not long ago, by its id."""
        found = next((key for key, one in self._kept.items() if one.opinion.id == id), None)
        return self._of(found) if found else None

    async def read(self, text: str, suffix: str) -> Shelved:
        """The opinion that a text holds.

        Args:
            text: as it was sent.
            suffix: the ending of files of its format, such as `.html`.

        Raises:
            OpinionError: it holds none, or takes too long or too much memory to read.
        """
        key = content_hash(json.dumps([suffix, text]))
        if key not in self._kept:
            lock = self._reading.setdefault(key, asyncio.Lock())
            try:
                async with lock:
                    if key not in self._kept:
                        self._kept[key] = await self._with_a_reader(text, suffix)
                    return self._of(key)
            finally:
                self._reading.pop(key, None)
        return self._of(key)

    async def close(self) -> None:
        """End the reading processes."""
        for reader in self._readers:
            await reader.close()

    def _of(self, key: str) -> Shelved:
        found = self._kept[key]
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT or sum(len(one.opinion.text) for one in self._kept.values()) > KEPT_CHARACTERS:
            self._kept.popitem(last=False)
        return found

    async def _with_a_reader(self, text: str, suffix: str) -> Shelved:
        if self._free is None:
            self._free = asyncio.Queue()
            for one in self._readers:
                self._free.put_nowait(one)
        reader = await self._free.get()
        try:
            self._readings += 1
            if self._readings % _READINGS == 0:
                await reader.close()
            return await self._read(reader, text, suffix)
        finally:
            self._free.put_nowait(reader)

    async def _read(self, reader: Reader, text: str, suffix: str) -> Shelved:
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="parcel-agents-"))
        try:
            path, out = folder / f"opinion{suffix}", folder / "read.json"
            await asyncio.to_thread(path.write_text, text, "utf-8")
            if fault := await reader.read("opinion", path, out, name=f"sent{suffix}"):
                raise OpinionError(f"the opinion's text {fault}")
            return _SHELVED.validate_json(await asyncio.to_thread(out.read_bytes))
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
