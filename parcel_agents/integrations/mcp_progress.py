"""Progress of a tool call, told by whatever thread does the work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.mcpserver import Context

Tell = Callable[[float, float | None, str], None]
"""Takes the progress, the total if known, and a message; may be called in any thread."""


@asynccontextmanager
async def progress(ctx: Context[Any, Any]) -> AsyncIterator[Tell]:
    """A function that tells the client of progress, in the order of its calls; all is told when the block ends."""
    loop = asyncio.get_running_loop()
    told: asyncio.Queue[tuple[float, float | None, str] | None] = asyncio.Queue()

    async def send() -> None:
        while (item := await told.get()) is not None:
            await ctx.report_progress(*item)

    sender = asyncio.create_task(send())
    try:
        yield lambda done, total, message: _put(loop, told, (done, total, message))
    except BaseException:
        sender.cancel()
        raise
    told.put_nowait(None)
    await sender


def _put(loop: asyncio.AbstractEventLoop, told: asyncio.Queue[Any], item: Any) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(told.put_nowait, item)
