"""The web app of `parcel-agents serve`: briefs are dropped, checked live, read, decided on and exported.

One job is one folder (`record.py`, `model.py`); `jobs.py` runs them in an event loop of their own, `checking.py`
is what happens to one. Uploaded files are taken by `uploads.py` and parsed in another process (`reading.py` starts it,
`reading_worker.py` is it). `app.py` puts the pages together: `routes.py`, `job_routes.py`, `pages.py`, `events.py`,
`exports.py`; who may ask for them is in `security.py`.

Nothing outside this folder imports FastAPI, which the extra `server` brings.
"""

from __future__ import annotations

from importlib.util import find_spec

from parcel_agents.errors import MissingDependencyError


def require_libraries() -> None:
    """Nothing, where the libraries of the web app are installed.

    Raises:
        MissingDependencyError: one is not.
    """
    needed = {"fastapi": "fastapi", "uvicorn": "uvicorn", "python_multipart": "python-multipart"}
    missing = [package for module, package in needed.items() if find_spec(module) is None]
    if missing:
        raise MissingDependencyError(
            f"the web app needs {', '.join(missing)}; install with: pip install 'parcel-agents[server]'"
        )
