"""The event loop that the package keeps for callers who are not asynchronous, or who come from several loops.

One loop for all calls: the clients of model providers and the locks of a panel at work stay bound to the loop that
first used them, and a new loop per call would leave them with a closed one.
"""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")

_loop: asyncio.AbstractEventLoop | None = None
_loop_lock = threading.Lock()


def run(coroutine: Coroutine[Any, Any, T], *, inherit: bool = False) -> T:
    """What the coroutine returns; the caller's thread waits, and an interrupt cancels the work.

    Args:
        coroutine: what is to be done.
        inherit: True for the work of a graph's own node, which tells its events to the graph's stream.

    Raises:
        RuntimeError: the caller is itself at work in the kept loop, which would wait for itself for ever.
    """
    if _loop is not None and asyncio._get_running_loop() is _loop:
        coroutine.close()
        raise RuntimeError(
            "called from within work that already runs in the package's event loop (a verifier, or `on_verdict`); "
            "await the asynchronous form instead"
        )
    future = _submit(coroutine, inherit=inherit)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


async def arun(coroutine: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns, run in the kept loop while the caller's goes on; cancelling the wait cancels it."""
    return await asyncio.wrap_future(_submit(coroutine))


def _submit(coroutine: Coroutine[Any, Any, T], *, inherit: bool = False) -> Future[T]:
    """Start the coroutine in the kept loop, as nobody's child unless it is to inherit.

    A graph that runs around the caller would hand its checkpointer and its stream to the graphs that the coroutine
    runs, and both belong to the caller's loop.
    """
    global _loop
    with _loop_lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="parcel-agents", daemon=True).start()
    context = contextvars.copy_context()
    if not inherit:
        from langchain_core.runnables.config import var_child_runnable_config

        context.run(var_child_runnable_config.set, None)
    return context.run(asyncio.run_coroutine_threadsafe, coroutine, _loop)


def _forget() -> None:
    """In a forked process: the loop's thread was left behind, and so may be the lock's holder."""
    global _loop, _loop_lock
    _loop, _loop_lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
