"""A node that is written once, as a coroutine, and works for `ainvoke` and `invoke` alike."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig

from parcel_agents.background import run


class Node(Runnable[Any, Any]):
    """Calls the coroutine function; without a running event loop, in the one that the package keeps.

    LangChain's `RunnableLambda` would do the same and trace each call a second time, which doubles what the graph
    costs.
    """

    def __init__(self, function: Callable[..., Coroutine[Any, Any, Any]], **bound: Any) -> None:
        """Take the function, and the arguments that it gets beside the state."""
        self.name = function.__name__
        self._function = function
        self._bound = bound

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """What the function returns."""
        return run(self._function(input, **self._bound), inherit=True)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """What the function returns."""
        return await self._function(input, **self._bound)
