"""`parcel-agents serve`: the web app in which a brief is checked, read and decided on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parcel_agents.cli import output
from parcel_agents.cli.panel_options import FailClosed
from parcel_agents.errors import ConfigError


@output.reports_errors
def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; any other than this machine's needs a token.")
    ] = ("127.0.0.1"),
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen at.")] = 8765,
    folder: Annotated[
        Path | None,
        typer.Option(help="Where checks are kept; default: parcel-agents/checks in the user's data folder."),
    ] = None,
    opinions: Annotated[
        Path | None,
        typer.Option(help="A folder of opinions that need not be uploaded or sent: what is cited is looked for here."),
    ] = None,
    panel: Annotated[str | None, typer.Option(help="The panel of verifiers to ask.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with panels and settings.")] = None,
    token_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="The environment variable that holds the token for logging in.")
    ] = None,
    max_upload_mb: Annotated[
        float, typer.Option(min=0.1, max=2_000, help="The most that a brief and its opinions may have together.")
    ] = 100.0,
    jobs: Annotated[int, typer.Option(min=1, max=16, help="How many briefs are checked at the same time.")] = 1,
    fail_closed: FailClosed = False,
) -> None:
    """Serve a web app on this machine: drop a brief and its opinions, watch, read, decide, export.

    Programs use the same by the HTTP API under /v1, which /v1/openapi.json describes.
    It ends on Ctrl-C; checks that are not finished then go on at the next start.
    """
    from parcel_agents.config import environment, kept_path, load_config
    from parcel_agents.server import require_libraries
    from parcel_agents.server.settings import ServerSettings

    require_libraries()
    token = None
    if token_env is not None:
        token = environment().get(token_env, "").strip()
        if not token:
            raise ConfigError(f"the environment variable {token_env} is not set; put the token into it")
    loaded = load_config(config, panel=panel, fail_closed=fail_closed or None)
    settings = ServerSettings(
        folder=folder or kept_path() / "checks",
        host=host,
        port=port,
        token=token,
        max_upload_bytes=int(max_upload_mb * 1_000_000),
        jobs=jobs,
        opinions=opinions,
        sources=bool(loaded.settings.sources),
    )
    from parcel_agents.server.serving import serve

    def ready(address: str) -> None:
        output.say(f"open {address} in a browser; checks are kept in {settings.folder}; Ctrl-C ends")

    serve(loaded, settings, on_ready=ready)
    # All that counts is on disk. A thread that still makes an index would hold the process for minutes.
    output.end_at_once()
