"""Checkpoints in SQLite that a stop leaves whole."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

T = TypeVar("T")


class WholeWrites(AsyncSqliteSaver):
    """LangGraph's checkpointer, each of whose writes comes to its end even if the task that waits for it is cancelled.

    A stop cancels the tasks under way. A write that was cut off would keep its transaction, and the file its lock, for
    as long as the process lives.
    """

    def __init__(self, conn: aiosqlite.Connection) -> None:
        """Use an open connection."""
        super().__init__(conn)
        self._writing: set[asyncio.Task[Any]] = set()

    async def aput(self, *args: Any, **kwargs: Any) -> Any:
        """See `AsyncSqliteSaver.aput`."""
        return await self._whole(super().aput(*args, **kwargs))

    async def aput_writes(self, *args: Any, **kwargs: Any) -> None:
        """See `AsyncSqliteSaver.aput_writes`."""
        await self._whole(super().aput_writes(*args, **kwargs))

    async def adelete_thread(self, thread_id: str) -> None:
        """See `AsyncSqliteSaver.adelete_thread`."""
        await self._whole(super().adelete_thread(thread_id))

    async def settle(self) -> None:
        """Wait for the writes under way."""
        while self._writing:
            await asyncio.gather(*self._writing, return_exceptions=True)

    async def _whole(self, write: Coroutine[Any, Any, T]) -> T:
        task = asyncio.ensure_future(write)
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        return await asyncio.shield(task)


@asynccontextmanager
async def open_checkpoints(path: Path) -> AsyncIterator[WholeWrites]:
    """The checkpointer over a file, which is closed when no write is under way any more."""
    async with aiosqlite.connect(path) as conn:
        saver = WholeWrites(conn)
        try:
            yield saver
        finally:
            await saver.settle()
