"""What HTTP adds to a claim that is checked in-process: measured over a real socket on loopback."""

from __future__ import annotations

import http.client
import json
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import uvicorn

from parcel_agents.api import make_context, verify
from parcel_agents.config import load_config
from parcel_agents.eval.datasets import load_dataset
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.server.app import create_app
from parcel_agents.server.checking import Checker
from parcel_agents.server.jobs import Jobs
from parcel_agents.server.settings import ServerSettings
from parcel_agents.server.verifying import claim_service
from parcel_agents.types import Opinion

ROUNDS = 5


def measure_http(rounds: int = ROUNDS) -> dict[str, float]:
    """Median milliseconds for a new claim with the embedded panel on a warm index, in-process and by HTTP, in turns.

    `http_adds_ms` is the median difference over claims that differ in one word only.
    """
    data = load_dataset(Path(str(files("parcel_agents").joinpath("examples"))))
    opinion = next(iter(data.opinions.values()))
    context = make_context(config=load_config(panel="embedded"), opinions=[opinion])
    with _served(context, opinion) as connection:
        claims = [f"{gold.claim} again {round_}" for round_ in range(rounds) for gold in data.claims]
        _ask(connection, opinion, "a first claim pays for what is made only once")
        pairs = [_pair(connection, context, opinion, claim) for claim in claims]
    return {
        "in_process_ms": _median_ms([one for one, _ in pairs]),
        "http_ms": _median_ms([two for _, two in pairs]),
        "http_adds_ms": _median_ms([two - one for one, two in pairs]),
    }


def _pair(
    connection: http.client.HTTPConnection, context: VerifyContext, opinion: Opinion, claim: str
) -> tuple[float, float]:
    started = time.perf_counter()
    verify(opinion, [f"{claim} here"], context=context)
    between = time.perf_counter()
    _ask(connection, opinion, f"{claim} there")
    return between - started, time.perf_counter() - between


def _ask(connection: http.client.HTTPConnection, opinion: Opinion, claim: str) -> None:
    body = json.dumps({"opinion": {"cited": opinion.id}, "claims": [claim]})
    connection.request("POST", "/v1/verify", body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    told = json.loads(answer.read())
    if answer.status != 200 or told["opinion"] is None:
        raise RuntimeError(f"the server did not check the claim: {answer.status} {told}")


@contextmanager
def _served(context: VerifyContext, opinion: Opinion) -> Iterator[http.client.HTTPConnection]:
    """A connection to an app that shares the panel and its index."""
    with tempfile.TemporaryDirectory(prefix="parcel-agents-") as folder:
        (Path(folder) / "opinions").mkdir()
        source = files("parcel_agents").joinpath("examples", "opinions", "people_v_marlowe.md")
        (Path(folder) / "opinions" / "marlowe.md").write_bytes(source.read_bytes())
        settings = ServerSettings(folder=Path(folder) / "jobs", opinions=Path(folder) / "opinions")
        config = load_config(panel="embedded")
        jobs = Jobs(settings.folder, Checker(config, settings), 1)
        app = create_app(settings, jobs, claim_service(config, settings, lambda: False, context=context))
        server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            yield http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        finally:
            server.should_exit = True
            thread.join()
            jobs.stop()


def _median_ms(seconds: list[float]) -> float:
    return round(1000 * statistics.median(seconds), 2)
