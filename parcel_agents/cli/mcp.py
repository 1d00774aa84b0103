"""`parcel-agents mcp`: the tools for agents that speak the Model Context Protocol."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from parcel_agents.cli import output
from parcel_agents.cli.panel_options import FailClosed
from parcel_agents.errors import InputError, MissingDependencyError


class Transport(StrEnum):
    """How clients reach the server."""

    stdio = "stdio"
    http = "http"


@output.reports_errors
def mcp(
    opinions: Annotated[
        Path, typer.Option(help="The folder that holds the opinions; beside it only configured sources are asked.")
    ],
    briefs: Annotated[Path | None, typer.Option(help="A folder from which check_brief may read briefs.")] = None,
    panel: Annotated[str | None, typer.Option(help="The panel of verifiers to ask.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with panels and settings.")] = None,
    transport: Annotated[Transport, typer.Option(help="stdio, or streamable HTTP on 127.0.0.1.")] = Transport.stdio,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port for --transport http.")] = 8766,
    fail_closed: FailClosed = False,
) -> None:
    """Serve verify_claim, check_brief, search_opinion and find_citation to agents (Model Context Protocol)."""
    try:
        from parcel_agents.integrations.mcp_server import make_server
    except ImportError as error:
        if (error.name or "").split(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise MissingDependencyError(
            "the MCP server needs the library mcp, version 2.3 or later; install it with: "
            "pip install 'parcel-agents[mcp]'"
        ) from error
    from parcel_agents.config import load_config
    from parcel_agents.integrations.checking import Checker
    from parcel_agents.integrations.mcp_running import serve_http, serve_stdio

    if briefs is not None and not briefs.is_dir():
        raise InputError(f"{briefs}: is no folder; name the folder that holds the briefs")
    settings = load_config(config, panel=panel, fail_closed=fail_closed or None)
    server = make_server(Checker(opinions, config=settings), briefs=briefs)
    if transport is Transport.stdio:
        serve_stdio(server)
    else:
        output.say(f"MCP at http://127.0.0.1:{port}/mcp; stop with Ctrl-C")
        serve_http(server, port=port)
