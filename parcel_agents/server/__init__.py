"""The web app and the HTTP API of `parcel-agents serve`: briefs are checked live, read, decided on and exported.

One job is one folder (`record.py`, `model.py`); `jobs.py` runs them in an event loop of their own, `checking.py`
is what happens to one. Uploaded files are taken by `uploads.py` and parsed in another process (`reading.py` starts it,
`reading_worker.py` is it). `app.py` puts the pages together: `routes.py`, `job_routes.py`, `pages.py`, `events.py`,
`exports.py`; who may ask for them is in `security.py`. The API for programs is in `api_routes.py` (claims, which
`verifying.py` counts and `sent_opinions.py` gives their opinions) and `run_routes.py` (briefs, which are jobs);
`api_models.py` says what it takes and answers, `problems.py` how it refuses.

Nothing outside this folder imports FastAPI, which the extra `server` brings.
"""

from __future__ import annotations

from importlib.util import find_spec

from parcel_agents.errors import MissingDependencyError

_NEEDED = {"fastapi": "fastapi", "uvicorn": "uvicorn", "python_multipart": "python-multipart"}


def has_libraries() -> bool:
    """True where the libraries of the web app are installed."""
    return not _missing()


def require_libraries() -> None:
    """Nothing, where the libraries of the web app are installed.

    Raises:
        MissingDependencyError: one is not.
    """
    if missing := _missing():
        raise MissingDependencyError(
            f"the web app needs {', '.join(missing)}; install with: pip install 'parcel-agents[server]'"
        )


def _missing() -> list[str]:
    return [package for module, package in _NEEDED.items() if find_spec(module) is None]
