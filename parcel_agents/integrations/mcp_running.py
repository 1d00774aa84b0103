"""How the MCP server is reached: over stdin and stdout, or over HTTP on this machine."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

_HOSTS = ("127.0.0.1", "localhost", "[::1]")


def serve_stdio(server: MCPServer[Any]) -> None:
    """Serve the process that started this one. The SDK moves stdout away, so that nothing else can write to it."""
    server.run("stdio")


def serve_http(server: MCPServer[Any], *, port: int) -> None:
    """Serve clients on this machine at `/mcp`, until interrupted.

    A page in a browser could reach the port under a name of its own; requests for other hosts, or that come from
    other origins, are refused.
    """
    server.run("streamable-http", host="127.0.0.1", port=port, transport_security=security())


def security() -> TransportSecuritySettings:
    """The hosts and origins that are served."""
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[f"{host}:*" for host in _HOSTS],
        allowed_origins=[f"http://{host}:*" for host in _HOSTS],
    )
