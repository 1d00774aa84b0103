"""One writer a folder."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from parcel_agents.errors import InputError


class FolderLock:
    """The right to write in a folder. The system takes it back when the process ends, however that ends."""

    def __init__(self, path: Path) -> None:
        """Take the right, by locking the file `path` in the folder.

        Raises:
            InputError: another process has it.
            OSError: the file cannot be made, or its file system knows no locks.
        """
        self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._file, 20, 0).decode("ascii", "replace").strip()
            self.release()
            if not isinstance(error, BlockingIOError):
                raise
            raise InputError(
                f"{path.parent}: another process ({holder or 'unknown'}) is writing here; wait for it to end, or name "
                "another folder"
            ) from error
        # For the message above. The file is never deleted: two processes could then lock two files of this name.
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let others write; a second call does nothing."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
