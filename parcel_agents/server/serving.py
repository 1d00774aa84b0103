"""The app, served until somebody ends it; what is unfinished then is kept and goes on at the next start."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Callable
from types import FrameType

import uvicorn

from parcel_agents.config import Config
from parcel_agents.errors import InputError
from parcel_agents.server.app import create_app
from parcel_agents.server.checking import Checker
from parcel_agents.server.jobs import Jobs
from parcel_agents.server.settings import ServerSettings
from parcel_agents.server.verifying import claim_service

MAX_CONNECTIONS = 600
KEEP_ALIVE_SECONDS = 75
LAST_REQUESTS_SECONDS = 0.5
GRACE_SECONDS = 8
"""For what is being answered when the app ends; longer than `FINISH_SECONDS`."""


class StoppableServer(uvicorn.Server):
    """Says that the app ends before it closes connections.

    Streams of events end by themselves then; uvicorn would wait for them, and they for the jobs. Requests that are on
    their way get an answer that says so, where uvicorn would cut them off.
    """

    def __init__(self, config: uvicorn.Config, on_exit: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_exit = on_exit
        self._closing: threading.Timer | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """On a signal; a second one does not wait."""
        if self._closing is None:
            self._on_exit()
            self._closing = threading.Timer(LAST_REQUESTS_SECONDS, super().handle_exit, (sig, None))
            self._closing.daemon = True
            self._closing.start()
        else:
            super().handle_exit(sig, frame)


def serve(config: Config, settings: ServerSettings, *, on_ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        config: panels and settings.
        settings: where to listen, and the limits.
        on_ready: called with the address once the jobs of before have been taken up.

    Raises:
        InputError: another process works in the folder, or has the port; or the folder of opinions is none.
        ConfigError: the panel is unknown.
    """
    config.get_panel(config.settings.panel)
    ending = threading.Event()
    claims = claim_service(config, settings, ending.is_set)
    library = claims.checker.library if settings.opinions is not None else None
    jobs = Jobs(settings.folder, Checker(config, settings, library=library), settings.jobs, ending)
    try:
        app = create_app(settings, jobs, claims)
        listener = _listen(settings)
        jobs.start()
        # A large folder takes a minute to read; requests that come before wait for it.
        threading.Thread(target=claims.checker.library.shelf, name="parcel-agents-opinions", daemon=True).start()
        on_ready(address_of(settings))
        server = StoppableServer(
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                server_header=False,
                # No proxy stands before the app, so nobody may say where a request comes from.
                proxy_headers=False,
                limit_concurrency=MAX_CONNECTIONS,
                timeout_graceful_shutdown=GRACE_SECONDS,
                # A client that asks again while its connection is being closed would get no answer.
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
            ),
            jobs.say_stopping,
        )
        # uvicorn raises the signal again at its end, and by its default SIGTERM leaves no time to stop the jobs.
        signal.signal(signal.SIGTERM, _interrupt)
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listener])
    finally:
        jobs.stop()


def _interrupt(sig: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _listen(settings: ServerSettings) -> socket.socket:
    host = settings.host.removeprefix("[").removesuffix("]")
    try:
        return socket.create_server((host, settings.port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise InputError(
            f"cannot listen at {settings.host}, port {settings.port} ({error.strerror or error}); name another --port"
        ) from error


def address_of(settings: ServerSettings) -> str:
    """The address to open."""
    host = f"[{settings.host}]" if ":" in settings.host and not settings.host.startswith("[") else settings.host
    return f"http://{host}:{settings.port}/"
