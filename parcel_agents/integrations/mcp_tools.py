"""An MCP server whose tools say in plain words what is wrong with a call."""

from __future__ import annotations

import inspect
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import Tool
from pydantic import ValidationError

from parcel_agents.tools.untrusted import label

_SHOWN = 5


class PlainServer(MCPServer[Any]):
    """The SDK's server would let unknown arguments pass, and answer wrong ones with pydantic's report."""

    async def list_tools(self) -> list[Tool]:
        """The tools, their descriptions without the indentation of the code."""
        tools = await super().list_tools()
        return [one.model_copy(update={"description": inspect.cleandoc(one.description or "")}) for one in tools]

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None) -> Any:
        """What the tool answers.

        Raises:
            ToolError: the arguments are not those of the tool, or it cannot do what was asked.
        """
        known = {one.name: one.input_schema.get("properties", {}) for one in await self.list_tools()}
        if name in known:
            allowed = ", ".join(known[name])
            if unknown := [label(one) for one in arguments if one not in known[name]]:
                raise ToolError(f"unknown argument {', '.join(unknown[:_SHOWN])}; known: {allowed}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(_faults(error.__cause__)) from error
            raise


def _faults(error: ValidationError) -> str:
    told = error.errors(include_url=False, include_input=False)[:_SHOWN]
    return "; ".join(f"{label('.'.join(str(part) for part in one['loc']))}: {label(one['msg'], 120)}" for one in told)
