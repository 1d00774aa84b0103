"""A file of JSON lines that is only ever added to, and survives a kill in the middle of a line."""

from __future__ import annotations

import os
import threading
from pathlib import Path


class LinesFile:
    """Lines that are found again by their number."""

    def __init__(self, path: Path) -> None:
        """Open the file; a last line that was not finished is cut off."""
        self._path = path
        self._lock = threading.Lock()
        self._places: list[tuple[int, int]] = []
        self._size = 0
        if not path.exists():
            return
        with path.open("rb+") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    file.truncate(self._size)
                    break
                self._places.append((self._size, len(line)))
                self._size += len(line)

    def __len__(self) -> int:
        return len(self._places)

    def append(self, line: str) -> None:
        """Add a line, which is on the disk when this returns."""
        data = f"{line}\n".encode("utf-8", "replace")
        with self._lock, self._path.open("ab") as file:
            # What a full disk has left of the line before would end up in this one.
            file.truncate(self._size)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            self._places.append((self._size, len(data)))
            self._size += len(data)

    def read(self, number: int) -> bytes:
        """The line of this number, from 0."""
        start, length = self._places[number]
        with self._path.open("rb") as file:
            file.seek(start)
            return file.read(length)

    def lines(self) -> list[bytes]:
        """All lines."""
        if not self._places:
            return []
        with self._path.open("rb") as file:
            data = file.read(self._size)
        return [data[start : start + length] for start, length in self._places]
