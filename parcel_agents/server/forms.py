"""Forms with files, read with limits."""

from __future__ import annotations

from fastapi import Request
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from parcel_agents.server.receiving import Counted, said_length, too_large
from parcel_agents.server.uploads import Dropped

UNREADABLE = "The form that was sent cannot be read."
_FIELDS = 10


async def read_form(request: Request, *, max_bytes: int, max_files: int) -> FormData:
    """The form that a request carries; the caller closes it.

    Raises:
        HTTPException: it is larger than it may be or has too many files (413), is too slow (408), or broken (400).
    """
    length = said_length(request.headers.get("content-length"))
    if length is None or length > max_bytes:
        raise HTTPException(413, too_large(max_bytes))
    counted = Counted(request.receive, max_bytes, lambda: request.app.state.services.jobs.stopping)
    try:
        return await Request(request.scope, counted).form(max_files=max_files + 1, max_fields=_FIELDS)
    except HTTPException as error:
        if error.status_code in (408, 413, 429, 503):
            raise
        if "Too many" in str(error.detail) and "files" in str(error.detail):
            raise HTTPException(413, f"The most files that can be sent at once is {max_files:,}.") from error
        raise HTTPException(400, UNREADABLE) from error
    except (ClientDisconnect, UnicodeError) as error:
        # Nobody waits for the answer any more, or the text is in a code of which Python knows the name alone.
        raise HTTPException(400, UNREADABLE) from error
    finally:
        counted.close()


def text_in(form: FormData, name: str) -> str:
    """A field of a form; empty where there is none or it is a file."""
    value = form.get(name)
    return value if isinstance(value, str) else ""


def files_in(form: FormData, name: str) -> list[Dropped]:
    """The files of a field; a browser sends one without a name where none was chosen."""
    return [
        Dropped(one.filename, one.file) for one in form.getlist(name) if isinstance(one, UploadFile) and one.filename
    ]
